/**
 * Splits text into words and terms, in the same way for indexing and searching. The browser's word
 * segmentation is not used: browsers differ from Node and from each other, and a word that is split
 * differently is never found. Scripts without spaces are cut into short overlapping grams instead.
 *
 * A term is folded: it has no capitals, accents or plural `s` (this applies to any language: the
 * `s` is removed in both the index and the query, so nothing is missed). A compound word
 * (`maxTokens`, `max_tokens`, `real-time`) is found by its parts and as a whole.
 */

/** Maximum length of a term; longer words are cut. */
const TERM_LENGTH_MAX = 40
/** A word with more parts is an address or a list rather than a name. */
const PARTS_MAX = 6

const ASCII_WORD = /[A-Za-z\d]+(?:[_.'-][A-Za-z\d]+)*/g
const WORD = /[\p{L}\p{N}\p{M}]+(?:[_.'’-][\p{L}\p{N}\p{M}]+)*/gu
/** Matches anything except ASCII and non-letters such as quotes, dashes, arrows and boxes. */
const FOREIGN = /[^\0-\x7F\xA0\u2010-\u205E\u20A0-\u20BF\u2190-\u23FF\u2500-\u2775\u2794-\u2BFF]/
const IS_ASCII = /^[\0-\x7F]*$/

/** Checks whether all words of the text consist of ASCII letters. */
export function isPlainText(text: string): boolean {
  return !FOREIGN.test(text)
}

/** Calls `visit` for each word of the text with its position. */
export function eachWord(text: string, visit: (word: string, start: number) => void): void {
  // Each call needs a new expression, because an expression stores `lastIndex` and calls may be
  // nested.
  const pattern = new RegExp(isPlainText(text) ? ASCII_WORD : WORD)
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    visit(match[0], match.index)
  }
}

/**
 * A part of a word with its term. In scripts without spaces it is a `gram`, a `short` part with too
 * few letters for a gram, or the `tail` after the last gram.
 */
type Piece = {
  readonly kind: 'word' | 'gram' | 'short' | 'tail'
  readonly term: string
  /** The start of the piece in the word. */
  readonly start: number
  readonly end: number
}

export type WordTerms = {
  readonly pieces: readonly Piece[]
  /** All parts joined, if there are several. */
  readonly whole: string | undefined
}

/**
 * Scripts that are split into grams of two letters (Han, kana) or of three letters (Thai, Lao,
 * Khmer, Burmese, which have fewer letters).
 */
const PAIRS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆〇]+/u
const TRIPLES = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/u
const UNSPACED = new RegExp(`(?<pairs>${PAIRS.source})|(?<triples>${TRIPLES.source})`, 'gu')
const PLAIN_WORD = /^(?:[a-z\d]+|[A-Z][a-z\d]*|[A-Z\d]+)$/
const PART =
  /\p{Lu}+(?![\p{Ll}\p{M}])[\p{N}]*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}\p{N}]+|[\p{L}\p{N}\p{M}]/gu

export function splitWord(word: string): WordTerms {
  if (PLAIN_WORD.test(word)) return singleChunk(word)
  if (/^[A-Z\d]{2,}s$/.test(word)) return singleChunk(word)
  if (!IS_ASCII.test(word) && (PAIRS.test(word) || TRIPLES.test(word))) return splitUnspaced(word)
  return splitParts(word)
}

function singleChunk(word: string): WordTerms {
  const term = foldWord(word)
  return { pieces: [{ kind: 'word', term, start: 0, end: word.length }], whole: undefined }
}

