import { hasRealWords } from './real-words.ts'
import { createQuestionSorter } from './sort-questions.ts'
import type { Gap, GapStore, UnsortedQuestion } from './store.ts'
import { createTopicWords } from './topic-words.ts'

type Into = {
  readonly store: GapStore
  /** The gaps to which questions can be added. */
  readonly gaps: readonly Gap[]
  readonly languages?: readonly string[]
}

/**
 * Adds each question to a gap. Returns the ids of the gaps, without questions whose conversation no
 * longer exists.
 */
export async function sortIntoGaps(
  questions: readonly UnsortedQuestion[],
  { store, gaps, languages = [] }: Into,
): Promise<readonly string[]> {
  const sorter = createQuestionSorter(
    gaps.map(({ id, examples }) => ({ id, questions: examples })),
    questions.map(({ query }) => query),
    createTopicWords(languages),
  )
  const ids: string[] = []
  for (const question of questions) {
    const { query } = question
    const gapId = await store.add(question, sorter.find(query), hasRealWords(query))
    if (gapId === undefined) continue
    sorter.add(query, gapId)
    ids.push(gapId)
  }
  return ids
}
