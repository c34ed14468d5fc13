import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time for texts of the same length. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
