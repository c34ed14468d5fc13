import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Template } from '../command-table.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { githubWorkflow } from './github-workflow.ts'
import { pathWithin } from './path-within.ts'

export type InitOptions = {
  readonly folder: string
  readonly template: Template
  /** The site's name; if undefined, a user at a terminal is prompted for it. */
  readonly name: string | undefined
  /** True to skip prompts. */
  readonly yes: boolean
  readonly workflow: 'github' | undefined
}

type NewFile = {
  readonly path: string
  readonly content: string | Uint8Array
  /** The reason for writing the file, if it is outside the site's folder. */
  readonly reason?: string
}

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
  const template = ['shared', options.template].flatMap((folder) =>
    readTemplate(join(packageFolder, 'templates', folder)),
  )
  const present = template.filter(({ path }) => existsSync(join(target, path)))
  if (present.length > 0) {
    const names = present.map(({ path }) => path).join(', ')
    world.err.write(`octavo: ${names} would be overwritten. Use an empty folder.\n`)
    return EXIT.usage
  }
  const name = await siteName(world, options, target)
  const schema = schemaPath(target, packageFolder)
  const files: readonly NewFile[] = [
    ...template.map((file) => ({
      path: join(target, file.path),
      content: withSiteName(file, { name, schema }),
    })),
    ...projectFiles(world, options, target),
  ]
  const { green, dim } = colorsFor(world.out, world.env)
  for (const { path, content, reason } of files) {
    const fileExists = existsSync(path)
    if (!fileExists) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content, { flag: 'wx' })
    }
    const shown = relative(target, path).replaceAll('\\', '/')
    const why = fileExists || reason === undefined ? '' : dim(`  ${reason}`)
    world.out.write(`${dim(fileExists ? 'skipped' : 'created')}  ${shown}${why}\n`)
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
 * Returns "My docs" for the folder `my-docs`. For a generic folder such as `docs`, uses the name of
 * its parent.
 */
function nameFromFolder(folder: string): string {
  const own = basename(folder)
  const word = /^(?:docs?|documentation)$/i.test(own) ? basename(dirname(folder)) : own
  const text = word.replaceAll(/[-_.\s]+/g, ' ').trim() || 'My docs'
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Inserts the name into docs.json and the logo by replacing text, which keeps their formatting. */
function withSiteName(
  { path, content }: NewFile,
  { name, schema }: { readonly name: string; readonly schema: string | undefined },
): string | Uint8Array {
  if (path !== 'docs.json' && !path.startsWith('logo/')) return content
  const text = new TextDecoder().decode(content as Uint8Array)
  if (path !== 'docs.json') return withLogoName(text, name)
  const start = schema === undefined ? '{' : `{\n  "$schema": ${JSON.stringify(schema)},`
  return text.replace('{', () => start).replace('"My docs"', () => JSON.stringify(name))
}

/**
 * The width of the logo's symbol and the space after it, and a width that is enough for most
 * letters.
 */
const LOGO_MARK_WIDTH = 40
const LOGO_LETTER_WIDTH = 10.5

function withLogoName(text: string, name: string): string {
  const width = Math.ceil(LOGO_MARK_WIDTH + name.length * LOGO_LETTER_WIDTH)
  const written = name
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
  return text.replaceAll('112', String(width)).replaceAll('My docs', () => written)
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

/** Returns the files for the project around the documentation, such as .gitignore. */
function projectFiles(
  { cwd }: CommandContext,
  { workflow }: InitOptions,
  target: string,
): readonly NewFile[] {
  const project = pathWithin(cwd, { target }) === undefined ? target : cwd
  const ignore = {
    path: join(project, '.gitignore'),
    content: `${IGNORED.join('\n')}\n`,
    ...(project !== target && { reason: 'because `octavo build` writes dist next to the folder' }),
  }
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
