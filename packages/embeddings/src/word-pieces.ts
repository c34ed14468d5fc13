/** Splits text into word pieces like the tokenizer of BERT's uncased models. */

/** The maximum length of a word in letters. Longer words are replaced by the unknown marker. */
const WORD_LENGTH_MAX = 100
/** The maximum number of pieces that these models read, including the start and end markers. */
const PIECES_MAX = 256

const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu
const ACCENT = /\p{Mn}/gu
/** Matches punctuation marks and Chinese characters, each of which is a word of its own. */
const APART = /[\p{P}\u0021-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007E]|\p{Unified_Ideograph}/gu

export class WordPieces {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #start: number
  readonly #end: number
  readonly #unknown: number

  /** Maps each piece to its number; pieces inside a word start with `##`. */
  constructor(vocabulary: Readonly<Record<string, number>>) {
    this.#numbers = new Map(Object.entries(vocabulary))
    this.#start = this.#numberOf('[CLS]')
    this.#end = this.#numberOf('[SEP]')
    this.#unknown = this.#numberOf('[UNK]')
  }

  /**
   * Returns the numbers of the text's pieces, including the start and end markers. Long texts are
   * truncated.
   */
  encode(text: string): readonly number[] {
    const numbers = [this.#start]
    for (const word of splitWords(text)) {
      numbers.push(...this.#split(word))
      if (numbers.length >= PIECES_MAX) break
    }
    return [...numbers.slice(0, PIECES_MAX - 1), this.#end]
  }

  /**
   * Splits a word into the longest pieces in the vocabulary. A word with an unknown part is unknown
   * as a whole.
   */
  #split(word: string): readonly number[] {
    const letters = [...word]
    if (letters.length > WORD_LENGTH_MAX) return [this.#unknown]
    const pieces: number[] = []
    for (let start = 0; start < letters.length; ) {
      let end = letters.length
      let number: number | undefined
      for (; end > start; end -= 1) {
        const piece = letters.slice(start, end).join('')
        number = this.#numbers.get(start === 0 ? piece : `##${piece}`)
        if (number !== undefined) break
      }
      if (number === undefined) return [this.#unknown]
      pieces.push(number)
      start = end
    }
    return pieces
  }

  #numberOf(piece: string): number {
    const number = this.#numbers.get(piece)
    if (number === undefined) throw new Error(`The vocabulary has no ${piece}.`)
    return number
  }
}

function splitWords(text: string): readonly string[] {
  return text
    .replaceAll(/\s/g, ' ')
    .replaceAll(CONTROL, '')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(ACCENT, '')
    .replaceAll(APART, ' $& ')
    .split(' ')
    .filter((word) => word !== '')
}
