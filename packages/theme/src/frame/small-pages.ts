import { type Html, html } from '../markup/html.ts'
import { renderInlineMarkdown } from '../markup/inline-markdown.ts'
import { isSafeAddress } from '../markup/safe-address.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { Frame } from './create-frame.ts'
import type { PageView } from './frame-input.ts'

export function renderNotFound(frame: Frame): string {
  return frame.renderPage(notFoundPage(frame))
}

/**
 * Returns the 404 page, which links to similar pages, the home page and the main parts of the site.
 */
export function notFoundPage(frame: Frame): PageView {
  const text = frame.textFor(undefined)
  const { title, description } = frame.config.errors?.['404'] ?? {}
  const content = html`<p>${renderInlineMarkdown(description ?? text.notFoundHint)}</p><p><a href="${frame.homeUrl}">${text.home}</a></p>${suggestions(text)}`
  return {
    path: '404',
    url: '/404',
    title: title ?? text.notFound,
    content: content.toString(),
    headings: [],
    directory: frame.renderMainParts(),
    entry: undefined,
    frontmatter: { fields: { noindex: true }, metadata: {} },
  }
}

/**
 * Renders an empty list that a script fills with similar pages. Without scripts, it stays hidden.
 */
function suggestions({ notFoundPages }: InterfaceText): Html {
  return html`<div id="oct-suggestions" aria-live="polite" hidden><p>${notFoundPages}</p><ul></ul></div>`
}

/** Renders a page that redirects to a URL, for hosts that cannot send redirects. */
export function renderRedirect(url: string): string {
  const target = isSafeAddress(url) ? url : '/'
  return `${html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${target}</title><meta name="robots" content="noindex"><link rel="canonical" href="${target}"><meta http-equiv="refresh" content="0; url=${target}"></head><body><a href="${target}">${target}</a></body></html>`}\n`
}
