/**
 * Renders the whole document around a page's content. The parts that pages of a section share
 * (header, tabs, sidebar, footer) are rendered once per section; a page adds its head, its marks in
 * the sidebar, its table of contents and its previous and next links.
 */
import {
  type Config,
  firstPage,
  languageDirection,
  languageTag,
  type NavDivision,
  type NavPage,
  versionOf,
} from '@octavo/model'
import { SearchScopes } from '@octavo/search'
import { lookOf } from '../looks/theme-looks.ts'
import { escapeHtml } from '../markup/html.ts'
import { type InterfaceText, interfaceText } from '../words/interface-text.ts'
import { AccessMarks, type LabeledHtml } from './access-marks.ts'
import { type NavigationParts, renderArticle, renderVersion } from './article.ts'
import { withHooks } from './author-hooks.ts'
import { type BasePath, ROOT_PATH } from './base-path.ts'
import { type Listing, renderDirectory, renderMainParts } from './directory.ts'
import { feedbackMark } from './feedback-mark.ts'
import { chromeOf, divisionAround, type FrameInput, type PageView, partsOf } from './frame-input.ts'
import { PAUSE_SCRIPT } from './head-script.ts'
import { PageHead, renderSiteHead } from './page-head.ts'
import { PageMenu } from './page-menu.ts'
import {
  Eyebrows,
  frameContents,
  renderBar,
  renderContents,
  renderNeighbors,
} from './page-parts.ts'
import { hasSharedPages, otherEntries, sectionKeys, withSections } from './page-sections.ts'
import { SectionLinks } from './section-links.ts'
import { SECTION_SCRIPT } from './section-script.ts'
import { Sidebar } from './sidebar.ts'
import { homeUrl, renderBanner, renderFooter, renderHeader } from './site-chrome.ts'
import { fontUrls, renderSiteStyles } from './site-styles.ts'
import { renderStatusLine } from './status-line.ts'
import { StyleLinks } from './style-links.ts'
import { type SwitchContext, Switchers } from './switchers.ts'
import { renderAnchors, renderTabs, type SectionLook } from './tab-bar.ts'

/** The first text for programs that read the page: conversions to text keep hidden elements. */
const AGENT_NOTE =
  '<p hidden data-nosnippet>For agents: <a href="/llms.txt">llms.txt</a> lists all pages of this documentation. Add .md to the address of a page to read it as Markdown.</p>'

export type Frame = {
  readonly config: Config
  readonly renderPage: (view: PageView) => string
  /** Like `renderPage`, with the ranges that not all readers may see. */
  readonly renderLabeled: (view: PageView) => LabeledHtml
  /** The listing below the text of a group's root page; empty for most pages. */
  readonly renderDirectory: (entry: PageView['entry']) => string
  /** The main parts of the site, for the 404 page. */
  readonly renderMainParts: () => string
  /** The URL of the first page. */
  readonly homeUrl: string
  /** Colors and fonts of docs.json as CSS, which follows the theme's own styles. */
  readonly siteStyles: () => string
  /** The interface texts for a page, to pass to `renderContent`. */
  readonly textFor: (entry: PageView['entry']) => InterfaceText
}

export function createFrame(site: FrameInput): Frame {
  return new SiteFrame(site)
}

