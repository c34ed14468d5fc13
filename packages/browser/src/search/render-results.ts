/** Renders search results. Page texts are never parsed as HTML. */

import type { SearchHit, SearchResult } from '@octavo/search'
import { cutSnippet, type MarkedText, markText } from '@octavo/search'
import { siteAddress } from '../page/site-base.ts'

/**
 * Renders sections grouped by page, in result order, after `shown` pages that are already
 * displayed.
 */
export function renderResults({ hits, terms }: SearchResult, shown = 0): readonly HTMLElement[] {
  const pages = Map.groupBy(hits, ({ page }) => page)
  return [...pages].map(([page, sections], index) => {
    const id = `oct-found-${shown + index}`
    const way = element('p', 'oct-found-way')
    way.id = id
    way.append(...page.crumbs.flatMap((crumb) => [element('span', '', crumb)]))
    const isTop = sections.some(({ section }) => section === 0)
    if (!isTop) way.append(element('span', '', page.title))
    const group = element('div', 'oct-found-page')
    group.role = 'group'
    group.setAttribute('aria-labelledby', id)
    if (way.childElementCount > 0) group.append(way)
    else group.ariaLabel = page.title
    group.append(...sections.map((hit) => renderHit(hit, terms)))
    return group
  })
}

function renderHit({ page, section }: SearchHit, terms: ReadonlySet<string>): HTMLElement {
  const [id, heading, text] = page.sections[section] ?? ['', '', '']
  const link = option('a', section === 0 ? 'page' : 'section') as HTMLAnchorElement
  const url = siteAddress(page.url)
  link.href = id === '' ? url : `${url}#${encodeURIComponent(id)}`
  const name = element('span', 'oct-found-name')
  if (section === 0 && page.method !== undefined) {
    const look = `oct-method oct-method-${page.method.toLowerCase()}`
    name.append(element('span', look, page.method), ' ')
  }
  name.append(...marked(markText(section === 0 ? page.title : heading, terms)))
  link.append(name)
  const snippet = cutSnippet(text, terms)
  if (snippet.join('') !== '') {
    const line = element('span', 'oct-found-text')
    line.append(...marked(snippet))
    link.append(line)
  }
  return link
}

/** Renders recent searches. Choosing one runs it again. */
export function renderRecent(
  queries: readonly string[],
  choose: (query: string) => void,
): readonly HTMLElement[] {
  return queries.map((query) => {
    const item = option('div', 'recent')
    item.append(element('span', 'oct-found-name', query))
    item.addEventListener('click', () => choose(query))
    return item
  })
}

/** The first row if the host has an assistant, which receives the typed text. */
export function renderAsk(query: string, label: string, ask: () => void): HTMLElement {
  const item = option('div', 'ask')
  const name = element('span', 'oct-found-name', label)
  name.append(' ', element('span', 'oct-found-text', `“${query}”`))
  item.append(name, element('kbd', 'oct-found-ask', 'Ctrl ↵'))
  item.addEventListener('click', ask)
  return item
}

function option(tag: 'a' | 'div', kind: string): HTMLElement {
  const item = element(tag, 'oct-found')
  item.role = 'option'
  item.tabIndex = -1
  item.dataset.kind = kind
  return item
}

/** Renders alternating text and marks. */
function marked(parts: MarkedText): readonly Node[] {
  return parts.map((part, index) =>
    index % 2 === 0 ? document.createTextNode(part) : element('mark', '', part),
  )
}

export function element(tag: string, className = '', text = ''): HTMLElement {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  if (text !== '') made.textContent = text
  return made
}
