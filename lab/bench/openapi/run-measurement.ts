import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Figures } from './measure-one.ts'

export type Measured = Figures & {
  /** The peak of V8's heap, plus the memory outside of it. */
  readonly heapPeak: number
}

/**
 * Runs one job in its own process. The GC trace contains the peak of the heap, since a heap only
 * shrinks in a collection.
 */
export function runMeasurement(job: string, file: string, flags: readonly string[] = []): Measured {
  const script = join(import.meta.dirname, 'measure-one.ts')
  const output = execFileSync(
    process.execPath,
    [...flags, '--expose-gc', '--trace-gc', '--max-old-space-size=16000', script, job, file],
    { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [, json = ''] = /^RESULT (.*)$/m.exec(output) ?? []
  const figures = JSON.parse(json) as Figures
  // In the trace, the work is between the two forced collections, which are marked as "testing".
  const [, trace = ''] = output.split(/Mark-Compact[^\n]*testing/)
  const sizes = [...trace.matchAll(/(?:Scavenge|Mark-Compact)[^\n]*?([\d.]+) \([\d.]+\) ->/g)].map(
    ([, size = '0']) => Number(size) * 1024 * 1024,
  )
  const heapPeak = Math.max(figures.heapEnd, ...sizes) - figures.heapStart + figures.outside
  return { ...figures, heapPeak }
}

export function median(rounds: readonly Measured[], figure: keyof Measured): number {
  const sorted = rounds.map((round) => round[figure]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
