/** Facts about a page, recorded while its HTML is written, so that the HTML need not be parsed. */

import type { ComponentNode, PageHeading } from '@octavo/content'
import { stripCodeMarks } from '@octavo/model'
import { partsOfComponent, STYLE_PARTS, type StylePart } from '../looks/style-parts.ts'
import { isExternal } from '../markup/safe-address.ts'
import { isUtility } from '../utilities/utility-styles.ts'

export const MATH_PARTS: readonly StylePart[] = ['math']
/** The style parts of an island, which may use any component; the build does not know which. */
export const ISLAND_PARTS: readonly StylePart[] = ['components', 'parts']

/** Browser features that a page needs beyond those of every page. */
export type PageFeature = 'diagram' | 'playground'

/** A resource that the page loads from another host. */
export type PageLoad = {
  readonly kind: 'images' | 'media' | 'frames'
  readonly url: string
}

/** Highlighted code with its position in the page's HTML. */
export type PageCode = {
  readonly text: string
  readonly language: string
  readonly start: number
  readonly length: number
}

const CLASS = /[^\s"'`<>{}=;,]+/g

export class PageNotes {
  readonly #parts = new Set<StylePart>()
  readonly #components = new Set<string>()
  readonly #classes = new Set<string>()
  readonly #ids = new Set<string>()
  readonly #features = new Set<PageFeature>()
  /** Keyed by kind and URL, since a page may show the same image several times. */
  readonly #loads = new Map<string, PageLoad>()
  /** Keyed by the ID of the heading above a title; the key is empty before the first heading. */
  readonly #titles = new Map<string, PageHeading[]>()
  readonly #code: PageCode[] = []
  readonly #titledNodes = new Map<ComponentNode, PageHeading>()
  readonly #deeper = new Set<string>()
  #heading = ''
  #isInUpdate = false

  useComponent(name: string): void {
    if (this.#components.has(name)) return
    this.#components.add(name)
    this.useParts(partsOfComponent(name))
  }

  useParts(parts: readonly StylePart[]): void {
    for (const part of parts) this.#parts.add(part)
  }

  /** Records the author's classes. The text may also contain other words. */
  useClasses(written: string): void {
    for (const [name] of written.matchAll(CLASS)) this.#classes.add(name)
  }

  useFeature(feature: PageFeature): void {
    this.#features.add(feature)
  }

  /** Records a resource that the page loads, if it comes from another host. */
  addLoad(kind: PageLoad['kind'], url: string): void {
    if (isExternal(url)) this.#loads.set(`${kind} ${url}`, { kind, url })
  }

  addCode(code: PageCode): void {
    this.#code.push(code)
  }

  addId(id: string): void {
    this.#ids.add(id)
  }

  passHeading(id: string): void {
    this.#heading = id
    if (this.#isInUpdate) this.#deeper.add(id)
  }

  /**
   * Marks the start of a changelog entry. Headings inside the entry get a deeper level in the
   * outline.
   */
  enterUpdate(): void {
    this.#isInUpdate = true
  }

  leaveUpdate(): void {
    this.#isInUpdate = false
  }

  /**
   * Records the title of a step or update. The title has an ID, so the table of contents may link
   * to it.
   */
  listTitle(node: ComponentNode, written: PageHeading): void {
    if (written.text === '') return
    const title = { ...written, text: stripCodeMarks(written.text) }
    // A node may be written twice; links lead to the first occurrence.
    if (!this.#titledNodes.has(node)) this.#titledNodes.set(node, title)
    const below = this.#titles.get(this.#heading)
    if (below === undefined) this.#titles.set(this.#heading, [title])
    else below.push(title)
  }

  get features(): readonly PageFeature[] {
    return [...this.#features].toSorted()
  }

  /** Code blocks whose highlighted HTML has no markup for lines. */
  get code(): readonly PageCode[] {
    return this.#code
  }

  get loads(): readonly PageLoad[] {
    return [...this.#loads.values()]
  }

  /** All link targets, in page order. Icon drawings also have IDs, but only for reuse. */
  get ids(): readonly string[] {
    return [...this.#ids]
  }

  /** Components with a title in the table of contents. */
  get titles(): ReadonlyMap<ComponentNode, PageHeading> {
    return this.#titledNodes
  }

  /** In the order of the stylesheet links. */
  get styleParts(): readonly StylePart[] {
    return STYLE_PARTS.filter((part) => this.#parts.has(part))
  }

  /** Classes in the author's content for which utility styles exist. */
  get utilities(): readonly string[] {
    return [...this.#classes].filter(isUtility).toSorted()
  }

  /** Returns the visible headings together with the recorded titles, in reading order. */
  outline(headings: readonly PageHeading[]): readonly PageHeading[] {
    const visible = headings.filter(({ id }) => this.#ids.has(id))
    if (this.#titles.size === 0) return visible
    const below = (id: string) => this.#titles.get(id) ?? []
    return [
      ...below(''),
      ...visible.flatMap((heading) => [this.#placed(heading), ...below(heading.id)]),
    ]
  }

  #placed(heading: PageHeading): PageHeading {
    return this.#deeper.has(heading.id) ? { ...heading, level: heading.level + 2 } : heading
  }
}
