/**
 * Compares our highlighter with Shiki's engine: time, memory, colors, hostile code.
 * The code blocks are from real documentation. Oniguruma, the engine that grammars were written
 * for, defines the correct colors.
 *
 *   npm run lab bench/highlight -- corpus --shiki folder [--blocks 2000] [--languages 15] [--rounds 5]
 *     [--site name] [--hostile]
 *
 * `corpus` is a folder of sites (or one with `unpack.sh`). With `--site`, all blocks of this site
 * are used; otherwise distinct blocks of all sites, equally many per language. `folder` is one in
 * which these are installed: `npm install @shikijs/core @shikijs/primitive
 * @shikijs/engine-javascript @shikijs/engine-oniguruma @shikijs/langs @shikijs/langs-precompiled
 * @shikijs/vscode-textmate`. Every measurement runs in its own process, and the tools take turns.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Translations,
  translateGrammar,
} from '../../packages/theme/src/highlight/translate-grammar.ts'
import { withCorpus } from '../parts/corpus-folder.ts'
import {
  createTool,
  grammarsOf,
  knownLanguages,
  type Setup,
  type ToolName,
} from './highlight/create-tool.ts'
import { type Block, chooseBlocks, hostileBlocks } from './highlight/sample-blocks.ts'

type Result = {
  readonly firstMs: number
  readonly allMs: number
  readonly peakMb: number
  readonly html: readonly string[]
}
type Variant = { readonly name: ToolName; readonly flags: readonly string[] }
type Work = Setup & { readonly blocks: readonly Block[] }
/** Runs a tool on blocks in a separate process; returns an error message on failure. */
type Run = (variant: Variant, blocks: readonly Block[], timeoutMs?: number) => Result | string

/** The V8 flag that the processes of Octavo use. */
const AT_ONCE = ['--no-regexp-tier-up']
const VARIANTS: readonly Variant[] = [
  { name: 'octavo', flags: AT_ONCE },
  { name: 'octavo, from source', flags: AT_ONCE },
  { name: 'shiki engine', flags: AT_ONCE },
  { name: 'shiki engine', flags: [] },
  { name: 'shiki engine, our caches', flags: AT_ONCE },
  { name: 'shiki engine, as a replacement', flags: AT_ONCE },
  { name: 'shiki precompiled, our caches', flags: AT_ONCE },
  { name: 'shiki core', flags: AT_ONCE },
  { name: 'oniguruma', flags: AT_ONCE },
]
const FIRST_LANGUAGES = ['json', 'bash', 'python', 'typescript']
const HOSTILE_TIMEOUT_MS = 120_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shiki: { type: 'string' },
    blocks: { type: 'string', default: '2000' },
    languages: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '5' },
    site: { type: 'string' },
    hostile: { type: 'boolean', default: false },
    /** This option is only set for the child processes of this program. */
    one: { type: 'string' },
    input: { type: 'string', default: '' },
    output: { type: 'string', default: '' },
  },
})
if (values.one !== undefined) await measureOne(values.one as ToolName)
else if (values.shiki === undefined) {
  console.log('Name the folder in which Shiki is installed with --shiki.')
  process.exitCode = 2
} else {
  const temporary = mkdtempSync(join(tmpdir(), 'octavo-bench-highlight-'))
  try {
    await withCorpus(positionals[0], (folder) => compare(join(folder, 'sites'), temporary))
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function measureOne(name: ToolName): Promise<void> {
  const work = JSON.parse(readFileSync(values.input, 'utf8')) as Work
  const tool = await createTool(name, work)
  const html: string[] = []
  const loaded = new Set<string>()
  const before = process.cpuUsage()
  const spentMs = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  let firstMs = 0
  for (const { language, text } of work.blocks) {
    if (!loaded.has(language)) await tool.load(language)
    loaded.add(language)
    html.push(tool.highlight(text, language).join('\n'))
    if (html.length === 1) firstMs = spentMs()
  }
  const result: Result = {
    ...{ firstMs, allMs: spentMs(), html },
    peakMb: process.resourceUsage().maxRSS / 1_024,
  }
  writeFileSync(values.output, JSON.stringify(result))
}

async function compare(sites: string, temporary: string): Promise<void> {
  const folder = resolve(values.shiki ?? '')
  const [count, languageCount] = [Number(values.blocks), Number(values.languages)]
  const known = await knownLanguages(folder)
  const choice = { blocks: count, languages: languageCount, site: values.site, known }
  const blocks = chooseBlocks(sites, choice)
  const languages = [...new Set(blocks.map(({ language }) => language))]
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0)
  console.log(`${blocks.length} blocks, ${characters} characters: ${languages.join(', ')}`)
  const translations = await translateAhead(folder, [...languages, 'cpp', 'markdown'])
  const run = createRunner(temporary, { folder, translations })
  if (Number(values.rounds) > 0) {
    measureAll(blocks, run)
    console.log('\nfirst block of a process with its grammar, ms of the processor:')
    for (const language of FIRST_LANGUAGES) {
      const block = blocks.find((it) => it.language === language)
      if (block !== undefined) measureFirst(block, run)
    }
  }
  if (!values.hostile) return
  console.log('\nhostile code, ms of the processor, twice:')
  for (const [name, block] of hostileBlocks()) measureHostile({ name, block }, run)
}

/** Translates grammars ahead of time, as `scripts/build.ts` does for the package. */
async function translateAhead(folder: string, languages: readonly string[]) {
  const translations: Record<string, Translations> = {}
  for (const language of languages)
    for (const grammar of await grammarsOf(folder, language))
      translations[grammar.name] = translateGrammar(
        grammar as Parameters<typeof translateGrammar>[0],
      )
  return translations
}

function createRunner(temporary: string, setup: Setup): Run {
  const [input, output] = [join(temporary, 'input.json'), join(temporary, 'output.json')]
  return ({ name, flags }, blocks, timeout) => {
    writeFileSync(input, JSON.stringify({ ...setup, blocks } satisfies Work))
    rmSync(output, { force: true })
    const program = [...flags, import.meta.filename, '--one', name]
    const args = [...program, '--input', input, '--output', output]
    const ended = spawnSync(process.execPath, args, { timeout, encoding: 'utf8' })
    if (ended.status === 0) return JSON.parse(readFileSync(output, 'utf8')) as Result
    if (ended.signal !== null) return `ended after ${(timeout ?? 0) / 1_000} s`
    return /^\w*Error: .*/m.exec(ended.stderr)?.[0] ?? 'failed'
  }
}

function measureAll(blocks: readonly Block[], run: Run): void {
  const results = VARIANTS.map((): Result[] => [])
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const step of VARIANTS.keys()) {
      const index = (step + round) % VARIANTS.length
      const result = run(VARIANTS[index] as Variant, blocks)
      if (typeof result === 'string') throw new Error(`${VARIANTS[index]?.name}: ${result}`)
      results[index]?.push(result)
    }
  }
  const own = results[0] ?? []
  const right = results.at(-1)?.[0]
  console.log(
    '\n                                      ms    ratio  peak MB  blocks unlike octavo; oniguruma',
  )
  for (const [index, variant] of VARIANTS.entries()) {
    const several = results[index] ?? []
    const ms = median(several.map(({ allMs }) => allMs))
    const ratio = median(several.map(({ allMs }, round) => allMs / (own[round]?.allMs ?? 1)))
    const mb = median(several.map(({ peakMb }) => peakMb))
    const html = several[0]?.html ?? []
    const differing = [own[0], right].map((other) => unlike(html, other, blocks)).join('; ')
    const columns = [ms.toFixed(0), ratio.toFixed(2), mb.toFixed(0)].map((it) => it.padStart(8))
    const counts = variant.name === 'shiki core' ? '-' : differing
    console.log(`${labelOf(variant).padEnd(32)}${columns.join('')}  ${counts}`)
  }
}

