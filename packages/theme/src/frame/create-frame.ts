/**
 * Renders the whole document around a page's content. The parts that pages of a section share
 * (header, tabs, sidebar, footer) are rendered once per section; a page adds its head, its marks in
 * the sidebar, its table of contents and its previous and next links.
 */
import {
  accessKey,
  type Config,
  firstPage,
  languageDirection,
  languageTag,
  type NavDivision,
  type NavPage,
  versionOf,
} from '@octavo/model'
import { SearchScopes } from '@octavo/search'
import { withInlineIcons } from '../icons/inline-icons.ts'
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
import { headerWidth } from './header-width.ts'
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
import { sectionsOf, TREE_SCRIPT } from './sidebar-tree.ts'
import { homeUrl, renderBanner, renderFooter, renderHeader } from './site-chrome.ts'
import { fontUrls, renderSiteStyles } from './site-styles.ts'
import { renderStatusLine } from './status-line.ts'
import { StyleLinks } from './style-links.ts'
import { type SwitchContext, Switchers } from './switchers.ts'
import { renderAnchors, renderTabs, type SectionLook } from './tab-bar.ts'

/**
 * The first text on a page, for programs that read the page: conversions to text include hidden
 * elements.
 */
const AGENT_NOTE =
  '<p hidden data-nosnippet>For agents: <a href="/llms.txt">llms.txt</a> lists all pages of this documentation. Add .md to the address of a page to read it as Markdown.</p>'

export type Frame = {
  readonly config: Config
  readonly renderPage: (view: PageView) => string
  /** Like `renderPage`, but also returns the ranges that some readers may not see. */
  readonly renderLabeled: (view: PageView) => LabeledHtml
  /** Renders the listing below the text of a group's root page; empty for most pages. */
  readonly renderDirectory: (entry: PageView['entry']) => string
  /** Renders the main parts of the site, for the 404 page. */
  readonly renderMainParts: () => string
  /** Saves the parts of large sidebars that pages omit, for all sections. */
  readonly saveTrees: () => void
  /** The URL of the first page. */
  readonly homeUrl: string
  /** Returns the colors and fonts of docs.json as CSS. It follows the theme's own styles. */
  readonly siteStyles: () => string
  /** Returns the interface text for a page, to pass to `renderContent`. */
  readonly textFor: (entry: PageView['entry']) => InterfaceText
}

export function createFrame(site: FrameInput): Frame {
  return new SiteFrame(site)
}

