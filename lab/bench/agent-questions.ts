/**
 * Measures how often an agent with only the MCP server finds the page that answers a question.
 * The agent is a script: it searches for the question, searches again for the question with the
 * titles of the three best pages, and reads all pages that both searches found.
 *
 *   npm run lab bench/agent-questions -- <questions> <corpus> [--misses] [--results N]
 *
 * The agent requests N results, or the tool's default number. Questions are split into halves by a
 * hash: tune the search only on the misses of the first half, which `--misses` shows, and use the
 * second half to see if it helped.
 *
 * <questions> contains `*.answerable.jsonl` (site, question, page, alsoAcceptable). <corpus> is the
 * corpus with its `unpack.sh`, or a folder with each site as `octavo build` wrote it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openFolder } from '../../packages/cli/src/answers/open-folder.ts'
import { type DocsSite, docsTools, runTool, type ToolName } from '../../packages/mcp/src/index.ts'
import { parseQuestions } from '../../packages/search/src/answers/parse-questions.ts'
import { openLibrary } from '../../packages/search/src/index.ts'
import { withBuiltSites } from './search/with-built-sites.ts'

const GOAL = 0.9
/** The number of titles from the first search that are added to the second query. */
const TITLES = 3
const QUERY_LENGTH_MAX = 500
/**
 * Matches a result in the tool's text: a section with its page, or an entry of the list below the
 * sections.
 */
const RESULT =
  /^(?:## (?<title>.+?)(?: > .*)?\n|- \[.*\]\()https:\/\/site\.example(?<url>\/[^\s#)]*)/gm

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'boolean', default: false }, results: { type: 'string' } },
})
const [folder, corpus] = positionals
if (folder === undefined || corpus === undefined || !existsSync(folder)) {
  console.log(
    'Name the folder of the questions and that of the corpus, see lab/bench/agent-questions.ts.',
  )
  process.exit(2)
}

type Half = 'first' | 'second'
type TestQuestion = { readonly question: string; readonly pages: ReadonlySet<string> }

const bySite = readAll(folder)
/** The results of each half: true for each question whose page was found. */
const all: Record<Half, boolean[]> = { first: [], second: [] }
const reads: number[] = []
await withBuiltSites(corpus, [...bySite.keys()], async (built) => {
  for (const [site, questions] of bySite) {
    const met = await askAll(join(built, site), questions)
    print(site, met)
  }
})
print('first half', all.first)
print('second half', all.second)
const together = [...all.first, ...all.second]
print('all', together)
console.log(
  `${(reads.reduce((sum, count) => sum + count, 0) / reads.length).toFixed(1)} pages read`,
)
if (Math.min(share(together), share(all.second)) < GOAL) process.exitCode = 1

function readAll(questions: string): ReadonlyMap<string, readonly TestQuestion[]> {
  const files = readdirSync(questions).filter((name) => name.endsWith('.answerable.jsonl'))
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(questions, name), 'utf8')
      const parsed = parseQuestions(text)
      if (typeof parsed === 'string') throw new Error(`${name}: ${parsed}`)
      const { site } = JSON.parse(text.slice(0, text.indexOf('\n'))) as { readonly site: string }
      return [site, parsed]
    }),
  )
}

async function askAll(
  output: string,
  questions: readonly TestQuestion[],
): Promise<readonly boolean[]> {
  const deployment = await openFolder(output)
  if (deployment === undefined) throw new Error(`${output} is not a built site.`)
  const reader = { hasSiteAccess: true, groups: new Set<string>() }
  const library = openLibrary(deployment, { reader })
  const site: DocsSite = {
    name: 'site',
    deployment,
    reader,
    openLibrary: () => library,
    url: 'https://site.example',
  }
  const met: boolean[] = []
  for (const { question, pages } of questions) {
    const read = await research(site, question)
    const isMet = [...read].some((url) => pages.has(url))
    met.push(isMet)
    const half = halfOf(question)
    all[half].push(isMet)
    if (!isMet && values.misses && half === 'first') console.log(`  ${question} (${[...pages][0]})`)
  }
  return met
}

function halfOf(question: string): Half {
  const [byte = 0] = createHash('sha256').update(question).digest()
  return byte % 2 === 0 ? 'first' : 'second'
}

/** Returns the pages that the agent reads for a question. */
async function research(site: DocsSite, question: string): Promise<ReadonlySet<string>> {
  const first = await search(site, question)
  const titles = first.slice(0, TITLES).map(({ title }) => title)
  const second = await search(site, [question, ...titles].join(' '))
  const found = new Set([...first, ...second].map(({ url }) => url))
  for (const url of found) {
    const { isError } = await call(site, 'read_page', { url })
    if (isError) throw new Error(`${url} was found and cannot be read.`)
  }
  reads.push(found.size)
  return found
}

async function search(site: DocsSite, words: string) {
  const query = words.slice(0, QUERY_LENGTH_MAX)
  const { text } = await call(site, 'search_docs', {
    query,
    ...(values.results !== undefined && { limit: Number(values.results) }),
  })
  return [...text.matchAll(RESULT)].map(({ groups }) => ({
    title: groups?.title ?? '',
    url: groups?.url ?? '',
  }))
}

async function call(site: DocsSite, name: ToolName, input: object) {
  const tool = docsTools(site).find((one) => one.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  return runTool(site, tool, input)
}

function share(met: readonly boolean[]): number {
  return met.filter(Boolean).length / Math.max(1, met.length)
}

function print(name: string, met: readonly boolean[]): void {
  console.log(`${name}: ${(share(met) * 100).toFixed(1)} % of ${met.length} questions`)
}
