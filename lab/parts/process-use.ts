/** Reads the resource usage of a process and its descendants from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { sum } from './export/print-table.ts'

export type ProcessUse = {
  /** The user and system time, including that of children that have ended. */
  readonly cpuMs: number
  /** Proportional set size: a page shared by n processes counts as one n-th in each. */
  readonly pssBytes: number
  readonly rssBytes: number
  readonly processes: number
}

/** Linux reports CPU time in hundredths of a second. */
const MS_PER_TICK = 10

type Stat = { readonly pid: number; readonly parent: number; readonly ticks: number }

export function readProcessUse(root: number): ProcessUse {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== undefined)
  const own = new Set([root])
  for (let size = 0; size < own.size; ) {
    size = own.size
    for (const { pid, parent } of stats) if (own.has(parent)) own.add(pid)
  }
  const family = stats.filter(({ pid }) => own.has(pid))
  const memory = family.map(({ pid }) => readText(`/proc/${pid}/smaps_rollup`) ?? '')
  return {
    cpuMs: sum(family.map(({ ticks }) => ticks)) * MS_PER_TICK,
    pssBytes: sum(memory.map((text) => bytesOf(text, 'Pss'))),
    rssBytes: sum(memory.map((text) => bytesOf(text, 'Rss'))),
    processes: family.length,
  }
}

function readStat(pid: number): Stat | undefined {
  const text = readText(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // The program's name is in parentheses and can contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  // The fields are the user and system time of the process and of its awaited children.
  return { pid, parent: fields[1] ?? 0, ticks: sum(fields.slice(11, 15)) }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended in the meantime.
    return undefined
  }
}

function bytesOf(text: string, name: 'Pss' | 'Rss'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1_024
}
