import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in ticks of 10 ms. */
const TICK_MS = 10
/** Positions of `utime` and `stime` after the process name, which can contain spaces. */
const USER = 11
const SYSTEM = 12

/** Returns the CPU time that a process has used so far, in all its threads (Linux). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}

/**
 * Returns CPU time in microsecond precision, for work shorter than a tick. Ended threads do not
 * count.
 */
export function preciseCpuMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000
}
