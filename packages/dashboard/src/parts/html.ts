/**
 * HTML templates with line breaks as in JSX: a line break next to a tag or a part is removed, so
 * that markup can be indented where a space between two elements would be visible; between words it
 * becomes one space.
 */
import { type Html, type HtmlPart, html as join } from '@octavo/theme'

export { Html, type HtmlPart } from '@octavo/theme'

export function html(template: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  let joined = JOINED.get(template)
  if (joined === undefined) {
    joined = Object.assign(template.map(joinLines), { raw: template.raw })
    JOINED.set(template, joined)
  }
  return join(joined, ...parts)
}

/** Caches the joined strings: each template in the source has one array. */
const JOINED = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

function joinLines(text: string): string {
  return text
    .replace(/(^|>)\s*\n\s*/g, '$1')
    .replace(/\s*\n\s*([<>]|$)/g, '$1')
    .replace(/\s*\n\s*/g, ' ')
}
