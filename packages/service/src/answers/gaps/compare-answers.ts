/** Compares the answers that readers see in a preview with those in the live deployment. */
import type { AnswerForecast } from '@octavo/contract'
import { compareAnswers, type SiteLibrary, showAnswer } from '@octavo/search'
import type { NamedQuestion } from './compared-questions.ts'

/** The maximum number of lost questions that are stored. */
const LOST_MAX = 20

type ComparedAnswers = {
  readonly questions: readonly NamedQuestion[]
  readonly live: SiteLibrary
  readonly preview: SiteLibrary
  /** Returns true if no more questions may be asked. */
  readonly isOver: () => boolean
}

/**
 * Asks the questions in both deployments, without a model. Questions of authors may be untrusted,
 * since they come from the preview. Questions for which there is no time are not counted. Returns
 * undefined if there are no questions.
 */
export async function compareDeployments({
  questions,
  live,
  preview,
  isOver,
}: ComparedAnswers): Promise<AnswerForecast | undefined> {
  if (questions.length === 0) return undefined
  const lost: string[] = []
  const counts = { questions: 0, lostCount: 0, gained: 0, changed: 0 }
  for (const question of questions) {
    if (isOver()) break
    const [before, now] = [await showAnswer(live, question), await showAnswer(preview, question)]
    const [change] = compareAnswers([before], [now])
    counts.questions += 1
    if (change?.kind === 'lost') {
      counts.lostCount += 1
      if (lost.length < LOST_MAX) lost.push(question.name)
    } else if (change !== undefined) counts[change.kind] += 1
  }
  return { ...counts, lost }
}
