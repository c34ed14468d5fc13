/**
 * Measures how well search finds sections, compared with Pagefind and Orama, and bytes per query.
 * Queries are headings of the sites. Every third one has a typing error.
 *
 *   npm run lab bench/search -- built-site … [--count 100] [--peers] [--transfer built-site]
 *
 * Sites are output folders of `octavo build`. `--count` queries are generated for each. With
 * `--transfer` queries are also typed letter by letter in Chromium.
 */
import { parseArgs } from 'node:util'
import { createOrama } from './search/ask-orama.ts'
import { withPagefind } from './search/ask-pagefind.ts'
import { askOctavo, firstPath, largestScope, mainScope, openIndex } from './search/built-index.ts'
import { type SampleQuery, sampleQueries } from './search/sample-queries.ts'
import { typeQueries } from './search/type-queries.ts'

const GOALS = { share: 0.95, transferBytes: 300_000 } as const
const SHOWN = 5
/**
 * The times between keys of readers who type fast, at average speed, slowly, or hunt for each key.
 */
const LETTER_TIMES_MS = [120, 180, 300, 600]
/** Queries that readers type, in addition to headings. */
const TYPED = ['create', 'deploymnet', 'webhook signature', 'how do i paginate', 'getSessionToken']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    peers: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    transfer: { type: 'string' },
  },
})

type Tally = { plain: number; plainAll: number; typo: number; typoAll: number; pages: number }
const tallies = new Map<string, Tally>()

for (const site of positionals) await measureSite(site)
for (const [name, tally] of tallies) printTally(name, tally)
if (values.transfer !== undefined) {
  await measureTransfer(values.transfer)
  await measureTyping(values.transfer)
}

async function measureSite(site: string): Promise<void> {
  const index = openIndex(site, mainScope(site))
  const sections = index.readSections()
  const queries = sampleQueries(sections, { count: Number(values.count), seed: 7 })
  for (const query of queries) {
    const urls = await askOctavo(index, query.text)
    count('octavo', query, urls)
    if (values.misses && !isFound(query, urls))
      console.log(`  missed: ${query.text} → ${query.url}; got ${urls.slice(0, SHOWN).join(' ')}`)
  }
  if (!values.peers) return
  const askOrama = await createOrama(sections, SHOWN)
  for (const query of queries) count('orama', query, await askOrama(query.text))
  await withPagefind(site, 'en', async (ask) => {
    const answers = await ask(queries.map(({ text }) => text))
    for (const [place, query] of queries.entries()) count('pagefind', query, answers[place] ?? [])
  })
}

function isFound({ url }: SampleQuery, urls: readonly string[]): boolean {
  return urls.slice(0, SHOWN).some((shown) => sameAddress(shown, url))
}

/** Checks whether the right page is among the first pages, ignoring the section. */
function isPageFound({ url }: SampleQuery, urls: readonly string[]): boolean {
  const pageOf = (address: string) => address.replace(/#.*/, '')
  const pages = [...new Set(urls.map(pageOf))].slice(0, SHOWN)
  return pages.some((shown) => sameAddress(shown, pageOf(url)))
}

/** Checks whether two URLs are equal, ignoring a slash or `index.html` before the `#`. */
function sameAddress(a: string, b: string): boolean {
  const plain = (url: string) => decodeURIComponent(url).replace(/(?:\/index\.html|\/)(?=#|$)/, '')
  return plain(a) === plain(b)
}

function count(engine: string, query: SampleQuery, urls: readonly string[]): void {
  const tally = tallies.get(engine) ?? { plain: 0, plainAll: 0, typo: 0, typoAll: 0, pages: 0 }
  tallies.set(engine, tally)
  const found = isFound(query, urls) ? 1 : 0
  tally.pages += isPageFound(query, urls) ? 1 : 0
  if (query.hasTypo) {
    tally.typo += found
    tally.typoAll += 1
  } else {
    tally.plain += found
    tally.plainAll += 1
  }
}

function printTally(name: string, { plain, plainAll, typo, typoAll, pages }: Tally): void {
  const share = (plain + typo) / (plainAll + typoAll)
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`
  console.log(
    `${name.padEnd(10)} in the first ${SHOWN}: ${percent(share)} of ${plainAll + typoAll}` +
      ` (as written ${percent(plain / plainAll)}, with a typo ${percent(typo / typoAll)});` +
      ` the page ${percent(pages / (plainAll + typoAll))}`,
  )
  if (name === 'octavo' && share < GOALS.share) process.exitCode = 1
}

/**
 * Measures the bytes that a first query loads, as the maximum of several queries with newly opened
 * indexes.
 */
async function measureTransfer(site: string): Promise<void> {
  const scope = largestScope(site)
  const queries = sampleQueries(openIndex(site, scope).readSections(), { count: 30, seed: 11 })
  const sizes: number[] = []
  for (const { text } of queries) {
    const index = openIndex(site, scope)
    await askOctavo(index, text)
    sizes.push(index.loaded.bytes)
  }
  sizes.sort((a, b) => a - b)
  const most = sizes.at(-1) ?? 0
  const middle = sizes[Math.floor(sizes.length / 2)] ?? 0
  console.log(`first query: ${kilobytes(middle)} in the middle, ${kilobytes(most)} at most`)
  if (most > GOALS.transferBytes) process.exitCode = 1
}

/**
 * Measures the bytes that are loaded if queries are typed letter by letter and results are shown
 * whenever the reader pauses.
 */
async function measureTyping(site: string): Promise<void> {
  const sections = openIndex(site, largestScope(site)).readSections()
  const path = firstPath(site)
  const headings = sampleQueries(sections, { count: 5, seed: 5 }).map(({ text }) => text)
  for (const letterMs of LETTER_TIMES_MS) {
    const typed = await typeQueries(site, { path, texts: [...TYPED, ...headings], letterMs })
    const heaviest = typed.toSorted((a, b) => b.bytes - a.bytes)[0]
    const answers = typed.map(({ answerMs }) => answerMs).toSorted((a, b) => a - b)
    const [bytes, text] = [heaviest?.bytes ?? 0, heaviest?.text ?? '']
    console.log(
      `typed, ${letterMs} ms a letter: ${kilobytes(bytes)} at most (${text});` +
        ` answered ${answers[answers.length >> 1]?.toFixed(0)} ms after the last letter`,
    )
    if (bytes > GOALS.transferBytes) process.exitCode = 1
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} KB`
}
