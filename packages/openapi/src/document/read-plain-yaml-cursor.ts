/**
 * Holds the position of the plain YAML reader and the last scalar that it read, and skips the space
 * between values. `hasPlainCharacters` ensures that lines end with LF or CRLF.
 */

export const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const DOUBLE_QUOTE = 0x22
export const HASH = 0x23
export const SINGLE_QUOTE = 0x27
export const COMMA = 0x2c
const DASH = 0x2d
export const COLON = 0x3a
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
const BYTE_ORDER_MARK = 0xfeff

/** Thrown if the text is not plain YAML, or might not be. `readPlainYaml` catches it. */
export class NotPlainError extends Error {}

export class PlainYamlCursor {
  readonly text: string
  at = 0
  lineStart = 0

  /** The start of the last scalar that was read, without its opening quote. */
  start = 0
  end = 0
  isPlain = false
  /** Whether the value differs from the text between start and end. */
  isEncoded = false

  constructor(text: string) {
    this.text = text
    if (text.charCodeAt(0) !== BYTE_ORDER_MARK) return
    this.at = 1
    this.lineStart = 1
  }

  get code(): number {
    return this.text.charCodeAt(this.at)
  }

  get column(): number {
    return this.at - this.lineStart
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** True at a dash that starts a list item, not at one that starts a scalar. */
  get isAtItem(): boolean {
    return this.code === DASH && isBlank(this.text.charCodeAt(this.at + 1))
  }

  /** Skips spaces, comments and empty lines. Returns true if it skipped a line break. */
  skipToContent(): boolean {
    let isNewLine = false
    for (;;) {
      if (this.skipBreaks() > 0) isNewLine = true
      if (this.code !== HASH) return isNewLine
      const isComment = this.at === this.lineStart || this.text.charCodeAt(this.at - 1) === SPACE
      if (!isComment) throw new NotPlainError()
      this.at = lineEnd(this.text, this.at)
    }
  }

  /** Skips spaces and line breaks, but not comments. Returns the number of line breaks. */
  skipBreaks(): number {
    const { text } = this
    let at = this.at
    let breaks = 0
    for (;;) {
      let code = text.charCodeAt(at)
      while (code === SPACE) {
        at += 1
        code = text.charCodeAt(at)
      }
      if (code === CARRIAGE_RETURN) {
        at += 1
        code = LINE_FEED
      }
      // A tab has different meanings at different positions, which only js-yaml handles.
      if (code === TAB) throw new NotPlainError()
      if (code !== LINE_FEED) break
      at += 1
      breaks += 1
      this.lineStart = at
    }
    this.at = at
    return breaks
  }
}

export function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)))
}

/** Returns true for a space, a tab, a line break, and the end of the text (`NaN`). */
export function isBlank(code: number): boolean {
  return !(code > SPACE)
}

export function isBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN
}

export function isFlowIndicator(code: number): boolean {
  switch (code) {
    case COMMA:
    case OPEN_BRACKET:
    case CLOSE_BRACKET:
    case OPEN_BRACE:
    case CLOSE_BRACE:
      return true
    default:
      return false
  }
}

/** Returns the offset of the next line feed, or the length of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end
}

const NOT_PLAIN = /[^\t\n\r -~\u00a0-\ufefe\uff00-\ufffd]/

/**
 * Returns false if the text contains characters with special rules in YAML: control characters,
 * lone surrogates, a byte order mark after the first character, or a CR without LF. These are left
 * to js-yaml.
 */
export function hasPlainCharacters(text: string): boolean {
  const rest = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  if (NOT_PLAIN.test(rest) || !rest.isWellFormed()) return false
  return !(rest.includes('\r') && /\r(?!\n)/.test(rest))
}
