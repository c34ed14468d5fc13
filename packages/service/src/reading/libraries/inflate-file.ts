import { inflateRawSync } from 'node:zlib'
import { type Inflate, UnreadableIndex } from '@octavo/search'

/**
 * Decompresses a file synchronously, so that a library process only ever waits for the process that
 * started it.
 */
export const inflateFile: Inflate = (bytes, sizeMax) => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: sizeMax })
  } catch {
    throw new UnreadableIndex('A compressed file is malformed or too large.')
  }
}
