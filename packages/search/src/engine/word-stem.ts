/** Minimum letters of a stem. */
const STEM_LENGTH_MIN = 4

/**
 * Removes the ending of a word: `configuring` and `configuration` become `configur`, `debugger`
 * becomes `debug`. A stem need not be a real word; words with the same stem are forms of one word.
 */
export function stemOf(term: string, endings: readonly string[]): string {
  const ending = endings.find(
    (one) => term.length - one.length >= STEM_LENGTH_MIN && term.endsWith(one),
  )
  if (ending === undefined) return term
  const stem = term.slice(0, term.length - ending.length)
  const isDoubled = stem.at(-1) === stem.at(-2)
  return isDoubled && !/[aeiouls]$/.test(stem) ? stem.slice(0, -1) : stem
}
