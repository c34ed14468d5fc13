/**
 * Checks that `check`, builds and `dev` have the same findings and bytes for real sites.
 * For each site, it runs `check` and builds: cold, cached, after an edit and as `octavo dev` runs
 * them. Findings are compared as texts, outputs as bytes.
 *
 *   npm run lab corpus/same -- [folder of the corpus] [--count 10] [--pages 600] [--only pattern of sites]
 *
 * It uses `--count` sites with at most `--pages` page files, always the same ones. The corpus is
 * not part of this repository; it is not written to.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareRuns } from '../../packages/builder/testing/compare-runs.ts'
import { configFolders, withCorpus } from '../parts/corpus-folder.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10' },
    pages: { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
  },
})

await withCorpus(positionals[0], async (corpus) => {
  const folder = join(corpus, 'sites')
  const sites = configFolders(folder).filter((site) => {
    const count = pageCount(join(folder, site))
    return site.includes(values.only) && count >= 20 && count <= Number(values.pages)
  })
  let differences = 0
  for (const site of sites.slice(0, Number(values.count))) {
    const found = await compareRuns(join(folder, site))
    console.log(`${found.length === 0 ? '✓' : '✗'} ${site}, ${pageCount(join(folder, site))} pages`)
    for (const line of found.slice(0, 20)) console.log(`    ${line}`)
    differences += found.length
  }
  console.log(`\n${differences} differences`)
  process.exitCode = differences === 0 ? 0 : 1
})

function pageCount(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.mdx?$/.test(file)).length
}
