/**
 * Plants faults into curl samples that authors wrote, and counts those that `octavo test` finds.
 *
 *   npm run lab corpus/sample-faults -- <OpenAPI document as JSON> [--faults 300] [--seed 1] \
 *     [--env NAME=value …] [--rounds 100] [--list 10]
 *
 * Only samples that pass get a fault. `--rounds` repeats some right and some faulty samples, whose
 * results must be the same each time. The samples are code of others: run it only if you trust them.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ProgramRunner } from '../../packages/cli/src/proof/program-runner.ts'
import { type RunnableSample, runSamples } from '../../packages/cli/src/proof/run-samples.ts'
import { findRuntimes } from '../../packages/cli/src/proof/runtimes.ts'
import { listSamples } from '../../packages/cli/src/proof/sample-list.ts'
import { Chance } from '../fuzz/openapi/change-specification.ts'
import { operationsOf } from './samples-run/operations-of.ts'
import { type FaultPlace, plantFault } from './samples-run/plant-fault.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    faults: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    env: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '0' },
    list: { type: 'string', default: '10' },
  },
})
const [file] = positionals
if (file === undefined)
  throw new Error('Name an OpenAPI document with curl samples in x-codeSamples.')
const runner = new ProgramRunner()
process.once('SIGINT', () => runner.stop())
const path = process.env.PATH ?? ''
const env = Object.fromEntries(options.env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))

type Fields = { readonly [key: string]: unknown }
type Sample = RunnableSample & { readonly kind: string }

const text = readFileSync(file, 'utf8')
const root = JSON.parse(text) as Fields
const operations = await operationsOf(text, { extension: '.json', languages: ['bash'] })
const runtimes = await findRuntimes(new Set(['bash'] as const), { path, runner })
const written = listSamples(operations, runtimes).flatMap(({ isWritten, language, runnable }) =>
  isWritten && language === 'bash' && runnable !== undefined
    ? [{ ...runnable, kind: 'right' }]
    : [],
)
const before = await outcomes(written)
const right = written.filter((sample) => before.get(sample) === '')
console.log(`${right.length} of ${written.length} curl samples pass as they are`)

const chance = new Chance(Number(options.seed))
const faulty: Sample[] = []
for (
  let left = 20 * Number(options.faults);
  left > 0 && faulty.length < Number(options.faults);
  left -= 1
) {
  const sample = chance.pick(right)
  const fault = plantFault(sample.source, placeOf(sample), chance)
  if (fault !== undefined) faulty.push({ ...sample, ...fault })
}
const after = await outcomes(faulty)
const missed = faulty.filter((sample) => after.get(sample) === '')
for (const [kind, same] of Map.groupBy(faulty, (one) => one.kind)) {
  const found = same.filter((sample) => after.get(sample) !== '').length
  console.log(`${kind.padEnd(32)} ${found} of ${same.length} found`)
}
for (const { kind, source, operation } of missed.slice(0, Number(options.list))) {
  console.log(`MISSED ${kind}: ${operation.method} ${operation.path}\n${source}\n`)
}
console.log(`${faulty.length - missed.length} of ${faulty.length} faults found`)

const repeated = [...right.slice(0, 10), ...faulty.slice(0, 10)]
let differing = 0
for (let round = 0; round < Number(options.rounds); round += 1) {
  const again = await outcomes(repeated)
  for (const sample of repeated) {
    if (again.get(sample) !== (before.get(sample) ?? after.get(sample))) differing += 1
  }
}
console.log(`${differing} of ${repeated.length * Number(options.rounds)} repeated runs differ`)
process.exitCode = missed.length <= 0.01 * faulty.length && differing === 0 ? 0 : 1

/** Runs samples, and returns the places of their problems as text. */
async function outcomes(samples: readonly Sample[]): Promise<ReadonlyMap<Sample, string>> {
  const found = new Map<Sample, string>()
  await runSamples(samples, {
    runner,
    path,
    env,
    onRun: (sample, { problems }) => {
      found.set(sample, problems.map(({ place }) => place).join(' '))
    },
  })
  return found
}

function placeOf({ operation }: Sample): FaultPlace {
  const item = fieldsOf(fieldsOf(root.paths)[operation.path])
  const own = fieldsOf(item[operation.method.toLowerCase()])
  const content = fieldsOf(fieldsOf(own.requestBody).content)
  const security = own.security ?? root.security
  const alternatives = Array.isArray(security) ? security.map(fieldsOf) : []
  return {
    method: operation.method,
    requiredKeys: requiredOf(fieldsOf(content['application/json']).schema),
    needsCredential:
      alternatives.length > 0 && alternatives.every((one) => Object.keys(one).length > 0),
  }
}

function requiredOf(written: unknown): readonly string[] {
  const { required, allOf } = fieldsOf(written)
  const own = Array.isArray(required) ? required.map(String) : []
  return [...own, ...(Array.isArray(allOf) ? allOf.flatMap(requiredOf) : [])]
}

/** Returns an object, after following a reference. */
function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) return {}
  const fields = value as Fields
  if (typeof fields.$ref !== 'string') return fields
  const keys = fields.$ref.slice(2).split('/')
  return fieldsOf(keys.reduce<unknown>((at, key) => (at as Fields | undefined)?.[key], root))
}
