import type { ComponentNode, HeadingNode, IslandNode, PageHeading } from './page-tree.ts'

export type SectionHead = {
  readonly id: string
  readonly path: readonly string[]
  readonly heading: string
}

/** The headings and titles that begin sections. */
export type SectionNames = {
  /** A heading that is not listed is text of the section around it. */
  readonly headings: readonly PageHeading[]
  /** Components whose titles have an address: steps and changelog entries. */
  readonly titles?: ReadonlyMap<ComponentNode | IslandNode, PageHeading>
}

/** The parents of a text: titles of enclosing components, then headings in the innermost one. */
type Place = {
  readonly section: number
  readonly titles: readonly string[]
  readonly headings: readonly { readonly level: number; readonly text: string }[]
}

/** The section of a component with a title. */
type TitledSection = {
  readonly titleProp: string | undefined
  /** Called after the title. */
  readonly beginText: (at: number) => void
  /** Returns to the section around the component. */
  readonly end: (at: number) => void
}

/** The first of these props that a component has is its title. */
const TITLE_PROPS = ['title', 'label']

/**
 * Records which pieces of a page's text belong to which section. A section may have several parts:
 * the text after a list of steps belongs to the heading above the steps again.
 */
export class SectionMarks {
  readonly heads: SectionHead[] = [{ id: '', path: [], heading: '' }]
  /** The section from each piece of text on; undefined for the headings themselves. */
  readonly marks: { readonly section: number | undefined; readonly at: number }[] = []
  readonly #headings: ReadonlyMap<string, string>
  readonly #titles: SectionNames['titles']
  /** A link leads to the first element with an id, so later ones do not begin a section. */
  readonly #begun = new Set<string>()
  #place: Place = { section: 0, titles: [], headings: [] }

  constructor({ headings, titles }: SectionNames) {
    this.#headings = new Map(headings.map(({ id, text }) => [id, text]))
    this.#titles = titles
    this.#beginText(0)
  }

  /** Begins the section of a heading. Returns a function to call after the heading. */
  begin({ id, level }: HeadingNode, at: number): ((at: number) => void) | undefined {
    const text = this.#headings.get(id)
    if (text === undefined || this.#begun.has(id)) return undefined
    const { titles } = this.#place
    const above = this.#place.headings.filter((heading) => heading.level < level)
    const path = pathOf({ titles, headings: above })
    const section = this.#add({ id, path, heading: text }, at)
    this.#place = { section, titles, headings: [...above, { level, text }] }
    return this.#beginText
  }

  /** Begins the section of a component if its title has an address. */
  enter(node: ComponentNode | IslandNode, at: number): TitledSection | undefined {
    const title = this.#titles?.get(node)
    if (title === undefined || this.#begun.has(title.id)) return undefined
    const titleProp = TITLE_PROPS.find((name) => /string|number/.test(typeof node.props[name]))
    const outside = this.#place
    const path = pathOf(outside)
    const section = this.#add({ id: title.id, path, heading: title.text }, at)
    this.#place = { section, titles: [...path, title.text], headings: [] }
    const end = (behind: number): void => {
      this.#place = outside
      this.#beginText(behind)
    }
    return { titleProp, beginText: this.#beginText, end }
  }

  /** Returns a function that undoes everything marked since. */
  remember(): () => void {
    const place = this.#place
    const lengths = { heads: this.heads.length, marks: this.marks.length }
    return () => {
      this.#place = place
      this.marks.length = lengths.marks
      for (const { id } of this.heads.splice(lengths.heads)) this.#begun.delete(id)
    }
  }

  #add(head: SectionHead, at: number): number {
    this.#begun.add(head.id)
    this.marks.push({ section: undefined, at })
    return this.heads.push(head) - 1
  }

  readonly #beginText = (at: number): void => {
    this.marks.push({ section: this.#place.section, at })
  }
}

function pathOf({ titles, headings }: Pick<Place, 'titles' | 'headings'>): readonly string[] {
  return [...titles, ...headings.map(({ text }) => text)].filter((text) => text !== '')
}
