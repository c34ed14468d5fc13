/** Adds scalars to a tape, and decodes those whose value differs from their text in the file. */
import {
  CHOMPING_MODE,
  CORE_SCHEMA,
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml'
import type { BlockStyle } from './read-plain-yaml-block.ts'
import {
  codesOf,
  DOUBLE_QUOTE,
  NotPlainError,
  type PlainYamlCursor,
  SINGLE_QUOTE,
} from './read-plain-yaml-cursor.ts'
import { KIND, type Kind, type NodeId, type Tape } from './tape.ts'

const DIGIT_0 = 0x30
const DIGIT_9 = 0x39

const WORDS: ReadonlyMap<string, Kind> = new Map([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, KIND.null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, KIND.true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, KIND.false] as const),
])
const WORD_STARTS = codesOf('~nNtTfF')
const WORD_LENGTH_MAX = 5
const NUMBER_STARTS = codesOf('+-.0123456789')
/** The maximum number of digits with which every integer is exact as a JavaScript number. */
const EXACT_DIGITS_MAX = 15

export class PlainYamlRows {
  readonly tape: Tape
  readonly #text: string
  readonly #blocks = new Map<NodeId, BlockStyle>()

  constructor(text: string, tape: Tape) {
    this.#text = text
    this.tape = tape
  }

  /** Returns the value of an encoded row. Values are decoded on demand. */
  get(node: NodeId): string | undefined {
    if (!this.tape.isEncoded(node)) return undefined
    return this.#decode(this.tape.start(node), this.tape.end(node), this.#blocks.get(node))
  }

  /** Adds the scalar that the cursor read last, which may be plain or quoted. */
  addScalar({ start, end, isPlain, isEncoded }: PlainYamlCursor): NodeId {
    // Text on several lines is always a string, because numbers and words do not contain spaces.
    if (isEncoded || !isPlain) return this.tape.addScalar(KIND.string, start, end, isEncoded)
    return this.tape.addScalar(this.#kindOf(start, end), start, end)
  }

  /** Adds a key. The merge key `<<` is left to js-yaml. */
  addKey(cursor: PlainYamlCursor): NodeId {
    const { start, end, isPlain } = cursor
    if (isPlain && end - start === 2 && this.#text.startsWith('<<', start))
      throw new NotPlainError()
    return this.addScalar(cursor)
  }

  /** Adds the block scalar that the cursor read last. */
  addBlock(cursor: PlainYamlCursor, style: BlockStyle): NodeId {
    const { start, end } = cursor
    const isEncoded =
      cursor.isEncoded || this.#decode(start, end, style) !== this.#text.slice(start, end)
    const node = this.tape.addScalar(KIND.string, start, end, isEncoded)
    if (isEncoded) this.#blocks.set(node, style)
    return node
  }

  /** Returns the kind of a plain scalar on one line, according to YAML's core schema. */
  #kindOf(start: number, end: number): Kind {
    const text = this.#text
    const first = text.charCodeAt(start)
    if (WORD_STARTS.has(first) && end - start <= WORD_LENGTH_MAX) {
      return WORDS.get(text.slice(start, end)) ?? KIND.string
    }
    if (!NUMBER_STARTS.has(first)) return KIND.string
    if (end - start <= EXACT_DIGITS_MAX && isDigits(text, start, end)) return KIND.number
    const written = text.slice(start, end)
    const { value } = CORE_SCHEMA.resolveImplicitScalarTag(written)
    // JSON does not support `.inf` and `.nan`, so they are read as text.
    if (typeof value !== 'number' || !Number.isFinite(value)) return KIND.string
    if (Number(written) !== value) throw new NotPlainError()
    return KIND.number
  }

  /** Decodes a scalar with js-yaml, so that both readers return the same value. */
  #decode(start: number, end: number, block: BlockStyle | undefined): string {
    return getScalarValue(this.#text, {
      ...UNNAMED,
      valueStart: start,
      valueEnd: end,
      ...(block ?? { style: this.#inlineStyle(start), chomping: CHOMPING_MODE.CLIP, indent: -1 }),
    })
  }

  /**
   * Returns the style of a scalar from the character before it. A plain scalar never follows a
   * quote.
   */
  #inlineStyle(start: number): ScalarEvent['style'] {
    switch (this.#text.charCodeAt(start - 1)) {
      case DOUBLE_QUOTE:
        return SCALAR_STYLE.DOUBLE_QUOTED
      case SINGLE_QUOTE:
        return SCALAR_STYLE.SINGLE_QUOTED
      default:
        return SCALAR_STYLE.PLAIN
    }
  }
}

/** The properties of js-yaml's scalar events that are the same for every scalar here. */
const UNNAMED = {
  type: EVENT_ID.SCALAR,
  anchorStart: -1,
  anchorEnd: -1,
  tagStart: -1,
  tagEnd: -1,
  fast: false,
}

function isDigits(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code < DIGIT_0 || code > DIGIT_9) return false
  }
  return true
}
