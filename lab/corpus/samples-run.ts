/**
 * Runs generated request samples of real specifications, and checks what they send.
 *
 *   npm run lab corpus/samples-run -- [folder with OpenAPI documents …] [--count 200] [--only name] \
 *     [--list 5] [--languages curl,node,python] [--written]
 *
 * Of larger specifications, `--count` operations are run that are spread evenly over the document.
 * With `--written`, the curl samples in `x-codeSamples` run too: this is code of others.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { ProgramRunner } from '../../packages/cli/src/proof/program-runner.ts'
import { runSamples } from '../../packages/cli/src/proof/run-samples.ts'
import { findRuntimes } from '../../packages/cli/src/proof/runtimes.ts'
import { languagesOf, listSamples } from '../../packages/cli/src/proof/sample-list.ts'
import { requireCorpus } from '../parts/corpus-folder.ts'
import { operationsOf } from './samples-run/operations-of.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    list: { type: 'string', default: '5' },
    languages: { type: 'string', default: 'curl,node,python' },
    written: { type: 'boolean', default: false },
  },
})
const runner = new ProgramRunner()
process.once('SIGINT', () => runner.stop())
const path = process.env.PATH ?? ''

type Counts = { passed: number; run: number }
const totals = new Map<string, Counts>()
const reasons = new Map<string, number>()
const texts = new Set<string>()
let documents = 0
for (const folder of positionals.length === 0 ? [requireCorpus(undefined)] : positionals) {
  for (const file of filesIn(requireCorpus(folder))) await tryFile(file, relative(folder, file))
}
console.log(`\n${documents} specifications`)
for (const [language, { passed, run }] of totals) {
  console.log(
    `${language.padEnd(12)} ${passed} of ${run} equal (${((100 * passed) / run).toFixed(2)} %)`,
  )
}
for (const [reason, count] of [...reasons].toSorted((a, b) => b[1] - a[1])) {
  console.log(`${String(count).padStart(6)}  ${reason}`)
}
process.exitCode = [...totals.values()].every(({ passed, run }) => passed === run) ? 0 : 1

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:json|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => name.includes(options.only))
    .toSorted()
}

async function tryFile(file: string, name: string): Promise<void> {
  const text = readFileSync(file, 'utf8')
  if (texts.has(text) || !/["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/.test(text.slice(0, 3_000)))
    return
  texts.add(text)
  const operations = await spreadOperations(text, extname(file))
  if (operations.length === 0) return
  documents += 1
  const runtimes = await findRuntimes(languagesOf(operations), { path, runner })
  const listed = listSamples(operations, runtimes)
  const runnable = listed.flatMap(({ runnable, ...known }) => {
    const isOther = known.isWritten && !(options.written && known.language === 'bash')
    if (runnable === undefined && !known.isWritten) count(reasons, `not run: ${known.reason}`)
    return runnable === undefined || isOther ? [] : [{ ...runnable, known }]
  })
  const own = new Map<string, Counts>()
  const failures: string[] = []
  await runSamples(runnable, {
    runner,
    path,
    env: {},
    onRun: ({ known: { language, isWritten, operation } }, { problems, output }) => {
      const key = `${language}${isWritten ? ' (x-codeSamples)' : ''}`
      for (const counts of [own, totals]) {
        const known = counts.get(key) ?? { passed: 0, run: 0 }
        known.run += 1
        if (problems.length === 0) known.passed += 1
        counts.set(key, known)
      }
      if (problems.length === 0) return
      const [{ place, reason } = { place: '', reason: '' }] = problems
      count(reasons, `${key}: ${place.split(/[ .]/)[0]}`)
      failures.push(`  ${key}  ${operation}  ${place}: ${reason} ${output.split('\n').at(-1)}`)
    },
  })
  const counted = [...own].map(([key, { passed, run }]) => `${key} ${passed}/${run}`).join('  ')
  console.log(`${name.padEnd(50)} ${counted}`)
  for (const line of failures.slice(0, Number(options.list))) console.log(line.slice(0, 600))
}

/** Returns operations that are spread evenly over the specification. */
async function spreadOperations(text: string, extension: string) {
  const all = await operationsOf(text, { extension, languages: options.languages.split(',') })
  const step = Math.max(1, all.length / Number(options.count))
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
