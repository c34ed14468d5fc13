/**
 * The header, banner and footer of a section. They are rendered once and shared by all its pages.
 */
import {
  accessOfAny,
  type Config,
  firstPage,
  homePage,
  labelsOf,
  type NavDivision,
  type Navigation,
} from '@octavo/model'
import { type SearchScope, searchRootUrl } from '@octavo/search'
import { navbarIcon, networkIcon } from '../icons/frame-icons.ts'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { type Html, html, markup } from '../markup/html.ts'
import { renderInlineMarkdown } from '../markup/inline-markdown.ts'
import { siteHref } from '../markup/safe-address.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { AccessMarks } from './access-marks.ts'
import type { Chrome, FrameInput } from './frame-input.ts'
import { hrefAttribute } from './nav-link.ts'
import { shortHash } from './short-hash.ts'

/**
 * Renders the banner. The key of a banner is a hash of its content, so a dismissed banner stays
 * hidden until its content changes.
 */
export function renderBanner({ banner }: Chrome, text: InterfaceText): Html | undefined {
  if (banner === undefined || banner.content === '') return undefined
  const button =
    banner.dismissible === true &&
    html`<button class="oct-dismiss" type="button" hidden data-oct="dismiss" aria-label="${text.dismiss}"></button>`
  return html`<div class="oct-banner oct-banner-${banner.type ?? 'info'}" role="region" aria-label="${text.announcement}" data-oct="banner" data-key="${bannerKey(banner)}"><p>${renderInlineMarkdown(banner.content)}</p>${button}</div>`
}

export function bannerKey(banner: NonNullable<Chrome['banner']>): string {
  return shortHash(JSON.stringify([banner.content, banner.type, banner.color]))
}

export type HeaderInput = {
  readonly chrome: Chrome
  readonly text: InterfaceText
  /** The search scope of the section; undefined for a site without pages. */
  readonly search: SearchScope | undefined
  readonly marks: AccessMarks
  /** The reader's language, if the site has several languages. */
  readonly language: NavDivision | undefined
}

/** Renders the parts of the header; the version and language menus come before the links. */
export function renderHeader(
  site: FrameInput,
  { chrome, text, search, marks, language }: HeaderInput,
): { readonly start: Html; readonly links: Html | undefined; readonly theme: Html | undefined } {
  const { config, navigation } = site
  const logo = config.logo
  const written = typeof logo === 'object' ? logo.href : undefined
  const home = written ?? languageHome(language, marks) ?? homeUrl(navigation, marks)
  const { links = [], primary } = chrome.navbar ?? {}
  const nav =
    links.length === 0 && primary === undefined
      ? undefined
      : html`<nav class="oct-navbar" aria-label="${text.links}"><ul>${links.map((link) => marks.wrap(html`<li><a${marks.link(link.href)}${renderBarLink(link, site.icons)}</a></li>`, marks.ofHref(link.href)))}${primary && marks.wrap(renderPrimary(primary, site, marks), marks.ofHref(primary.href))}</ul></nav>`
  const isFixed = config.appearance?.strict === true
  return {
    start: html`<a class="oct-logo"${hrefAttribute(home)}>${renderLogo(config)}</a>${renderSearch(site, { text, search, marks })}`,
    links: nav,
    theme: isFixed
      ? undefined
      : html`<button class="oct-theme" type="button" hidden data-oct="theme"><span>${text.theme}</span></button>`,
  }
}

/**
 * Returns the URL of the home page. If pages have access labels, the host chooses each reader's
 * first page.
 */
export function homeUrl(navigation: Navigation, marks: AccessMarks): string {
  return marks.isOn ? '/' : (homePage(navigation)?.url ?? '/')
}

/** Returns the home page's URL in the reader's language; undefined for the default language. */
function languageHome(language: NavDivision | undefined, marks: AccessMarks): string | undefined {
  if (language === undefined || language.isDefault || marks.isOn) return undefined
  return firstPage(language)?.url
}

/**
 * Renders the button that opens the search dialog. The dialog needs scripts, so the button is
 * hidden without them.
 */
function renderSearch(
  { config, assets, searchRoots }: FrameInput,
  { text, search, marks }: Omit<HeaderInput, 'chrome' | 'language'>,
): Html | undefined {
  if (search === undefined) return undefined
  const roots = searchRoots?.(search) ?? [{ url: searchRootUrl(search), access: 'public' }]
  // The URLs of the indexes are separated by spaces; readers see only the indexes that they may
  // read.
  const index = roots.map(({ url, access }, place) =>
    marks.wrap(html`${place > 0 && ' '}${url}`, access),
  )
  const prompt = config.search?.prompt ?? text.search
  const button = html`<button class="oct-search" type="button" hidden data-oct="search" data-index="${index}" data-styles="${assets.parts.search ?? ''}" data-failed="${text.searchFailed}" data-retry="${text.searchRetry}" aria-keyshortcuts="Control+K Meta+K /" aria-haspopup="dialog"><span>${prompt}</span><kbd>Ctrl K</kbd></button>`
  return marks.wrap(button, accessOfAny(roots.flatMap(({ access }) => labelsOf(access))))
}

