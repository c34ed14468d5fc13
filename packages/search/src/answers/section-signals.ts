/** Measures how well sections fit a question. The weights of these signals are learned. */
import { chooseExcerpt, type ExcerptQuestion } from '../excerpts/choose-excerpt.ts'
import type { Pace } from './pace.ts'
import type { QuestionWords, SiteWords } from './question-words.ts'
import type { LibrarySection } from './site-library.ts'

/** A section that may answer a question. */
export type Candidate = {
  readonly section: LibrarySection
  /**
   * The section's score in the index relative to the best section; 0 if only its page was found.
   */
  readonly indexed: number
  /** The cosine of the section's nearest vector to the question; undefined without vectors. */
  readonly cosine: number | undefined
  /** The rank of the section's page in the search results, starting from 0. */
  readonly pagePlace: number
}

/** Names of the signals. Each signal has a learned weight. */
export const SECTION_SIGNALS = [
  'indexed',
  'bm25',
  'page',
  'coverage',
  'best',
  'title',
  'heading',
  'path',
  'pairs',
  'number',
  'limit',
  'operation',
  'intro',
  'length',
  'meaning',
] as const

/** Number of characters to measure at the beginning of a section. */
const MEASURED_LENGTH = 6_000
const BM25 = { k: 1.2, b: 0.6, usualLength: 80, headingTimes: 2 } as const
const SYNONYM_SHARE = 0.5
/** Value of two neighboring words in reverse order: `bun install` differs from `install bun`. */
const REVERSED_SHARE = 0.3
/** Maximum length of a line that ends with a question mark and is therefore treated as a title. */
const QUESTION_LINE_MAX = 150
/** Matches words that often appear next to a limit. */
const LIMIT =
  /\b(?:limit(?:s|ed)?|max(?:imum)?|min(?:imum)?|at most|at least|up to|(?:no )?more than|per (?:second|minute|hour|day|month))\b/i
const ASKS_NUMBER =
  /\bhow (?:long|many|much|often|big|large|fast)\b|\b(?:limit|max|maximum|min|minimum|price|cost|fee|rate|default|port|day|hour|version)s?\b/i

export type AskedQuestion = ExcerptQuestion & {
  readonly parsed: QuestionWords
  readonly text: string
}

export function askedQuestion(text: string, words: SiteWords): AskedQuestion {
  const parsed = words.parse(text)
  return {
    text,
    parsed,
    words: parsed.words,
    wantsNumber: ASKS_NUMBER.test(text),
    termsOf: (own) => words.stems(own),
  }
}

export type SectionSignals = Readonly<Record<(typeof SECTION_SIGNALS)[number], number>>

type WordSignals = Omit<SectionSignals, 'meaning'>

export type MeasuredCandidate = Candidate & { readonly signals: SectionSignals }

export async function measureCandidates(
  candidates: readonly Candidate[],
  question: AskedQuestion,
  pace: Pace,
): Promise<readonly MeasuredCandidate[]> {
  const measured: WordSignals[] = []
  for (const candidate of candidates) {
    measured.push(measure(candidate, question))
    await pace.after(Math.min(candidate.section.text.length, MEASURED_LENGTH))
  }
  const most = Math.max(...measured.map(({ bm25 }) => bm25), Number.MIN_VALUE)
  const meanings = meaningsOf(candidates)
  return candidates.flatMap((candidate, at) => {
    const signals = measured[at]
    if (signals === undefined) return []
    const meaning = meanings[at] ?? 0
    return [{ ...candidate, signals: { ...signals, bm25: signals.bm25 / most, meaning } }]
  })
}

/**
 * Returns a value for the rank of each candidate by its cosine. Ranks, unlike cosines, are in the
 * same range for every question and model.
 */
function meaningsOf(candidates: readonly Candidate[]): readonly number[] {
  const meanings = candidates.map(() => 0)
  const order = [...candidates.entries()]
    .flatMap(([at, { cosine }]) => (cosine === undefined ? [] : [{ at, cosine }]))
    .sort((a, b) => b.cosine - a.cosine)
  for (const [place, { at }] of order.entries()) meanings[at] = -Math.log(1 + place)
  return meanings
}

