import type { LabeledQuestion, SiteLibrary } from '@octavo/search'

/** The values of k that recall is computed for. */
export const RECALL_PLACES = [1, 5, 10] as const

/** A question with the rank of its page in the search results and the likelihood of an answer. */
export type QuestionResult = {
  readonly question: string
  readonly isAnswerable: boolean
  /**
   * The rank of the first page that answers the question, starting at 0; undefined if none was
   * found.
   */
  readonly place: number | undefined
  /** The likelihood that the best excerpt is an answer. */
  readonly likelihood: number
  /** True if the best excerpt is shown as an answer. */
  readonly isAnswered: boolean
}

export type Evaluation = {
  readonly questions: number
  readonly recall: Readonly<Record<(typeof RECALL_PLACES)[number], number>>
  readonly mrr: number
  /**
   * The share of answerable questions that get an answer, and of unanswerable ones that get none.
   */
  readonly agreement: {
    readonly answerable: number
    readonly unanswerable: number
    /** The probability that an answerable question ranks above an unanswerable one. */
    readonly auc: number
  }
}

/** The number of sections to request; several of them can belong to one page. */
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
    const { likelihood, hasAnswer, missing } = await library.findMatches(question)
    const isAnswerable = pages.size > 0
    results.push({
      question,
      isAnswerable,
      likelihood: missing.length > 0 ? 0 : likelihood,
      isAnswered: hasAnswer && missing.length === 0,
      place: place < 0 ? undefined : place,
    })
  }
  return results
}

export function evaluate(results: readonly QuestionResult[]): Evaluation {
  const known = results.filter(({ isAnswerable }) => isAnswerable)
  const others = results.filter(({ isAnswerable }) => !isAnswerable)
  const within = (places: number) =>
    share(known, ({ place }) => place !== undefined && place < places)
  const answerable = share(known, ({ isAnswered }) => isAnswered)
  const unanswerable = share(others, ({ isAnswered }) => !isAnswered)
  return {
    questions: results.length,
    recall: { 1: within(1), 5: within(5), 10: within(10) },
    mrr: mean(known.map(({ place }) => (place === undefined ? 0 : 1 / (place + 1)))),
    agreement: {
      answerable,
      unanswerable,
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

/**
 * Returns the mean. It is 1 for an empty list, so that a missing kind of question does not lower a
 * score.
 */
function mean(numbers: readonly number[]): number {
  if (numbers.length === 0) return 1
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
