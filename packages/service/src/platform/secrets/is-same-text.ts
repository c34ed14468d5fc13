import { timingSafeEqual } from 'node:crypto'

/** Compares two strings. If the lengths are equal, the time does not depend on the content. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
