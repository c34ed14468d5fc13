/**
 * The whole document around a page's content. What pages of a section share (header, tabs,
 * sidebar, footer) is rendered once and kept for the section; a page adds its head, its marks in
 * the sidebar, its contents list and its neighbours.
 */
import {
  type Config,
  firstPage,
  languageDirection,
  languageTag,
  type NavDivision,
} from '@octavo/model'
import { renderStatusLine } from '../browser/status-line.ts'
import { escapeHtml } from '../html.ts'
import { type InterfaceText, interfaceText } from '../interface-text.ts'
import {
  chromeOf,
  divisionsAround,
  type FrameInput,
  type PageView,
  partsOf,
} from './frame-input.ts'
import { PageHead, renderSiteHead } from './page-head.ts'
import { Eyebrows, renderContents, renderNeighbours } from './page-parts.ts'
import { Sidebar } from './sidebar.ts'
import {
  renderAnchors,
  renderBanner,
  renderFooter,
  renderHeader,
  renderTabs,
} from './site-chrome.ts'
import { renderSiteStyles } from './site-styles.ts'
import { Switchers } from './switchers.ts'

export type Frame = {
  readonly config: Config
  readonly renderPage: (view: PageView) => string
  /** Colours and fonts of docs.json as CSS, to stand after the theme's own. */
  readonly siteStyles: () => string
  /** The words of the interface for a page, to give to `renderContent`. */
  readonly textFor: (entry: PageView['entry']) => InterfaceText
}

export function createFrame(site: FrameInput): Frame {
  return new SiteFrame(site)
}

/** What the pages of one section share. */
type Shell = {
  readonly text: InterfaceText
  readonly open: string
  readonly headerStart: string
  readonly headerEnd: string
  readonly anchors: string
  readonly sidebar: Sidebar
  readonly footer: string
}

class SiteFrame implements Frame {
  readonly config: Config
  readonly #site: FrameInput
  readonly #siteHead: string
  readonly #pageHead: PageHead
  readonly #shells = new Map<NavDivision, Shell>()
  readonly #switchers: Switchers
  readonly #eyebrows: Eyebrows
  /** The section that pages outside the navigation show. */
  readonly #home: NavDivision

  constructor(site: FrameInput) {
    this.#site = site
    this.config = site.config
    this.#siteHead = renderSiteHead(site).toString()
    this.#switchers = new Switchers(site.icons)
    this.#pageHead = new PageHead(site)
    this.#eyebrows = new Eyebrows(site.config.styling?.eyebrows)
    this.#home = firstPage(site.navigation.root)?.section ?? site.navigation.root
  }

  readonly siteStyles = (): string => renderSiteStyles(this.config)

  readonly textFor = (entry: PageView['entry']): InterfaceText => this.#shell(entry).text

  readonly renderPage = (view: PageView): string => {
    const { entry } = view
    const shell = this.#shell(entry)
    const mode = view.frontmatter.fields.mode ?? 'default'
    const parts = partsOf(mode)
    const at = { section: entry?.section ?? this.#home, page: entry }
    const headerMenus = this.#switchers.render('header', at, shell.text) ?? ''
    const hasSidebar = parts.sidebar && !(shell.sidebar.isEmpty && shell.anchors === '')
    const contents = parts.contents ? renderContents(view.headings, shell.text) : ''
    let page = `${shell.open}${this.#pageHead.render(view)}${this.#siteHead}</head>`
    page += `<body class="oct-mode-${mode}${hasSidebar ? '' : ' oct-no-sidebar'}">${shell.headerStart}`
    page += `${headerMenus}${shell.headerEnd}<div class="oct-layout">`
    if (hasSidebar) page += this.#sidebar(shell, at)
    page += `<main id="content">${this.#article(view, shell.text)}</main>${contents}</div>`
    return `${page}${shell.footer}</body></html>\n`
  }

  #sidebar(shell: Shell, at: { section: NavDivision; page: PageView['entry'] }): string {
    const menus = this.#switchers.render('sidebar', at, shell.text) ?? ''
    const label = escapeHtml(shell.text.pages)
    // A popover needs no script to open and close; where there is room the stylesheet shows it always.
    return `<nav id="oct-sidebar" class="oct-sidebar" popover aria-label="${label}">${menus}${shell.anchors}${shell.sidebar.forPage(at.page)}</nav>`
  }

  #article(view: PageView, text: InterfaceText): string {
    const { fields, metadata } = view.frontmatter
    const parts = partsOf(fields.mode ?? 'default')
    if (!parts.title) return `<div class="oct-content oct-bare">${view.content}</div>`
    const { entry } = view
    const eyebrow = entry === undefined ? '' : this.#eyebrows.render(entry, text)
    const isDeprecated = fields.deprecated === true || entry?.deprecated === true
    const label = isDeprecated
      ? ` <span class="oct-tag oct-deprecated">${escapeHtml(text.deprecated)}</span>`
      : ''
    const about =
      view.description === undefined || metadata.hideDescription === true
        ? ''
        : `<p class="oct-description">${escapeHtml(view.description)}</p>`
    const date = view.lastModified?.slice(0, 10)
    const modified =
      date === undefined
        ? ''
        : `<p class="oct-modified">${escapeHtml(text.lastModified)} <time datetime="${escapeHtml(date)}">${escapeHtml(date)}</time></p>`
    const neighbours =
      entry === undefined || fields.hideFooterPagination === true
        ? ''
        : renderNeighbours(entry, text)
    return `<article><header class="oct-title">${eyebrow}<h1>${escapeHtml(view.title)}${label}</h1>${about}</header><div class="oct-content">${view.content}</div>${modified}</article>${neighbours}`
  }

  #shell(entry: PageView['entry']): Shell {
    const section = entry?.section ?? this.#home
    const known = this.#shells.get(section)
    if (known !== undefined) return known
    const shell = this.#makeShell(section)
    this.#shells.set(section, shell)
    return shell
  }

  #makeShell(section: NavDivision): Shell {
    const division = divisionsAround(section).find(({ kind }) => kind === 'language')
    const language = division?.language ?? 'en'
    const text = interfaceText(language)
    const chrome = chromeOf(section, this.config)
    const look = { text, icons: this.#site.icons }
    const header = renderHeader(this.#site, chrome, text)
    const shade = this.config.appearance?.default
    const theme = shade === 'light' || shade === 'dark' ? ` data-theme="${shade}"` : ''
    const menu = escapeHtml(text.menu)
    return {
      text,
      open: `<!doctype html><html lang="${languageTag(language)}" dir="${languageDirection(language)}"${theme}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
      headerStart: `<a class="oct-skip" href="#content">${escapeHtml(text.skip)}</a>${renderBanner(chrome) ?? ''}<header class="oct-header"><div class="oct-header-row"><button class="oct-menu-button" type="button" popovertarget="oct-sidebar" aria-label="${menu}"></button>${header.before}`,
      headerEnd: `${header.after}</div>${renderTabs(section, look) ?? ''}</header>`,
      anchors: (renderAnchors(section, look) ?? '').toString(),
      sidebar: new Sidebar(section, {
        ...look,
        drilldown: this.config.interaction?.drilldown === true,
      }),
      footer: `${renderFooter(chrome, this.#site)}${renderStatusLine(text)}`,
    }
  }
}
