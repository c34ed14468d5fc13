/**
 * HTML that is safe by construction: the template is markup, and interpolated values are escaped as
 * text, for element content and for quoted attributes. Attribute values in templates must therefore
 * always be in double quotes.
 */

/**
 * Markup. Only `html` and `markup` create an instance, so a string is never mistaken for markup.
 */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[]

export function html(template: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let text = template[0] ?? ''
  for (let index = 0; index < parts.length; index += 1) {
    text += printPart(parts[index])
    text += template[index + 1] ?? ''
  }
  return new Html(text)
}

/** Marks a string as markup without escaping it. Only for strings that this package generated. */
export function markup(text: string): Html {
  return new Html(text)
}

function printPart(part: HtmlPart): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'number') return String(part)
  if (part instanceof Html) return part.toString()
  let text = ''
  for (const item of part) text += printPart(item)
  return text
}

/**
 * Noncharacters of Unicode, which do not occur in text. They mark parts of a page during rendering.
 */
export const MARK_CHARACTERS = ['\uFDD0', '\uFDD1', '\uFDD2'] as const

const SPECIAL = /["&<>\uFDD0-\uFDD2]/

/** Escapes text for element content or a double-quoted attribute. */
export function escapeHtml(text: string): string {
  const first = text.search(SPECIAL)
  if (first < 0) return text
  let result = text.slice(0, first)
  let from = first
  for (let at = first; at < text.length; at += 1) {
    const escaped = escapedSign(text.charCodeAt(at))
    if (escaped === '') continue
    result += text.slice(from, at) + escaped
    from = at + 1
  }
  return result + text.slice(from)
}

function escapedSign(code: number): string {
  switch (code) {
    case 34:
      return '&quot;'
    case 38:
      return '&amp;'
    case 60:
      return '&lt;'
    case 62:
      return '&gt;'
    case 0xfdd0:
    case 0xfdd1:
    case 0xfdd2:
      return '\uFFFD'
    default:
      return ''
  }
}
