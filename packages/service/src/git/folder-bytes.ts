import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The size of all files below a folder. Files come and go meanwhile. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const stats = await stat(join(parentPath, name)).catch(() => undefined)
        return stats?.size ?? 0
      }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
