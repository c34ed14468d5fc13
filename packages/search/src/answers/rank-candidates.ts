/** Orders sections by how likely they are to answer a question, with learned weights. */
import { type MeasuredCandidate, SECTION_SIGNALS, type SectionSignals } from './section-signals.ts'

/** A weight for each signal. */
export type SectionWeights = SectionSignals

export type RankedCandidate = MeasuredCandidate & {
  readonly score: number
  /** The candidate's share of the likelihood of all candidates. */
  readonly chance: number
}

/** Added to the score of each section of the page that the reader is viewing. */
const SAME_PAGE = 1.5

/** Returns the candidates, best first. */
export function rankCandidates(
  candidates: readonly MeasuredCandidate[],
  weights: SectionWeights,
  page?: string,
): readonly RankedCandidate[] {
  const nearness = ({ section }: MeasuredCandidate) => (section.page.url === page ? SAME_PAGE : 0)
  const scored = candidates.map((candidate) => {
    return { ...candidate, score: scoreOf(candidate.signals, weights) }
  })
  const most = Math.max(...scored.map(({ score }) => score))
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - most), 0)
  return scored
    .map((one) => ({ ...one, chance: Math.exp(one.score - most) / total }))
    .sort((a, b) => b.score + nearness(b) - a.score - nearness(a))
}

function scoreOf(signals: SectionSignals, weights: SectionWeights): number {
  return SECTION_SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], 0)
}
