/**
 * Renders tabs, and the anchors and menu items at the top of the sidebar (navigation rules 6 and
 * 8).
 */
import type { NavDivision, NavLink } from '@octavo/model'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { type Html, html, markup } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { AccessMarks } from './access-marks.ts'
import { divisionsAround } from './frame-input.ts'
import { divisionHref } from './nav-link.ts'
import type { SectionLinks } from './section-links.ts'

/** The text, icons and links of a section. */
export type SectionLook = {
  readonly text: InterfaceText
  readonly icons: SpriteFile | undefined
  readonly marks: AccessMarks
  readonly links: SectionLinks
}

/**
 * Renders the tab bar: the section's tab, the other tabs, and the site's global links. An unlisted
 * page that a tab links to belongs to that tab.
 */
export function renderTabs(
  section: NavDivision,
  look: SectionLook,
  unlisted?: string,
): Html | undefined {
  const { text, marks } = look
  const inSection = divisionsAround(section)
  const current = inSection.find(({ kind }) => kind === 'tab')
  const siblingTabs = current === undefined ? divisionsBelow(section, 'tab') : siblings(current)
  const linkedTab = siblingTabs.find(
    (tab) => unlisted !== undefined && divisionHref(tab) === unlisted,
  )
  const around = linkedTab === undefined ? inSection : [linkedTab]
  const tabs = siblingTabs.filter((tab) => !tab.hidden || tab === current)
  const links = globalLinks(section).filter(({ kind }) => kind === 'tab')
  if (tabs.length + links.length < 2) return undefined
  const items = tabs.map((tab, index) =>
    marks.wrap(tabItem(tab, { index, around, look }), marks.ofNode(tab)),
  )
  return html`<nav class="oct-tabbar" aria-label="${text.sections}"><ul>${items}${links.map((link) => linkItem(link, look))}</ul></nav>`
}

/**
 * Renders the anchors. Menu items are in the menu of their tab and appear here only if there is no
 * tab bar.
 */
export function renderAnchors(
  section: NavDivision,
  look: SectionLook,
  hasTabs: boolean,
): Html | undefined {
  const { text } = look
  const around = divisionsAround(section)
  const kinds: readonly NavDivision['kind'][] = hasTabs ? ['anchor'] : ['anchor', 'item']
  const items = kinds.flatMap((kind) => {
    const current = around.find((division) => division.kind === kind)
    return current === undefined
      ? []
      : siblings(current).map((it) => divisionItem(it, current, look))
  })
  const links = globalLinks(section).filter(({ kind }) => kind !== 'tab')
  if (items.length + links.length === 0) return undefined
  return html`<ul class="oct-anchors" aria-label="${text.sections}">${links.map((link) => linkItem(link, look))}${items}</ul>`
}

/**
 * The index of a tab, the divisions around it and their look. A tab with a menu links to its first
 * page and has a button that shows its items.
 */
type TabPlace = {
  readonly index: number
  readonly around: readonly NavDivision[]
  readonly look: SectionLook
}

function tabItem(tab: NavDivision, at: TabPlace): Html | undefined {
  const { icons, links } = at.look
  const link = links.toDivision(tab)
  if (link === undefined) return undefined
  const mark = at.around.includes(tab) ? CURRENT : undefined
  const end = tab.details.align === 'end' ? markup(' class="oct-end"') : undefined
  return html`<li${end}><a${link}${mark}>${renderIcon(tab.icon, icons)}<span>${tab.label}</span></a>${tabMenu(tab, at)}</li>`
}

function tabMenu(tab: NavDivision, { index, around, look }: TabPlace): Html | undefined {
  const items = divisionsBelow(tab, 'item').filter(({ hidden }) => !hidden)
  if (items.length === 0) return undefined
  const id = `oct-tab-${index}`
  const { marks, icons, links } = look
  const entries = items.map((item) => {
    const link = links.toDivision(item)
    const mark = around.includes(item) ? CURRENT : undefined
    const about = item.description && html`<small>${item.description}</small>`
    if (link === undefined) return undefined
    const entry = html`<li><a${link}${mark}>${renderIcon(item.icon, icons)}<span>${item.label}</span>${about}</a></li>`
    return marks.wrap(entry, marks.ofNode(item))
  })
  return html`<div class="oct-menu"><button type="button" popovertarget="${id}" aria-label="${tab.label}"></button><ul id="${id}" popover>${entries}</ul></div>`
}

const CURRENT = markup(' aria-current="true"')

function siblings(division: NavDivision): readonly NavDivision[] {
  return divisionsBelow(division.parent, division.kind).filter(
    (it) => !it.hidden || it === division,
  )
}

function divisionsBelow(
  parent: NavDivision | undefined,
  kind: NavDivision['kind'],
): readonly NavDivision[] {
  return (parent?.children ?? []).filter(
    (child): child is NavDivision => child.type === 'division' && child.kind === kind,
  )
}

/** Returns the links of the whole site first, then those of the enclosing divisions. */
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
  { marks, icons, links }: SectionLook,
): Html | undefined {
  const link = links.toDivision(division)
  if (link === undefined) return undefined
  const mark = division === current ? CURRENT : undefined
  const item = html`<li><a${link}${mark}>${renderIcon(division.icon, icons)}<span>${division.label}</span></a></li>`
  return marks.wrap(item, marks.ofNode(division))
}

function linkItem(link: NavLink, { marks, icons }: SectionLook): Html {
  const item = html`<li><a${marks.link(link.href)}>${renderIcon(link.icon, icons)}<span>${link.label}</span></a></li>`
  return marks.wrap(item, marks.ofHref(link.href))
}
