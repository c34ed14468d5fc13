/**
 * Decides whether the first excerpt answers a question, from these signals: the share of the
 * question's words in the excerpt, how far its section is ahead of all others, and whether the
 * question names something that the site does not mention. The weights are learned.
 */
import type { Excerpt } from '../excerpts/choose-excerpt.ts'
import type { RankedCandidate, SectionWeights } from './rank-candidates.ts'
import { type AskedQuestion, shareOf } from './section-signals.ts'

/** Names of the signals. Each signal has a learned weight. */
export const ANSWER_SIGNALS = [
  'shown',
  'best',
  'label',
  'chance',
  'lead',
  'unknownName',
  'words',
  'path',
  'pairs',
  'number',
  'prose',
] as const

export type AnswerSignals = Readonly<Record<(typeof ANSWER_SIGNALS)[number], number>>

/** A weight for each signal. */
export type AnswerWeights = AnswerSignals & { readonly bias: number }

export type RankingWeights = {
  readonly sections: SectionWeights
  readonly answers: AnswerWeights
}

/** An excerpt is called an answer if its likelihood exceeds this value. */
const ANSWER_MIN = 0.7
/** How well the title of code without a sentence has to match the question. */
const CODE_TITLE_MIN = 0.6
/** Maximum number of words that count toward the length of a question. */
const WORDS_MAX = 8

export type ShownExcerpt = {
  readonly excerpt: Excerpt
  readonly from: RankedCandidate
  readonly second: RankedCandidate | undefined
  readonly question: AskedQuestion
}

export function answerSignals({ excerpt, from, second, question }: ShownExcerpt): AnswerSignals {
  const { page, headings } = from.section
  const { path, pairs, number } = from.signals
  const { parsed, termsOf } = question
  const seen = new Set(termsOf([page.title, ...headings, excerpt.text].join(' ')))
  return {
    shown: shareOf(seen, parsed),
    best: excerpt.best,
    label: excerpt.label,
    chance: from.chance,
    lead: second === undefined ? 0 : from.score - second.score,
    unknownName: parsed.unknownName,
    words: Math.min(parsed.words.length, WORDS_MAX) / WORDS_MAX,
    path,
    pairs,
    number,
    prose: excerpt.isProse ? 1 : 0,
  }
}

export function answerLikelihood(signals: AnswerSignals, weights: AnswerWeights): number {
  const sum = ANSWER_SIGNALS.reduce((so, name) => so + weights[name] * signals[name], weights.bias)
  return 1 / (1 + Math.exp(-sum))
}

/**
 * Returns whether the excerpt is called an answer. Code alone can contain all words of a question
 * without being about it, so its title has to match the question.
 */
export function isAnswer(
  { excerpt, from }: Pick<ShownExcerpt, 'excerpt' | 'from'>,
  likelihood: number,
): boolean {
  const isExplained = !excerpt.isCodeOnly || from.signals.title >= CODE_TITLE_MIN
  return isExplained && likelihood > ANSWER_MIN
}
