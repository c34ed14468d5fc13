/**
 * Checks that searches of our own documentation find the right page among the first three.
 * The 40 queries are such as users type, and were written before looking at any result.
 *
 *   npm run lab bench/docs-search -- [--all]
 *
 * `--all` prints the results of every query, not only of those that fail.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { askOctavo, mainScope, openIndex } from './search/built-index.ts'

type DocsQuery = { readonly query: string; readonly pages: readonly string[] }

const ROOT = join(import.meta.dirname, '../..')
const SHOWN = 3
const RIGHT_MIN = 38

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
const queries = readFileSync(join(import.meta.dirname, 'search/docs-queries.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DocsQuery)

const built = mkdtempSync(join(tmpdir(), 'octavo-docs-'))
try {
  const main = join(ROOT, 'packages/cli/src/main.ts')
  spawnSync(process.execPath, [main, 'build', join(ROOT, 'docs'), '-o', built], { stdio: 'ignore' })
  await measure()
} finally {
  rmSync(built, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const index = openIndex(built, mainScope(built))
  let right = 0
  for (const { query, pages } of queries) {
    const urls = (await askOctavo(index, query)).map((url) => url.replace(/#.*/, ''))
    const shown = [...new Set(urls)].slice(0, SHOWN)
    const isRight = shown.some((url) => pages.includes(url))
    if (isRight) right += 1
    if (!isRight || values.all) console.log(`${isRight ? '✓' : '✗'} ${query}: ${shown.join(' ')}`)
  }
  console.log(`right page in the first ${SHOWN}: ${right} of ${queries.length}`)
  if (right < RIGHT_MIN) process.exitCode = 1
}
