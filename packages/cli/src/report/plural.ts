import { formatCount } from '@octavo/model'

/** Returns `1 page`, `2 pages` or `1,000 pages`. */
export function plural(number: number, word: string): string {
  return `${formatCount(number)} ${word}${number === 1 ? '' : 's'}`
}