function measure({ section, indexed, pagePlace }: Candidate, question: AskedQuestion): WordSignals {
  const { page, id, headings } = section
  const { termsOf } = question
  const isIntro = id === ''
  const text = `${isIntro ? `${page.description}\n` : ''}${section.text.slice(0, MEASURED_LENGTH)}`
  const excerpt = chooseExcerpt(asMarkdown(text), question)
  const heading = termsOf(headings.at(-1) ?? page.title)
  const path = termsOf([...page.trail, page.title, ...headings].join(' '))
  const body = termsOf(text)
  const all = new Set([...path, ...body])
  return {
    indexed,
    bm25: bm25Of(body, [...termsOf(page.title), ...heading], question.parsed),
    page: -Math.log(1 + pagePlace),
    coverage: excerpt?.coverage ?? 0,
    best: excerpt?.best ?? 0,
    title: Math.max(excerpt?.label ?? 0, fitOf(heading, question.parsed)),
    heading: shareOf(new Set(heading), question.parsed),
    path: shareOf(all, question.parsed),
    pairs: pairsOf([...path, ...body], termsOf(question.text)),
    number: question.wantsNumber && excerpt?.hasNumber ? 1 : 0,
    limit: question.wantsNumber && LIMIT.test(`${headings.at(-1) ?? ''} ${excerpt?.text}`) ? 1 : 0,
    operation: page.operation === undefined ? 0 : 1,
    intro: isIntro ? 1 : 0,
    length: Math.log(1 + section.text.length),
  }
}

/**
 * Converts the text of a section, which has one line per block, to Markdown with questions in bold.
 */
function asMarkdown(text: string): string {
  const lines = text.split('\n').map((line) => {
    const isTitle = line.endsWith('?') && line.length <= QUESTION_LINE_MAX
    return isTitle ? `**${line}**` : line
  })
  return lines.join('\n\n')
}

function bm25Of(
  body: readonly string[],
  headings: readonly string[],
  { words }: QuestionWords,
): number {
  const { k, b, usualLength, headingTimes } = BM25
  const counts = new Map<string, number>()
  const count = (term: string, times: number) => counts.set(term, (counts.get(term) ?? 0) + times)
  for (const term of body) count(term, 1)
  for (const term of headings) count(term, headingTimes)
  const length = body.length + headings.length * headingTimes
  const base = k * (1 - b + (b * length) / usualLength)
  return words.reduce((sum, { term, weight, others }) => {
    const times =
      counts.get(term) ??
      Math.max(0, ...others.map((other) => counts.get(other) ?? 0)) * SYNONYM_SHARE
    return sum + (weight * times * (k + 1)) / (times + base)
  }, 0)
}

export function shareOf(terms: ReadonlySet<string>, { words, total }: QuestionWords): number {
  if (total === 0) return 0
  const sum = words.reduce((so, { term, weight, others }) => {
    if (terms.has(term)) return so + weight
    return others.some((other) => terms.has(other)) ? so + weight * SYNONYM_SHARE : so
  }, 0)
  return sum / total
}

/** Returns how closely a title matches the question: 1 if both have the same words. */
function fitOf(terms: readonly string[], question: QuestionWords): number {
  const asked = new Set(question.words.flatMap(({ term, others }) => [term, ...others]))
  const common = terms.filter((term) => asked.has(term)).length
  return terms.length === 0 ? 0 : (shareOf(new Set(terms), question) * common) / terms.length
}

/**
 * Returns the share of neighboring word pairs in the question that are also neighbors in the
 * section.
 */
function pairsOf(terms: readonly string[], asked: readonly string[]): number {
  if (asked.length < 2) return 0
  const pairs = new Set(terms.slice(1).map((term, at) => `${terms[at]} ${term}`))
  const wanted = asked.slice(1).map((term, at) => [asked[at], term] as const)
  const values = wanted.map(([a, b]) => {
    if (pairs.has(`${a} ${b}`)) return 1
    return pairs.has(`${b} ${a}`) ? REVERSED_SHARE : 0
  })
  return values.reduce<number>((sum, value) => sum + value, 0) / wanted.length
}
