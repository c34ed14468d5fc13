/**
 * Finds the sections that fit a question best, each with an excerpt, and decides whether the first
 * excerpt answers it.
 */
import { chooseExcerpt, type Excerpt } from '../excerpts/choose-excerpt.ts'
import { answerLikelihood, answerSignals, isAnswer } from './answer-likelihood.ts'
import { nearestPages, sourceOf } from './answer-source.ts'
import { quotableText } from './cut-section.ts'
import type { RankedQuestion } from './question-ranking.ts'
import type { RankedCandidate } from './rank-candidates.ts'
import type { AskedQuestion } from './section-signals.ts'
import type { Match, Matches, MatchOptions, SiteLibrary } from './site-library.ts'

/** Maximum number of matches to show. */
export const MATCHES_MAX = 3
/** Number of sections to try for each match, because some have nothing to quote. */
const TRIED = 4

export type Shown = {
  readonly match: Match
  readonly excerpt: Excerpt
  readonly from: RankedCandidate
}

export async function findMatches(
  asked: RankedQuestion,
  read: SiteLibrary['read'],
  options: MatchOptions = {},
): Promise<Matches> {
  const { question, found, answerWeights } = asked
  const shown = await chooseShown(asked, read, options)
  const [first, second] = shown
  const signals = first && answerSignals({ ...first, second: second?.from, question })
  const likelihood = signals === undefined ? 0 : answerLikelihood(signals, answerWeights)
  return {
    matches: shown.map(({ match }) => match),
    hasAnswer: first !== undefined && isAnswer(first, likelihood),
    likelihood,
    missing: question.parsed.missing,
    nearest: nearestPages(found),
  }
}

async function chooseShown(
  { question, ranked }: RankedQuestion,
  read: SiteLibrary['read'],
  { limit = MATCHES_MAX, onePerPage = false }: MatchOptions,
): Promise<readonly Shown[]> {
  const shown: Shown[] = []
  let tried = 0
  for (const from of ranked) {
    if (shown.length === limit || tried === limit * TRIED) break
    const isSamePage = (other: Shown) => other.from.section.page === from.section.page
    if (onePerPage && shown.some(isSamePage)) continue
    tried += 1
    const one = await excerptOf(from, question, read)
    if (one !== undefined && isNew(one, shown)) shown.push(one)
  }
  return shown
}

/**
 * Checks that no earlier match contains the text or is part of it: a short section may also be
 * quoted as part of the section above it.
 */
export function isNew({ match }: Shown, shown: readonly Shown[]): boolean {
  return shown.every(({ match: { text } }) => {
    return !text.includes(match.text) && !match.text.includes(text)
  })
}

async function excerptOf(
  from: RankedCandidate,
  question: AskedQuestion,
  read: SiteLibrary['read'],
): Promise<Shown | undefined> {
  const markdown = await read(sourceOf(from.section).url)
  return quoteSection(from, question, markdown ?? from.section.text)
}

/** Returns undefined if the section has nothing to quote. */
export function quoteSection(
  from: RankedCandidate,
  question: AskedQuestion,
  markdown: string,
): Shown | undefined {
  const { section } = from
  const headings = [section.page.title, ...section.headings].join(' ')
  const excerpt = chooseExcerpt(quotableText(markdown, section), question, headings)
  return excerpt && { match: { ...sourceOf(section), text: excerpt.text }, excerpt, from }
}
