/** Splits text into word pieces, with the tokenization of BERT's uncased models. */

/** The maximum length of a word in letters; longer words are unknown. */
const WORD_LENGTH_MAX = 100
/** The maximum input length of these models, including start and end markers. */
const PIECES_MAX = 256

const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu
const ACCENT = /\p{Mn}/gu
/** Chinese characters and punctuation marks are separate words. */
const APART = /[\p{P}\u0021-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007E]|\p{Unified_Ideograph}/gu

export class WordPieces {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #start: number
  readonly #end: number
  readonly #unknown: number

  /** `vocabulary` maps pieces to their numbers; pieces inside a word start with `##`. */
  constructor(vocabulary: Readonly<Record<string, number>>) {
    this.#numbers = new Map(Object.entries(vocabulary))
    this.#start = this.#numberOf('[CLS]')
    this.#end = this.#numberOf('[SEP]')
    this.#unknown = this.#numberOf('[UNK]')
  }

  /** Includes start and end markers; a long text is truncated. */
  encode(text: string): readonly number[] {
    const numbers = [this.#start]
    for (const word of splitWords(text)) {
      numbers.push(...this.#split(word))
      if (numbers.length >= PIECES_MAX) break
    }
    return [...numbers.slice(0, PIECES_MAX - 1), this.#end]
  }

  /** Prefers the longest piece; a word with any unknown part is unknown. */
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
