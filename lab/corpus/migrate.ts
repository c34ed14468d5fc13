/**
 * Runs `octavo migrate` on every real site that needs it, and looks for new errors and lost pages.
 * These are sites with a mint.json, and sites whose docs.json mixes levels. Afterwards the
 * configuration must have no new errors, and every page that was listed before must still be
 * listed.
 *
 *   npm run lab corpus/migrate -- [folder of the corpus]
 *
 * The corpus is not part of this repository; it is not written to.
 */
import { join } from 'node:path'
import { type LoadResult, loadSite, readFolder, type SourceTree } from '@octavo/builder'
import { migrateConfig } from '@octavo/model'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'

const CONFIGS = ['docs.json', 'mint.json']

let moved = 0
let failed = 0
withCorpus(process.argv[2], (corpus) => {
  const folder = join(corpus, 'sites')
  for (const site of configFolders(folder)) {
    const tree = readFolder(join(folder, site))
    for (const config of CONFIGS.filter((name) => tree.files.includes(name))) {
      tryMove(`${site}/${config}`, tree, config)
    }
  }
})
console.log(`${moved} moved, ${failed} not as they should be`)
process.exitCode = failed === 0 ? 0 : 1

function tryMove(name: string, tree: SourceTree, config: string): void {
  const old = tree.read(config) ?? ''
  const { text, changes, diagnostics } = migrateConfig(config, old)
  if (text !== undefined && changes.length === 0) return
  moved += 1
  const earlier = loadSite(withConfig(tree, config, old))
  const before = listedPages(earlier)
  // Errors that existed before the migration do not count.
  const known = new Set(earlier.diagnostics.map(({ message }) => message))
  const after = loadSite(withConfig(tree, 'docs.json', text ?? ''))
  const kept = listedPages(after)
  const lost = [...before].filter((path) => !kept.has(path))
  const errors = [...(text === undefined ? diagnostics : []), ...after.diagnostics].filter(
    ({ severity, place, message }) =>
      severity === 'error' && CONFIGS.includes(place.file) && !known.has(message),
  )
  if (lost.length > 0 || errors.length > 0) failed += 1
  console.log(
    `${name}: ${before.size} pages before, ${kept.size} after, ${errors.length} new errors`,
  )
  for (const path of lost) console.log(`  lost: ${path}`)
  for (const { code, place, message } of errors) console.log(`  ${place.line} ${code}: ${message}`)
}

/** Returns the files of a site with this configuration as the only one. */
function withConfig(tree: SourceTree, name: string, text: string): SourceTree {
  const files = tree.files.filter((file) => !CONFIGS.includes(file))
  return {
    ...tree,
    files: [...files, name].toSorted(),
    read: (path) => (path === name ? text : tree.read(path)),
  }
}

function listedPages({ site }: LoadResult): ReadonlySet<string> {
  const pages = [...(site?.navigation.byPath.values() ?? [])]
  return new Set(pages.filter(({ missing }) => !missing).map(({ path }) => path))
}
