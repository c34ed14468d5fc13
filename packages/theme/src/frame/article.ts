/**
 * Renders the article of a page: its title, its content, and the parts that depend on its position
 * in the navigation.
 */

import type { StylePart } from '../looks/style-parts.ts'
import { escapeHtml } from '../markup/html.ts'
import { withCode } from '../markup/with-code.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import { type PageView, partsOf } from './frame-input.ts'
import { renderModified } from './page-parts.ts'
import { splitSide } from './side-column.ts'

/** The parts around a page's content that depend on its position in the navigation. */
export type NavigationParts = {
  readonly header: string
  readonly sidebar: string
  readonly eyebrow: string
  /** The version label after the title. */
  readonly version: string
  readonly directory: string
  readonly neighbours: string
}

type Article = {
  readonly html: string
  /** True if examples are shown next to the text, instead of the table of contents. */
  readonly hasSide: boolean
  readonly styleParts: readonly StylePart[]
}

type ArticleInput = {
  readonly text: InterfaceText
  readonly around: NavigationParts
  /** The page menu, which is shown next to the title. */
  readonly menu: string
}

export function renderArticle(view: PageView, { text, around, menu }: ArticleInput): Article {
  const { fields } = view.frontmatter
  const written = view.styleParts ?? []
  if (!partsOf(fields.mode ?? 'default').title) {
    const html = `<div class="oct-content oct-bare">${view.content}</div>`
    return { html, hasSide: false, styleParts: written }
  }
  const { directory, neighbours } = around
  const { before, after, side } = written.includes('side')
    ? splitSide(view.content)
    : { before: '', after: view.content, side: '' }
  const title = renderTitle(view, text, { ...around, menu })
  const start = before === '' ? '' : `<div class="oct-content">${before}</div>`
  const aside = side === '' ? '' : `<div class="oct-side oct-content">${side}</div>`
  const rest = before === '' ? 'oct-content' : 'oct-content oct-rest'
  const styleParts: readonly StylePart[] = directory === '' ? written : [...written, 'directory']
  const sections = before !== '' && written.includes('api') ? renderSections(view, text) : ''
  const html = `<article>${title}${start}${aside}<div class="${rest}">${sections}${after}</div>${directory}${renderModified(view, text)}</article>${neighbours}`
  return { html, hasSide: side !== '', styleParts }
}

function renderTitle(
  { entry, title, description, frontmatter }: PageView,
  text: InterfaceText,
  {
    eyebrow,
    version,
    menu,
  }: Pick<NavigationParts, 'eyebrow' | 'version'> & { readonly menu: string },
): string {
  const { fields, metadata } = frontmatter
  const isDeprecated = fields.deprecated === true || entry?.deprecated === true
  const deprecated = isDeprecated
    ? ` <span class="oct-tag oct-deprecated">${escapeHtml(text.deprecated)}</span>`
    : ''
  const about =
    description === undefined || metadata.hideDescription === true
      ? ''
      : `<p class="oct-description">${withCode(description)}</p>`
  return `<header class="oct-title">${eyebrow}<h1>${withCode(title)}${version && ` ${version}`}${deprecated}</h1>${about}${menu}</header>`
}

/** Renders the sections of an API page, which has no table of contents, as a bar. */
function renderSections({ headings, content }: PageView, text: InterfaceText): string {
  const sections = headings.filter(({ level }) => level === 2)
  if (sections.length < 2) return ''
  const links = sections.map(
    ({ id, text: label, count }) =>
      `<a href="#${escapeHtml(id)}">${escapeHtml(label)}${count === undefined ? '' : ` <small>${count}</small>`}</a>`,
  )
  const nav = `<nav aria-label="${escapeHtml(text.onThisPage)}">${links.join('')}</nav>`
  return `<div class="oct-sections">${nav}${renderFieldSearch(content, text)}</div>`
}

/** A page with fewer fields fits on two screens. */
const FIELDS_SEARCHED_MIN = 12

/** Renders a field that filters the fields of the page by name. A script shows it. */
function renderFieldSearch(content: string, text: InterfaceText): string {
  const count = content.split('<div class="oct-field"').length - 1
  if (count < FIELDS_SEARCHED_MIN) return ''
  const label = escapeHtml(text.apiFindField)
  return `<search data-oct="find-fields" hidden><input type="search" data-oct="find-field" placeholder="${label}" aria-label="${label}" autocomplete="off"><output></output></search>`
}

export function renderVersion(version: string | undefined, text: InterfaceText): string {
  if (version === undefined) return ''
  return `<span class="oct-tag" title="${escapeHtml(text.version)}">${escapeHtml(version)}</span>`
}
