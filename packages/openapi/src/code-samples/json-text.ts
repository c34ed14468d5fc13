import type { Json } from '../document/spec-document.ts'
import { escapeText, utf16Escape } from './escape-text.ts'

/** Prints a value as JSON, indented by two spaces, with invisible characters escaped as `\u…`. */
export function printJsonText(value: Json): string {
  // Outside of strings, line breaks are the only invisible characters in the output of
  // JSON.stringify.
  return escapeText(JSON.stringify(value, null, 2), {
    named: { '\n': '\n' },
    unprintable: utf16Escape,
  })
}
