/**
 * Tables that look like lists on a phone. With ARIA roles, they remain tables for screen readers.
 */
import { type PostForm, postForm } from './form.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

type Column = {
  readonly label: string
  readonly isEnd?: boolean
  /** True if the label is only for screen readers. */
  readonly isHidden?: boolean
  readonly className?: string
  readonly sort?: Sort
}

export type Sort = {
  /** The address of the page sorted by this column, or in reverse if that is the current order. */
  readonly href: string
  /** The current direction, if the rows are sorted by this column. */
  readonly direction?: 'ascending' | 'descending' | undefined
}

export type Cell =
  | HtmlPart
  | {
      readonly content: HtmlPart
      /** True for the row header, which usually contains a link. */
      readonly isLead?: boolean
      readonly isEnd?: boolean
      readonly className?: string
      /** The label that is shown before the value on a phone. */
      readonly label?: string
    }

export type Row = { readonly cells: readonly Cell[]; readonly className?: string }

export type Table = {
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly className?: string
}

export function table({ caption, columns, rows, className = '' }: Table): Html {
  const head = columns.map(renderHead)
  return html`
    <table class="fold ${className}" role="table">
      <caption class="sr-only">${caption}</caption>
      <thead role="rowgroup"><tr role="row">${head}</tr></thead>
      <tbody role="rowgroup">${rows.map(renderRow)}</tbody>
    </table>
  `
}

function renderHead({ label, isEnd, isHidden, className = '', sort }: Column): Html {
  const content = isHidden ? html`<span class="sr-only">${label}</span>` : label
  const names = `${className}${isEnd ? ' end' : ''}`.trim()
  return html`
    <th scope="col" role="columnheader"${names !== '' && html` class="${names}"`}
      ${sort?.direction !== undefined && html` aria-sort="${sort.direction}"`}>
      ${sort === undefined ? content : sortLink(content, sort)}
    </th>
  `
}

function sortLink(label: HtmlPart, { href, direction }: Sort): Html {
  const sign = direction === 'ascending' ? 'arrow-up' : 'arrow-down'
  return html`<a class="sort" href="${href}">${label}${direction !== undefined && icon(sign)}</a>`
}

function renderRow({ cells, className = '' }: Row): Html {
  return html`<tr role="row" class="${className}">${cells.map(renderCell)}</tr>`
}

function renderCell(cell: Cell): Html {
  if (!isDescribed(cell)) return html`<td role="cell">${cell}</td>`
  const { content, isLead, isEnd, className = '', label } = cell
  if (isLead)
    return html`<th scope="row" role="rowheader" class="lead-cell ${className}">${content}</th>`
  return html`
    <td role="cell" class="${className}${isEnd ? ' end' : ''}"
      ${label !== undefined && html` data-label="${label}"`}>
      ${content}
    </td>
  `
}

function isDescribed(cell: Cell): cell is Exclude<Cell, HtmlPart> {
  return typeof cell === 'object' && cell !== null && 'content' in cell
}

export type MenuItem =
  | { readonly label: string; readonly href: string; readonly isDanger?: boolean }
  | { readonly label: string; readonly post: Pick<PostForm, 'action' | 'token' | 'fields'> }
  | undefined
  | false

/** Renders the actions of a row as a menu that works without JavaScript. */
export const rowMenu = (name: string, items: readonly MenuItem[]): Cell => ({
  content: actionMenu(name, items),
  className: 'menu-cell',
})

/** Renders links and forms in a menu behind one button. */
export function actionMenu(name: string, items: readonly MenuItem[]): HtmlPart {
  const shown = items.filter((item) => item !== undefined && item !== false)
  if (shown.length === 0) return undefined
  const list = shown.map((item) => {
    if ('post' in item)
      return html`<li>${postForm({ ...item.post, body: html`<button>${item.label}</button>` })}</li>`
    const { label, href, isDanger } = item
    return html`<li><a href="${href}"${isDanger && html` class="danger"`}>${label}</a></li>`
  })
  return html`
    <details class="menu end more">
      <summary aria-label="Actions for ${name}">${icon('more')}</summary>
      <ul>${list}</ul>
    </details>
  `
}

type Pager = {
  readonly nextCursor: string | null
  readonly note?: HtmlPart
  /** The labels of the two buttons: for the first or previous page, and for the next page. */
  readonly words?: readonly [first: string, next: string]
  /** True if the first button leads to the previous page instead of the first page. */
  readonly hasTrail?: boolean
}

/** Renders the links of a list that is paged by cursors: back to newer items, on to older ones. */
export function pager(url: URL, options: Pager): HtmlPart {
  const { nextCursor, note = 'Newest first', hasTrail = false } = options
  const [first, next] = options.words ?? [hasTrail ? 'Newer' : 'Newest', 'Older']
  const isFirst = !url.searchParams.has('cursor')
  if (isFirst && nextCursor === null && !hasTrail) return undefined
  const back = hasTrail ? trailBack(url) : pageAddress(url, { cursor: undefined })
  const on = hasTrail ? trailOn(url, nextCursor) : pageAddress(url, { cursor: nextCursor })
  const newer =
    (!isFirst || hasTrail) &&
    pageButton(isFirst ? undefined : back, html`${icon('arrow-left')}${first}`)
  const older =
    (nextCursor !== null || hasTrail) &&
    pageButton(nextCursor === null ? undefined : on, html`${next}${icon('arrow-right')}`, 'next')
  return html`
    <nav class="pager" aria-label="Pages">
      <span>${note}</span>
      <div class="actions">
        ${newer}
        ${older}
      </div>
    </nav>
  `
}

/**
 * Renders a disabled button for a page that does not exist, so that the other button does not move.
 */
function pageButton(address: string | undefined, label: Html, rel?: 'next'): Html {
  return address === undefined
    ? html`<span class="button small" aria-disabled="true">${label}</span>`
    : html`<a class="button small"${rel && html` rel="${rel}"`} href="${address}">${label}</a>`
}

/**
 * The query parameter with the cursors of the previous pages. Only the last 20 are kept; after
 * going back that far, the link leads to the first page.
 */
const TRAIL = { name: 'before', separator: '.', max: 20 }

const readTrail = (url: URL) =>
  (url.searchParams.get(TRAIL.name) ?? '').split(TRAIL.separator).filter((cursor) => cursor !== '')

function trailOn(url: URL, nextCursor: string | null): string {
  const current = url.searchParams.get('cursor')
  const trail = current === null ? [] : [...readTrail(url), current].slice(-TRAIL.max)
  return pageAddress(url, { cursor: nextCursor, trail })
}

function trailBack(url: URL): string {
  const trail = readTrail(url)
  return pageAddress(url, { cursor: trail.at(-1), trail: trail.slice(0, -1) })
}

type Page = { readonly cursor: string | null | undefined; readonly trail?: readonly string[] }

function pageAddress(url: URL, { cursor, trail = [] }: Page): string {
  const search = new URLSearchParams(url.search)
  search.delete('cursor')
  search.delete(TRAIL.name)
  if (typeof cursor === 'string') search.set('cursor', cursor)
  if (trail.length > 0) search.set(TRAIL.name, trail.join(TRAIL.separator))
  return search.size === 0 ? url.pathname : `${url.pathname}?${search}`
}
