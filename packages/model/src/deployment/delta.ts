/**
 * A delta describes a new file by an old one: bytes to copy, and new bytes between them. Each part
 * has a head of 12 bytes (three big-endian numbers: where to copy from, how many bytes to copy, how
 * many new bytes follow) and its new bytes.
 */
export type DeltaPart = {
  /** Where the copied bytes start in the old file. */
  readonly start: number
  readonly copied: number
  /** The bytes after the copied ones. */
  readonly added: Uint8Array
}

export const DELTA_LIMITS = {
  /** The maximum size of a delta, with and without compression. */
  bytes: 8 * 1024 * 1024,
  /** The maximum number of parts. Each of them is one read of the old file. */
  parts: 1_000,
} as const

type ParsedDelta =
  | {
      readonly kind: 'delta'
      readonly parts: readonly DeltaPart[]
      /** The size of the new file. */
      readonly size: number
    }
  | { readonly kind: 'malformed'; readonly reason: string }

const HEAD_BYTES = 12

export function printDelta(parts: readonly DeltaPart[]): Uint8Array<ArrayBuffer> {
  const size = parts.reduce((sum, { added }) => sum + HEAD_BYTES + added.length, 0)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  let offset = 0
  for (const { start, copied, added } of parts) {
    view.setUint32(offset, start)
    view.setUint32(offset + 4, copied)
    view.setUint32(offset + 8, added.length)
    bytes.set(added, offset + HEAD_BYTES)
    offset += HEAD_BYTES + added.length
  }
  return bytes
}

/** Parses a delta, which is untrusted input. `sizeMax` is the maximum size of the new file. */
export function parseDelta(bytes: Uint8Array, sizeMax: number): ParsedDelta {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: DeltaPart[] = []
  let offset = 0
  let size = 0
  while (offset < bytes.length) {
    if (parts.length === DELTA_LIMITS.parts) return malformed('The delta has too many parts.')
    if (offset + HEAD_BYTES > bytes.length) return malformed(CUT_OFF)
    const start = view.getUint32(offset)
    const copied = view.getUint32(offset + 4)
    const end = offset + HEAD_BYTES + view.getUint32(offset + 8)
    if (end > bytes.length) return malformed(CUT_OFF)
    const added = bytes.subarray(offset + HEAD_BYTES, end)
    size += copied + added.length
    if (size > sizeMax) return malformed(`The file has more than ${sizeMax} bytes.`)
    parts.push({ start, copied, added })
    offset = end
  }
  return { kind: 'delta', parts, size }
}

const CUT_OFF = 'The delta ends in the middle of a part.'

const malformed = (reason: string) => ({ kind: 'malformed' as const, reason })
