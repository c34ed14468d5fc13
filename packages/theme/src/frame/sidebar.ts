/**
 * The sidebar with the pages of a section. The HTML is rendered once per section, with the
 * positions of the marks for the current page and for open groups; rendering a page only changes
 * text at a few positions. In a large section, the lists of collapsed groups are saved in a file
 * that the browser loads when it needs them; a page has only a link into each of them (decision
 * 0061).
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
import { type Cut, isLarge, pagesInto } from './sidebar-tree.ts'

export type SidebarOptions = {
  readonly text: InterfaceText
  readonly icons: SpriteFile | undefined
  readonly marks: AccessMarks
  /** True if the title of a group links to its first page (`interaction.drilldown`). */
  readonly drilldown: boolean
  /**
   * Returns true if the URL of a page opens it at this place, with a sidebar, so that its group is
   * open there.
   */
  readonly opensHere: (page: NavPage) => boolean
  /**
   * Saves the lists of groups in a file and returns its URL; undefined if a page must contain them,
   * since some readers may see only a part of them.
   */
  readonly saveLists: (section: NavDivision, lists: readonly string[]) => string | undefined
}

/** A shorter list is not worth a place in the file. */
const SAVED_LENGTH_MIN = 300

/** A change of the rendered text; an insertion ends where it begins. */
type Edit = { readonly start: number; readonly end: number; readonly put: string }

const CURRENT = ' aria-current="page"'
const OPEN = ' open'

export class Sidebar {
  readonly #options: SidebarOptions
  readonly #pageMarks = new Map<NavPage, number>()
  readonly #groupMarks = new Map<NavGroup, number>()
  readonly #isLarge: boolean
  /** The lists that pages can omit, without those inside them. */
  #cuts: readonly Cut[] = []
  #cutCount = 0
  /** The URL of the file with the lists. */
  #url = ''
  #text = ''
  readonly #closed: string

  constructor(section: NavDivision, options: SidebarOptions) {
    this.#options = options
    this.#isLarge = isLarge(section)
    this.#list(section.children)
    if (this.#cuts.length > 0) {
      const url = options.saveLists(section, this.#lists())
      if (url === undefined) this.#cuts = []
      else this.#url = url
    }
    this.#closed = this.#edited(this.#omit(this.#cuts, []))
  }

  get isEmpty(): boolean {
    return this.#pageMarks.size === 0
  }

  /** True if pages have only links into collapsed groups. */
  get isCut(): boolean {
    return this.#cuts.length > 0
  }

  /** The length of the sidebar's HTML, with all groups closed. */
  get size(): number {
    return this.#closed.length
  }

  /** Returns the sidebar for one page. */
  forPage(page: NavPage | undefined): string {
    const mark = page === undefined ? undefined : this.#pageMarks.get(page)
    if (page === undefined || mark === undefined) return this.#closed
    const open: NavGroup[] = []
    for (let at = page.parent; at.type === 'group'; at = at.parent) open.push(at)
    const places = open.flatMap((group) => this.#groupMarks.get(group) ?? [])
    return this.#edited([
      ...this.#omit(this.#cuts, open),
      ...places.map((place) => ({ start: place, end: place, put: OPEN })),
      { start: mark, end: mark, put: CURRENT },
    ])
  }

  #edited(edits: readonly Edit[], from = 0, to = this.#text.length): string {
    let text = ''
    let at = from
    for (const { start, end, put } of edits.toSorted((a, b) => a.start - b.start)) {
      text += this.#text.slice(at, start) + put
      at = end
    }
    return text + this.#text.slice(at, to)
  }

  /** Returns the edits that omit the lists of all groups except the open ones. */
  #omit(cuts: readonly Cut[], open: readonly NavGroup[]): readonly Edit[] {
    return cuts.flatMap(({ group, index, start, end, links, inside }) =>
      open.includes(group)
        ? this.#omit(inside, open)
        : { start, end, put: `<ul data-tree="${this.#url}#${index}">${links}</ul>` },
    )
  }

  /** Returns the list of each group that pages can omit, without the lists inside it. */
  #lists(): readonly string[] {
    const lists: string[] = []
    const add = (cuts: readonly Cut[]) => {
      for (const { index, start, end, inside } of cuts) {
        lists[index] = this.#edited(this.#omit(inside, []), start, end)
        add(inside)
      }
    }
    add(this.#cuts)
    return lists
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
    // The link is not inside the summary, since an interactive element must not contain another
    // one.
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
    this.#groupList(group)
    this.#put('</details></li>')
  }

  #groupList(group: NavGroup): void {
    const before = this.#cuts
    this.#cuts = []
    const start = this.#text.length
    this.#list(group.children)
    const inside = this.#cuts
    const cut = this.#cutOf(group, start)
    this.#cuts = [...before, ...(cut === undefined ? inside : [{ ...cut, inside }])]
  }

  /** Returns how pages omit the list; undefined if they must contain it. */
  #cutOf(group: NavGroup, start: number): Omit<Cut, 'inside'> | undefined {
    if (!this.#isLarge || group.expanded) return undefined
    const pages = pagesInto(group, this.#options.opensHere)
    const links = pages.map((page) => this.#plainLink(page)).join('')
    const end = this.#text.length
    if (pages.length === 0 || end - start < links.length + SAVED_LENGTH_MIN) return undefined
    this.#cutCount += 1
    return { group, index: this.#cutCount - 1, start, end, links }
  }

  #plainLink({ link, url, label }: NavPage): string {
    return `<li><a${this.#options.marks.link(link ?? url)}><span>${escapeHtml(label)}</span></a></li>`
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