function splitParts(word: string): WordTerms {
  // In `don't` and `l'API`, the apostrophe is inside a word.
  const bare = word.replace(/['’]s$/i, '')
  const pieces: Piece[] = []
  for (const { 0: part, index } of bare.replaceAll(/['’]/g, '_').matchAll(PART)) {
    const term = foldWord(part)
    if (term !== '') pieces.push({ kind: 'word', term, start: index, end: index + part.length })
  }
  const whole =
    pieces.length > 1 && pieces.length <= PARTS_MAX
      ? foldWord(bare.replaceAll(/[_.'’-]/g, ''))
      : undefined
  return { pieces, whole }
}

function splitUnspaced(word: string): WordTerms {
  const pieces: Piece[] = []
  let last = 0
  const addOther = (end: number) => {
    eachWord(word.slice(last, end), (other, start) => {
      for (const piece of splitParts(other).pieces) {
        const from = last + start
        pieces.push({ ...piece, start: piece.start + from, end: piece.end + from })
      }
    })
  }
  for (const match of word.matchAll(UNSPACED)) {
    addOther(match.index)
    addGrams(match[0], { size: match.groups?.pairs === undefined ? 3 : 2, at: match.index, pieces })
    last = match.index + match[0].length
  }
  addOther(word.length)
  return { pieces, whole: undefined }
}

/**
 * Adds the overlapping grams of a run of letters. Runs that are too short for a gram, and the end
 * of a run, are also added, so that `図` finds `地図`.
 */
function addGrams(
  run: string,
  { size, at, pieces }: { size: number; at: number; pieces: Piece[] },
): void {
  const letters = [...run]
  let start = at
  for (let index = 0; index < letters.length; index += 1) {
    const gram = letters.slice(index, index + size).join('')
    const term = gram.normalize('NFKC').toLowerCase()
    const kind = index + size <= letters.length ? 'gram' : shortKind(index)
    pieces.push({ kind, term, start, end: start + gram.length })
    start += letters[index]?.length ?? 1
  }
}

function shortKind(index: number): 'short' | 'tail' {
  return index === 0 ? 'short' : 'tail'
}

/** Letters and the equivalent letters that replace them. */
const SAME_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
}
const SAME_LETTER = /[ßæœøđðłþıςأإآىة]/g
/**
 * Matches accents of Latin, Greek and Cyrillic letters, and vowel signs of Hebrew and Arabic, all
 * of which are removed. Other marks are part of the word.
 */
const ACCENTS = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670]/g

/** Matches the Arabic article, which is written as part of a word but which readers do not type. */
const ARTICLE = /^ال(?=\p{sc=Arabic}{3})/u

function foldWord(word: string): string {
  let term = word.toLowerCase()
  if (!IS_ASCII.test(term)) {
    term = term.replaceAll(SAME_LETTER, (letter) => SAME_LETTERS[letter] ?? letter)
    term = term.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').replace(ARTICLE, '')
    // `ﬁ` and similar ligatures become letters that may need folding again.
    term = term.toLowerCase().replaceAll(SAME_LETTER, (letter) => SAME_LETTERS[letter] ?? letter)
  }
  term = foldPlural(term)
  // Keep a word that is only an accent, so that it can be found.
  if (term === '') return word
  return term.length > TERM_LENGTH_MAX ? cut(term) : term
}

/** Plurals whose ending resembles that of singular words such as `redis`. */
const SHORT_NAMES = new Set(['apis', 'uris', 'clis', 'guis', 'menus'])

/** Turns `keys` into `key` and `queries` into `query`, but keeps `status`, `access` and `redis`. */
function foldPlural(term: string): string {
  if (term.length < 4 || !term.endsWith('s')) return term
  if (term.endsWith('ies') && term.length > 4) return `${term.slice(0, -3)}y`
  if (SHORT_NAMES.has(term)) return term.slice(0, -1)
  return /[sui]s$/.test(term) ? term : term.slice(0, -1)
}

/** Cuts a long term without splitting a surrogate pair. */
function cut(term: string): string {
  const end = (term.codePointAt(TERM_LENGTH_MAX - 1) ?? 0) > 0xff_ff ? 1 : 0
  return term.slice(0, TERM_LENGTH_MAX - end)
}
