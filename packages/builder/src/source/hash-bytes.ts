import { createHash, hash } from 'node:crypto'

/** Returns the SHA-256 of all parts in hexadecimal. */
export function hashBytes(...parts: readonly (string | Uint8Array)[]): string {
  const [first, ...others] = parts
  if (typeof first === 'string' && others.length === 0) return hash('sha256', first)
  const sum = createHash('sha256')
  // The length of each part comes first, so that `ab`, `c` and `a`, `bc` have different hashes.
  for (const part of parts) sum.update(`${part.length}:`).update(part)
  return sum.digest('hex')
}

/** Returns the plain SHA-256 of a file, as other programs compute it. */
export function hashFile(bytes: string | Uint8Array): string {
  return hash('sha256', bytes)
}
