import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in ticks of 10 ms. */
const TICK_MS = 10
/** Places of `utime` and `stime` behind the name of the process, which may hold spaces. */
const USER = 11
const SYSTEM = 12

/** The CPU time that a process has used so far, of all its threads (Linux). */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
}

/** The same to the microsecond, for work that is shorter than a tick. Threads that have ended do not count. */
export function preciseCpuMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000_000
}
