/**
 * Builds one site of the corpus and prints the result as JSON, for `corpus/build.ts`:
 *
 *   node lab/corpus/build/build-one.ts <site> <folder to work in>
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadSite, readFolder } from '@octavo/builder'
import { buildSite } from '../../../packages/builder/src/pipeline/build-site.ts'
import { htmlPath } from '../../../packages/builder/src/plan/site-paths.ts'
import { lostWords } from './source-prose.ts'

export type BuiltSite = {
  readonly pageFiles: number
  readonly htmlFiles: number
  /** Page files for which no HTML was written. */
  readonly missing: readonly string[]
  readonly pageCount: number
  readonly outputCount: number
  readonly buildSeconds: number
  readonly diagnostics: readonly {
    readonly severity: string
    readonly code: string
    readonly place: { readonly file: string; readonly line: number; readonly column: number }
    readonly message: string
  }[]
  readonly lost: readonly { readonly file: string; readonly words: readonly string[] }[]
}

const [folder = '', work = ''] = process.argv.slice(2)
const output = join(work, 'out')
const started = performance.now()
const result = await buildSite({
  folder,
  output,
  cacheFolder: join(work, 'cache'),
  version: 'corpus',
})
const buildSeconds = (performance.now() - started) / 1_000

const { site } = loadSite(readFolder(folder))
const pages = new Map(
  (site?.pages ?? [])
    .toReversed()
    .filter(
      ({ path, isPageOnlyWhenListed }) =>
        !isPageOnlyWhenListed || site?.navigation.byPath.get(path)?.missing === false,
    )
    .map((page) => [page.path, page.file]),
)
const missing: string[] = []
const lost: { file: string; words: readonly string[] }[] = []
for (const [path, file] of pages) {
  const made = join(output, htmlPath(path))
  if (!existsSync(made)) {
    missing.push(file)
    continue
  }
  const words = lostWords(readFileSync(join(folder, file), 'utf8'), readFileSync(made, 'utf8'))
  if (words.length > 0) lost.push({ file, words: words.slice(0, 40) })
}
const { pageCount, outputCount } = result
const built: BuiltSite = {
  pageFiles: pages.size,
  htmlFiles: pages.size - missing.length,
  missing,
  pageCount,
  outputCount,
  buildSeconds,
  lost,
  diagnostics: result.diagnostics.map(({ severity, code, place, message }) => ({
    severity,
    code,
    place,
    message,
  })),
}
process.stdout.write(JSON.stringify(built))
