/**
 * Lists examples in real specifications that contradict their schema, and plants contradictions.
 * Each planted one changes an example that fits, at a known place, and must be found there.
 *
 *   npm run lab corpus/examples -- [folder of the corpus] [--list 60] [--plant 200] [--seed 1]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type Diagnostic, formatDiagnostic } from '@octavo/model'
import { parseSpecification } from '@octavo/openapi'
import { loadAll } from 'js-yaml'
import { Chance } from '../fuzz/openapi/change-specification.ts'
import { requireCorpus } from '../parts/corpus-folder.ts'
import { type Planted, Planter } from './examples/plant-contradictions.ts'

const CODE = 'openapi/example-mismatch'
const PER_SPECIFICATION = 8
const SIZE_MAX = 2_000_000
/** Beyond this number, planted ones would only be counted. */
const KNOWN_MAX = 100

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', default: '0' },
    plant: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})

const chance = new Chance(Number(options.seed))
const folder = requireCorpus(positionals[0])
const found: Diagnostic[] = []
const candidates: { name: string; text: string; known: readonly Diagnostic[] }[] = []
let documents = 0
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:json|ya?ml)$/.test(entry.name)) continue
  const file = join(entry.parentPath, entry.name)
  if (file.includes('node_modules')) continue
  const text = readFileSync(file, 'utf8')
  if (!/^.{0,3000}?["']?openapi["']?\s*:\s*["']?3/s.test(text)) continue
  const name = relative(folder, file)
  const mine = examplesIn(name, text)
  if (mine === undefined) continue
  documents += 1
  found.push(...mine)
  if (mine.length > 0) console.log(name.padEnd(90), String(mine.length).padStart(5))
  const canPlant = text.length < SIZE_MAX && mine.length < KNOWN_MAX && /"?example"?\s*:/.test(text)
  if (canPlant) candidates.push({ name, text, known: mine })
}
console.log(`\n${documents} specifications, ${found.length} listed contradictions.`)
for (const one of shuffled(found).slice(0, Number(options.list)))
  console.log(`\n${formatDiagnostic(one)}`)

let planted = 0
let detected = 0
for (const { name, text, known } of shuffled(candidates)) {
  if (planted >= Number(options.plant)) break
  const root = name.endsWith('.json') ? JSON.parse(text) : loadAll(text)[0]
  const planter = new Planter(root, chance)
  const wanted = Math.min(PER_SPECIFICATION, Number(options.plant) - planted)
  const here = planter.plant(
    wanted,
    known.map(({ place }) => place.pointer ?? ''),
  )
  const now = examplesIn(name, JSON.stringify(root)) ?? []
  for (const one of here) {
    planted += 1
    if (now.some((diagnostic) => isAt(diagnostic, one))) detected += 1
    else console.log(`MISSED ${one.kind} ${name} ${one.pointer}`)
  }
}
console.log(`${planted} planted contradictions, ${detected} found at their place.`)
process.exitCode = detected >= planted * 0.99 ? 0 : 1

function examplesIn(name: string, text: string): readonly Diagnostic[] | undefined {
  const { specification, diagnostics } = parseSpecification(name, text)
  return specification && diagnostics.filter(({ code }) => code === CODE)
}

function isAt({ place }: Diagnostic, { pointer }: Planted): boolean {
  return place.pointer === pointer
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, order: chance.below(1e9) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
