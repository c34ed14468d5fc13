import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the disk usage of all files below a folder, while files may be added or removed. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const stats = await stat(join(parentPath, name)).catch(() => undefined)
        // Even a small file takes up a whole block on disk.
        return stats === undefined ? 0 : Math.max(stats.size, stats.blocks * 512)
      }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
