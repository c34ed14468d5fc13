import type { DeploymentFile, WantedFile } from '@octavo/search'
import type { LoadFiles } from './library-lane.ts'
import type { AskedFile, SentFile } from './library-messages.ts'

/** Bytes that are sent in one step, unless one file alone has more. */
const STEP_BYTES_MAX = 4 * 1024 * 1024
/** Files that are read at once. */
const READS_MAX = 16
/** Vectors are sent in parts, so that no step is long. */
export const VECTORS_PART_BYTES = 4 * 1024 * 1024

export type FoundFile = { readonly size: number; readonly read: () => Promise<DeploymentFile> }

/** Reads what a library process asks for, in the order in which it asks, as much as one step may bring. */
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
      // The caller who waits for all of them gets the error.
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
