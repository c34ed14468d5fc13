/**
 * Finds a file that a reader's page needs but that the current deployment does not have. It may be
 * in a newer deployment, which only other processes of the service serve so far, or in an earlier
 * one.
 */
import type { ManifestEntry, Reader } from '@octavo/model'
import type { BlobCache } from './blob-cache.ts'
import { isHashed, isKept } from './file-reply.ts'
import { findFile, hasEntry, type SiteView } from './find-file.ts'
import type { SiteDirectory } from './site-directory.ts'
import type { SiteViews } from './site-views.ts'

type Deps = {
  readonly directory: SiteDirectory
  readonly cache: BlobCache
  readonly views: SiteViews
}

export type FallbackFinder = (
  asked: { readonly slug: string; readonly reader: Reader; readonly view: SiteView },
  path: string,
) => Promise<{ readonly view: SiteView; readonly entry: ManifestEntry } | undefined>

export function createFallbackFinder({ directory, cache, views }: Deps): FallbackFinder {
  return async ({ slug, reader, view }, path) => {
    const pointer = await directory.refresh(slug)
    if (pointer === undefined) return undefined
    // Page text is never served from an earlier deployment, because it may have been removed or
    // restricted. Readers without access do not get any files of earlier deployments.
    const earlier = view.reader.hasSiteAccess && isKept(path) ? pointer.earlier : []
    for (const digest of [pointer.root, ...earlier]) {
      const other = await views.at(slug, { ...pointer, root: digest }, reader)
      const found = await findFile(cache, other, path)
      if (found?.kind === 'file' && isHashed(found.entry))
        return { view: other, entry: found.entry }
      // The newest deployment that has the file determines who may read it.
      if (await hasEntry(cache, other.root, path)) return undefined
    }
    return undefined
  }
}
