/**
 * Renders an answer to HTML from the tree that `parse-answer.ts` returns, and from nothing else.
 * The panel of sites renders the same tree to DOM elements.
 */
import { type Html, type HtmlPart, html } from '../markup/html.ts'
import { type Block, parseAnswer } from './parse-answer.ts'
import type { Inline } from './parse-inline.ts'
import { type Site, safeLink } from './safe-link.ts'

export type AnswerPlace = {
  /** The site that the answer is about. Links to its pages become absolute URLs. */
  readonly site: Site
  readonly sources: readonly { readonly url: string; readonly title: string }[]
}

export function renderAnswer(text: string, place: AnswerPlace): Html {
  return html`${parseAnswer(text, place.site).map(({ block }) => renderBlock(block, place))}`
}

function renderBlock(block: Block, place: AnswerPlace): Html {
  switch (block.type) {
    case 'paragraph':
      return html`<p dir="auto">${renderInline(block.children, place)}</p>`
    case 'heading':
      return html`<p class="title" dir="auto">${renderInline(block.children, place)}</p>`
    case 'quote':
      return html`<blockquote>${block.children.map((child) => renderBlock(child, place))}</blockquote>`
    case 'code':
      return html`<div class="code"><pre tabindex="0" dir="ltr"><code>${block.text}</code></pre></div>`
    case 'list':
      return renderList(block, place)
    case 'table':
      return renderTable(block, place)
  }
}

function renderList({ start, items }: Extract<Block, { type: 'list' }>, place: AnswerPlace): Html {
  const rows = items.map(([first, ...rest]) => {
    // The first paragraph of an item has no margins.
    const lead =
      first?.type === 'paragraph'
        ? renderInline(first.children, place)
        : first && renderBlock(first, place)
    return html`<li dir="auto">${lead}${rest.map((block) => renderBlock(block, place))}</li>`
  })
  return start === undefined ? html`<ul>${rows}</ul>` : html`<ol start="${start}">${rows}</ol>`
}

function renderTable({ rows }: Extract<Block, { type: 'table' }>, place: AnswerPlace): Html {
  const [head = [], ...body] = rows.map((cells) => cells.map((cell) => renderInline(cell, place)))
  const heads = head.map((cell) => html`<th scope="col" dir="auto">${cell}</th>`)
  const lines = body.map(
    (cells) => html`<tr>${cells.map((cell) => html`<td dir="auto">${cell}</td>`)}</tr>`,
  )
  return html`<div class="table" tabindex="0"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div>`
}

function renderInline(parts: readonly Inline[], place: AnswerPlace): readonly HtmlPart[] {
  return parts.map((part) => renderPart(part, place))
}

function renderPart(part: Inline, place: AnswerPlace): HtmlPart {
  switch (part.type) {
    case 'text':
      return part.text
    case 'code':
      return html`<code>${part.text}</code>`
    case 'break':
      return html`<br>`
    case 'strong':
      return html`<strong>${renderInline(part.children, place)}</strong>`
    case 'emphasis':
      return html`<em>${renderInline(part.children, place)}</em>`
    case 'citation':
      return renderCitation(part.number, place)
    case 'link': {
      const { href, host } = part.link
      const link = html`<a class="link" href="${wholeAddress(href, place)}" rel="noopener noreferrer nofollow">${renderInline(part.children, place)}</a>`
      // The target host is always shown, because the label can name a different one.
      return host === undefined ? link : [link, html` <small dir="ltr">(${host})</small>`]
    }
  }
}

function renderCitation(number: number, place: AnswerPlace): HtmlPart {
  const source = place.sources[number - 1]
  const link = source && safeLink(source.url, place.site)
  if (source === undefined || link === undefined) return `[${number}]`
  return html`<a class="cite" href="${wholeAddress(link.href, place)}" rel="noreferrer" aria-label="${number}: ${source.title}">${number}</a>`
}

const wholeAddress = (href: string, { site }: AnswerPlace) => new URL(href, site.origin).href
