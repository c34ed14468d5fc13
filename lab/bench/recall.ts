/**
 * Measures how often the page that answers a question is among the first search results.
 * Compared with Pagefind, Orama and MiniSearch on the same pages.
 *
 *   npm run lab bench/recall -- <questions> <corpus> [--misses] [--no-peers]
 *   npm run lab bench/recall -- <questions> <corpus> --typed [--write]
 *
 * <questions> contains `*.answerable.jsonl` (site, question, page, alsoAcceptable) and
 * `typed-queries.jsonl` (site, query). <corpus> is the corpus with its `unpack.sh`, or a folder
 * with each site as `octavo build` wrote it. `--typed` compares the results of short queries with
 * the judgments in `search/typed-queries.jsonl`; `--write` writes the results there, and new
 * results stay without a judgment until a person adds one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createMiniSearch } from './search/ask-minisearch.ts'
import { createOrama } from './search/ask-orama.ts'
import { withPagefind } from './search/ask-pagefind.ts'
import { askOctavo, mainScope, openIndex } from './search/built-index.ts'
import { type LabeledQuestion, plainAddress, RecallTally } from './search/recall-tally.ts'
import { compareTyped } from './search/typed-queries.ts'
import { withBuiltSites } from './search/with-built-sites.ts'

const GOAL = { recallAt5: 0.72, typed: 0.95 } as const
/**
 * The number of results to request. Results are sections, so this is more than enough to find five
 * pages.
 */
const RESULTS_MAX = 30

type Question = LabeledQuestion & { readonly site: string }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    typed: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const [questions, corpus] = positionals
if (questions === undefined || corpus === undefined || !existsSync(questions)) {
  console.log('Name the folder of the questions and that of the corpus, see lab/bench/recall.ts.')
  process.exit(2)
}
if (values.typed) {
  const share = await compareTyped({ questions, corpus, writes: values.write })
  if (share < GOAL.typed) process.exitCode = 1
} else await measureRecall(questions, corpus)

async function measureRecall(folder: string, sites: string): Promise<void> {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.answerable.jsonl'))
    .flatMap((name) => readLines<Question>(join(folder, name)))
  const bySite = Map.groupBy(all, ({ site }) => site)
  const tally = new RecallTally()
  await withBuiltSites(sites, [...bySite.keys()], async (built) => {
    for (const [site, own] of bySite) await askAll(join(built, site), own, tally)
  })
  tally.print()
  if (tally.recallAt5('octavo') < GOAL.recallAt5) process.exitCode = 1
}

async function askAll(site: string, own: readonly Question[], tally: RecallTally): Promise<void> {
  const index = openIndex(site, mainScope(site))
  for (const question of own) {
    const pages = pagesOf(await askOctavo(index, question.question, RESULTS_MAX))
    const rank = tally.add('octavo', question, pages)
    if (values.misses && rank > 5)
      console.log(`missed: ${question.question} → ${question.page}\n  ${pages.join(' ')}`)
  }
  if (values['no-peers']) return
  const sections = index.readSections()
  const askOrama = await createOrama(sections, RESULTS_MAX)
  const mini = createMiniSearch(sections, RESULTS_MAX)
  for (const question of own) {
    tally.add('orama', question, pagesOf(await askOrama(question.question)))
    tally.add('minisearch', question, pagesOf(mini.exact(question.question)))
    tally.add('minisearch, prefix and fuzzy', question, pagesOf(mini.forgiving(question.question)))
  }
  await withPagefind(site, 'en', async (ask) => {
    const answers = await ask(own.map(({ question }) => question))
    for (const [place, question] of own.entries())
      tally.add('pagefind', question, pagesOf(answers[place] ?? []))
  })
}

/** Returns the pages of results in their order, without the sections. */
function pagesOf(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map(plainAddress))].slice(0, 5)
}

function readLines<Line>(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}
