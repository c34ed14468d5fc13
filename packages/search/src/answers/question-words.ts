/**
 * Measures which words of a question occur on a site, and how significant each of them is there.
 */
import { stemOf } from '../engine/word-stem.ts'
import type { WeightedWord } from '../excerpts/choose-excerpt.ts'
import type { LanguageWords } from '../words/language-words.ts'
import { eachWord, splitWord } from '../words/split-words.ts'
import { synonymGroups } from '../words/word-synonyms.ts'
import { Pace, type Pause } from './pace.ts'
import type { LibrarySection } from './site-library.ts'

/** The distinct words of a question. */
export type QuestionWords = {
  readonly words: readonly WeightedWord[]
  readonly total: number
  /**
   * 1 if the question contains a name that the site never mentions, 0.5 if the site hardly mentions
   * it, else 0.
   */
  readonly unknownName: number
  /** Names in the question that the site never mentions, in their original spelling. */
  readonly missing: readonly string[]
}

/** Weight of a synonym relative to the word itself. */
const SYNONYM_SHARE = 0.5
/** Maximum distinct words to count per site; later ones are treated as unknown. */
const STEMS_MAX = 500_000
/** Characters to process between two pauses: about 50 ms, but five times as long for Chinese. */
export const WORDS_UNPAUSED_LENGTH = 200_000
/** Estimated memory of a word and its count. */
const STEM_BYTES = 80
/** Maximum words whose stems are cached, because most words occur repeatedly. */
const WORDS_MAX = 20_000
/** Estimated memory of a cached word. */
const WORD_BYTES = 150
/** A name in at most this many sections counts as hardly mentioned. */
const RARE_SECTIONS_MAX = 2

export class SiteWords {
  readonly #language: LanguageWords
  readonly #functionWords: ReadonlySet<string>
  readonly #synonyms: readonly (readonly string[])[]
  readonly #sections: readonly LibrarySection[]
  /** The number of sections that contain each stem. */
  readonly #counts = new Map<string, number>()
  #counting: Promise<void> | undefined
  readonly #stemsByWord = new Map<string, readonly string[]>()

  constructor(sections: readonly LibrarySection[], language: LanguageWords) {
    this.#sections = sections
    this.#language = language
    this.#functionWords = new Set(language.functionWords)
    const groups = synonymGroups(language)
    this.#synonyms = groups.map((group) => group.flatMap((word) => this.stems(word)))
  }

  /** Estimated memory of the counts and of the cached words. */
  get cacheBytes(): number {
    return this.#counts.size * STEM_BYTES + this.#stemsByWord.size * WORD_BYTES
  }

  /** Must be called once before any other method. */
  count(pause?: Pause): Promise<void> {
    this.#counting ??= this.#countAll(pause).catch((error: unknown) => {
      // Allow the next question to retry.
      this.#counting = undefined
      throw error
    })
    return this.#counting
  }

  /** Splits a question into words, weighted by their rarity. */
  parse(question: string): QuestionWords {
    const counts = this.#counts
    const all = this.#sections.length
    const words = [...new Set(this.stems(question))].map((term) => {
      const count = counts.get(term) ?? 0
      const groups = this.#synonyms.filter((group) => group.includes(term)).flat()
      const weight = Math.log(1 + (all - count + 0.5) / (count + 0.5))
      return { term, weight, others: groups.filter((other) => other !== term) }
    })
    const total = words.reduce((sum, { weight }) => sum + weight, 0)
    return { words, total, ...this.#unknownNames(question) }
  }

  /** Returns the share of a question's words for which `has` is true, weighted by rarity. */
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
    return new Set(this.stems(`${page.title} ${about} ${headings.join(' ')} ${text}`))
  }

  #unknownNames(question: string): Pick<QuestionWords, 'unknownName' | 'missing'> {
    const counts = this.#counts
    let least = Number.POSITIVE_INFINITY
    const missing: string[] = []
    for (const name of namesOf(question)) {
      const terms = this.stems(name)
      if (terms.length === 0) continue
      const most = Math.max(...terms.map((term) => counts.get(term) ?? 0))
      if (most === 0) missing.push(name)
      least = Math.min(least, most)
    }
    const rarity = least <= RARE_SECTIONS_MAX ? 0.5 : 0
    return { unknownName: missing.length > 0 ? 1 : rarity, missing }
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

  /** Returns the stems of all words except function words, and of each whole compound name. */
  stems(text: string): readonly string[] {
    const stems: string[] = []
    eachWord(text, (word) => {
      for (const stem of this.#stemsOfWord(word)) stems.push(stem)
    })
    return stems
  }

  #stemsOfWord(word: string): readonly string[] {
    const known = this.#stemsByWord.get(word)
    if (known !== undefined) return known
    const { pieces, whole } = splitWord(word)
    const stems = pieces.flatMap(({ term, kind }) => {
      if (kind === 'tail' || this.#functionWords.has(term)) return []
      return [stemOf(term, this.#language.endings)]
    })
    if (whole !== undefined) stems.push(whole)
    if (this.#stemsByWord.size >= WORDS_MAX) this.#stemsByWord.clear()
    this.#stemsByWord.set(word, stems)
    return stems
  }
}

/**
 * Returns words that are probably names, such as `Heroku` and `GraphQL`. A capital letter at the
 * start of a sentence does not count.
 */
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
