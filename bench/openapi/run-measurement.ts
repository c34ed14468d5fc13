import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Figures } from './measure-one.ts'

export type Measured = Figures & {
  /** The largest that V8's heap ever was, with what stands outside of it. */
  readonly heapPeak: number
  /** The most that was still in use after a full collection: what it cannot do without. */
  readonly livePeak: number
}

/** Runs one job in a process of its own. A heap only shrinks in a collection, so the trace has its peaks. */
export function runMeasurement(job: string, file: string): Measured {
  const script = join(import.meta.dirname, 'measure-one.ts')
  const output = execFileSync(
    process.execPath,
    ['--expose-gc', '--trace-gc', '--max-old-space-size=16000', script, job, file],
    { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [, json = ''] = /^RESULT (.*)$/m.exec(output) ?? []
  const figures = JSON.parse(json) as Figures
  // What stands before the forced collection ("testing") belongs to the imports.
  const trace = output.split(/Mark-Compact[^\n]*testing/).at(-1) ?? ''
  const collections = [
    ...trace.matchAll(/(Scavenge|Mark-Compact)[^\n]*?([\d.]+) \([\d.]+\) -> ([\d.]+)/g),
  ]
  const sizes = collections.map(([, , size = '0']) => Number(size) * 1024 * 1024)
  const kept = collections
    .filter(([, kind]) => kind === 'Mark-Compact')
    .map(([, , , size = '0']) => Number(size) * 1024 * 1024)
  const above = (size: number) => size - figures.heapStart + figures.outside
  return {
    ...figures,
    heapPeak: above(Math.max(figures.heapEnd, ...sizes)),
    livePeak: above(Math.max(figures.heapStart, ...kept)),
  }
}

/** The one in the middle, figure by figure. */
export function median(rounds: readonly Measured[], figure: keyof Measured): number {
  const sorted = rounds.map((round) => round[figure]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
