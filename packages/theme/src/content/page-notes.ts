/** Facts about a page, noted while its HTML is written, so that nobody has to read them out of it. */

import type { ComponentNode, PageHeading } from '@octavo/content'
import { withoutCodeMarks } from '@octavo/model'
import { partsOfComponent, STYLE_PARTS, type StylePart } from '../looks/style-parts.ts'
import { isExternal } from '../markup/safe-address.ts'
import { isUtility } from '../utilities/utility-styles.ts'

export const MATH_PARTS: readonly StylePart[] = ['math']
/** An island brings its own text, and what it shows of our components is not known here. */
export const ISLAND_PARTS: readonly StylePart[] = ['components', 'parts']

/** What a page needs of the browser beyond what every page has. */
export type PageFeature = 'diagram' | 'playground'

/** Something of another host that is loaded with the page. */
export type PageLoad = {
  readonly kind: 'images' | 'media' | 'frames'
  readonly url: string
}

/** Highlighted code, and where it stands in the HTML of the page. */
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
  /** By their addresses, each with its kind before it: a page may show one image often. */
  readonly #loads = new Map<string, PageLoad>()
  /** By the id of the heading that they stand below; the first ones below none. */
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

  /** Classes that the author wrote, or a text in which they may stand. */
  useClasses(written: string): void {
    for (const [name] of written.matchAll(CLASS)) this.#classes.add(name)
  }

  useFeature(feature: PageFeature): void {
    this.#features.add(feature)
  }

  /** Says that the page loads this; only what comes from another host is noted. */
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

  /** A changelog lists its updates; what stands inside them stands deeper than other headings. */
  updateBegins(): void {
    this.#isInUpdate = true
  }

  updateEnds(): void {
    this.#isInUpdate = false
  }

  /** A step or an update: it has an address, so the contents list may lead to it. */
  listTitle(node: ComponentNode, written: PageHeading): void {
    if (written.text === '') return
    const title = { ...written, text: withoutCodeMarks(written.text) }
    // Markup may stand on a page twice; links lead to the first.
    if (!this.#titledNodes.has(node)) this.#titledNodes.set(node, title)
    const below = this.#titles.get(this.#heading)
    if (below === undefined) this.#titles.set(this.#heading, [title])
    else below.push(title)
  }

  get features(): readonly PageFeature[] {
    return [...this.#features].toSorted()
  }

  /** Code whose lines stand in the HTML as they were highlighted, without marks around them. */
  get code(): readonly PageCode[] {
    return this.#code
  }

  get loads(): readonly PageLoad[] {
    return [...this.#loads.values()]
  }

  /**
   * Everything that a link can lead to, in the order of the page. Drawings of icons have ids too, but
   * only for one another.
   */
  get ids(): readonly string[] {
    return [...this.#ids]
  }

  /** Components with a title that the contents list leads to. */
  get titles(): ReadonlyMap<ComponentNode, PageHeading> {
    return this.#titledNodes
  }

  /** In the order in which they are linked. */
  get styleParts(): readonly StylePart[] {
    return STYLE_PARTS.filter((part) => this.#parts.has(part))
  }

  /** Those of the author's classes that we have styles for. */
  get utilities(): readonly string[] {
    return [...this.#classes].filter(isUtility).toSorted()
  }

  /** Those of the headings that readers see, with the titles that were noted, in reading order. */
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
