/** The body of a response, decompressed, within a limit that holds while it is being decompressed. */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

type Body =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'encoding' }

/** Encodings that are asked for. An answer has one of them or none. */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate'

/** By a name that the server chooses. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
])

class TooLargeError extends Error {}

/** Throws when the connection breaks before the end. */
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
    // Bounded on both sides: a decoder can also be kept busy with input that gives nothing.
    if (decoder === undefined) await pipeline(response, limit, collect)
    else await pipeline(response, limit, decoder, limitTo(bytesMax), collect)
  } catch (error) {
    if (error instanceof TooLargeError) return { kind: 'too-large' }
    if (isDecoderError(error)) return { kind: 'encoding' }
    throw error
  }
  return { kind: 'bytes', bytes: Buffer.concat(pieces) }
}

/** Passes pieces on as they come, and throws when there are too many bytes. */
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
