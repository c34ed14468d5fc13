/** Letters that a word keeps at least. */
const STEM_LENGTH_MIN = 4

/**
 * A word without its ending: `configuring` and `configuration` give `configur`, `debugger` gives
 * `debug`. It is no word of the language; two words with the same one are forms of one word.
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
