/**
 * Detects questions without any real word, such as `asdfgh`, so that they do not fill the list of
 * gaps. When in doubt, a word counts as real, even if it is rare or an abbreviation.
 */

/** The keys of each row of keyboards, from left to right and from right to left. */
const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'].flatMap(
  (row) => [row, [...row].toReversed().join('')],
)

/** Words that people often enter only to test the assistant. */
const TEST_INPUTS = new Set(
  'test testing tests hello hallo hola hi hey ok foo bar baz bla blah'.split(' '),
)

const KEY_RUN_MIN = 3
/**
 * The minimum share of a word that consists of neighboring keys. It is high because real words such
 * as `property` also contain a few neighboring keys.
 */
const KEY_RUN_PART = 2 / 3
/** The maximum length of a real word without vowels, such as the abbreviation `https`. */
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
  // The rules about vowels and keys apply to Latin letters only. In other scripts, a word can be a
  // single character.
  if (/(?!\p{Script=Latin})\p{L}/u.test(word)) return true
  const letters = word.normalize('NFD').replaceAll(/\P{L}/gu, '')
  if (letters === '' || TEST_INPUTS.has(word)) return false
  // A single letter is not a word. With digits it can be one, such as the error code `E1234`.
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

/** Returns how many characters at the start of the text are neighboring keys. */
function keyRunLength(text: string): number {
  let length = 0
  while (length < text.length && KEY_ROWS.some((row) => row.includes(text.slice(0, length + 1))))
    length += 1
  return length
}
