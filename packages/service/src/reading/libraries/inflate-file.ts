import { inflateRawSync } from 'node:zlib'
import { type Inflate, UnreadableIndex } from '@octavo/search'

/** Synchronous, so that a library process only ever waits for our process. */
export const inflateFile: Inflate = (bytes, sizeMax) => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: sizeMax })
  } catch {
    throw new UnreadableIndex('A compressed file is malformed or too large.')
  }
}
