/**
 * Reads a plain or quoted scalar and stores its range in the cursor. If it continues on further
 * lines, its value differs from the file, since a line break becomes a space or disappears.
 */
import {
  BACKSLASH,
  COLON,
  codesOf,
  DOUBLE_QUOTE,
  HASH,
  isBlank,
  isBreak,
  isFlowIndicator,
  NotPlainError,
  type PlainYamlCursor,
  SINGLE_QUOTE,
  SPACE,
  TAB,
} from './read-plain-yaml-cursor.ts'

/** Reads a scalar, including further lines that are indented by at least `indent`. */
export function readPlainScalar(cursor: PlainYamlCursor, indent: number, inFlow: boolean): void {
  const { code } = cursor
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) passQuoted(cursor, indent)
  else passPlain(cursor, indent, inFlow)
}

/** Characters that may start something other than a plain scalar. */
const INDICATORS = codesOf(',[]{}#&*!|>%@`')
/** Characters that may do so only before a blank, a bracket or a comma. */
const LONE_INDICATORS = codesOf('-?:')

function passPlain(cursor: PlainYamlCursor, indent: number, inFlow: boolean): void {
  const { code, text } = cursor
  if (isBlank(code) || INDICATORS.has(code)) throw new NotPlainError()
  if (LONE_INDICATORS.has(code)) {
    const next = text.charCodeAt(cursor.at + 1)
    if (isBlank(next) || isFlowIndicator(next)) throw new NotPlainError()
  }
  cursor.isPlain = true
  cursor.isEncoded = false
  cursor.start = cursor.at
  cursor.end = passPlainLine(cursor, inFlow)
  while (isBreak(cursor.code)) {
    cursor.skipBreaks()
    if (cursor.column < indent) {
      if (inFlow) throw new NotPlainError()
      return
    }
    const lineStart = cursor.at
    const end = passPlainLine(cursor, inFlow)
    // The line starts with something that ends the text, such as a comment, a bracket or a colon.
    if (end === lineStart) return
    cursor.end = end
    cursor.isEncoded = true
  }
}

/** Matches characters that may end a plain scalar. In V8, a RegExp is faster than a loop. */
const PLAIN_STOP = /[:#\t\n\r]/g
const PLAIN_STOP_IN_FLOW = /[:#\t\n\r,[\]{}]/g

/**
 * Reads to the end of the line, or to `: `, ` #`, or a bracket or comma inside brackets. Returns
 * the end of the text without trailing spaces.
 */
function passPlainLine(cursor: PlainYamlCursor, inFlow: boolean): number {
  const { text, at: start } = cursor
  const stop = inFlow ? PLAIN_STOP_IN_FLOW : PLAIN_STOP
  let at = start - 1
  for (;;) {
    at = findNext(stop, text, at + 1)
    const code = text.charCodeAt(at)
    if (code === COLON) {
      const next = text.charCodeAt(at + 1)
      if (isBlank(next) || (inFlow && isFlowIndicator(next))) break
    } else if (code === HASH) {
      if (isBlank(text.charCodeAt(at - 1))) break
    } else if (code === TAB) {
      throw new NotPlainError()
    } else {
      break
    }
  }
  cursor.at = at
  while (at > start && text.charCodeAt(at - 1) === SPACE) at -= 1
  return at
}

const DOUBLE_QUOTED_STOP = /["\\\n\r]/g
const SINGLE_QUOTED_STOP = /['\n\r]/g

function passQuoted(cursor: PlainYamlCursor, indent: number): void {
  const { text, code: quote } = cursor
  const stop = quote === DOUBLE_QUOTE ? DOUBLE_QUOTED_STOP : SINGLE_QUOTED_STOP
  const start = cursor.at + 1
  let at = start
  cursor.isPlain = false
  cursor.isEncoded = false
  for (;;) {
    at = findNext(stop, text, at)
    const code = text.charCodeAt(at)
    if (code === quote) {
      const isDoubled = quote === SINGLE_QUOTE && text.charCodeAt(at + 1) === quote
      if (!isDoubled) break
      at += 2
    } else if (code === BACKSLASH) {
      const isAtBreak = isBreak(text.charCodeAt(at + 1))
      at = isAtBreak ? at + 1 : escapeEnd(text, at + 1)
    } else if (at === text.length) {
      throw new NotPlainError()
    } else {
      cursor.at = at
      cursor.skipBreaks()
      if (cursor.column < indent) throw new NotPlainError()
      at = cursor.at
    }
    cursor.isEncoded = true
  }
  cursor.start = start
  cursor.end = at
  cursor.at = at + 1
}

const ESCAPE = /[0abt\tnvfre "/\\N_LP]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}/y

function escapeEnd(text: string, offset: number): number {
  ESCAPE.lastIndex = offset
  if (!ESCAPE.test(text)) throw new NotPlainError()
  return ESCAPE.lastIndex
}

/** Returns the offset of the first character that matches, or the length of the text. */
function findNext(characters: RegExp, text: string, offset: number): number {
  characters.lastIndex = offset
  return characters.test(text) ? characters.lastIndex - 1 : text.length
}
