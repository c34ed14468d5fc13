/**
 * Escape by construction: every text of a request reaches a program through a quoting function of
 * that language, and every quoting function is made of this one. What people cannot see (control
 * and format characters, line separators, private use) never stands in a program as it is: it
 * would end lines, turn the direction of writing, or do something to a terminal.
 */

export type Escapes = {
  /** What a character with a meaning inside the quotes is written as. */
  readonly named: Readonly<Record<string, string>>
  /** How the language writes any other character that is not printable. */
  readonly unprintable: (codePoint: number) => string
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** The inside of a literal. */
export function escapeText(text: string, { named, unprintable }: Escapes): string {
  return Array.from(text, (character) => {
    const written = named[character]
    if (written !== undefined) return written
    return UNPRINTABLE.test(character) ? unprintable(character.codePointAt(0) ?? 0) : character
  }).join('')
}

/** Whether a text may stand in a raw literal: nothing in it is invisible but line ends and tabs. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE_IN_LINES.test(text)
}

/** `\u2028`, and two of them above U+FFFF: JSON, JavaScript, C#, Kotlin. */
export function utf16Escape(codePoint: number): string {
  return String.fromCodePoint(codePoint)
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join('')
}

/** `\u{2028}`: PHP, Ruby, Swift, Rust, Dart. */
export function bracedEscape(codePoint: number): string {
  return `\\u{${hex(codePoint, 1)}}`
}

/** `\u2028` or `\U000e0001`: Python, Go. */
export function longEscape(codePoint: number): string {
  return codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`
}

/** The bytes of UTF-8 in octal, `\342\200\250`: C, which would read on after a hexadecimal one. */
export function octalEscape(codePoint: number): string {
  const bytes = new TextEncoder().encode(String.fromCodePoint(codePoint))
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

function hex(code: number, digitsMin: number): string {
  return code.toString(16).padStart(digitsMin, '0')
}
