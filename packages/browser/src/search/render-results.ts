/** Renders search results. Text from pages is never parsed as HTML. */

import type { IndexedPage, SearchHit, SearchResult } from '@octavo/search'
import { cutSnippet, type MarkedText, markText } from '@octavo/search'
import { siteAddress } from '../page/site-base.ts'

/** Renders each page with its matching sections below it, in the order of the results. */
export function renderResults({ hits, terms }: SearchResult): readonly HTMLElement[] {
  const pages = Map.groupBy(hits, ({ page }) => page)
  return [...pages].map(([page, sections]) => {
    const group = element('div', 'oct-found-page')
    group.role = 'group'
    group.ariaLabel = page.title
    const isTop = sections.some(({ section }) => section === 0)
    const rows = sections.filter(({ section }) => section !== 0)
    group.append(renderPage(page, isTop, terms), ...rows.map((hit) => renderSection(hit, terms)))
    return group
  })
}

/** Renders a page with its place in the navigation, or its operation, and its text if it matches. */
function renderPage(page: IndexedPage, isTop: boolean, terms: ReadonlySet<string>): HTMLElement {
  const link = option('a', page.method === undefined ? 'page' : 'operation') as HTMLAnchorElement
  link.href = siteAddress(page.url)
  link.append(renderName(page.title, terms))
  const about = element('span', 'oct-found-way')
  if (page.method === undefined) {
    about.append(...page.crumbs.map((crumb) => element('span', 'oct-crumb', crumb)))
  } else {
    const look = `oct-method oct-method-${page.method.toLowerCase()}`
    about.append(element('span', look, page.method), element('code', '', page.path))
  }
  if (isTop) about.append(...renderSnippet(page.sections[0]?.[2], terms))
  if (about.childElementCount > 0) link.append(about)
  return link
}

function renderSection({ page, section }: SearchHit, terms: ReadonlySet<string>): HTMLElement {
  const [id, heading, text] = page.sections[section] ?? ['', '', '']
  const link = option('a', 'section') as HTMLAnchorElement
  link.href = `${siteAddress(page.url)}#${encodeURIComponent(id)}`
  link.append(renderName(heading, terms), ...renderSnippet(text, terms))
  return link
}

function renderName(text: string, terms: ReadonlySet<string>): HTMLElement {
  const name = element('span', 'oct-found-name')
  name.append(...marked(markText(text, terms)))
  return name
}

function renderSnippet(text = '', terms: ReadonlySet<string>): readonly HTMLElement[] {
  const snippet = cutSnippet(text, terms)
  if (snippet.join('') === '') return []
  const line = element('span', 'oct-found-text')
  line.append(...marked(snippet))
  return [line]
}

/** Renders the filters: all results, then the tabs of the site. */
export function renderFilters(
  tabs: readonly (readonly [label: string, count: number])[],
  { chosen, searchAll }: { readonly chosen: string; readonly searchAll: string },
  choose: (tab: string) => void,
): readonly HTMLElement[] {
  return tabs.map(([label, count]) => {
    const button = element('button', '', label || searchAll) as HTMLButtonElement
    button.type = 'button'
    button.ariaPressed = String(label === chosen)
    button.append(' ', element('small', '', String(count)))
    button.addEventListener('click', () => choose(label))
    return button
  })
}

/** Renders recent searches. Choosing a search runs it again. */
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

/** Renders the row that passes the typed text to the assistant, if the host has one. */
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

/** Renders text in which every other part is highlighted. */
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
