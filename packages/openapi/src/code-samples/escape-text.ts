/**
 * Escapes the strings in code samples. Every string of a request is printed by the quoting function
 * of a language, and all of these functions use this module. Invisible characters (control and
 * format characters, line separators, private use) are always escaped: they could end a line,
 * change the text direction, or control a terminal.
 */

export type Escapes = {
  /** Escapes for characters with a special meaning inside the quotes. */
  readonly named: Readonly<Record<string, string>>
  /** Returns the escape for any other unprintable character. */
  readonly unprintable: (codePoint: number) => string
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** Returns text as the content of a literal, without quotes. */
export function escapeText(text: string, { named, unprintable }: Escapes): string {
  return Array.from(text, (character) => {
    const written = named[character]
    if (written !== undefined) return written
    return UNPRINTABLE.test(character) ? unprintable(character.codePointAt(0) ?? 0) : character
  }).join('')
}

/**
 * Returns true if text can be in a raw literal: line breaks and tabs are its only invisible
 * characters.
 */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE_IN_LINES.test(text)
}

/**
 * Returns an escape like `\u2028`, or two for a character above U+FFFF; for JSON, JavaScript, C#
 * and Kotlin.
 */
export function utf16Escape(codePoint: number): string {
  return String.fromCodePoint(codePoint)
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('')
}

/** Returns an escape like `\u{2028}`; for PHP, Ruby, Swift, Rust and Dart. */
export function bracedEscape(codePoint: number): string {
  return `\\u{${hex(codePoint, 1)}}`
}

/** Returns an escape like `\u2028` or `\U000e0001`; for Python and Go. */
export function longEscape(codePoint: number): string {
  return codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`
}

/**
 * Returns the UTF-8 bytes as octal escapes like `\342\200\250`; for C, where hexadecimal escapes
 * have no fixed length.
 */
export function octalEscape(codePoint: number): string {
  const bytes = new TextEncoder().encode(String.fromCodePoint(codePoint))
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

function hex(code: number, digitsMin: number): string {
  return code.toString(16).padStart(digitsMin, '0')
}
