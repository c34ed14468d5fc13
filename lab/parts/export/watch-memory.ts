import { readFileSync } from 'node:fs'

export type MemoryWatch = {
  /** Stops sampling, and returns the peak in MB. */
  readonly stop: () => number
}

const LOOK_MS = 10

/** Samples the resident memory of a process (Linux) until it is stopped. */
export function watchMemory(pid: number): MemoryWatch {
  let peakMb = residentMb(pid)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid))
  }, LOOK_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return Math.max(peakMb, residentMb(pid))
    },
  }
}

export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
