/**
 * Runs a bench here and at another revision in turns, and prints the ratio of every number.
 * The ratio is the median of the pairs. Machines are noisy, so pairs are more reliable than two
 * consecutive runs.
 *
 *   npm run lab compare -- --with f12c4d2d [--pairs 5] -- host --rounds 1
 *
 * The other revision runs with the packages that are installed here. A number is identified by the
 * text around it, so both revisions have to print the same lines.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { median } from '../parts/export/print-table.ts'
import { findEntry } from '../parts/lab-entries.ts'
import { unpackVersion } from '../parts/old-version.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Matches a number, but not one in a name such as `p99`, `m0` or `sha256`. */
const NUMBER = /(?<![\w.])\d[\d,]*(?:\.\d+)?/g

const { values, positionals } = parseArgs({
  options: { with: { type: 'string' }, pairs: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const [bench, ...args] = positionals
if (values.with === undefined || bench === undefined) {
  console.error('Usage: npm run lab compare -- --with <revision> [--pairs 5] -- <bench> […]')
  process.exit(2)
}
const { name } = findEntry(bench)
// Before the lab existed, benches were in `bench/`.
const places = [`lab/${name}.ts`, `bench/${basename(name)}.ts`]

const old = unpackVersion(values.with, ['lab', 'bench', 'scripts', 'package.json'])
try {
  compare()
} finally {
  old.remove()
}

function compare(): void {
  const before = new Map<string, number[]>()
  const now = new Map<string, number[]>()
  for (let pair = 1; pair <= Number(values.pairs); pair += 1) {
    // The order alternates, because the second run finds a warmer machine.
    const sides = [
      { root: old.folder, found: before },
      { root: ROOT, found: now },
    ]
    for (const { root, found } of pair % 2 === 0 ? sides.toReversed() : sides) run(root, found)
    console.error(`pair ${pair} of ${values.pairs}`)
  }
  console.log(`median of ${values.pairs} pairs, ${values.with} and the working tree`)
  for (const [name, earlier] of before) {
    const fresh = now.get(name)
    if (fresh === undefined || fresh.length !== earlier.length) continue
    const ratios = earlier.map((one, index) => (fresh[index] ?? 0) / one)
    if (ratios.some((ratio) => !Number.isFinite(ratio))) continue
    console.log(
      `${median(ratios).toFixed(3)} ×  ${median(earlier)} → ${median(fresh)}  (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})  ${name}`,
    )
  }
}

function run(root: string, found: Map<string, number[]>): void {
  const file = places.find((place) => existsSync(join(root, place)))
  if (file === undefined) throw new Error(`${values.with} has neither ${places.join(' nor ')}.`)
  const { stdout, stderr, error } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  // A bench that misses its own goal exits with an error, but its numbers are still used.
  if (error !== undefined || stdout === '') throw new Error(`${name}: ${stderr}`)
  for (const line of stdout.split('\n')) {
    const parts = line.trim().split(NUMBER)
    for (const [place, number] of (line.match(NUMBER) ?? []).entries()) {
      const before = parts.slice(0, place + 1).join('#')
      const name = `${before}[#]${parts.slice(place + 1).join('#')}`
      found.set(name, [...(found.get(name) ?? []), Number(number.replaceAll(',', ''))])
    }
  }
}
