/**
 * Checks that searches of sites of the corpus find the right page among the first three.
 * The 60 queries are such as users type, and their pages were chosen before looking at any result.
 *
 *   npm run lab bench/journey-search -- <folder of built sites> [--all]
 *
 * Each site is an output folder of `octavo build` with the name that the queries use. `--all` prints
 * the results of every query, not only of those that fail.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { askOctavo, mainScope, openIndex } from './search/built-index.ts'

type JourneyQuery = {
  readonly site: string
  readonly query: string
  readonly pages: readonly string[]
}

const SHOWN = 3
const RIGHT_MIN = 58

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})
const [folder = ''] = positionals
if (!existsSync(folder)) {
  console.log('Nothing to measure: name a folder of built sites.')
  process.exit()
}
const queries = readFileSync(join(import.meta.dirname, 'search/journey-queries.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as JourneyQuery)

let right = 0
let first = 0
for (const [site, own] of Map.groupBy(queries, (query) => query.site)) {
  const built = join(folder, site)
  const index = openIndex(built, mainScope(built))
  for (const { query, pages } of own) {
    const urls = (await askOctavo(index, query)).map((url) => url.replace(/#.*/, ''))
    const shown = [...new Set(urls)].slice(0, SHOWN)
    const isRight = shown.some((url) => pages.includes(url))
    if (isRight) right += 1
    if (pages.includes(shown[0] ?? '')) first += 1
    if (!isRight || values.all)
      console.log(`${isRight ? '✓' : '✗'} ${site} ${query}: ${shown.join(' ')}`)
  }
}
console.log(`right page first: ${first} of ${queries.length}; in the first ${SHOWN}: ${right}`)
if (right < RIGHT_MIN) process.exitCode = 1
