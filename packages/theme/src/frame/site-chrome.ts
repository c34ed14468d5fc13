/** Header, tabs, banner and footer of a section: rendered once, shared by its pages. */
import { type Config, homePage, type NavDivision, type NavLink } from '@octavo/model'
import { type Html, html, markup } from '../html.ts'
import { navbarIcon, networkIcon } from '../icons/frame-icons.ts'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { renderInlineMarkdown } from '../inline-markdown.ts'
import type { InterfaceText } from '../interface-text.ts'
import { type Chrome, divisionsAround, type FrameInput } from './frame-input.ts'
import { divisionHref, hrefAttribute, siteHref } from './nav-link.ts'

export function renderBanner(chrome: Chrome): Html | undefined {
  const { banner } = chrome
  if (banner === undefined || banner.content === '') return undefined
  const kind = banner.type ?? 'info'
  return html`<div class="oct-banner oct-banner-${kind}" role="region" aria-label="${kind}" data-oct="banner" data-key="${banner.content.length}"><p>${renderInlineMarkdown(banner.content)}</p>${banner.dismissible === true && html`<button class="oct-dismiss" type="button" hidden data-oct="dismiss" aria-label="Dismiss"></button>`}</div>`
}

/** The header before and after the place of the version and language menus. */
export function renderHeader(
  site: FrameInput,
  chrome: Chrome,
  text: InterfaceText,
): { readonly before: Html; readonly after: Html } {
  const { config, navigation } = site
  const logo = config.logo
  const written = typeof logo === 'object' ? logo.href : undefined
  const home = written ?? homePage(navigation)?.url ?? '/'
  const prompt = config.search?.prompt ?? text.search
  const { links = [], primary } = chrome.navbar ?? {}
  const nav =
    links.length === 0 && primary === undefined
      ? undefined
      : html`<nav class="oct-navbar" aria-label="${text.links}"><ul>${links.map((link) => html`<li><a${hrefAttribute(link.href)}>${renderIcon(navbarIcon(link), site.icons)}<span>${labelOf(link)}</span></a></li>`)}${primary && html`<li><a class="oct-primary"${hrefAttribute(primary.href)}>${labelOf(primary)}</a></li>`}</ul></nav>`
  return {
    before: html`<a class="oct-logo"${hrefAttribute(home)}>${renderLogo(config)}</a><form class="oct-search" action="/search" role="search"><input type="search" name="q" placeholder="${prompt}" aria-label="${prompt}" autocomplete="off"></form>`,
    after: html`${nav}${config.appearance?.strict !== true && html`<button class="oct-theme" type="button" hidden data-oct="theme" aria-label="Light or dark"></button>`}`,
  }
}

function labelOf(link: { readonly label?: string; readonly type?: string }): string {
  if (link.label !== undefined) return link.label
  return link.type === 'discord' ? 'Discord' : 'GitHub'
}

function renderLogo({ logo, name }: Config): Html {
  if (logo === undefined) return html`<span>${name}</span>`
  if (typeof logo === 'string') return html`<img src="${siteHref(logo)}" alt="${name}">`
  return html`<img class="oct-light-only" src="${siteHref(logo.light)}" alt="${name}"><img class="oct-dark-only" src="${siteHref(logo.dark)}" alt="${name}" loading="lazy">`
}

/** Words and icons of a section. */
export type SectionLook = {
  readonly text: InterfaceText
  readonly icons: SpriteFile | undefined
}

/** The bar of tabs: those beside the tab that the section is in, and links of the whole site. */
export function renderTabs(section: NavDivision, look: SectionLook): Html | undefined {
  const { text, icons } = look
  const current = divisionsAround(section).find(({ kind }) => kind === 'tab')
  const tabs = current === undefined ? tabsBelow(section) : siblings(current)
  const links = globalLinks(section).filter(({ kind }) => kind === 'tab')
  if (tabs.length + links.length < 2) return undefined
  return html`<nav class="oct-tabbar" aria-label="${text.sections}"><ul>${tabs.map((tab) => divisionItem(tab, current, icons))}${links.map((link) => linkItem(link, icons))}</ul></nav>`
}

/** Anchors and menu items: at the top of the sidebar (navigation rules 6 and 8). */
export function renderAnchors(section: NavDivision, look: SectionLook): Html | undefined {
  const { text, icons } = look
  const around = divisionsAround(section)
  const items = (['anchor', 'item'] as const).flatMap((kind) => {
    const current = around.find((division) => division.kind === kind)
    return current === undefined
      ? []
      : siblings(current).map((it) => divisionItem(it, current, icons))
  })
  const links = globalLinks(section).filter(({ kind }) => kind !== 'tab')
  if (items.length + links.length === 0) return undefined
  return html`<ul class="oct-anchors" aria-label="${text.sections}">${links.map((link) => linkItem(link, icons))}${items}</ul>`
}

function siblings(division: NavDivision): readonly NavDivision[] {
  return tabsBelow(division.parent, division.kind).filter((it) => !it.hidden || it === division)
}

function tabsBelow(parent: NavDivision | undefined, kind = 'tab'): readonly NavDivision[] {
  return (parent?.children ?? []).filter(
    (child): child is NavDivision => child.type === 'division' && child.kind === kind,
  )
}

/** Links of the whole site first, then those of the divisions around. */
function globalLinks(section: NavDivision): readonly NavLink[] {
  const links: NavLink[] = []
  for (let at: NavDivision | undefined = section; at !== undefined; at = at.parent) {
    links.unshift(...at.globals.filter(({ hidden }) => !hidden))
  }
  return links
}

function divisionItem(
  division: NavDivision,
  current: NavDivision | undefined,
  icons: SpriteFile | undefined,
): Html | undefined {
  const href = divisionHref(division)
  if (href === undefined) return undefined
  const mark = division === current ? markup(' aria-current="true"') : undefined
  return html`<li><a${hrefAttribute(href)}${mark}>${renderIcon(division.icon, icons)}<span>${division.label}</span></a></li>`
}

function linkItem(link: NavLink, icons: SpriteFile | undefined): Html {
  return html`<li><a${hrefAttribute(link.href)}>${renderIcon(link.icon, icons)}<span>${link.label}</span></a></li>`
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

export function renderFooter(chrome: Chrome, { config, icons }: FrameInput): Html {
  const { socials = {}, links = [] } = chrome.footer ?? {}
  const columns = links.map(
    ({ header, items }) =>
      html`<div>${header && html`<p>${header}</p>`}<ul>${items.map(({ label, href }) => html`<li><a${hrefAttribute(href)}>${label}</a></li>`)}</ul></div>`,
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
