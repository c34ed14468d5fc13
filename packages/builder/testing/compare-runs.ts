/**
 * Checks that all commands agree on a site (invariants 2 and 3): `check`, a cold build, a build
 * from the cache, a build into another folder, a build after an edit, and the background build of
 * `octavo dev`.
 */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Diagnostic, formatDiagnostic } from '@octavo/model'
import { type BuildOptions, buildSite } from '../src/pipeline/build-site.ts'
import { checkSite } from '../src/pipeline/check-site.ts'

/** Returns one line for each difference, or an empty list if all runs agree. */
export async function compareRuns(
  source: string,
  options: Partial<BuildOptions> = {},
): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'octavo-runs-'))
  try {
    return await new Runs(root, source, options).compare()
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

type Found = { readonly diagnostics: readonly Diagnostic[]; readonly suppressedCount: number }

class Runs {
  readonly #root: string
  readonly #folder: string
  readonly #options: Partial<BuildOptions>
  readonly #differences: string[] = []

  constructor(root: string, source: string, options: Partial<BuildOptions>) {
    this.#root = root
    this.#folder = join(root, 'docs')
    this.#options = options
    cpSync(source, this.#folder, { recursive: true })
  }

  async compare(): Promise<readonly string[]> {
    const cold = await this.#build('one', 'cache')
    const bytes = this.#hashes('one')
    const same = (name: string, found: Found) => this.#compareFound(name, cold, found)
    same('check without a cache', await this.#check('check-cache'))
    same('check with the cache of a build', await this.#check('cache'))
    same('build again', await this.#build('one', 'cache'))
    this.#compareBytes('build again', bytes, this.#hashes('one'))
    same('build from the cache of check', await this.#build('two', 'check-cache'))
    this.#compareBytes('build from the cache of check', bytes, this.#hashes('two'))
    const edited = this.#edit()
    if (edited !== undefined) {
      await this.#build('one', 'cache')
      edited.restore()
      same('build after an edit', await this.#build('one', 'cache'))
      this.#compareBytes('build after an edit', bytes, this.#hashes('one'))
    }
    same('the build of dev', await this.#build('dev', 'cache', { withoutHtml: true }))
    return this.#differences
  }

  #build(output: string, cache: string, more: Partial<BuildOptions> = {}): Promise<Found> {
    return buildSite({
      folder: this.#folder,
      output: join(this.#root, output),
      cacheFolder: join(this.#root, cache),
      version: 'test',
      isTrusted: true,
      ...this.#options,
      ...more,
    })
  }

  #check(cache: string): Promise<Found> {
    return checkSite({
      folder: this.#folder,
      cacheFolder: join(this.#root, cache),
      version: 'test',
      isTrusted: true,
      ...this.#options,
    })
  }

  /** Changes the first page of the site. */
  #edit(): { readonly restore: () => void } | undefined {
    const pages = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
    const page = pages.toSorted().find((path) => path.endsWith('.mdx'))
    if (page === undefined) return undefined
    const file = join(this.#folder, page)
    const before = readFileSync(file)
    appendFileSync(file, '\n\nAn edit with [a broken link](/nowhere-at-all).\n')
    return { restore: () => writeFileSync(file, before) }
  }

  #compareFound(name: string, expected: Found, actual: Found): void {
    const wanted = expected.diagnostics.map(formatDiagnostic)
    const given = actual.diagnostics.map(formatDiagnostic)
    for (const text of wanted) {
      if (!given.includes(text)) this.#differences.push(`${name} lacks: ${firstLine(text)}`)
    }
    for (const text of given) {
      if (!wanted.includes(text)) this.#differences.push(`${name} adds: ${firstLine(text)}`)
    }
    const isOther = wanted.length !== given.length || wanted.join('\n') !== given.join('\n')
    if (isOther && this.#differences.length === 0) this.#differences.push(`${name}: another order`)
    if (expected.suppressedCount !== actual.suppressedCount) {
      this.#differences.push(`${name}: ${actual.suppressedCount} suppressed`)
    }
  }

  #compareBytes(
    name: string,
    expected: ReadonlyMap<string, string>,
    actual: ReadonlyMap<string, string>,
  ): void {
    for (const path of new Set([...expected.keys(), ...actual.keys()])) {
      if (expected.get(path) !== actual.get(path))
        this.#differences.push(`${name}: ${path} differs`)
    }
  }

  #hashes(output: string): ReadonlyMap<string, string> {
    const folder = join(this.#root, output)
    // If docs.json cannot be read, nothing is built.
    if (!existsSync(folder)) return new Map()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    return new Map(
      files.map((file) => [
        file.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
    )
  }
}

function firstLine(text: string): string {
  return text.split('\n').slice(0, 2).join(' ')
}