/** The parts that pages of one section share. */
type Shell = {
  readonly text: InterfaceText
  readonly open: string
  /** Content before the header. */
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
 * Maximum characters and number of other sections' sidebars in one page. Links into the remaining
 * sections open the nearest page that only they list.
 */
const OTHER_SIDEBARS_MAX = 256 * 1024
const OTHER_SECTIONS_MAX = 32

class SiteFrame implements Frame {
  readonly config: Config
  readonly #site: FrameInput
  readonly #basePath: BasePath
  readonly #marks: AccessMarks
  readonly #siteHead: string
  readonly #pageHead: PageHead
  readonly #shells = new Map<NavDivision, Shell>()
  readonly #sidebars = new Map<NavDivision, Sidebar>()
  readonly #others = new Map<NavPage, readonly NavPage[]>()
  readonly #sectionLinks: SectionLinks
  readonly #switchers: Switchers
  readonly #eyebrows: Eyebrows
  readonly #scopes: SearchScopes
  readonly #styles: StyleLinks
  readonly #listing: Listing
  readonly #menu: PageMenu
  readonly #hasSharedPages: boolean
  /** The section shown on pages outside the navigation. */
  readonly #home: NavDivision

  constructor(site: FrameInput) {
    this.#site = site
    this.#basePath = site.basePath ?? ROOT_PATH
    this.config = site.config
    this.#siteHead = renderSiteHead(site).toString()
    const { icons } = site
    const marks = new AccessMarks(site)
    this.#marks = marks
    const { navigation } = site
    this.#sectionLinks = new SectionLinks({ navigation, marks, sectionsOf: this.#sectionsOf })
    this.#switchers = new Switchers({ icons, marks, links: this.#sectionLinks })
    this.#pageHead = new PageHead(site, marks)
    this.#menu = new PageMenu(site, marks)
    this.#hasSharedPages = hasSharedPages(navigation)
    const { styling, theme } = site.config
    this.#scopes = new SearchScopes(site.navigation)
    this.#eyebrows = new Eyebrows(styling?.eyebrows ?? lookOf(theme).eyebrows, marks)
    this.#listing = {
      describe: site.describe ?? (() => undefined),
      icons,
      marks,
      links: this.#sectionLinks,
    }
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

  readonly renderPage = (view: PageView): string => this.renderLabeled(view).html

  readonly renderLabeled = (view: PageView): LabeledHtml => {
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
    // The menu is next to the title if there is no table of contents.
    const isInList = list !== undefined && this.#menu.placeOf(view) === 'toc'
    const contents = list === undefined ? '' : frameContents(list, isInList ? menu : '')
    const article = renderArticle(view, { text: shell.text, around, menu: isInList ? '' : menu })
    // Determined before parsing ends, so that early painted content does not change its width.
    const isOfCards =
      mode === 'default' && contents === '' && view.content.includes('class="oct-columns')
    const classes = [
      `oct-mode-${mode}`,
      ...(hasSidebar ? [] : ['oct-no-sidebar']),
      ...(article.hasSide ? ['oct-has-side'] : []),
      ...(hasSidebar && isOfCards && !article.hasSide ? ['oct-has-cards'] : []),
    ].join(' ')
    let page = `${shell.open}${this.#pageHead.render(view)}${this.#sectionScript(entry)}${this.#siteHead}`
    page += `${this.#styles.render(article.styleParts, view.utilities)}</head><body class="${classes}">`
    page += `${shell.top}${around.header}`
    page += `<script>${PAUSE_SCRIPT}</script><div class="oct-layout">${around.sidebar}`
    page += renderBar({ text: shell.text, hasSidebar, hasContents: contents !== '' })
    page += `<main id="content"${feedbackMark(view, this.config)}>${article.html}</main>${contents}</div>`
    return `${page}${shell.footer}</body></html>\n`
  }

  /**
   * Placed before the script of every page, which restores the reader's state of the visible parts.
   */
  #sectionScript(entry: PageView['entry']): string {
    if (!this.#hasSharedPages) return ''
    const keys = entry && sectionKeys(entry, this.#otherEntries(entry), this.#marks)
    return `<script${keys ? ` data-section="${keys}"` : ''}>${SECTION_SCRIPT}</script>`
  }

  /** A page listed in several sections contains the surroundings of all of them. */
  #surroundings(view: PageView): NavigationParts {
    const around = this.#surroundingsAt(view)
    const others = this.#otherEntries(view.entry).map((entry) => {
      const directory = this.renderDirectory(entry)
      return { section: entry.section, parts: this.#surroundingsAt({ ...view, entry, directory }) }
    })
    if (others.length === 0) return around
    const join = (name: keyof NavigationParts) => {
      const parts = others.map(({ section, parts }) => ({ section, html: parts[name] }))
      return withSections(around[name], parts, this.#marks)
    }
    return {
      header: join('header'),
      sidebar: join('sidebar'),
      eyebrow: join('eyebrow'),
      version: join('version'),
      directory: join('directory'),
      neighbours: join('neighbours'),
    }
  }

  /** The entries of a page in the other sections that fit into the page. */
  #otherEntries(entry: PageView['entry']): readonly NavPage[] {
    const known = entry && this.#others.get(entry)
    if (known !== undefined) return known
    const others = otherEntries(entry, this.#site.navigation)
    if (entry === undefined || others.length === 0) return others
    const own = this.#sidebarOf(entry.section)
    let left = OTHER_SIDEBARS_MAX
    const carried = others.slice(0, OTHER_SECTIONS_MAX).filter(({ section }) => {
      const sidebar = this.#sidebarOf(section)
      left -= sidebar.size
      // The class of the whole page depends on whether there is a sidebar.
      return left >= 0 && sidebar.isEmpty === own.isEmpty
    })
    this.#others.set(entry, carried)
    return carried
  }

  readonly #sectionsOf = ({ path }: NavPage): ReadonlySet<NavDivision> => {
    const entry = this.#site.navigation.byPath.get(path)
    const others = this.#otherEntries(entry)
    const entries = entry === undefined || others.length === 0 ? [] : [entry, ...others]
    return new Set(entries.map(({ section }) => section))
  }

  #surroundingsAt(view: PageView): NavigationParts {
    const { entry, frontmatter } = view
    const { hideFooterPagination, mode = 'default', version } = frontmatter.fields
    const shell = this.#shell(entry)
    const { text } = shell
    const at = { section: entry?.section ?? this.#home, page: entry }
    const hasSidebar = partsOf(mode).sidebar && !(shell.sidebar.isEmpty && shell.anchors === '')
    const isListed = entry !== undefined && hideFooterPagination !== true
    return {
      header: `${shell.headerStart}${this.#links(shell, at)}</div>${this.#tabs(shell, view)}</header>`,
      sidebar: hasSidebar ? this.#sidebar(shell, at) : '',
      eyebrow: entry === undefined ? '' : this.#eyebrows.render(entry, text),
      version: renderVersion(view.inheritsVersion && entry ? versionOf(entry) : version, text),
      directory: view.directory ?? '',
      neighbours: isListed ? renderNeighbors(entry, { text, marks: this.#marks }) : '',
    }
  }

  #tabs({ tabs, text }: Shell, { entry, url }: PageView): string {
    if (entry !== undefined || tabs === '') return tabs
    return (renderTabs(this.#home, this.#look(text), url) ?? '').toString()
  }

  /** Menus and links of the header: a popover on narrow screens. */
  #links(shell: Shell, at: SwitchContext): string {
    const menus = this.#switchers.render('header', at, shell.text) ?? ''
    const links = `${menus}${shell.links}`
    if (links === '') return shell.theme
    const label = escapeHtml(shell.text.links)
    return `<div id="oct-links" class="oct-links" popover>${links}</div>${shell.theme}<button class="oct-more" type="button" popovertarget="oct-links" aria-label="${label}"></button>`
  }

  #sidebar(shell: Shell, at: SwitchContext): string {
    const menus = this.#switchers.render('sidebar', at, shell.text) ?? ''
    const label = escapeHtml(shell.text.pages)
    // A popover opens and closes without a script; on wide screens the stylesheet always shows it.
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
    const division = divisionAround(section, 'language')
    const language = division?.language ?? 'en'
    const text = interfaceText(language, this.#site.texts)
    const chrome = chromeOf(section, this.config)
    const marks = this.#marks
    const look = this.#look(text)
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
      sidebar: this.#sidebarOf(section),
      footer: `${renderFooter(chrome, this.#site, marks)}${renderStatusLine(text)}`,
    }
  }

  /** Separate from the shell, whose links depend on which sidebars fit into a page. */
  #sidebarOf(section: NavDivision): Sidebar {
    const known = this.#sidebars.get(section)
    if (known !== undefined) return known
    const text = interfaceText(
      divisionAround(section, 'language')?.language ?? 'en',
      this.#site.texts,
    )
    const drilldown = this.config.interaction?.drilldown === true
    const sidebar = new Sidebar(section, { ...this.#look(text), drilldown })
    this.#sidebars.set(section, sidebar)
    return sidebar
  }

  #look(text: InterfaceText): SectionLook {
    return { text, icons: this.#site.icons, marks: this.#marks, links: this.#sectionLinks }
  }
}
