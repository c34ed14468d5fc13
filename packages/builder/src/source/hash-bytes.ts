import { createHash, hash } from 'node:crypto'

/** SHA-256 in hexadecimal: the name of a content. */
export function hashBytes(...parts: readonly (string | Uint8Array)[]): string {
  const [first, ...others] = parts
  if (typeof first === 'string' && others.length === 0) return hash('sha256', first)
  const sum = createHash('sha256')
  // The length before each part: `ab`, `c` and `a`, `bc` are not the same.
  for (const part of parts) sum.update(`${part.length}:`).update(part)
  return sum.digest('hex')
}

/** SHA-256 of one content alone, as other programs compute it. */
export function hashFile(bytes: string | Uint8Array): string {
  return hash('sha256', bytes)
}
