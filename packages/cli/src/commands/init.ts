import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { githubWorkflow } from './github-workflow.ts'
import { pathWithin } from './path-within.ts'

export type InitOptions = {
  readonly folder: string
  /** The site's name. If it is undefined, a user at a terminal is prompted for it. */
  readonly name: string | undefined
  /** Skips prompts. */
  readonly yes: boolean
  readonly workflow: 'github' | undefined
}

type NewFile = { readonly path: string; readonly content: string | Uint8Array }

/** Git-ignored paths: dependencies, the built site and the cache. */
const IGNORED = ['node_modules/', 'dist/', '.octavo/']

/** `octavo init`: creates a small starter site. Existing files are never changed. */
export async function init(
  world: CommandContext,
  options: InitOptions,
  packageFolder: string,
): Promise<ExitCode> {
  const target = resolve(world.cwd, options.folder)
  const taken = ['docs.json', 'mint.json'].find((name) => existsSync(join(target, name)))
  if (taken !== undefined) {
    world.err.write(`octavo: this folder already contains a site: ${taken}.\n`)
    return EXIT.usage
  }
  const template = readTemplate(join(packageFolder, 'templates/starter'))
  const present = template.filter(({ path }) => existsSync(join(target, path)))
  if (present.length > 0) {
    const names = present.map(({ path }) => path).join(', ')
    world.err.write(`octavo: ${names} would be overwritten. Use an empty folder.\n`)
    return EXIT.usage
  }
  const name = await siteName(world, options, target)
  const schema = schemaPath(target, packageFolder)
  const files = [
    ...template.map((file) => ({
      path: join(target, file.path),
      content: file.path === 'docs.json' ? withSiteName(file, { name, schema }) : file.content,
    })),
    ...projectFiles(world, options, target),
  ]
  const { green, dim } = colorsFor(world.out, world.env)
  for (const { path, content } of files) {
    const pageExists = existsSync(path)
    if (!pageExists) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content, { flag: 'wx' })
    }
    const shown = relative(target, path).replaceAll('\\', '/')
    world.out.write(`${dim(pageExists ? 'skipped' : 'created')}  ${shown}\n`)
  }
  world.out.write(`\n${green('✓')} Your site is ready. Next steps:\n\n`)
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
  ['dev', 'previews the site and updates as you write'],
  ['check', 'reports mistakes with file and line'],
  ['build', 'builds the site into the folder dist'],
]

async function siteName(
  world: CommandContext,
  { name, yes }: InitOptions,
  target: string,
): Promise<string> {
  const guess = nameFromFolder(target)
  if (name !== undefined || yes || world.ask === undefined) return name ?? guess
  return (await world.ask(`Name of the site (${guess}): `)).trim() || guess
}

/**
 * Turns `my-docs` into "My docs". A generic folder name such as `docs` is replaced by the name of
 * its parent.
 */
function nameFromFolder(folder: string): string {
  const own = basename(folder)
  const word = /^(?:docs?|documentation)$/i.test(own) ? basename(dirname(folder)) : own
  const text = word.replaceAll(/[-_.\s]+/g, ' ').trim() || 'My docs'
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Edits the template's docs.json as text, which keeps its layout. */
function withSiteName(
  { content }: NewFile,
  { name, schema }: { readonly name: string; readonly schema: string | undefined },
): string {
  const text = new TextDecoder().decode(content as Uint8Array)
  const start = schema === undefined ? '{' : `{\n  "$schema": ${JSON.stringify(schema)},`
  return text.replace('{', () => start).replace('"My docs"', () => JSON.stringify(name))
}

/** Returns the path of the package's schema if an editor can resolve it from the site. */
function schemaPath(target: string, packageFolder: string): string | undefined {
  const file = join(packageFolder, 'docs.schema.json')
  const project = dirname(dirname(packageFolder))
  const isInstalled = basename(dirname(packageFolder)) === 'node_modules' && existsSync(file)
  if (!isInstalled || pathWithin(project, { target }) === undefined) return undefined
  const path = relative(target, file).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** Files for the project around the documentation, written to the working directory. */
function projectFiles(
  { cwd }: CommandContext,
  { workflow }: InitOptions,
  target: string,
): readonly NewFile[] {
  const project = pathWithin(cwd, { target }) === undefined ? target : cwd
  const ignore = { path: join(project, '.gitignore'), content: `${IGNORED.join('\n')}\n` }
  if (workflow === undefined) return [ignore]
  const folder = relative(project, target).replaceAll('\\', '/') || '.'
  const hasLock = existsSync(join(project, 'package-lock.json'))
  const path = join(project, '.github/workflows/docs.yml')
  return [ignore, { path, content: githubWorkflow({ folder, hasLock }) }]
}

function readTemplate(folder: string): readonly NewFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => ({
      path: relative(folder, file).replaceAll('\\', '/'),
      content: readFileSync(file),
    }))
}
