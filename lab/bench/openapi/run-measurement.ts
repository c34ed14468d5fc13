import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Figures } from './measure-one.ts'

export type Measured = Figures & {
  /** The largest that V8's heap ever was, with what stands outside of it. */
  readonly heapPeak: number
}

/** Runs one job in a process of its own. A heap only shrinks in a collection, so the trace has its peak. */
export function runMeasurement(job: string, file: string, flags: readonly string[] = []): Measured {
  const script = join(import.meta.dirname, 'measure-one.ts')
  const output = execFileSync(
    process.execPath,
    [...flags, '--expose-gc', '--trace-gc', '--max-old-space-size=16000', script, job, file],
    { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const [, json = ''] = /^RESULT (.*)$/m.exec(output) ?? []
  const figures = JSON.parse(json) as Figures
  // The work stands between the two forced collections ("testing").
  const [, trace = ''] = output.split(/Mark-Compact[^\n]*testing/)
  const sizes = [...trace.matchAll(/(?:Scavenge|Mark-Compact)[^\n]*?([\d.]+) \([\d.]+\) ->/g)].map(
    ([, size = '0']) => Number(size) * 1024 * 1024,
  )
  const heapPeak = Math.max(figures.heapEnd, ...sizes) - figures.heapStart + figures.outside
  return { ...figures, heapPeak }
}

/** The one in the middle, figure by figure. */
export function median(rounds: readonly Measured[], figure: keyof Measured): number {
  const sorted = rounds.map((round) => round[figure]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
