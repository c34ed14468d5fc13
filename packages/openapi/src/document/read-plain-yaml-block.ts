/** Reads block scalars (`|` and `>`), whose text is on the indented lines below. */
import { CHOMPING_MODE, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import {
  isBreak,
  lineEnd,
  NotPlainError,
  type PlainYamlCursor,
  SPACE,
  TAB,
} from './read-plain-yaml-cursor.ts'

const LITERAL = 0x7c
const FOLDED = 0x3e

export function isBlockText(code: number): boolean {
  return code === LITERAL || code === FOLDED
}

/** The properties that js-yaml needs to decode a block scalar. */
export type BlockStyle = Pick<ScalarEvent, 'style' | 'chomping' | 'indent'>

/** Matches the header: `|` or `>`, an optional sign and digit in any order, an optional comment. */
const HEADER = /([|>])(?:([+-]?)([1-9]?)|([1-9])([+-]))(?: +#.*| *)\r?(?:\n|$)/y

/** Reads a block scalar whose parent is indented by `parentIndent`. */
export function readBlockScalar(cursor: PlainYamlCursor, parentIndent: number): BlockStyle {
  HEADER.lastIndex = cursor.at
  const header = HEADER.exec(cursor.text)
  if (header === null) throw new NotPlainError()
  const [, mark, sign = header[5], digit = header[4]] = header
  cursor.start = HEADER.lastIndex
  return {
    style: mark === '|' ? SCALAR_STYLE.LITERAL_BLOCK : SCALAR_STYLE.FOLDED_BLOCK,
    chomping: chompingOf(sign),
    indent: passLines(cursor, parentIndent, digit),
  }
}

function chompingOf(sign: string | undefined): BlockStyle['chomping'] {
  if (sign === '+') return CHOMPING_MODE.KEEP
  return sign === '-' ? CHOMPING_MODE.STRIP : CHOMPING_MODE.CLIP
}

/** Skips the lines of the scalar. Returns their indentation, or -1 if all lines are empty. */
function passLines(cursor: PlainYamlCursor, parentIndent: number, digit = ''): number {
  const { text } = cursor
  let indent = digit === '' ? -1 : parentIndent + Number(digit)
  let emptyColumnMax = 0
  let lineStart = cursor.start
  cursor.isEncoded = false
  while (lineStart < text.length) {
    let at = lineStart
    while (text.charCodeAt(at) === SPACE) at += 1
    const code = text.charCodeAt(at)
    const column = at - lineStart
    // It is unclear whether trailing spaces at the end of the file belong to the text.
    if (at === text.length) throw new NotPlainError()
    if (!isBreak(code)) {
      if (column <= parentIndent || column < indent) break
      // An empty line before the text must not be longer than its indentation. A tab is left to
      // js-yaml.
      if (indent === -1 && (column < emptyColumnMax || code === TAB)) throw new NotPlainError()
      if (indent === -1) indent = column
      // The value differs from the text in the file, since it does not contain the indentation.
      if (indent > 0) cursor.isEncoded = true
    } else if (indent === -1) {
      emptyColumnMax = Math.max(emptyColumnMax, column)
    }
    lineStart = Math.min(text.length, lineEnd(text, at) + 1)
  }
  cursor.lineStart = lineStart
  cursor.at = lineStart
  cursor.end = lineStart
  return indent
}
