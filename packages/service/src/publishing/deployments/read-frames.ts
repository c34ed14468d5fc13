/**
 * Reads many small files from one request body. Each file consists of its SHA-256 (32 bytes), its
 * length (4 bytes) and its bytes.
 */
export const FRAMES_BYTES_MAX = 32 * 1024 * 1024
const DIGEST_BYTES = 32
const HEAD_BYTES = DIGEST_BYTES + 4

export type Frame = { readonly sha256: string; readonly bytes: Buffer }

/** Returns the files of a body; undefined if the body ends in the middle of a file. */
export function readFrames(body: Buffer): readonly Frame[] | undefined {
  const frames: Frame[] = []
  let offset = 0
  while (offset < body.length) {
    if (offset + HEAD_BYTES > body.length) return undefined
    const sha256 = body.toString('hex', offset, offset + DIGEST_BYTES)
    const end = offset + HEAD_BYTES + body.readUInt32BE(offset + DIGEST_BYTES)
    if (end > body.length) return undefined
    frames.push({ sha256, bytes: body.subarray(offset + HEAD_BYTES, end) })
    offset = end
  }
  return frames
}
