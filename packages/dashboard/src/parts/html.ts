/**
 * The templates of pages. Lines are broken as in JSX: a line break next to a tag or a part is not
 * in the page, so that markup can be indented where a space between two elements would be seen;
 * between words it is one space.
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

/** There is one array for each template in the source. */
const JOINED = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

function joinLines(text: string): string {
  return text
    .replace(/(^|>)\s*\n\s*/g, '$1')
    .replace(/\s*\n\s*([<>]|$)/g, '$1')
    .replace(/\s*\n\s*/g, ' ')
}
