import { type Html, html, markup } from './html.ts'
import { isExternal, isSafeAddress } from './safe-address.ts'

/**
 * Matches a link, code, strong or emphasized text. Nesting is not supported, so that matching is
 * always fast.
 */
const PART =
  /\[([^\][\n]{1,400})\]\(([^()\s]{1,2000})\)|`([^`\n]{1,400})`|\*\*([^*\n]{1,400})\*\*|\*([^*\n]{1,400})\*|(?<!\w)_([^_\n]{1,400})_(?!\w)/g

/** Renders the limited Markdown of captions and banners. Everything else is text. */
export function renderInlineMarkdown(text: string): Html {
  const parts: Html[] = []
  let from = 0
  for (const match of text.matchAll(PART)) {
    const [whole, label = '', url, code, strong, star, underscore] = match
    parts.push(html`${text.slice(from, match.index)}`)
    from = match.index + whole.length
    if (url !== undefined) parts.push(link(url, label))
    else if (code !== undefined) parts.push(html`<code>${code}</code>`)
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`)
    else parts.push(html`<em>${star ?? underscore ?? ''}</em>`)
  }
  return html`${parts}${text.slice(from)}`
}

function link(url: string, label: string): Html {
  if (!isSafeAddress(url)) return html`${label}`
  const rel = isExternal(url) ? markup(' rel="noopener"') : undefined
  return html`<a href="${url}"${rel}>${label}</a>`
}
