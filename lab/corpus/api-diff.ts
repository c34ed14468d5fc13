/**
 * Compares real versions of APIs, and makes changes with a known class, which must be found.
 *
 *   npm run lab corpus/api-diff -- [folder with pairs] [folder with OpenAPI documents] \
 *     [--list 100] [--changes 200] [--seed 1]
 *
 * Each folder of the first one has `old.*` and `new.*`. The second one has specifications that are
 * changed; GitHub's is also compared with itself after 50 changes, with its time.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type ApiChange,
  CHANGE_LEVELS,
  compareSpecifications,
  parseSpecification,
  type Specification,
} from '@octavo/openapi'
import { loadAll } from 'js-yaml'
import { Chance } from '../fuzz/openapi/change-specification.ts'
import { requireCorpus } from '../parts/corpus-folder.ts'
import { ChangeMaker, type KnownChange } from './api-diff/known-changes.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', default: '0' },
    changes: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})
const SIZE_MAX = 1_000_000
const LARGE = 'github-rest-3.0.json'

const chance = new Chance(Number(options.seed))
const pairs = requireCorpus(positionals[0])
const documents = requireCorpus(positionals[1])
comparePairs()
const isRight = makeChanges()
changeMuch()
process.exitCode = isRight ? 0 : 1

function comparePairs(): void {
  const all: { readonly pair: string; readonly change: ApiChange }[] = []
  let compared = 0
  let refused = 0
  for (const pair of readdirSync(pairs).toSorted()) {
    const files = readdirSync(join(pairs, pair))
    const [old, added] = ['old.', 'new.'].map((start) => {
      const file = files.find((name) => name.startsWith(start)) ?? ''
      return open(file, readFileSync(join(pairs, pair, file), 'utf8'))
    })
    if (old === undefined || added === undefined) {
      refused += 1
      continue
    }
    compared += 1
    const changes = compareSpecifications(old, added)
    all.push(...changes.map((change) => ({ pair, change })))
    const counts = CHANGE_LEVELS.map((level) => changes.filter((one) => one.level === level).length)
    console.log(pair.padEnd(60), ...counts.map((count) => String(count).padStart(6)))
  }
  console.log(
    `${compared} pairs compared, ${refused} refused (Swagger 2.0), ${all.length} changes.`,
  )
  // Each rule appears among the listed changes, as far as possible.
  const byRule = [...Map.groupBy(all, ({ change }) => change.rule).values()]
  for (let count = 0; count < Number(options.list); count += 1) {
    const group = byRule[count % byRule.length] ?? []
    const [one] = group.length === 0 ? [] : group.splice(chance.below(group.length), 1)
    if (one === undefined) continue
    const { level, rule, message, operations, place } = one.change
    console.log(
      `${one.pair} ${place.file}:${place.line} ${level} ${rule} | ${operations.slice(0, 2).join(', ')} | ${message}`,
    )
  }
}

function makeChanges(): boolean {
  const names = readdirSync(documents).filter(
    (name) => /\.(?:json|ya?ml)$/.test(name) && name !== 'manifest.json',
  )
  const texts = names
    .map((name) => ({ name, value: readValue(name) }))
    .filter(({ value }) => JSON.stringify(value).length < SIZE_MAX)
    .flatMap(({ name, value }) => {
      const specification = open(name, JSON.stringify(value))
      return specification === undefined
        ? []
        : [{ name, text: JSON.stringify(value), specification }]
    })
  let made = 0
  let right = 0
  for (
    let tries = 0;
    tries < Number(options.changes) * 30 && made < Number(options.changes);
    tries += 1
  ) {
    const { name, text, specification } = chance.pick(texts)
    const value = JSON.parse(text)
    const known = new ChangeMaker(value, chance).change()
    const written = JSON.stringify(value)
    if (known === undefined || written === text) continue
    const added = open(name, written)
    if (added === undefined) continue
    made += 1
    if (isFound(known, compareSpecifications(specification, added))) right += 1
    else
      console.log(
        `WRONG ${name}: ${known.name} at ${known.at} is ${known.level}, but: ${summary(specification, added)}`,
      )
  }
  console.log(`${made} changes with a known class, ${right} classified so.`)
  return right >= made * 0.99
}

/** A change is right if the most severe level that is found is the known one. */
function isFound(known: KnownChange, changes: readonly ApiChange[]): boolean {
  return changes[0]?.level === known.level
}

function summary(old: Specification, added: Specification): string {
  const changes = compareSpecifications(old, added)
  return (
    changes
      .slice(0, 3)
      .map(({ level, rule, message }) => `${level} ${rule} ${message}`)
      .join('; ') || 'no change'
  )
}

function changeMuch(): void {
  const text = readFileSync(join(documents, LARGE), 'utf8')
  const value = JSON.parse(text)
  const maker = new ChangeMaker(value, chance)
  let made = 0
  while (made < 50) if (maker.change() !== undefined) made += 1
  const written = JSON.stringify(value)
  const started = process.cpuUsage()
  const startedMs = performance.now()
  const old = open(LARGE, text)
  const added = open(LARGE, written)
  if (old === undefined || added === undefined) return
  const changes = compareSpecifications(old, added)
  const { user, system } = process.cpuUsage(started)
  console.log(
    `${LARGE} with 50 changes: ${changes.length} found in ${((user + system) / 1e6).toFixed(2)} s of CPU time (${((performance.now() - startedMs) / 1e3).toFixed(2)} s).`,
  )
}

function open(name: string, text: string): Specification | undefined {
  return parseSpecification(name, text).specification
}

function readValue(name: string): Record<string, unknown> {
  const text = readFileSync(join(documents, name), 'utf8')
  return (name.endsWith('.json') ? JSON.parse(text) : loadAll(text)[0]) as Record<string, unknown>
}
