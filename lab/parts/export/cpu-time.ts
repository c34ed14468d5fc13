import { readdirSync, readFileSync } from 'node:fs'

/** The unit in which Linux counts CPU time. */
const TICK_MS = 10
/** The positions of `utime` and `stime` after the process name, which can contain spaces. */
const USER = 11
const SYSTEM = 12

/** Returns the CPU time that a process has used so far, in all its threads (Linux). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}

/**
 * Returns the CPU time of a process with microsecond precision, for work that is shorter than a
 * tick. Threads that have ended are not included.
 */
export function preciseCpuMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000
}
