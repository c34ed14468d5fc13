/**
 * Versions of one site from the real builder. Versions with even and odd numbers differ in their
 * styles and search index, and every version has different pages.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ManifestEntry,
  parseManifestRoot,
  parseManifestRun,
  printManifest,
} from '@octavo/model'
import { systemClock } from '../../../packages/cli/src/context/system-clock.ts'
import { run } from '../../../packages/cli/src/run.ts'

export type SiteVersion = {
  readonly number: number
  /** A folder for `octavo deploy --prebuilt`. */
  readonly folder: string
  /** The digest of each file, by path. */
  readonly files: ReadonlyMap<string, string>
}

export type BuiltTree = {
  readonly facts: Parameters<typeof printManifest>[0]
  readonly entries: readonly ManifestEntry[]
}

const PAGES = 30
const DIGITS = 6
const MARK = 'release'
const HAS_MARK = /\.(?:html|md|txt)$/

const printMark = (number: number) => MARK + String(number).padStart(DIGITS, '0')

/** Returns the version number of a page. */
export function markOf(html: string): number | undefined {
  const [, digits] = new RegExp(`${MARK}(\\d{${DIGITS}})`).exec(html) ?? []
  return digits === undefined ? undefined : Number(digits)
}

export const sha256Of = (bytes: Uint8Array | string) =>
  createHash('sha256').update(bytes).digest('hex')

/**
 * Builds the two base sites. Returns a function that creates a version with any given number from
 * them.
 */
export async function buildVersions(folder: string): Promise<(number: number) => SiteVersion> {
  const bases = await Promise.all(
    ['even', 'odd'].map((name) => buildBase(join(folder, name), name)),
  )
  return (number) => {
    const base = bases[number % bases.length]
    if (base === undefined) throw new Error('there are two bases')
    return writeVersion(base, { number, folder: join(folder, `version-${number}`) })
  }
}

async function buildBase(folder: string, name: string): Promise<string> {
  const pages = Array.from({ length: PAGES }, (_, index) => `guides/page-${index}`)
  write(
    folder,
    'docs/docs.json',
    JSON.stringify({
      name: 'Plants',
      colors: { primary: name === 'even' ? '#0D9373' : '#93370D' },
      navigation: { pages: ['index', ...pages] },
    }),
  )
  write(folder, 'docs/own/style.css', `main { --version: ${name}; }\n`)
  write(folder, 'docs/own/script.js', `document.documentElement.dataset.version = '${name}'\n`)
  for (const page of ['index', ...pages]) {
    const text = `This is ${printMark(0)}. The ${name} rhododendron of ${page} needs water.\n`
    write(folder, `docs/${page}.mdx`, `---\ntitle: Page ${page}\n---\n\n${text}`)
  }
  const dist = join(folder, 'dist')
  await octavo('build', join(folder, 'docs'), '-o', dist)
  return dist
}

/** Runs the command line without a service. Throws if it fails. */
export async function octavo(...args: readonly string[]): Promise<string> {
  let text = ''
  const stream = { write: (part: string) => (text += part) }
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined }
  const code = await run({
    args,
    cwd: process.cwd(),
    env,
    clock: systemClock,
    out: stream,
    err: stream,
  })
  if (code !== 0) throw new Error(text)
  return text
}

function writeVersion(
  base: string,
  { number, folder }: { readonly number: number; readonly folder: string },
): SiteVersion {
  const { facts, entries } = readBuiltTree(base)
  const own = entries.map((entry) => {
    const bytes = readFileSync(join(base, entry.path))
    const marked = HAS_MARK.test(entry.path)
      ? Buffer.from(bytes.toString('utf8').replaceAll(printMark(0), printMark(number)))
      : bytes
    write(folder, entry.path, marked)
    return { ...entry, sha256: sha256Of(marked) }
  })
  writeManifest(folder, { facts, entries: own })
  return { number, folder, files: new Map(own.map(({ path, sha256 }) => [path, sha256])) }
}

/** Reads the manifest of a built folder. */
export function readBuiltTree(folder: string): BuiltTree {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const parsed = parseManifestRoot(read('_octavo/manifest.json'))
  if (parsed.kind !== 'root') throw new Error(parsed.reason)
  const { root } = parsed
  const entries = root.runs.flatMap(({ sha256 }, index) => {
    const run = parseManifestRun(read(`_octavo/manifest/${sha256}.json`), root, index)
    if (run.kind !== 'run') throw new Error(run.reason)
    return run.entries
  })
  const { labels: _, runs: __, ...facts } = root
  return { facts, entries }
}

/**
 * Returns a copy of a site with a different first page. `index.html` can be a redirect to that
 * page.
 */
export function ownPage(folder: string, { entries }: BuiltTree, number: number) {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const target = /http-equiv="refresh" content="0; url=\/([^"]*)"/.exec(read('index.html'))?.[1]
  const path = target === undefined ? 'index.html' : `${target}/index.html`
  const html = read(path)
  const page = Buffer.from(html.replace('</body>', `<p>Site ${number}</p></body>`))
  const sha256 = sha256Of(page)
  return {
    page,
    path,
    address: `/${target ?? ''}`,
    entries: entries.map(
      (entry): ManifestEntry =>
        entry.path === path ? { ...entry, sha256, size: page.length } : entry,
    ),
  }
}

export function writeManifest(folder: string, { facts, entries }: BuiltTree): void {
  const { root, runs } = printManifest(facts, entries, sha256Of)
  write(folder, '_octavo/manifest.json', root)
  for (const { sha256, text } of runs) write(folder, `_octavo/manifest/${sha256}.json`, text)
}

function write(folder: string, path: string, content: string | Uint8Array): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
