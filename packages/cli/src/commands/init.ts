import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'

export type InitOptions = { readonly folder: string }

/** `octavo init`: a small site to begin with. Files that exist are never touched. */
export function init(
  world: CommandContext,
  { folder }: InitOptions,
  templateFolder: string,
): ExitCode {
  const target = resolve(world.cwd, folder)
  const taken = ['docs.json', 'mint.json'].find((name) => existsSync(join(target, name)))
  if (taken !== undefined) {
    world.err.write(`octavo: there is documentation here already: ${taken}.\n`)
    return EXIT.usage
  }
  const files = listFiles(templateFolder)
  const present = files.filter((file) => existsSync(join(target, file)))
  if (present.length > 0) {
    world.err.write(`octavo: ${present.join(', ')} would be written over. Name an empty folder.\n`)
    return EXIT.usage
  }
  const { green, dim } = colorsFor(world.out, world.env)
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true })
    cpSync(join(templateFolder, file), join(target, file), { force: false, errorOnExist: true })
    world.out.write(`${dim('written')}  ${file.replaceAll('\\', '/')}\n`)
  }
  world.out.write(`\n${green('✓')} Your site is ready. What to do next:\n\n`)
  const where = relative(world.cwd, target)
  const names = where === '' ? [] : [/\s/.test(where) ? JSON.stringify(where) : where]
  const next = NEXT.map(([words, means]) => [['npx octavo', words, ...names].join(' '), means])
  const width = Math.max(...next.map(([command = '']) => command.length))
  for (const [command = '', means = ''] of next) {
    world.out.write(`  ${command.padEnd(width)}  ${dim(means)}\n`)
  }
  return EXIT.ok
}

const NEXT: readonly (readonly [command: string, means: string])[] = [
  ['dev', 'shows the site while you write it'],
  ['check', 'tells what is wrong with it, and where'],
  ['build', 'makes the site: plain files, in the folder dist'],
]

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}