function unlike(
  html: readonly string[],
  other: Result | undefined,
  blocks: readonly Block[],
): string {
  const differing = blocks.filter((_, at) => html[at] !== other?.html[at])
  const languages = Map.groupBy(differing, ({ language }) => language)
  const parts = [...languages].map(([language, { length }]) => `${language} ${length}`)
  return `${differing.length}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`
}

function measureFirst(block: Block, run: Run): void {
  const times = VARIANTS.map((): number[] => [])
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [index, variant] of VARIANTS.entries())
      times[index]?.push(firstOf(run(variant, [block])))
  const parts = VARIANTS.map(
    (variant, at) => `${labelOf(variant)} ${median(times[at] ?? []).toFixed(0)}`,
  )
  console.log(`  ${block.language.padEnd(10)} ${parts.join(' · ')}`)
}

function firstOf(result: Result | string): number {
  return typeof result === 'string' ? Number.NaN : result.firstMs
}

type Hostile = { readonly name: string; readonly block: Block }
function measureHostile({ name, block }: Hostile, run: Run): void {
  const tried: readonly ToolName[] = ['octavo', 'shiki engine', 'shiki engine, as a replacement']
  const parts = tried.map((tool) => {
    const variant = { name: tool, flags: AT_ONCE }
    const first = run(variant, [block], HOSTILE_TIMEOUT_MS)
    if (typeof first === 'string') return `${tool}: ${first}`
    const second = run(variant, [block], HOSTILE_TIMEOUT_MS)
    if (typeof second === 'string') return `${tool}: ${first.allMs.toFixed(0)}, ${second}`
    const isSame = first.html[0] === second.html[0]
    const times = `${first.allMs.toFixed(0)}, ${second.allMs.toFixed(0)}`
    return `${tool}: ${times}${isSame ? '' : ' (not the same twice)'}`
  })
  console.log(`  ${name.padEnd(20)} ${parts.join(' · ')}`)
}

function labelOf({ name, flags }: Variant): string {
  return flags.length === 0 ? `${name}, no flag` : name
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}
