/**
 * Marks around the parts of a page that fewer readers may see than the page itself: links to pages
 * with another access label. Parts that pages of a section share are rendered once, including their
 * marks; `take` removes the marks from a finished page and returns the ranges.
 *
 * A mark consists of Unicode noncharacters, which do not occur in text: `escapeHtml` replaces them.
 */
import {
  type Access,
  type AccessLabel,
  type AccessRange,
  accessKey,
  accessOfAny,
  grantsAccess,
  isInternalLink,
  isLabel,
  type NavDivision,
  type NavGroup,
  type Navigation,
  type NavNode,
  pagePathOfUrl,
} from '@octavo/model'
import { type Html, MARK_CHARACTERS, markup } from '../markup/html.ts'
import { siteHref } from '../markup/safe-address.ts'
import type { FrameInput } from './frame-input.ts'
import { hrefAttribute } from './nav-link.ts'

export type LabeledHtml = {
  readonly html: string
  /** The ranges count bytes of UTF-8. */
  readonly ranges: readonly AccessRange[]
}

const [OPEN = '', OPENED = '', CLOSE = ''] = MARK_CHARACTERS
const MARK_CHARACTER = new RegExp(`[${MARK_CHARACTERS.join('')}]`, 'g')
const MARK = new RegExp(`${OPEN}([^${OPENED}]*)${OPENED}|${CLOSE}`, 'g')

export class AccessMarks {
  /** False on a site without access labels, where no part is marked. */
  readonly isOn: boolean
  readonly #byPath: Navigation['byPath']
  readonly #ofNode = new Map<NavNode, Access>()
  /** The access of each mark, keyed by the name inside the mark. */
  readonly #marked = new Map<string, Access>()

  constructor({ navigation, hasLabels = false }: Pick<FrameInput, 'navigation' | 'hasLabels'>) {
    this.isOn = hasLabels
    this.#byPath = navigation.byPath
  }

  /** Returns who may see a navigation entry: the readers of any of its pages. */
  ofNode(node: NavNode): Access {
    if (node.type === 'page') return node.access ?? 'default'
    const known = this.#ofNode.get(node)
    if (known !== undefined) return known
    const access = accessOfAny(labelsBelow(node))
    this.#ofNode.set(node, access)
    return access
  }

  /** Returns who may see a link: `public` if it does not lead to a page of the site. */
  ofHref(href: string): Access {
    if (!this.isOn || !isInternalLink(href)) return 'public'
    const path = pagePathOfUrl(
      siteHref(href)
        .replace(/[?#].*$/s, '')
        .replace(/(?<=.)\/+$/, ''),
    )
    const page = this.#byPath.get(path ?? '') ?? this.#byPath.get(`${path}/index`)
    return page === undefined ? 'public' : (page.access ?? 'default')
  }

  /** Returns true if all readers who see `node` also see `other`. */
  isVisibleToSameReaders(node: NavNode, other: NavNode): boolean {
    if (!this.isOn) return true
    const access = this.ofNode(node)
    return isLabel(access) && grantsAccess(access, this.ofNode(other))
  }

  /** Returns the mark that opens a part for readers with the given access. */
  open(access: Access): string {
    if (!this.isOn || access === 'public') return ''
    // The name must not depend on earlier pages, since cache keys are computed from these parts.
    const name = encodeURIComponent(accessKey(access))
    this.#marked.set(name, access)
    return `${OPEN}${name}${OPENED}`
  }

  close(access: Access): string {
    return !this.isOn || access === 'public' ? '' : CLOSE
  }

  /** Marks a part for readers with the given access. */
  wrap(part: Html, access: Access): Html
  wrap(part: Html | undefined, access: Access): Html | undefined
  wrap(part: Html | undefined, access: Access): Html | undefined {
    if (part === undefined || !this.isOn) return part
    return markup(`${this.open(access)}${part}${this.close(access)}`)
  }

  /** Returns ` href="…"`, marked for readers who may see the page. */
  link(href: string): Html {
    return this.wrap(hrefAttribute(href), this.ofHref(href))
  }

  /** Replaces mark characters in text from other sources. */
  withoutMarks(text: string): string {
    return this.isOn ? text.replaceAll(MARK_CHARACTER, '\uFFFD') : text
  }

  /**
   * Removes the marks from a finished page and returns the ranges that some of its readers may not
   * see.
   */
  take(html: string, label: AccessLabel): LabeledHtml {
    if (!this.isOn) return { html, ranges: [] }
    const ranges = new RangeList(label)
    let text = ''
    let from = 0
    for (const { 0: mark, 1: name, index } of html.matchAll(MARK)) {
      text += ranges.add(html.slice(from, index))
      from = index + mark.length
      if (name === undefined) ranges.close()
      else ranges.open(this.#marked.get(name) ?? [])
    }
    text += ranges.add(html.slice(from))
    return { html: text, ranges: ranges.done() }
  }
}

/**
 * Returns the labels of the pages below an entry; without pages, its own or inherited `public`
 * setting.
 */
function labelsBelow(node: NavDivision | NavGroup): readonly AccessLabel[] {
  const found: AccessLabel[] = []
  const visit = (at: NavNode) => {
    if (at.type === 'page') found.push(at.access ?? 'default')
    else {
      if (at.type === 'group' && at.root !== undefined) visit(at.root)
      for (const child of at.children) if (!child.hidden) visit(child)
    }
  }
  visit(node)
  if (found.length > 0) return found
  let at: NavDivision | NavGroup | undefined = node
  while (at !== undefined && at.details.public === undefined) at = at.parent
  return [at?.details.public === true ? 'public' : 'default']
}

type OpenRange = { readonly start: number; end: number; readonly access: Access }

const ENCODER = new TextEncoder()

/** Collects the ranges of a text from start to end, except those that all readers see. */
class RangeList {
  readonly #label: AccessLabel
  readonly #ranges: OpenRange[] = []
  /** The open ranges; undefined for a mark that all readers of the surrounding part see. */
  readonly #open: (OpenRange | undefined)[] = []
  /** The most recently closed range at each depth. */
  readonly #closed: (OpenRange | undefined)[] = []
  #bytes = 0

  constructor(label: AccessLabel) {
    this.#label = label
  }

  add(text: string): string {
    this.#bytes += ENCODER.encode(text).length
    return text
  }

  open(access: Access): void {
    const depth = this.#open.length
    const before = this.#closed[depth]
    this.#closed[depth + 1] = undefined
    if (this.#isSeenByAll(access)) this.#open.push(undefined)
    // Adjacent entries with the same access share one range.
    else if (before?.end === this.#bytes && accessKey(before.access) === accessKey(access)) {
      this.#open.push(before)
    } else {
      const range = { start: this.#bytes, end: this.#bytes, access }
      this.#ranges.push(range)
      this.#open.push(range)
    }
  }

  close(): void {
    const range = this.#open.pop()
    if (range !== undefined) range.end = this.#bytes
    this.#closed[this.#open.length] = range
  }

  done(): readonly AccessRange[] {
    return this.#ranges.filter(({ start, end }) => end > start)
  }

  #isSeenByAll(access: Access): boolean {
    const around = this.#open.flatMap((range) => (range === undefined ? [] : [range.access]))
    return [this.#label, ...around].some((one) => isLabel(one) && grantsAccess(one, access))
  }
}
