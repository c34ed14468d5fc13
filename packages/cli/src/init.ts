import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { colorsFor } from './colors.ts'
import { EXIT, type ExitCode, type World } from './world.ts'

export type InitOptions = { readonly folder: string }

const TEMPLATE = join(import.meta.dirname, '../templates/starter')

/** `octavo init`: a small site to begin with. Files that exist are never touched. */
export function init(world: World, { folder }: InitOptions): ExitCode {
  const target = resolve(world.cwd, folder)
  const taken = ['docs.json', 'mint.json'].find((name) => existsSync(join(target, name)))
  if (taken !== undefined) {
    world.err.write(`octavo: there is documentation here already: ${taken}.\n`)
    return EXIT.usage
  }
  const files = listFiles(TEMPLATE)
  const present = files.filter((file) => existsSync(join(target, file)))
  if (present.length > 0) {
    world.err.write(`octavo: ${present.join(', ')} would be written over. Name an empty folder.\n`)
    return EXIT.usage
  }
  const { green, dim } = colorsFor(world.out, world.env)
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(TEMPLATE, file), join(target, file), { force: false, errorOnExist: true })
    world.out.write(`${dim('written')}  ${file.replaceAll('\\', '/')}\n`)
  }
  const where = relative(world.cwd, target)
  const name = where === '' ? '' : ` ${where}`
  world.out.write(
    `\n${green('✓')} Your site is ready. \`octavo build${name}\` makes it, \`octavo check${name}\` looks it over.\n`,
  )
  return EXIT.ok
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}
