/** Where tests write much that must reach the disk: memory, where there is room for it. */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ROOM_BYTES_MIN = 2 ** 30

export function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize < ROOM_BYTES_MIN ? tmpdir() : MEMORY
  } catch {
    // Only Linux has it.
    return tmpdir()
  }
}
