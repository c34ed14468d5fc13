import type { SiteLibrary } from '@octavo/search'
import type { LabeledQuestion } from './parse-questions.ts'

/** The values of k that recall is computed for. */
export const RECALL_PLACES = [1, 5, 10] as const

/** A question with its search rank and answer likelihood. */
export type QuestionResult = {
  readonly question: string
  readonly isAnswerable: boolean
  /**
   * Rank of the first page that answers the question, from 0; undefined if no such page was found.
   */
  readonly place: number | undefined
  /** Above 0.5 the question counts as answered. */
  readonly likelihood: number
}

export type Evaluation = {
  readonly questions: number
  readonly recall: Readonly<Record<(typeof RECALL_PLACES)[number], number>>
  readonly mrr: number
  /** Shares of the questions that were classified as labeled. */
  readonly agreement: {
    readonly answerable: number
    readonly unanswerable: number
    /** The mean of both shares. */
    readonly balanced: number
    /** The share of pairs in which the answerable question has the higher likelihood. */
    readonly auc: number
  }
}

/** Number of sections requested; several of them can belong to one page. */
const SECTIONS_MAX = 60

export async function askAll(
  library: SiteLibrary,
  questions: readonly LabeledQuestion[],
): Promise<readonly QuestionResult[]> {
  const results: QuestionResult[] = []
  for (const { question, pages } of questions) {
    const found = await library.search(question, SECTIONS_MAX)
    const urls = [...new Set(found.map(({ section }) => section.page.url))]
    const place = urls.findIndex((url) => pages.has(url))
    const { likelihood = 1 } = (await library.support?.(question)) ?? {}
    const isAnswerable = pages.size > 0
    results.push({ question, isAnswerable, likelihood, place: place < 0 ? undefined : place })
  }
  return results
}

export function evaluate(results: readonly QuestionResult[]): Evaluation {
  const known = results.filter(({ isAnswerable }) => isAnswerable)
  const others = results.filter(({ isAnswerable }) => !isAnswerable)
  const within = (places: number) =>
    share(known, ({ place }) => place !== undefined && place < places)
  const answerable = share(known, ({ likelihood }) => likelihood > 0.5)
  const unanswerable = share(others, ({ likelihood }) => likelihood <= 0.5)
  return {
    questions: results.length,
    recall: { 1: within(1), 5: within(5), 10: within(10) },
    mrr: mean(known.map(({ place }) => (place === undefined ? 0 : 1 / (place + 1)))),
    agreement: {
      answerable,
      unanswerable,
      balanced: (answerable + unanswerable) / 2,
      auc: areaUnderCurve(known, others),
    },
  }
}

function areaUnderCurve(
  known: readonly QuestionResult[],
  others: readonly QuestionResult[],
): number {
  const pairs = known.flatMap(({ likelihood }) =>
    others.map((other) => {
      if (likelihood === other.likelihood) return 0.5
      return likelihood > other.likelihood ? 1 : 0
    }),
  )
  return mean(pairs)
}

function share<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return mean(items.map((item) => (is(item) ? 1 : 0)))
}

/** Returns 1 for an empty list, so that a missing kind of question does not lower a score. */
function mean(numbers: readonly number[]): number {
  if (numbers.length === 0) return 1
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
