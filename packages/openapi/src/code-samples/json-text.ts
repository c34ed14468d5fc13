import type { Json } from '../document/spec-document.ts'
import { escapeText, utf16Escape } from './escape-text.ts'

/** A value as JSON, two spaces deep, in which everything invisible is written as `\u….` */
export function printJsonText(value: Json): string {
  // Outside of strings JSON.stringify writes line ends only.
  return escapeText(JSON.stringify(value, null, 2), {
    named: { '\n': '\n' },
    unprintable: utf16Escape,
  })
}
