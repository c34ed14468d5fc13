import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal: the name of a content. */
export function hashBytes(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  // The length before each part: `ab`, `c` and `a`, `bc` are not the same.
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('hex')
}

/** SHA-256 of one content alone, as other programs compute it. */
export function hashFile(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
