/**
 * Returns a folder for tests that write and sync a lot. It is in memory if there is enough space.
 */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ROOM_BYTES_MIN = 2 ** 30

export function fastTempFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize < ROOM_BYTES_MIN ? tmpdir() : MEMORY
  } catch {
    // The in-memory folder exists only on Linux.
    return tmpdir()
  }
}
