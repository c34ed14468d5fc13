/**
 * The pages of a section. The HTML is rendered once per section, with the positions where a page is
 * marked as current and where a group is opened; rendering a page only inserts text at a few
 * positions.
 */
import {
  firstPage,
  type NavDivision,
  type NavGroup,
  type NavNode,
  type NavPage,
} from '@octavo/model'
import { renderIcon, type SpriteFile } from '../icons/render-icon.ts'
import { escapeHtml } from '../markup/html.ts'
import type { InterfaceText } from '../words/interface-text.ts'
import type { AccessMarks } from './access-marks.ts'
import { methodBadge } from './method-badge.ts'
import { divisionHref } from './nav-link.ts'

export type SidebarOptions = {
  readonly text: InterfaceText
  readonly icons: SpriteFile | undefined
  readonly marks: AccessMarks
  /** Choosing a group opens its first page (`interaction.drilldown`). */
  readonly drilldown: boolean
}

const CURRENT = ' aria-current="page"'
const OPEN = ' open'

export class Sidebar {
  readonly #options: SidebarOptions
  readonly #pageMarks = new Map<NavPage, number>()
  readonly #groupMarks = new Map<NavGroup, number>()
  #text = ''

  constructor(section: NavDivision, options: SidebarOptions) {
    this.#options = options
    this.#list(section.children)
  }

  get isEmpty(): boolean {
    return this.#pageMarks.size === 0
  }

  /** The length of its HTML. */
  get size(): number {
    return this.#text.length
  }

  /** Returns the sidebar for one page. */
  forPage(page: NavPage | undefined): string {
    const mark = page === undefined ? undefined : this.#pageMarks.get(page)
    if (page === undefined || mark === undefined) return this.#text
    const groups: number[] = []
    let at: NavDivision | NavGroup = page.parent
    for (; at.type === 'group'; at = at.parent) {
      const place = this.#groupMarks.get(at)
      if (place !== undefined) groups.push(place)
    }
    let text = ''
    let from = 0
    // If the page is a group's root, its link comes before the position where the group opens.
    const places = [...groups.map((place) => ({ place, put: OPEN })), { place: mark, put: CURRENT }]
    for (const { place, put } of places.sort((a, b) => a.place - b.place)) {
      text += this.#text.slice(from, place) + put
      from = place
    }
    return text + this.#text.slice(from)
  }

  #put(text: string): void {
    this.#text += text
  }

  #list(nodes: readonly NavNode[]): void {
    this.#put('<ul>')
    for (const node of nodes) {
      if (node.hidden) continue
      const access = this.#options.marks.ofNode(node)
      this.#put(this.#options.marks.open(access))
      this.#node(node)
      this.#put(this.#options.marks.close(access))
    }
    this.#put('</ul>')
  }

  #node(node: NavNode): void {
    if (node.type === 'page') this.#page(node)
    else if (node.type === 'division') this.#division(node)
    else if (node.collapsible) this.#nestedGroup(node)
    else this.#topGroup(node)
  }

  #page(page: NavPage): void {
    this.#put('<li>')
    this.#link(page, page)
    this.#put('</li>')
  }

  /** Writes a link to a page; the root page of a group has the group's name. */
  #link(page: NavPage, { label, icon, tag }: Pick<NavPage, 'label' | 'icon' | 'tag'>): void {
    this.#put(`<a${this.#options.marks.link(page.link ?? page.url)}`)
    if (page.link === undefined && !this.#pageMarks.has(page)) {
      this.#pageMarks.set(page, this.#text.length)
    }
    this.#put('>')
    if (page.marker !== undefined) this.#put(methodBadge(page.marker).toString())
    this.#put(`${renderIcon(icon, this.#options.icons) ?? ''}<span>${escapeHtml(label)}</span>`)
    if (tag !== undefined) this.#put(`<span class="oct-tag">${escapeHtml(tag)}</span>`)
    if (page.deprecated) {
      const { deprecated } = this.#options.text
      this.#put(`<span class="oct-tag oct-deprecated">${escapeHtml(deprecated)}</span>`)
    }
    this.#put('</a>')
  }

  /** Writes a division inside a group as a link to its first page. */
  #division(division: NavDivision): void {
    const href = divisionHref(division)
    if (href !== undefined) {
      const { marks } = this.#options
      this.#put(`<li><a${marks.link(href)}><span>${escapeHtml(division.label)}</span></a></li>`)
    }
  }

  #topGroup(group: NavGroup): void {
    this.#put('<li class="oct-group"><p class="oct-group-title">')
    this.#groupTitle(group, this.#target(group))
    this.#put('</p>')
    this.#list(group.children)
    this.#put('</li>')
  }

  #nestedGroup(group: NavGroup): void {
    const target = this.#target(group)
    this.#put('<li class="oct-subgroup">')
    // A summary cannot contain a link, since both are interactive.
    if (target !== undefined) this.#groupTitle(group, target)
    this.#put('<details')
    if (group.expanded) this.#put(OPEN)
    else this.#groupMarks.set(group, this.#text.length)
    if (target === undefined) {
      this.#put('><summary>')
      this.#groupTitle(group, undefined)
    } else {
      this.#put(`><summary class="oct-toggle" aria-label="${escapeHtml(group.label)}">`)
    }
    this.#put('</summary>')
    this.#list(group.children)
    this.#put('</details></li>')
  }

  #target(group: NavGroup): NavPage | undefined {
    return group.root ?? (this.#options.drilldown ? firstPage(group) : undefined)
  }

  #groupTitle(group: NavGroup, target: NavPage | undefined): void {
    if (target !== undefined && target === group.root) {
      this.#link(target, group)
      return
    }
    const icon = renderIcon(group.icon, this.#options.icons) ?? ''
    const tag =
      group.tag === undefined ? '' : `<span class="oct-tag">${escapeHtml(group.tag)}</span>`
    const title = `${icon}<span>${escapeHtml(group.label)}</span>${tag}`
    const { marks } = this.#options
    this.#put(target === undefined ? title : `<a${marks.link(target.url)}>${title}</a>`)
  }
}
