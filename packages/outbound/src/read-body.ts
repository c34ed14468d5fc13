/** Decompresses the body of a response, and enforces a size limit while doing so. */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

type Body =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'encoding' }

/** The encodings that requests accept. A response uses one of them, or none. */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate'

/** Decoders by the name in the `content-encoding` header. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

class TooLargeError extends Error {}

/** Reads and decompresses the whole body. Throws if the connection is lost before its end. */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<Body> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  const isPlain = encoding === '' || encoding === 'identity'
  const decoder = isPlain ? undefined : DECODERS.get(encoding)?.()
  if (!isPlain && decoder === undefined) return end(response, 'encoding')
  if (Number(response.headers['content-length'] ?? 0) > bytesMax) return end(response, 'too-large')
  const limit = limitTo(bytesMax)
  const pieces: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) pieces.push(piece)
  }
  try {
    // The size is limited before and after the decoder, since input that produces no output can
    // also keep the decoder busy.
    if (decoder === undefined) await pipeline(response, limit, collect)
    else await pipeline(response, limit, decoder, limitTo(bytesMax), collect)
  } catch (error) {
    if (error instanceof TooLargeError) return { kind: 'too-large' }
    if (isDecoderError(error)) return { kind: 'encoding' }
    throw error
  }
  return { kind: 'bytes', bytes: Buffer.concat(pieces) }
}

/**
 * Returns a stream step that passes chunks through, and throws if they exceed the size limit in
 * total.
 */
export function limitTo(bytesMax: number) {
  return async function* limit(source: AsyncIterable<Buffer>) {
    let size = 0
    for await (const piece of source) {
      size += piece.length
      if (size > bytesMax) throw new TooLargeError()
      yield piece
    }
  }
}

function end(response: IncomingMessage, kind: 'too-large' | 'encoding'): Body {
  response.destroy()
  return { kind }
}

function isDecoderError(error: unknown): boolean {
  return /^(?:Z_|ERR_(?:BROTLI|_ERROR_|PADDING))/.test((error as NodeJS.ErrnoException).code ?? '')
}
