/**
 * Streams large files such as videos from the store. They are never completely in memory, and range
 * requests are supported.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ByteSpan } from '@octavo/model'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readChunks } from '../../platform/blobs/read-blob.ts'
import { isNotModified, rangeOf } from '../../platform/http/reader-request.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { headersOf, type ServedFile } from './file-reply.ts'
import { blobKey, type SentFile } from './sent-file.ts'

const TAG_LENGTH = 32

export type FileStreamer = (
  request: IncomingMessage,
  response: ServerResponse,
  sent: { readonly served: ServedFile; readonly file: SentFile },
) => Promise<void>

export function createFileStreamer(blobs: BlobStore, pepper: PepperRing): FileStreamer {
  /**
   * Returns the entity tag of a file. For a file with hidden parts, the digest of the sent bytes is
   * not known in advance, and a plain hash of the key would let readers verify guesses of the
   * hidden parts. So the tag is a keyed hash. It changes with every deployment, so that it does
   * not reveal whether the hidden parts changed.
   */
  function tagOf({ view: { deploymentId } }: ServedFile, file: SentFile): string {
    if (file.omitted.length === 0) return `"${file.entry.sha256}"`
    const decides = `${deploymentId} ${blobKey(file, undefined)}`
    return `"${pepper.hash('etag', decides).toString('hex').slice(0, TAG_LENGTH)}"`
  }

  return async (request, response, { served, file }) => {
    const { status } = served
    const { entry, omitted, size } = file
    const etag = tagOf(served, file)
    const headers: Record<string, string | number> = {
      ...headersOf(served, file),
      etag,
      'accept-ranges': 'bytes',
    }
    if (isNotModified(request, etag)) {
      response.writeHead(304, headers).end()
      return
    }
    const range = status === 200 ? rangeOf(request, size, etag) : undefined
    if (range === 'unsatisfiable') {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end()
      return
    }
    const { start, end } = range ?? { start: 0, end: size }
    if (range !== undefined) headers['content-range'] = `bytes ${start}-${end - 1}/${size}`
    headers['content-length'] = end - start
    if (request.method === 'HEAD' || start === end) {
      response.writeHead(range === undefined ? status : 206, headers).end()
      return
    }
    const from = offsetInFile(omitted, start)
    const found = await blobs.get(entry.sha256, {
      start: from,
      end: offsetInFile(omitted, end - 1) + 1,
    })
    if (found === undefined) throw new Error(`The blob ${entry.sha256} is missing.`)
    response.writeHead(range === undefined ? status : 206, headers)
    const pieces = visiblePieces(readChunks(found.body), omitted, from)
    await pipeline(firstBytes(pieces, end - start), response)
  }
}

/**
 * Yields the first `length` bytes, and ends with the last of them instead of with the source.
 * Clients close the connection as soon as they have all bytes, which would look like an interrupted
 * download otherwise.
 */
async function* firstBytes(
  pieces: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void> {
  let left = length
  for await (const piece of pieces) {
    left -= piece.length
    yield piece
    if (left <= 0) return
  }
}

/** Converts a position in the sent bytes to a position in the whole file. */
export function offsetInFile(omitted: readonly ByteSpan[], place: number): number {
  let whole = place
  for (const { start, end } of omitted) {
    if (start > whole) break
    whole += end - start
  }
  return whole
}

/** Yields the bytes of a file without its hidden parts. `pieces` starts at the position `from`. */
export async function* visiblePieces(
  pieces: AsyncIterable<Uint8Array>,
  omitted: readonly ByteSpan[],
  from: number,
): AsyncGenerator<Uint8Array, void> {
  let at = from
  let next = 0
  for await (const piece of pieces) {
    const end = at + piece.length
    const kept: Uint8Array[] = []
    let keptTo = at
    for (;;) {
      const span = omitted[next]
      if (span === undefined || span.start >= end) break
      if (span.start > keptTo) kept.push(piece.subarray(keptTo - at, span.start - at))
      keptTo = Math.max(keptTo, span.end)
      if (span.end > end) break
      next += 1
    }
    if (keptTo < end) kept.push(piece.subarray(keptTo - at))
    const [first] = kept
    if (first !== undefined) yield kept.length === 1 ? first : Buffer.concat(kept)
    at = end
  }
}
