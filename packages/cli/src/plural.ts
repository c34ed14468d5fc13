/** `1 page`, `2 pages`, `1,000 pages`. */
export function plural(number: number, word: string): string {
  return `${number.toLocaleString('en-US')} ${word}${number === 1 ? '' : 's'}`
}
