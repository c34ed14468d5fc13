/**
 * Escape by construction: every text of a request reaches a program through the language's quoting
 * function, and all of those use this one. Invisible characters (control and format characters,
 * line separators, private use) are always escaped: they could end lines, change the text
 * direction, or control a terminal.
 */

export type Escapes = {
  /** Escapes of characters with a meaning inside the quotes. */
  readonly named: Readonly<Record<string, string>>
  /** Returns the language's escape of any other unprintable character. */
  readonly unprintable: (codePoint: number) => string
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

/** Returns the content of a literal. */
export function escapeText(text: string, { named, unprintable }: Escapes): string {
  return Array.from(text, (character) => {
    const written = named[character]
    if (written !== undefined) return written
    return UNPRINTABLE.test(character) ? unprintable(character.codePointAt(0) ?? 0) : character
  }).join('')
}

/** True if a text may be in a raw literal: no invisible characters but line breaks and tabs. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE_IN_LINES.test(text)
}

/** `\u2028`, and a pair above U+FFFF: JSON, JavaScript, C#, Kotlin. */
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

/** The UTF-8 bytes in octal, `\342\200\250`: C, where a hexadecimal escape has no fixed end. */
export function octalEscape(codePoint: number): string {
  const bytes = new TextEncoder().encode(String.fromCodePoint(codePoint))
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
}

function hex(code: number, digitsMin: number): string {
  return code.toString(16).padStart(digitsMin, '0')
}
