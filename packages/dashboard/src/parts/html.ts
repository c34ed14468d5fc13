/**
 * HTML templates that treat line breaks like JSX: a line break next to a tag or an interpolated
 * value is removed, so that markup can be indented without visible spaces between elements. A line
 * break between words becomes one space.
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

/**
 * Caches the strings without line breaks. Each template in the source code has one array of
 * strings.
 */
const JOINED = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

function joinLines(text: string): string {
  return text
    .replace(/(^|>)\s*\n\s*/g, '$1')
    .replace(/\s*\n\s*([<>]|$)/g, '$1')
    .replace(/\s*\n\s*/g, ' ')
}
