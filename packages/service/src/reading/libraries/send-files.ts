import type { DeploymentFile, WantedFile } from '@octavo/search'
import type { LoadFiles } from './library-lane.ts'
import type { AskedFile, SentFile } from './library-messages.ts'

/** The maximum size of the files in one step, unless a single file is larger. */
const STEP_BYTES_MAX = 4 * 1024 * 1024
/** The maximum number of files that are read at the same time. */
const READS_MAX = 16
/** Vectors are sent in parts, so that each step is short. */
export const VECTORS_PART_BYTES = 4 * 1024 * 1024

export type FoundFile = { readonly size: number; readonly read: () => Promise<DeploymentFile> }

/** Returns a function that reads requested files in order, up to the limit of one step. */
export function createFileSender(
  find: (wanted: WantedFile) => Promise<FoundFile | undefined>,
  vectors: Uint8Array = new Uint8Array(),
): LoadFiles {
  return async (asked) => {
    const reading: Promise<SentFile>[] = []
    let bytes = 0
    for (const file of asked.slice(0, READS_MAX)) {
      const { size, read } = await prepare(file)
      bytes += size
      if (reading.length > 0 && bytes > STEP_BYTES_MAX) break
      const sent = read()
      // Prevents an unhandled rejection; `Promise.all` below still throws the error.
      sent.catch(() => {})
      reading.push(sent)
    }
    return Promise.all(reading)
  }

  async function prepare(
    file: AskedFile,
  ): Promise<{ readonly size: number; readonly read: () => Promise<SentFile> }> {
    const { id } = file
    if (file.kind === 'pause') return { size: 0, read: async () => ({ id, kind: 'pause' }) }
    if (file.kind === 'vectors') {
      const start = file.part * VECTORS_PART_BYTES
      const part = vectors.subarray(start, start + VECTORS_PART_BYTES)
      return { size: part.length, read: async () => ({ id, kind: 'vectors', bytes: part }) }
    }
    const found = await find(file.wanted)
    return {
      size: found?.size ?? 0,
      read: async () => ({ id, kind: 'file', file: await found?.read() }),
    }
  }
}
