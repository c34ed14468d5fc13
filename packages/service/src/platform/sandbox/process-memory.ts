/**
 * Measures the memory of a process and its descendants on Linux. Reads are synchronous: /proc needs
 * no disk access, and several synchronous reads a second cost a tenth of what asynchronous reads
 * cost.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the memory in MB; 0 if the system does not report it. */
export function processTreeMb(pid: number): number {
  const sizes = processTree(pid).map(residentKb)
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024
}

function processTree(pid: number): readonly number[] {
  const tree = [pid]
  // The loop also visits the processes that it adds to the list.
  for (const parent of tree) tree.push(...childrenOf(parent))
  return tree
}

/** Returns the child processes. Linux lists them separately for each thread that started them. */
function childrenOf(pid: number): readonly number[] {
  const lists = threadsOf(pid).map((thread) => readText(`/proc/${pid}/task/${thread}/children`))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process has already exited.
    return []
  }
}

/**
 * Returns the memory of one process. Shared memory counts for each process, which matters little
 * because there are few.
 */
function residentKb(pid: number): number {
  const status = readText(`/proc/${pid}/status`)
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has already exited.
    return ''
  }
}
