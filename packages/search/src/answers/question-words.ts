/** Measures which words of a question a site knows, and how significant each is there. */
import { stemOf } from '../engine/word-stem.ts'
import type { LanguageWords } from '../words/language-words.ts'
import { eachWord, splitWord } from '../words/split-words.ts'
import { synonymGroups } from '../words/word-synonyms.ts'
import { Pace, type Pause } from './pace.ts'
import type { LibrarySection } from './site-library.ts'

/** The distinct words of a question. */
export type QuestionWords = {
  readonly words: readonly {
    readonly weight: number
    readonly others: readonly string[]
    readonly term: string
  }[]
  readonly total: number
  /**
   * 1 if the question names something that the site never mentions, 0.5 if the site hardly does,
   * else 0.
   */
  readonly unknownName: number
}

/** Weight of a synonym relative to the word itself. */
const SYNONYM_SHARE = 0.5
/** Maximum distinct words counted per site; later ones count as unknown. */
const STEMS_MAX = 500_000
/** Characters processed without a pause: about 50 ms, five times as long for Chinese. */
export const WORDS_UNPAUSED_LENGTH = 200_000
/** Estimated memory of a word and its count. */
const STEM_BYTES = 80
/** A name in at most this many sections is hardly mentioned. */
const RARE_SECTIONS_MAX = 2

export class SiteWords {
  readonly #language: LanguageWords
  readonly #functionWords: ReadonlySet<string>
  readonly #synonyms: readonly (readonly string[])[]
  readonly #sections: readonly LibrarySection[]
  /** The number of sections that have a stem. */
  readonly #counts = new Map<string, number>()
  #counting: Promise<void> | undefined

  constructor(sections: readonly LibrarySection[], language: LanguageWords) {
    this.#sections = sections
    this.#language = language
    this.#functionWords = new Set(language.functionWords)
    const groups = synonymGroups(language.code)
    this.#synonyms = groups.map((group) => group.flatMap((word) => this.#stems(word)))
  }

  /** Estimated memory of the counts. */
  get cacheBytes(): number {
    return this.#counts.size * STEM_BYTES
  }

  /** Must be called once before any other method. */
  count(pause?: Pause): Promise<void> {
    this.#counting ??= this.#countAll(pause).catch((error: unknown) => {
      // The next question retries.
      this.#counting = undefined
      throw error
    })
    return this.#counting
  }

  /** Splits a question into words, weighted by their rarity. */
  parse(question: string): QuestionWords {
    const counts = this.#counts
    const all = this.#sections.length
    const words = [...new Set(this.#stems(question))].map((term) => {
      const count = counts.get(term) ?? 0
      const groups = this.#synonyms.filter((group) => group.includes(term)).flat()
      const weight = Math.log(1 + (all - count + 0.5) / (count + 0.5))
      return { term, weight, others: groups.filter((other) => other !== term) }
    })
    const total = words.reduce((sum, { weight }) => sum + weight, 0)
    return { words, total, unknownName: this.#unknownName(question) }
  }

  /** The share of a question's words that a text has, weighted by rarity. */
  share({ words, total }: QuestionWords, has: (term: string) => boolean): number {
    if (total === 0) return 0
    let sum = 0
    for (const { term, weight, others } of words) {
      if (has(term)) sum += weight
      else if (others.some(has)) sum += weight * SYNONYM_SHARE
    }
    return sum / total
  }

  knows(term: string): boolean {
    return this.#counts.has(term)
  }

  termsOf({ page, id, headings, text }: LibrarySection): ReadonlySet<string> {
    const about = id === '' ? page.description : ''
    return new Set(this.#stems(`${page.title} ${about} ${headings.join(' ')} ${text}`))
  }

  #unknownName(question: string): number {
    const counts = this.#counts
    let least = Number.POSITIVE_INFINITY
    for (const name of namesOf(question)) {
      const terms = this.#stems(name)
      if (terms.length > 0)
        least = Math.min(least, Math.max(...terms.map((term) => counts.get(term) ?? 0)))
    }
    if (least === 0) return 1
    return least <= RARE_SECTIONS_MAX ? 0.5 : 0
  }

  async #countAll(pause: Pause | undefined): Promise<void> {
    const counts = this.#counts
    counts.clear()
    const pace = new Pace(pause, WORDS_UNPAUSED_LENGTH)
    for (const section of this.#sections) {
      for (const term of this.termsOf(section)) {
        const count = counts.get(term) ?? 0
        if (count > 0 || counts.size < STEMS_MAX) counts.set(term, count + 1)
      }
      await pace.after(section.text.length)
    }
  }

  /** Returns stems without function words; compound names also as a whole. */
  #stems(text: string): readonly string[] {
    const stems: string[] = []
    eachWord(text, (word) => {
      const { pieces, whole } = splitWord(word)
      for (const { term, kind } of pieces) {
        if (kind === 'tail' || this.#functionWords.has(term)) continue
        stems.push(stemOf(term, this.#language.endings))
      }
      if (whole !== undefined) stems.push(whole)
    })
    return stems
  }
}

/** Capitalized words that do not start a sentence: `Heroku`, `GraphQL`. */
function namesOf(question: string): readonly string[] {
  const names: string[] = []
  eachWord(question, (word, start) => {
    const before = question.slice(0, start).trimEnd()
    const isFirst = before === '' || /[.?!:]$/.test(before)
    const hasCapital = isFirst ? /\p{Lu}/u.test(word.slice(1)) : /\p{Lu}/u.test(word)
    if (hasCapital && !/^I(?:['’]|$)/.test(word)) names.push(word)
  })
  return names
}
