import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What all files below a folder take on the disk. Files come and go meanwhile. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const stats = await stat(join(parentPath, name)).catch(() => undefined)
        // A small file takes a whole block.
        return stats === undefined ? 0 : Math.max(stats.size, stats.blocks * 512)
      }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
