/**
 * Changes real specifications at random, and makes pages of the results.
 * No error may be thrown.
 *
 *   npm run lab fuzz/openapi -- [folder of the corpus] [--runs 20000] [--seed 1]
 *
 * Run n depends only on the seed `seed + n`, so `--seed <seed of a failure> --runs 1` repeats it.
 * The corpus is not part of this repository.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  frameData,
  listOperations,
  mergeSchema,
  OperationPages,
  operationListings,
  parseSpecification,
  SharedParts,
  sampleRequest,
  scrapePages,
} from '@octavo/openapi'
import { dump, loadAll } from 'js-yaml'
import { withCorpus } from '../parts/corpus-folder.ts'
import { Chance, changeText, changeValue } from './openapi/change-specification.ts'
import { sliceDocument } from './openapi/slice-document.ts'

const SLOW_MS = 1_000
const SLICES_PER_DOCUMENT = 12

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
  },
})

const slices = withCorpus(positionals[0], (folder) => readSlices(join(folder, 'openapi')), [
  'openapi',
])
const outcomes = new Map<string, number>()
const failures = new Map<string, { seed: number; count: number }>()
let slow = 0
const started = performance.now()
for (let run = 0; run < Number(values.runs); run += 1) tryOne(Number(values.seed) + run)

const seconds = ((performance.now() - started) / 1_000).toFixed(0)
console.log(`${values.runs} changed documents of ${slices.length} slices in ${seconds} s`)
for (const [outcome, count] of [...outcomes].toSorted((a, b) => b[1] - a[1])) {
  console.log(`  ${outcome.padEnd(32)} ${count}`)
}
console.log(`  slower than ${SLOW_MS} ms${' '.repeat(16)} ${slow}`)
for (const [message, { seed, count }] of failures) {
  console.log(`\n${count} × thrown, first with --seed ${seed} --runs 1\n${message}`)
}
process.exitCode = failures.size > 0 ? 1 : 0

/**
 * Returns small documents as a whole, and slices of large ones: some paths with their references.
 */
function readSlices(folder: string): readonly object[] {
  return readdirSync(folder)
    .filter((name) => /\.(?:json|ya?ml)$/.test(name) && name !== 'manifest.json')
    .toSorted()
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      const document = name.endsWith('.json') ? JSON.parse(text) : loadAll(text)[0]
      return sliceDocument(document, SLICES_PER_DOCUMENT)
    })
}

function tryOne(seed: number): void {
  const chance = new Chance(seed)
  const { file, text } = makeText(chance)
  const began = performance.now()
  const outcome = run(file, text, seed)
  const ms = performance.now() - began
  if (ms > SLOW_MS) {
    slow += 1
    console.log(`slow: ${ms.toFixed(0)} ms with --seed ${seed} --runs 1`)
  }
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

function makeText(chance: Chance): { file: string; text: string } {
  const document = structuredClone(chance.pick(slices))
  for (let change = chance.below(5); change >= 0; change -= 1) changeValue(document, chance)
  const isYaml = chance.below(3) === 0
  const text = isYaml
    ? dump(document, { lineWidth: 100 })
    : JSON.stringify(document, null, chance.below(3))
  const file = isYaml ? 'fuzz.yaml' : 'fuzz.json'
  return { file, text: chance.below(3) === 0 ? changeText(text, chance) : text }
}

function run(file: string, text: string, seed: number): string {
  try {
    const { specification, diagnostics } = parseSpecification(file, text)
    for (const { place } of diagnostics) {
      if (!(place.line >= 1 && place.column >= 1)) throw new Error('a diagnostic without a place')
    }
    if (Object.keys(Object.prototype).length > 0) throw new Error('Object.prototype was changed')
    if (specification === undefined) {
      if (diagnostics.length === 0) throw new Error('refused without a reason')
      return `refused: ${diagnostics[0]?.code}`
    }
    const size = makeAll(specification)
    if (size > 50 * Math.max(text.length, 2_000)) throw new Error('data without proportion')
    const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
    return hasErrors ? 'read, with errors' : 'read'
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const message = stack.split('\n').slice(0, 4).join('\n')
    const known = failures.get(message)
    failures.set(message, { seed: known?.seed ?? seed, count: (known?.count ?? 0) + 1 })
    return 'THREW'
  }
}

type Specification = NonNullable<ReturnType<typeof parseSpecification>['specification']>

/** Creates all data that is made from a specification; returns its size in characters. */
function makeAll(specification: Specification): number {
  const options = { pillFields: ['x-pill', 'format'] }
  const reader = new OperationPages(specification, options)
  const parts = new SharedParts(specification, options)
  const part = (ref: string) => parts.part(ref)
  const frame = frameData(specification)
  const resolve = (ref: string) => {
    const found = part(ref)
    return found?.kind === 'schema' ? found.schema : undefined
  }
  let size = 0
  for (const operation of listOperations(specification)) {
    const page = reader.page(operation)
    size += JSON.stringify(page).length
    JSON.stringify(sampleRequest({ page, part, frame, parameters: 'all' }))
  }
  for (const shared of parts.all()) {
    size += JSON.stringify(shared).length
    if (shared.kind === 'schema') mergeSchema(shared.schema, resolve)
  }
  scrapePages(specification, { folder: '', source: 'fuzz.json' })
  return size + JSON.stringify([operationListings(specification), frame]).length
}
