/**
 * Cuts bytes into chunks where their content says so, so that an edit changes only the chunks
 * around it. `octavo deploy` and the service must cut in the same places: otherwise they have no
 * chunks in common, and large files are uploaded whole.
 */
export const CHUNKS = {
  bytesMin: 1_024,
  bytesMax: 16_384,
  /**
   * The number of digits of the SHA-256 that name a chunk. They need not be enough against an
   * attacker, because the digest of the whole file is checked.
   */
  digits: 16,
} as const

/** A chunk ends where these 12 bits of the hash are zero: on average 4 KB after the minimum. */
const END_BITS = -1 << 20

/** A pseudorandom number for each value of a byte. */
const GEAR = gearNumbers()

/** Cuts bytes that arrive in pieces. The chunks do not depend on the pieces. */
export class ChunkCutter {
  #hash = 0
  #size = 0

  /** Returns where chunks end within the next piece. The last chunk ends with the last piece. */
  push(piece: Uint8Array): readonly number[] {
    const ends: number[] = []
    let hash = this.#hash
    let size = this.#size
    for (let index = 0; index < piece.length; index += 1) {
      // Each byte is shifted out after 32 bytes, so the hash is one of the last 32 bytes.
      hash = ((hash << 1) + (GEAR[piece[index] ?? 0] ?? 0)) | 0
      size += 1
      if (size < CHUNKS.bytesMin) continue
      if ((hash & END_BITS) !== 0 && size < CHUNKS.bytesMax) continue
      ends.push(index + 1)
      size = 0
    }
    this.#hash = hash
    this.#size = size
    return ends
  }
}

/** Returns the numbers of a fixed generator (splitmix32), so that they need no table. */
function gearNumbers(): Int32Array {
  let state = 0
  return Int32Array.from({ length: 256 }, () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return mixed ^ (mixed >>> 15)
  })
}
