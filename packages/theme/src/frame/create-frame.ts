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
import { SearchScopes } from '@octavo/search'
import { type BasePath, ROOT_PATH } from '../base-path.ts'
import { escapeHtml } from '../html.ts'
import { type InterfaceText, interfaceText } from '../interface-text.ts'
import { lookOf } from '../looks/theme-looks.ts'
import { AccessMarks, type LabelledHtml } from './access-marks.ts'
import { renderArticle, type Surroundings } from './article.ts'
import { withHooks } from './author-hooks.ts'
import { type Listing, renderDirectory, renderMainParts } from './directory.ts'
import { feedbackMark } from './feedback-mark.ts'
import {
  chromeOf,
  divisionsAround,
  type FrameInput,
  type PageView,
  partsOf,
} from './frame-input.ts'
import { PAUSE_SCRIPT } from './head-script.ts'
import { PageHead, renderSiteHead } from './page-head.ts'
import { PageMenu } from './page-menu.ts'
import {
  Eyebrows,
  frameContents,
  renderBar,
  renderContents,
  renderNeighbours,
} from './page-parts.ts'
import { type OtherVersion, PageVersions, versionOf, withVersions } from './page-versions.ts'
import { Sidebar } from './sidebar.ts'
import { homeUrl, renderBanner, renderFooter, renderHeader } from './site-chrome.ts'
import { fontUrls, renderSiteStyles } from './site-styles.ts'
import { renderStatusLine } from './status-line.ts'
import { StyleLinks } from './style-links.ts'
import { type SwitchedPage, Switchers } from './switchers.ts'
import { renderAnchors, renderTabs } from './tab-bar.ts'
import { VERSION_SCRIPT } from './version-script.ts'

/** Programs that read the page see it first: conversions to text keep what is hidden. */
const AGENT_NOTE =
  '<p hidden data-nosnippet>For agents: <a href="/llms.txt">llms.txt</a> lists all pages of this documentation. Add .md to the address of a page to read it as Markdown.</p>'

export type Frame = {
  readonly config: Config
  readonly renderPage: (view: PageView) => string
  /** The same, with the parts of it that not all of its readers may see. */
  readonly renderLabelled: (view: PageView) => LabelledHtml
  /** What the root page of a group lists below its text; for most pages nothing. */
  readonly renderDirectory: (entry: PageView['entry']) => string
  /** The main parts of the site, for pages that lead on. */
  readonly renderMainParts: () => string
  /** Address of the first page. */
  readonly homeUrl: string
  /** Colors and fonts of docs.json as CSS, to stand after the theme's own. */
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
  /** What stands before the header. */
  readonly top: string
  readonly headerStart: string
  readonly links: string
  readonly theme: string
  readonly tabs: string
  readonly anchors: string
  readonly sidebar: Sidebar
  readonly footer: string
}

/**
 * Characters of the sidebars of other versions that one page carries. What is over it is left out, and
 * those versions are entered at the nearest page that only they list.
 */
const VERSION_SIDEBARS_MAX = 256 * 1024

class SiteFrame implements Frame {
  readonly config: Config
  readonly #site: FrameInput
  readonly #basePath: BasePath
  readonly #marks: AccessMarks
  readonly #siteHead: string
  readonly #pageHead: PageHead
  readonly #shells = new Map<NavDivision, Shell>()
  readonly #switchers: Switchers
  readonly #eyebrows: Eyebrows
  readonly #scopes: SearchScopes
  readonly #styles: StyleLinks
  readonly #listing: Listing
  readonly #menu: PageMenu
  readonly #versions: PageVersions
  readonly #hasSharedPages: boolean
  /** The section that pages outside the navigation show. */
  readonly #home: NavDivision

  constructor(site: FrameInput) {
    this.#site = site
    this.#basePath = site.basePath ?? ROOT_PATH
    this.config = site.config
    this.#siteHead = renderSiteHead(site).toString()
    const { icons } = site
    const marks = new AccessMarks(site)
    this.#marks = marks
    this.#switchers = new Switchers({ icons, marks }, site.navigation)
    this.#pageHead = new PageHead(site, marks)
    this.#menu = new PageMenu(site, marks)
    this.#versions = new PageVersions(site.navigation)
    this.#hasSharedPages = this.#versions.areNeeded
    const { styling, theme } = site.config
    this.#scopes = new SearchScopes(site.navigation)
    this.#eyebrows = new Eyebrows(styling?.eyebrows ?? lookOf(theme).eyebrows, marks)
    this.#listing = { describe: site.describe ?? (() => undefined), icons, marks }
    this.#styles = new StyleLinks(site.assets, fontUrls(site.config, site.assets))
    this.#home = firstPage(site.navigation.root)?.section ?? site.navigation.root
  }

