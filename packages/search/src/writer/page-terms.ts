/**
 * Encodes which terms are in which sections of a page, with their weights. For each section, the
 * number of its terms comes first; then each term follows as the difference from the previous
 * term's number, with its weight in four bits.
 */
import { stripCodeMarks } from '@octavo/model'
import { ByteWriter } from '../format/bytes.ts'
import {
  HEADING_WEIGHT,
  HEADING_WORDS_MAX,
  headingWeight,
  TITLE_WEIGHT,
} from '../format/index-format.ts'
import type { PageSection } from '../format/page-section.ts'
import type { TermTable } from './term-table.ts'

/** The metadata of a page. */
export type PageFacts = {
  readonly title: string
  readonly description: string | undefined
  readonly sidebarTitle: string | undefined
  readonly keywords: readonly string[] | undefined
  readonly operation: { readonly method: string; readonly path: string } | undefined
}

/**
 * Number of words in a section of average length; in longer sections each word has a lower weight.
 */
const SECTION_WORDS = 120
const TEXT_STEPS = HEADING_WEIGHT
/** Maximum words to process per section. */
const WORDS_MAX = 50_000

export class PageTerms {
  readonly #table: TermTable
  readonly #nameAtEnd: string
  readonly #out = new ByteWriter()
  /**
   * For the current section, by term number: occurrences of the term in the text, and its weight.
   */
  #counts = new Uint32Array(4096)
  #weights = new Uint8Array(4096)
  /** Term numbers of the current section. */
  #seen = new Uint32Array(4096)
  #seenCount = 0
  #wordCount = 0

  constructor(table: TermTable, siteName = '') {
    this.#table = table
    this.#nameAtEnd = siteName === '' ? '' : ` ${siteName.toLowerCase()}`
  }

  encode(page: PageFacts, sections: readonly PageSection[]): Uint8Array {
    this.#out.clear()
    this.#out.number(sections.length)
    for (const [index, section] of sections.entries()) {
      if (index === 0) this.#addTop(page)
      else this.#addHeading(section.heading, HEADING_WEIGHT)
      this.#addText(section.text)
      this.#write()
    }
    return this.#out.take()
  }

  #addTop(page: PageFacts): void {
    const title = stripCodeMarks(page.title)
    this.#addHeading(title, TITLE_WEIGHT)
    // A page called `Install Acme` is the one for `install`.
    if (this.#nameAtEnd !== '' && title.toLowerCase().endsWith(this.#nameAtEnd))
      this.#addHeading(title.slice(0, -this.#nameAtEnd.length), TITLE_WEIGHT)
    const { sidebarTitle, keywords, operation } = page
    if (sidebarTitle !== undefined) this.#addHeading(sidebarTitle, HEADING_WEIGHT)
    // All keywords form one heading, since one of many keywords does not name the page.
    this.#addHeading((keywords ?? []).join(' '), HEADING_WEIGHT)
    if (operation !== undefined)
      this.#addHeading(`${operation.method} ${operation.path}`, HEADING_WEIGHT)
    if (page.description !== undefined) this.#addText(page.description)
  }

  /**
   * Adds the words of a heading. A compound counts as one word and its parts have a lower weight,
   * because `task_engine` is not a `task`.
   */
  #addHeading(heading: string, base: number): void {
    const words = new Set<number>()
    const parts = new Set<number>()
    this.#table.eachWord(heading, ({ parts: own, all }) => {
      const isWhole = all.length === own.length
      for (const term of isWhole ? own : all.slice(own.length)) words.add(term)
      if (!isWhole) for (const term of own) parts.add(term)
    })
    const weight = headingWeight(base, words.size)
    for (const term of words) this.#raise(term, weight)
    for (const term of parts) this.#raise(term, headingWeight(base, HEADING_WORDS_MAX))
  }

  #raise(term: number, weight: number): void {
    this.#see(term)
    if ((this.#weights[term] ?? 0) < weight) this.#weights[term] = weight
  }

  #addText(text: string): void {
    this.#table.eachWord(text, ({ all }) => {
      if (this.#wordCount >= WORDS_MAX) return
      this.#wordCount += 1
      for (const term of all) {
        this.#see(term)
        this.#counts[term] = (this.#counts[term] ?? 0) + 1
      }
    })
  }

  #see(term: number): void {
    if (term >= this.#counts.length) this.#grow(term)
    if (this.#counts[term] !== 0 || this.#weights[term] !== 0) return
    this.#seen[this.#seenCount] = term
    this.#seenCount += 1
  }

  /**
   * Enlarges all three arrays; each has room for all terms, in case one section contains all of
   * them.
   */
  #grow(term: number): void {
    const length = Math.max(term + 1, this.#counts.length * 2)
    const counts = new Uint32Array(length)
    counts.set(this.#counts)
    this.#counts = counts
    const weights = new Uint8Array(length)
    weights.set(this.#weights)
    this.#weights = weights
    const seen = new Uint32Array(length)
    seen.set(this.#seen)
    this.#seen = seen
  }

  #write(): void {
    const terms = this.#seen.subarray(0, this.#seenCount).sort()
    const usual = 1.2 * (0.25 + (0.75 * this.#wordCount) / SECTION_WORDS)
    this.#out.number(terms.length)
    let before = 0
    for (const term of terms) {
      const count = this.#counts[term] ?? 0
      const step = Math.min(TEXT_STEPS - 1, Math.floor((TEXT_STEPS * count) / (count + usual)))
      const weight = Math.max(this.#weights[term] ?? 0, step)
      this.#out.number(((term - before) << 4) | weight)
      before = term
      this.#counts[term] = 0
      this.#weights[term] = 0
    }
    this.#seenCount = 0
    this.#wordCount = 0
  }
}