type BarLink = Parameters<typeof navbarIcon>[0]

/**
 * A call to action with a longer label moves into the menu on every phone, a shorter one only on
 * the smallest phones.
 */
const SHORT_LABEL_MAX = 10
const CTA_ARROW = markup(
  '<svg width="3" height="24" viewBox="0 -9 3 24" aria-hidden="true"><path d="M0 0l3 3-3 3" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>',
)

/**
 * Renders the call to action. Stylesheets from the product that many sites migrate from refer to
 * its parts, so it has the same structure: a background layer, and over it the label with an arrow.
 */
function renderPrimary(link: BarLink, { icons, assets }: FrameInput, marks: AccessMarks): Html {
  const { attributes, icon, label } = linkParts(link, icons)
  const kind = label.length > SHORT_LABEL_MAX ? ' oct-long' : ''
  const hasLayer = assets.hooks?.includes('#topbar-cta-button')
  const hasParts = hasLayer === true || assets.hooks?.includes('#navbar')
  const content = html`${icon}${label !== '' && html`<span>${label}</span>`}`
  const inside = hasParts
    ? html`${hasLayer && markup('<span class="absolute"></span>')}<div class="flex">${content}${CTA_ARROW}</div>`
    : content
  return html`<li class="oct-cta${kind}"><a class="oct-primary${hasParts && ' group'}"${marks.link(link.href)}${attributes}>${inside}</a></li>`
}

type LinkParts = {
  /** Contains the accessible name if there is no visible label. */
  readonly attributes: Html | undefined
  readonly icon: Html | undefined
  readonly label: string
}

/** Completes the tag of a link with its content. */
function renderBarLink(link: BarLink, icons: SpriteFile | undefined): Html {
  const { attributes, icon, label } = linkParts(link, icons)
  return html`${attributes}>${icon}${label !== '' && html`<span>${label}</span>`}`
}

/** Returns the parts of a link. A link with only an icon still has an accessible name. */
function linkParts(link: BarLink, icons: SpriteFile | undefined): LinkParts {
  const icon = renderIcon(navbarIcon(link), icons)
  const label = (link.label ?? networkName(link.type ?? '')).trim()
  if (label !== '') return { attributes: undefined, icon, label }
  const isName = typeof link.icon === 'string' && !link.icon.includes('/')
  const name = isName ? networkName(String(link.icon)) : link.href
  return { attributes: html` aria-label="${name}"`, icon, label }
}

function renderLogo({ logo, name }: Config): Html {
  if (logo === undefined) return html`<span>${name}</span>`
  if (typeof logo === 'string') return html`<img src="${siteHref(logo)}" alt="${name}">`
  return html`<img class="oct-light-only" src="${siteHref(logo.light)}" alt="${name}"><img class="oct-dark-only" src="${siteHref(logo.dark)}" alt="${name}" loading="lazy">`
}

const NETWORK_NAMES: Readonly<Record<string, string>> = {
  x: 'X',
  'x-twitter': 'X',
  'earth-americas': 'Website',
  'hacker-news': 'Hacker News',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
}

export function renderFooter(
  chrome: Chrome,
  { config, icons }: FrameInput,
  marks: AccessMarks,
): Html {
  const { socials = {}, links = [] } = chrome.footer ?? {}
  const columns = links.map(
    ({ header, items }) =>
      html`<div>${header && html`<p>${header}</p>`}<ul>${items.map(({ label, href }) => marks.wrap(html`<li><a${marks.link(href)}>${label}</a></li>`, marks.ofHref(href)))}</ul></div>`,
  )
  const networks = Object.entries(socials).map(
    ([network, href]) =>
      html`<li><a${hrefAttribute(href)}>${renderIcon(networkIcon(network), icons)}<span>${networkName(network)}</span></a></li>`,
  )
  return html`<footer class="oct-footer">${columns.length > 0 && html`<div class="oct-footer-links">${columns}</div>`}<div class="oct-footer-end"><span>${config.name}</span>${networks.length > 0 && html`<ul class="oct-socials">${networks}</ul>`}</div></footer>`
}

function networkName(network: string): string {
  const known = Object.hasOwn(NETWORK_NAMES, network) ? NETWORK_NAMES[network] : undefined
  return known ?? `${network.charAt(0).toUpperCase()}${network.slice(1)}`
}