  readonly siteStyles = (): string =>
    this.#basePath.css(renderSiteStyles(this.config, this.#site.navigation))

  readonly textFor = (entry: PageView['entry']): InterfaceText => this.#shell(entry).text

  readonly renderDirectory = (entry: PageView['entry']): string =>
    renderDirectory(entry, this.#listing)

  readonly renderMainParts = (): string => renderMainParts(this.#home, this.#listing)

  get homeUrl(): string {
    return homeUrl(this.#site.navigation, this.#marks)
  }

  readonly renderPage = (view: PageView): string => this.renderLabelled(view).html

  readonly renderLabelled = (view: PageView): LabelledHtml => {
    const content = this.#marks.withoutMarks(view.content)
    const page = this.#document({ ...view, content })
    const { hooks = [] } = this.#site.assets
    const html = this.#basePath.html(withHooks(page, hooks))
    return this.#marks.take(html, view.access ?? 'default')
  }

  #document(view: PageView): string {
    const { entry } = view
    const shell = this.#shell(entry)
    const mode = view.frontmatter.fields.mode ?? 'default'
    const parts = partsOf(mode)
    const around = this.#surroundings(view)
    const hasSidebar = around.sidebar !== ''
    const list =
      parts.contents && !view.styleParts?.includes('side')
        ? renderContents(view.headings, shell.text)
        : undefined
    const menu = parts.title ? this.#menu.render(view, shell.text) : ''
    // Beside the title where there is no list to stand under.
    const isInList = list !== undefined && this.#menu.placeOf(view) === 'toc'
    const contents = list === undefined ? '' : frameContents(list, isInList ? menu : '')
    const article = renderArticle(view, { text: shell.text, around, menu: isInList ? '' : menu })
    // Known before the page is read to its end: what is painted early must not change its width.
    const isOfCards =
      mode === 'default' && contents === '' && view.content.includes('class="oct-columns')
    const classes = [
      `oct-mode-${mode}`,
      ...(hasSidebar ? [] : ['oct-no-sidebar']),
      ...(article.hasSide ? ['oct-has-side'] : []),
      ...(hasSidebar && isOfCards && !article.hasSide ? ['oct-has-cards'] : []),
    ].join(' ')
    let page = `${shell.open}${this.#pageHead.render(view)}${this.#versionScript(entry)}${this.#siteHead}`
    page += `${this.#styles.render(article.styleParts, view.utilities)}</head><body class="${classes}">`
    page += `${shell.top}${around.header}`
    page += `<script>${PAUSE_SCRIPT}</script><div class="oct-layout">${around.sidebar}`
    page += renderBar({ text: shell.text, hasSidebar, hasContents: contents !== '' })
    page += `<main id="content"${feedbackMark(view, this.config)}>${article.html}</main>${contents}</div>`
    return `${page}${shell.footer}</body></html>\n`
  }

  /** Before the script of every page, which restores what the reader did to the parts shown. */
  #versionScript(entry: PageView['entry']): string {
    if (!this.#hasSharedPages) return ''
    const version = entry === undefined ? undefined : versionOf(entry.section)?.label
    const name = version === undefined ? '' : ` data-version="${escapeHtml(version)}"`
    return `<script${name}>${VERSION_SCRIPT}</script>`
  }

  /** Of a page that several versions list, those of all versions. */
  #surroundings(view: PageView): Surroundings {
    const versions = this.#otherVersions(view.entry)
    const own = view.entry === undefined ? undefined : versionOf(view.entry.section)
    const names = versions.map(({ version }) => version.label)
    const carried = new Set(own === undefined || names.length === 0 ? [] : [own.label, ...names])
    const around = this.#surroundingsAt(view, carried)
    if (versions.length === 0) return around
    const others = versions.map(({ version, entry }) => {
      const directory = this.renderDirectory(entry)
      return { version, parts: this.#surroundingsAt({ ...view, entry, directory }, carried) }
    })
    const join = (name: keyof Surroundings) => {
      const parts = others.map(({ version, parts }) => ({ version, html: parts[name] }))
      return withVersions(around[name], parts, this.#marks)
    }
    return {
      header: join('header'),
      sidebar: join('sidebar'),
      eyebrow: join('eyebrow'),
      directory: join('directory'),
      neighbours: join('neighbours'),
    }
  }

  /** The other versions that a page carries: those that fit. */
  #otherVersions(entry: PageView['entry']): readonly OtherVersion[] {
    let left = VERSION_SIDEBARS_MAX
    return this.#versions.others(entry).filter((other) => {
      const { sidebar } = this.#shell(other.entry)
      left -= sidebar.size
      // The class of the whole page says whether there is a sidebar.
      return left >= 0 && sidebar.isEmpty === this.#shell(entry).sidebar.isEmpty
    })
  }

