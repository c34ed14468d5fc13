import { timingSafeEqual } from 'node:crypto'

/** Takes the same time for every wrong text of the right length. */
export function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
