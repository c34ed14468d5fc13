import { inflateRawSync } from 'node:zlib'
import { type Inflate, UnreadableIndex } from '@octavo/search'

/** At once, so that a library process waits for nothing but our process. */
export const inflateFile: Inflate = (bytes, sizeMax) => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: sizeMax })
  } catch {
    throw new UnreadableIndex('A compressed file is malformed or too large.')
  }
}
