/** Stamps of files: a file with the same stamp has the same content, unless the stamp is recent. */
import { statSync } from 'node:fs'

/** Returns a stamp that changes with a file's content; empty if the file does not exist. */
export function stampOfFile(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return ''
  return `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
}

/**
 * The coarsest resolution of a file system's clock. A file can change twice within one tick and
 * keep its stamp, so a stamp is reliable only if it is older than a tick.
 */
const TICK_MS = 2_000

/** True if the file changed so recently that another change may leave the stamp unchanged. */
export function isRecent(stamp: string, nowMs: number): boolean {
  const [, , changedMs, inodeChangedMs] = stamp.split(' ').map(Number)
  return !(Math.max(changedMs ?? nowMs, inodeChangedMs ?? nowMs) < nowMs - TICK_MS)
}
