/**
 * Renders parts of a page that depend on its surroundings: breadcrumbs, table of contents, previous
 * and next links.
 */
import type { PageHeading } from '@octavo/content'
import {
  breadcrumbs,
  type NavDivision,
  type NavGroup,
  type NavPage,
  pageNeighbors,
} from '@octavo/model'
import { escapeHtml, type Html, html } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { AccessMarks } from './access-marks.ts'
import type { PageView } from './frame-input.ts'

/** Renders breadcrumbs. They are cached by parent, since all pages of a parent share them. */
export class Eyebrows {
  readonly #known = new Map<NavDivision | NavGroup, string>()
  readonly #isFull: boolean
  readonly #marks: AccessMarks

  constructor(style: 'breadcrumbs' | 'section', marks: AccessMarks) {
    this.#isFull = style === 'breadcrumbs'
    this.#marks = marks
  }

  render(page: NavPage, text: InterfaceText): string {
    const isRoot = page.parent.type === 'group' && page.parent.root?.path === page.path
    if (isRoot) return this.#write(page, text)
    const known = this.#known.get(page.parent)
    if (known !== undefined) return known
    const written = this.#write(page, text)
    this.#known.set(page.parent, written)
    return written
  }

  #write(page: NavPage, text: InterfaceText): string {
    const crumbs = breadcrumbs(page)
    const last = crumbs.at(-1)
    if (last === undefined) return ''
    if (!this.#isFull) return html`<p class="oct-eyebrow">${last.label}</p>`.toString()
    const items = crumbs.map(
      ({ label, url }) =>
        html`<li>${url === undefined ? label : html`<a${this.#marks.link(url)}>${label}</a>`}</li>`,
    )
    return html`<nav class="oct-breadcrumbs" aria-label="${text.breadcrumbs}"><ol>${items}</ol></nav>`.toString()
  }
}

const CONTENTS_LEVEL_MAX = 3

/**
 * Renders headings of levels 2 and 3 as a nested list; returns undefined for fewer than two
 * headings.
 */
export function renderContents(
  headings: readonly PageHeading[],
  text: InterfaceText,
): string | undefined {
  let list = ''
  let count = 0
  let depth = 0
  let hasSecond = false
  for (const { level, id, text: label } of headings) {
    if (level < 2 || level > CONTENTS_LEVEL_MAX) continue
    // Before the first level 2 heading, level 3 headings are at the top level.
    hasSecond ||= level === 2
    const wanted = hasSecond ? level - 1 : 1
    if (wanted > depth) list += '<ul>'
    else if (wanted < depth) list += '</li></ul></li>'
    else list += '</li>'
    depth = wanted
    count += 1
    list += `<li><a href="#${escapeHtml(id)}">${escapeHtml(label)}</a>`
  }
  if (count < 2) return undefined
  list += depth === 2 ? '</li></ul></li></ul>' : '</li></ul>'
  return `<nav aria-labelledby="oct-contents-title"><p id="oct-contents-title">${escapeHtml(text.onThisPage)}</p>${list}</nav>`
}

/** Renders the table of contents: a popover on narrow screens, and always visible on wide ones. */
export function frameContents(list: string, menu: string): string {
  return `<aside id="oct-contents" class="oct-contents" popover>${list}${menu}</aside>`
}

export function renderNeighbors(
  page: NavPage,
  { text, marks }: { readonly text: InterfaceText; readonly marks: AccessMarks },
): string {
  const { previous, next } = pageNeighbors(page)
  if (previous === undefined && next === undefined) return ''
  const one = (rel: 'prev' | 'next', label: string, target: NavPage | undefined) =>
    target &&
    marks.wrap(
      html`<a class="oct-${rel}" rel="${rel}" href="${target.url}"><small>${label}</small><span>${target.label}</span></a>`,
      marks.ofNode(target),
    )
  return html`<nav class="oct-neighbours" aria-label="${text.previous}, ${text.next}">${one('prev', text.previous, previous)}${one('next', text.next, next)}</nav>`.toString()
}

/**
 * Renders buttons that open the sidebar and the table of contents; the stylesheet shows them only
 * on narrow screens.
 */
export function renderBar(page: {
  readonly text: InterfaceText
  readonly entry: NavPage | undefined
  readonly hasSidebar: boolean
  readonly hasContents: boolean
}): string {
  const { text, entry, hasSidebar, hasContents } = page
  if (!hasSidebar && !hasContents) return ''
  const menu = html`<button class="oct-menu-button" type="button" popovertarget="oct-sidebar">${renderPlace(entry, text)}</button>`
  const contents = `<button class="oct-contents-button" type="button" popovertarget="oct-contents">${escapeHtml(text.onThisPage)}</button>`
  return `<div class="oct-bar">${hasSidebar ? menu : ''}${hasContents ? contents : ''}</div>`
}

/** Renders where the reader is, as the label of the button that opens the menu. */
function renderPlace(entry: NavPage | undefined, { menu }: InterfaceText): Html {
  if (entry === undefined) return html`${menu}`
  const around = breadcrumbs(entry).at(-1)
  const place = around === undefined ? entry.label : `${around.label} › ${entry.label}`
  return html`<span class="oct-place"><span>${menu}</span> ${place}</span>`
}

/** Renders the date of the last change, with links to edit the page and to report a problem. */
export function renderModified(view: PageView, text: InterfaceText): string {
  const { lastModified, editUrl, issueUrl } = view
  const date = lastModified?.slice(0, 10)
  const parts = [
    ...(date === undefined
      ? []
      : [html`${text.lastModified} <time datetime="${date}" dir="ltr">${date}</time>`]),
    ...(editUrl === undefined ? [] : [outLink(editUrl, text.suggestEdit)]),
    ...(issueUrl === undefined ? [] : [outLink(issueUrl, text.reportProblem)]),
  ]
  if (parts.length === 0) return ''
  const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))
  return html`<p class="oct-modified">${joined}</p>`.toString()
}

function outLink(url: string, label: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener">${label}</a>`
}
