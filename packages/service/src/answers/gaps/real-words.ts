/**
 * Finds questions that are no language, such as `asdfgh`, so that they do not fill the list of gaps.
 * Errs on the side of a real question: a rare word or an abbreviation counts as a word.
 */

/** Rows of keys, in both directions. */
const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'].flatMap(
  (row) => [row, [...row].toReversed().join('')],
)

/** What people type to see whether something answers. */
const TRIALS = new Set(
  'test testing tests hello hallo hola hi hey ok foo bar baz bla blah'.split(' '),
)

const KEY_RUN_MIN = 3
/** The part of a word that runs of keys have to cover: `property` has a run, too. */
const KEY_RUN_PART = 2 / 3
/** Abbreviations such as `https` have no vowels either. */
const CONSONANTS_MAX = 5
const QUESTION_LENGTH_MAX = 500

export function hasRealWords(question: string): boolean {
  const words = question
    .slice(0, QUESTION_LENGTH_MAX)
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return words?.some(isRealWord) === true
}

function isRealWord(word: string): boolean {
  // Rules about vowels and keys are for Latin script. A word of another script can be one character.
  if (/(?!\p{Script=Latin})\p{L}/u.test(word)) return true
  const letters = word.normalize('NFD').replaceAll(/\P{L}/gu, '')
  if (letters === '' || TRIALS.has(word)) return false
  // A single letter is no word, but `E1234` is an error code.
  if (letters.length === 1) return letters !== word
  const isRepeated = letters.length > 3 && new Set(letters).size <= 2
  const isWithoutVowels = letters.length > CONSONANTS_MAX && !/[aeiouyæøœı]/.test(letters)
  return !(isRepeated || isWithoutVowels || isTypedAlongKeys(letters))
}

function isTypedAlongKeys(word: string): boolean {
  let covered = 0
  let index = 0
  while (index < word.length) {
    const length = keyRunLength(word.slice(index))
    if (length >= KEY_RUN_MIN) covered += length
    index += length >= KEY_RUN_MIN ? length : 1
  }
  return word.length > KEY_RUN_MIN && covered >= word.length * KEY_RUN_PART
}

/** Returns the length of the longest start of the text that is a run of neighboring keys. */
function keyRunLength(text: string): number {
  let length = 0
  while (length < text.length && KEY_ROWS.some((row) => row.includes(text.slice(0, length + 1))))
    length += 1
  return length
}
