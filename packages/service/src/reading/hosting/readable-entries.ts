import type { Access, ManifestEntry, ManifestRoot } from '@octavo/model'
import type { BlobCache } from './blob-cache.ts'

type ReadableEntries = {
  readonly root: ManifestRoot
  readonly isReadable: (access: Access) => boolean
  /** The deployment to compare with. Runs that both deployments share are omitted. */
  readonly other: ManifestRoot
}

/** Returns the entries of a deployment that a reader may see. */
export async function readableEntries(
  cache: BlobCache,
  { root, isReadable, other }: ReadableEntries,
): Promise<readonly ManifestEntry[]> {
  const shared = new Set(other.runs.map(({ sha256 }) => sha256))
  const entries: ManifestEntry[] = []
  for (const [index, { sha256 }] of root.runs.entries()) {
    if (shared.has(sha256)) continue
    const run = await cache.run(root, index)
    for (const entry of run.all()) if (isReadable(entry.access)) entries.push(entry)
  }
  return entries
}
