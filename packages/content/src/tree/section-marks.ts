import type { ComponentNode, HeadingNode, IslandNode, PageHeading } from './page-tree.ts'

export type SectionHead = {
  readonly id: string
  readonly path: readonly string[]
  readonly heading: string
}

/** The headings and titles that begin sections. */
export type SectionNames = {
  /** The headings that begin a section. Other headings are text of the section around them. */
  readonly headings: readonly PageHeading[]
  /**
   * Components whose titles begin a section because they have an anchor: steps and changelog
   * entries.
   */
  readonly titles?: ReadonlyMap<ComponentNode | IslandNode, PageHeading>
}

/**
 * The current section and its parents: the titles of enclosing components, then the headings in the
 * innermost component.
 */
type Place = {
  readonly section: number
  readonly titles: readonly string[]
  readonly headings: readonly { readonly level: number; readonly text: string }[]
}

/** The section of a component with a title. */
type TitledSection = {
  readonly titleProp: string | undefined
  /** To be called after the title. */
  readonly beginText: (at: number) => void
  /** To be called after the component, to return to the section around it. */
  readonly end: (at: number) => void
}

/** Props that can be the title of a component. The first one that is set is used. */
const TITLE_PROPS = ['title', 'label']

/**
 * Records which pieces of a page's text belong to which section. A section may have several parts:
 * the text after a list of steps belongs to the same section as the text before it.
 */
export class SectionMarks {
  readonly heads: SectionHead[] = [{ id: '', path: [], heading: '' }]
  /**
   * The index of the first piece of text in each part of a section. The section is undefined for
   * the text of headings.
   */
  readonly marks: { readonly section: number | undefined; readonly at: number }[] = []
  readonly #headings: ReadonlyMap<string, string>
  readonly #titles: SectionNames['titles']
  /**
   * The ids of the sections so far. A link leads to the first element with an id, so later elements
   * with this id begin no section.
   */
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

  /** Begins the section of a component if its title has an anchor. */
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

  /** Returns a function that undoes all marks made after this call. */
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