/** The parts that all pages of one section share. */
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
 * Limits for the sidebars of other sections in one page: their total length in characters, and
 * their number. Links into the remaining sections open the nearest page that is listed only in that
 * section.
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

  readonly saveTrees = (): void => {
    for (const section of sectionsOf(this.#site.navigation.entries)) this.#sidebarOf(section)
  }

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
    // Without a table of contents, the page menu is next to the title.
    const isInList = list !== undefined && this.#menu.placeOf(view) === 'toc'
    const contents = list === undefined ? '' : frameContents(list, isInList ? menu : '')
    const article = renderArticle(view, { text: shell.text, around, menu: isInList ? '' : menu })
    // The class is decided here because adding it later would change the width of content that is
    // already painted.
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
    const navigation = `${around.header}<script>${PAUSE_SCRIPT}</script><div class="oct-layout">${around.sidebar}`
    page += `${shell.top}${withInlineIcons(navigation, this.#site.icons)}`
    page += renderBar({
      text: shell.text,
      entry: view.entry,
      hasSidebar,
      hasContents: contents !== '',
    })
    page += `<main id="content"${feedbackMark(view, this.config)}>${article.html}</main>${contents}</div>`
    return `${page}${shell.footer}</body></html>\n`
  }

  /**
   * Returns the script that shows the parts for the reader's section. It must run before the script
   * that every page has, which restores the reader's state of the visible parts.
   */
  #sectionScript(entry: PageView['entry']): string {
    if (!this.#hasSharedPages) return ''
    const keys = entry && sectionKeys(entry, this.#otherEntries(entry), this.#marks)
    return `<script${keys ? ` data-section="${keys}"` : ''}>${SECTION_SCRIPT}</script>`
  }

  /**
   * Renders the parts around the content. A page listed in several sections contains these parts
   * once per section.
   */
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

  /** Returns the entries of a page in other sections whose sidebars fit into the page. */
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
      // One class depends on whether there is a sidebar, so sections that differ are skipped.
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
      header: this.#header(shell, at, this.#tabs(shell, view)),
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

  /** Renders the header. Menus, links and the theme switch become a popover if they do not fit. */
  #header({ headerStart, links, theme, text }: Shell, at: SwitchContext, tabs: string): string {
    const row = `${this.#switchers.render('header', at, text) ?? ''}${links}`
    const label = escapeHtml(text.links)
    const rest =
      row === ''
        ? theme
        : `<div id="oct-links" class="oct-links" popover>${row}${theme}</div><button class="oct-more" type="button" popovertarget="oct-links" aria-label="${label}"></button>`
    return `<header class="oct-header"${headerWidth(row)}><div class="oct-header-row">${headerStart}${rest}</div>${tabs}</header>`
  }

  #sidebar(shell: Shell, at: SwitchContext): string {
    const menus = this.#switchers.render('sidebar', at, shell.text) ?? ''
    const label = escapeHtml(shell.text.pages)
    // A popover opens and closes without a script; on wide screens, the stylesheet always shows the
    // sidebar.
    const script = shell.sidebar.isCut ? `<script>${TREE_SCRIPT}</script>` : ''
    return `<nav id="oct-sidebar" class="oct-sidebar" popover aria-label="${label}">${menus}${shell.anchors}${shell.sidebar.forPage(at.page)}${script}</nav>`
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
      headerStart: header.start.toString(),
      links: (header.links ?? '').toString(),
      theme: (header.theme ?? '').toString(),
      anchors: (renderAnchors(section, look, tabs !== '') ?? '').toString(),
      sidebar: this.#sidebarOf(section),
      footer: `${renderFooter(chrome, this.#site, marks)}${renderStatusLine(text)}`,
    }
  }

  /**
   * Returns the sidebar of a section. It is not part of the shell: links of the shell depend on
   * which sidebars fit into a page.
   */
  #sidebarOf(section: NavDivision): Sidebar {
    const known = this.#sidebars.get(section)
    if (known !== undefined) return known
    const text = interfaceText(
      divisionAround(section, 'language')?.language ?? 'en',
      this.#site.texts,
    )
    const drilldown = this.config.interaction?.drilldown === true
    const { navigation, modes } = this.#site
    const sidebar = new Sidebar(section, {
      ...this.#look(text),
      drilldown,
      opensHere: (page) =>
        page.link === undefined &&
        !page.missing &&
        navigation.byPath.get(page.path) === page &&
        partsOf(modes?.get(page.path) ?? 'default').sidebar,
      saveLists: this.#saveLists,
    })
    this.#sidebars.set(section, sidebar)
    return sidebar
  }

  /** One file is for all readers of a section, so all its pages must have the same label. */
  readonly #saveLists = ({ pages }: NavDivision, lists: readonly string[]): string | undefined => {
    const [label = 'default', ...others] = pages.map(({ access }) => access)
    if (others.some((other = 'default') => accessKey(other) !== accessKey(label))) return undefined
    const parts = lists.map((list) => this.#marks.take(this.#basePath.html(list), label))
    if (parts.some(({ ranges }) => ranges.length > 0)) return undefined
    return this.#site.saveTree?.(JSON.stringify(parts.map(({ html }) => html)), label)
  }

  #look(text: InterfaceText): SectionLook {
    return { text, icons: this.#site.icons, marks: this.#marks, links: this.#sectionLinks }
  }
}
