/**
 * Maps the characters of a text to their offsets in the file. Skips what is not part of the text,
 * such as the backslash of an escape, the second of two quotes, the indentation of a block, and
 * folded line breaks.
 *
 * Text and file have the same characters in the same order, except for white space. So they are
 * compared one by one, and any difference is white space that only one of them has.
 */

/** The range of a string in the file: between its quotes, or all lines of a block. */
export type TextRange = { readonly start: number; readonly end: number }

/** Returns the offset of each character of the text, and of its end. */
export function textOffsets(source: string, range: TextRange, text: string): Int32Array {
  const quote = source[range.start - 1] ?? ''
  const offsets = new Int32Array(text.length + 1)
  let at = range.start
  for (let index = 0; index < text.length; index += 1) {
    const wanted = text.charCodeAt(index)
    let read = readCharacter(source, at, quote)
    while (!matches(read, wanted) && read.isSpace && at < range.end) {
      at += read.length
      read = readCharacter(source, at, quote)
    }
    offsets[index] = at
    if (!matches(read, wanted)) continue
    // An escape such as `\U0001F600` represents two UTF-16 units.
    const isPair = read.code > 0xffff && isHighSurrogate(wanted)
    if (isPair) {
      index += 1
      offsets[index] = at
    }
    at += read.length
    if (read.code === LINE_FEED && quote !== '"') at = skipIndentation(source, at, text, index + 1)
  }
  offsets[text.length] = at
  return offsets
}

type Character = {
  readonly code: number
  /** The number of characters that represent this one in the file. */
  readonly length: number
  readonly isSpace: boolean
}

const BACKSLASH = 0x5c
const SINGLE_QUOTE = 0x27
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

function readCharacter(source: string, at: number, quote: string): Character {
  const code = source.charCodeAt(at)
  if (quote === '"' && code === BACKSLASH) return readEscape(source, at)
  if (quote === "'" && code === SINGLE_QUOTE) return { code, length: 2, isSpace: false }
  if (code === CARRIAGE_RETURN) {
    const length = source.charCodeAt(at + 1) === LINE_FEED ? 2 : 1
    return { code: LINE_FEED, length, isSpace: true }
  }
  return { code, length: 1, isSpace: isSpace(code) }
}

/** Values of the letters after a backslash, in JSON and in YAML. */
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}
const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

function readEscape(source: string, at: number): Character {
  const letter = source[at + 1] ?? ''
  // An escaped line break is not part of the text.
  if (letter === '\n' || letter === '\r') return { code: -1, length: 1, isSpace: true }
  const digits = HEX_LENGTHS[letter] ?? 0
  const code =
    digits > 0
      ? Number.parseInt(source.slice(at + 2, at + 2 + digits), 16)
      : (ESCAPES[letter] ?? letter).charCodeAt(0)
  return { code, length: 2 + digits, isSpace: isSpace(code) }
}

/** Returns true if a character in the file is the wanted one. A folded line break is a space. */
function matches({ code }: Character, wanted: number): boolean {
  if (code === wanted || (code === LINE_FEED && wanted === SPACE)) return true
  return code > 0xffff && String.fromCodePoint(code).charCodeAt(0) === wanted
}

/** Skips the indentation, but not the spaces that are part of the text. */
function skipIndentation(source: string, start: number, text: string, index: number): number {
  const written = countSpaces(source, start)
  const kept = countSpaces(text, index)
  return start + Math.max(0, written - kept)
}

function countSpaces(text: string, start: number): number {
  let end = start
  while (text.charCodeAt(end) === SPACE) end += 1
  return end - start
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= 0x09 && code <= 0x0d) || code === 0x85 || code === 0xa0
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
