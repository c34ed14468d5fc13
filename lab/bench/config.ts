/**
 * Measures what reading a large docs.json costs, as a ratio to `JSON.parse` of the same text.
 * Reading means to parse with positions, validate and resolve. The file resembles the largest real
 * one: several languages and versions, tabs, groups, 20,000 pages, 2 MB.
 *
 *   npm run lab bench/config
 */
import {
  type KnownPage,
  NO_SPECIFICATIONS,
  parseConfig,
  parseJson,
  resolveNavigation,
} from '@octavo/model'

const RATIO_MAX = 10
const ROUNDS = 60

const { text, pages } = makeConfig()
console.log(
  `docs.json of ${(text.length / 1e6).toFixed(2)} MB, ${pages.size} pages, best of ${ROUNDS} rounds`,
)

const facts = { pages, ...NO_SPECIFICATIONS, hasFile: () => true }
const read = () => parseConfig({ file: 'docs.json', text, readPart: () => undefined })
const { config } = read()
if (config === undefined) throw new Error('the generated file is not read')
const written = config.navigation
const problems = resolveNavigation({ written, ...facts }).diagnostics
if (problems.length > 0) throw new Error('the generated site has problems')

const JOBS: readonly (readonly [name: string, work: () => unknown])[] = [
  ['JSON.parse', () => JSON.parse(text)],
  ['parse with positions', () => parseJson('docs.json', text, () => {})],
  ['parse with positions + validate', read],
  ['resolve', () => resolveNavigation({ written, ...facts })],
  [
    'parse + validate + resolve',
    () => {
      const parsed = read()
      if (parsed.config) resolveNavigation({ written: parsed.config.navigation, ...facts })
    },
  ],
]
// The jobs are interleaved, so that other load slows all of them equally.
const times = JOBS.map((): number[] => [])
for (let round = 0; round < ROUNDS; round += 1) {
  JOBS.forEach(([, work], job) => {
    const started = performance.now()
    work()
    times[job]?.push(performance.now() - started)
  })
}
const best = times.map((rounds) => Math.min(...rounds))
const bare = best[0] ?? 1
JOBS.forEach(([name], job) => {
  const ms = best[job] ?? 0
  console.log(
    `${name.padEnd(34)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / bare).toFixed(1).padStart(5)} ×`,
  )
})
const ratio = (best.at(-1) ?? 0) / bare
console.log(`\nratio ${ratio.toFixed(1)} (goal: under ${RATIO_MAX})`)
process.exitCode = ratio < RATIO_MAX ? 0 : 1

function makeConfig(): { text: string; pages: ReadonlyMap<string, KnownPage> } {
  const pages = new Map<string, KnownPage>()
  const page = (path: string): string => {
    const frontmatter = { fields: { title: `About ${path}` }, metadata: {} }
    pages.set(path, { path, file: `${path}.mdx`, frontmatter, isPageOnlyWhenListed: false })
    return path
  }
  const languages = ['en', 'fr', 'ko', 'pt-BR'].map((language) => ({
    language,
    versions: range(20).map((version) => ({
      version: `v1.${version}.0`,
      ...(version === 19 ? { default: true, tag: 'Latest' } : {}),
      tabs: range(5).map((tab) => ({
        tab: `Section ${tab}`,
        icon: 'book-open',
        groups: range(5).map((group) => ({
          group: `Group number ${group}`,
          icon: 'rocket',
          pages: [
            ...range(6).map((n) =>
              page(
                `${language}/v1.${version}.0/section-${tab}/group-${group}/page-about-a-topic-${n}`,
              ),
            ),
            {
              group: 'Nested group',
              expanded: true,
              pages: range(4).map((n) =>
                page(`${language}/v1.${version}.0/section-${tab}/group-${group}/nested/topic-${n}`),
              ),
            },
          ],
        })),
      })),
    })),
  }))
  const config = {
    name: 'Large',
    theme: 'mint',
    colors: { primary: '#0F766E' },
    navigation: {
      languages,
      global: { anchors: [{ anchor: 'Blog', href: 'https://example.com/blog' }] },
    },
  }
  return { text: JSON.stringify(config, null, 2), pages }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
