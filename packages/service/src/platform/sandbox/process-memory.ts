/**
 * How much memory a process and all that it started use, as Linux tells it. Nothing here waits for a
 * disk, and it is asked several times a second: reading at once costs a tenth of reading by promises.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** In MB; 0 where the system does not tell. */
export function processTreeMb(pid: number): number {
  const sizes = processTree(pid).map(residentKb)
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024
}

function processTree(pid: number): readonly number[] {
  const tree = [pid]
  // The list grows while it is read.
  for (const parent of tree) tree.push(...childrenOf(parent))
  return tree
}

/** Each thread has a list of the processes that it started. */
function childrenOf(pid: number): readonly number[] {
  const lists = threadsOf(pid).map((thread) => readText(`/proc/${pid}/task/${thread}/children`))
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process is gone by now.
    return []
  }
}

/** Memory that is shared with others counts for each of them; with few processes that is little. */
function residentKb(pid: number): number {
  const status = readText(`/proc/${pid}/status`)
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process is gone by now.
    return ''
  }
}
