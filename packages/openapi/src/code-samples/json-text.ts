import type { Json } from '../document/spec-document.ts'
import { escapeText, utf16Escape } from './escape-text.ts'

/** Prints a value as JSON with an indent of two, and escapes invisible characters as `\u…`. */
export function printJsonText(value: Json): string {
  // Outside of strings, JSON.stringify writes no invisible characters but line breaks.
  return escapeText(JSON.stringify(value, null, 2), {
    named: { '\n': '\n' },
    unprintable: utf16Escape,
  })
}
