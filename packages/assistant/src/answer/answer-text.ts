/**
 * Filters the text of an answer on its way from the model to the reader. No text is shown before
 * the first citation, so readers never see an answer from the model's memory. Numbers of sources
 * are replaced with those that the reader sees. Invented numbers and the final statement are
 * removed. Code is left unchanged, since `list[1]` is not a citation.
 */
import { cleanText } from '@octavo/model'
import { readStatement, type Statement } from './read-statement.ts'
import type { SourceLedger } from './source-ledger.ts'

const STATEMENT = '{"answered"'
const STATEMENT_CHARACTERS_MAX = 5_000
/**
 * The maximum length of text that is held back until it is clear whether it is code, a citation or
 * the final statement.
 */
const BUFFER_LENGTH_MAX = 500
/** An upper limit for the length of a statement's start, including all whitespace in it. */
const STATEMENT_START_MAX = 40

// The repetitions in all patterns are bounded, since a model may write thousands of equal
// characters one by one.
const FENCE_LINE = /^[ \t]{0,20}(`{3,50}(?!`)|~{3,50}(?!~))([^\n]{0,200})\n/
const PART_OF_FENCE_LINE =
  /^[ \t]{0,20}(?:`{0,50}|~{0,50}|(?:`{3,50}(?!`)|~{3,50}(?!~))[^\n]{0,200})$/
const CITATION =
  /[ \t]?(?:\[\^?([1-9]\d{0,3}(?:\s?,\s?[1-9]\d{0,3}){0,20})\]|【([1-9]\d{0,3})[^】\n]{0,40}】)(?:\([^)\n]{0,300}\))?/g
const PART_OF_CITATION = /[ \t]?(?:\[[\^\d,\s]{0,100}(?:\](?:\([^)\n]{0,300})?)?|【[^】\n]{0,45})?$/
const CODE = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g
/** Like CODE, but matches only if no more backticks can follow. */
const CLOSED_CODE = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`|$)/g
const PART_OF_STATEMENT = /\{\s{0,20}(?:["'](?:a(?:n(?:s(?:w(?:e(?:r(?:ed?)?)?)?)?)?)?)?)?$/

export class AnswerText {
  readonly #ledger: SourceLedger
  /** The first half of a character that was split between two chunks. */
  #half = ''
  #buffer = ''
  #isLineStart = true
  #fence: string | undefined
  #statement: string | undefined
  /**
   * Text that has not been shown yet: all text before the first citation, and whitespace that may
   * be at the end of the answer.
   */
  #pending = ''
  #isShown = false

  constructor(ledger: SourceLedger) {
    this.#ledger = ledger
  }

  /** Adds a chunk from the model. Returns the text that can now be shown. */
  push(text: string): string {
    const whole = this.#half + text
    this.#half = /[\r\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : ''
    this.#buffer += cleanText(this.#half === '' ? whole : whole.slice(0, -1))
    return this.#show(this.#take(false))
  }

  /**
   * Called when the model stops writing to call a tool. Text that has not been shown by then is not
   * part of the answer.
   */
  pause(): string {
    const shown = this.#show(this.#take(true))
    this.#pending = this.#isShown ? '\n\n' : ''
    this.#isLineStart = true
    this.#fence = undefined
    this.#statement = undefined
    return shown
  }

  /**
   * Called when the model has finished. If the text cites no source, the sources named in the
   * model's statement count.
   */
  end(): { readonly text: string; readonly statement: Statement | undefined } {
    const last = this.#take(true)
    const statement = readStatement(this.#statement ?? '')
    if (this.#ledger.cited.length === 0) {
      for (const number of statement?.sources ?? []) this.#ledger.cite(number)
    }
    // The statement that there is no answer can be shown without a source.
    return { text: this.#show(last, statement?.isAnswered === false), statement }
  }

  #show(text: string, needsNoSource = false): string {
    const wasShown = this.#isShown
    this.#isShown ||= needsNoSource || this.#ledger.cited.length > 0
    this.#pending += wasShown || this.#pending !== '' ? text : text.trimStart()
    // Wait for more text before trimming the pending text.
    if (!this.#isShown || (wasShown && text.trim() === '')) return ''
    const shown = this.#pending.trimEnd()
    this.#pending = this.#pending.slice(shown.length)
    return shown
  }

  /** Removes and returns the part of the buffer whose meaning is already clear. */
  #take(isEnd: boolean): string {
    let taken = ''
    while (this.#buffer !== '' && this.#statement === undefined) {
      const step = this.#fence === undefined ? this.#takeProse(isEnd) : this.#takeCode(isEnd)
      if (step === undefined) break
      taken += step
    }
    if (this.#statement !== undefined) {
      this.#statement = (this.#statement + this.#buffer).slice(0, STATEMENT_CHARACTERS_MAX)
      this.#buffer = ''
    }
    return taken
  }

  #takeCode(isEnd: boolean): string | undefined {
    const [line, marks = ''] = (this.#isLineStart && FENCE_LINE.exec(this.#buffer)) || []
    if (line !== undefined && marks.startsWith(this.#fence ?? '`')) this.#fence = undefined
    else if (this.#isLineStart && !isEnd && PART_OF_FENCE_LINE.test(this.#buffer)) return undefined
    return this.#cut(line?.length ?? this.#lineLength())
  }

  #takeProse(isEnd: boolean): string | undefined {
    if (this.#isLineStart) {
      const [line, marks = '', info = ''] = FENCE_LINE.exec(this.#buffer) ?? []
      if (line !== undefined) {
        const kind = statementStart(this.#buffer.slice(line.length), info.trim())
        const canWait = !isEnd && this.#buffer.length < BUFFER_LENGTH_MAX
        if (kind === 'maybe' && canWait) return undefined
        if (kind === 'yes') return this.#startStatement(0)
        this.#fence = marks
        return this.#cut(line.length)
      }
      if (!isEnd && PART_OF_FENCE_LINE.test(this.#buffer)) return undefined
      if (isEnd && /^[ \t]*```octavo/.test(this.#buffer)) return this.#startStatement(0)
    }
    const line = this.#buffer.slice(0, this.#lineLength())
    const near = this.#buffer.slice(0, line.length + STATEMENT_START_MAX)
    const statement = /\{\s{0,20}["']answered["']/.exec(near)
    if (statement !== null && statement.index < line.length) {
      if (statement.index === 0) return this.#startStatement(0)
      return this.#cite(this.#cut(statement.index))
    }
    const last = this.#buffer.slice(-STATEMENT_START_MAX)
    const isWhole = isEnd || (line.endsWith('\n') && !PART_OF_STATEMENT.test(last))
    const known = isWhole ? line.length : showableLength(line)
    return known === 0 ? undefined : this.#cite(this.#cut(known))
  }

  #startStatement(index: number): string {
    this.#statement = this.#buffer.slice(index)
    this.#buffer = ''
    return ''
  }

  #lineLength(): number {
    const end = this.#buffer.indexOf('\n')
    return end < 0 ? this.#buffer.length : end + 1
  }

  #cut(length: number): string {
    const text = this.#buffer.slice(0, length)
    this.#buffer = this.#buffer.slice(length)
    this.#isLineStart = text.endsWith('\n')
    return text
  }

  #cite(text: string): string {
    let cited = ''
    let from = 0
    for (const code of text.matchAll(CODE)) {
      cited += this.#citeProse(text.slice(from, code.index)) + code[0]
      from = code.index + code[0].length
    }
    return cited + this.#citeProse(text.slice(from))
  }

  #citeProse(text: string): string {
    return text.replaceAll(CITATION, (found, listed?: string, single?: string) => {
      const numbers = (listed ?? single ?? '').split(',').map(Number)
      const known = numbers.flatMap((number) => this.#ledger.cite(number) ?? [])
      const space = /^[ \t]/.exec(found)?.[0] ?? ''
      return known.length === 0 ? '' : `${space}${known.map((number) => `[${number}]`).join('')}`
    })
  }
}

/** Returns whether a code block is the final statement. */
function statementStart(inside: string, info: string): 'yes' | 'no' | 'maybe' {
  if (info === 'octavo') return 'yes'
  if (info !== '' && info !== 'json') return 'no'
  const head = inside.slice(0, BUFFER_LENGTH_MAX)
  const start = head.replaceAll(/\s/g, '').replaceAll("'", '"').slice(0, STATEMENT.length)
  if (start === STATEMENT) return 'yes'
  return STATEMENT.startsWith(start) ? 'maybe' : 'no'
}

/**
 * Returns how much of an incomplete line can be shown. Code, a citation or a statement that may
 * continue is held back.
 */
function showableLength(line: string): number {
  const closed = line.replaceAll(CLOSED_CODE, (code) => ' '.repeat(code.length))
  const ends = [
    closed.indexOf('`'),
    PART_OF_CITATION.exec(closed)?.index ?? -1,
    PART_OF_STATEMENT.exec(closed)?.index ?? -1,
  ].filter((end) => end >= 0 && end > line.length - BUFFER_LENGTH_MAX)
  return Math.min(line.length, ...ends)
}