  /** `carried` are the versions that the page can be shown in. */
  #surroundingsAt(view: PageView, carried: ReadonlySet<string>): Surroundings {
    const { entry, frontmatter } = view
    const { hideFooterPagination, mode = 'default' } = frontmatter.fields
    const shell = this.#shell(entry)
    const { text } = shell
    const at = { section: entry?.section ?? this.#home, page: entry, carried }
    const hasSidebar = partsOf(mode).sidebar && !(shell.sidebar.isEmpty && shell.anchors === '')
    const isListed = entry !== undefined && hideFooterPagination !== true
    return {
      header: `${shell.headerStart}${this.#links(shell, at)}</div>${this.#tabs(shell, view)}</header>`,
      sidebar: hasSidebar ? this.#sidebar(shell, at) : '',
      eyebrow: entry === undefined ? '' : this.#eyebrows.render(entry, text),
      directory: view.directory ?? '',
      neighbours: isListed ? renderNeighbours(entry, { text, marks: this.#marks }) : '',
    }
  }

  #tabs({ tabs, text }: Shell, { entry, url }: PageView): string {
    if (entry !== undefined || tabs === '') return tabs
    const look = { text, icons: this.#site.icons, marks: this.#marks }
    return (renderTabs(this.#home, look, url) ?? '').toString()
  }

  /** Menus and links of the header: a popover where there is no room for them. */
  #links(shell: Shell, at: SwitchedPage): string {
    const menus = this.#switchers.render('header', at, shell.text) ?? ''
    const links = `${menus}${shell.links}`
    if (links === '') return shell.theme
    const label = escapeHtml(shell.text.links)
    return `<div id="oct-links" class="oct-links" popover>${links}</div>${shell.theme}<button class="oct-more" type="button" popovertarget="oct-links" aria-label="${label}"></button>`
  }

  #sidebar(shell: Shell, at: SwitchedPage): string {
    const menus = this.#switchers.render('sidebar', at, shell.text) ?? ''
    const label = escapeHtml(shell.text.pages)
    // A popover needs no script to open and close; where there is room the stylesheet shows it always.
    return `<nav id="oct-sidebar" class="oct-sidebar" popover aria-label="${label}">${menus}${shell.anchors}${shell.sidebar.forPage(at.page)}</nav>`
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
    const text = interfaceText(language, this.#site.texts)
    const chrome = chromeOf(section, this.config)
    const marks = this.#marks
    const look = { text, icons: this.#site.icons, marks }
    const search = this.#scopes.of(section)
    const header = renderHeader(this.#site, { chrome, text, search, marks, language: division })
    const shade = this.config.appearance?.default
    const theme = shade === 'light' || shade === 'dark' ? ` data-theme="${shade}"` : ''
    const tabs = (renderTabs(section, look) ?? '').toString()
    const hasTabs = tabs === '' ? '' : ' class="oct-has-tabs"'
    return {
      text,
      tabs,
      open: `<!doctype html><html lang="${languageTag(language)}" dir="${languageDirection(language)}"${hasTabs}${theme}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
      top: `<a class="oct-skip" href="#content">${escapeHtml(text.skip)}</a>${AGENT_NOTE}${renderBanner(chrome, text) ?? ''}`,
      headerStart: `<header class="oct-header"><div class="oct-header-row">${header.start}`,
      links: (header.links ?? '').toString(),
      theme: (header.theme ?? '').toString(),
      anchors: (renderAnchors(section, look, tabs !== '') ?? '').toString(),
      sidebar: new Sidebar(section, {
        ...look,
        drilldown: this.config.interaction?.drilldown === true,
      }),
      footer: `${renderFooter(chrome, this.#site, marks)}${renderStatusLine(text)}`,
    }
  }
}
