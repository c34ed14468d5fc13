import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { Problem } from '../../platform/problem.ts'

const RETRY_AFTER_SECONDS = 5

/**
 * Wraps a store so that its failures become problems that ask the caller to retry: they are
 * outages, not bugs.
 */
export function retryableStore(blobs: BlobStore): BlobStore {
  async function reach<Result>(result: Promise<Result>): Promise<Result> {
    try {
      return await result
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('unavailable', 'The file store cannot be reached. Please try again.', {
        cause: error,
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      })
    }
  }
  return {
    ...blobs,
    put: (blob, body) => reach(blobs.put(blob, body)),
    hasMany: (digests) => reach(blobs.hasMany(digests)),
    get: (sha256, range) => reach(blobs.get(sha256, range)),
  }
}
