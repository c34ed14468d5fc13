/**
 * Finds the gap that a question belongs to. Two questions are similar if their shared words have at
 * least half of the weight of all their words. Rare words have more weight, so sharing `webhook`
 * counts more than sharing the name of the product. A question is added to the gap with the most
 * similar recent question, or to a new gap.
 */
import type { TopicWords } from './topic-words.ts'

/** A gap and its newest questions. */
export type KnownGap = { readonly id: string; readonly questions: readonly string[] }

export type QuestionSorter = {
  /** Returns the id of the gap with the most similar question; undefined if none is similar. */
  readonly find: (question: string) => string | undefined
  /** Records that a question was added to a gap. */
  readonly add: (question: string, gapId: string) => void
}

const SIMILARITY_MIN = 0.5

export function createQuestionSorter(
  known: readonly KnownGap[],
  upcoming: readonly string[],
  topicWords: TopicWords,
): QuestionSorter {
  const gaps = new Map(known.map(({ id, questions }) => [id, questions.map(topicWords)]))
  const all = [...[...gaps.values()].flat(), ...upcoming.map(topicWords)]
  // Count all words before sorting, so that their weight does not depend on the order of the
  // questions.
  const counts = new Map<string, number>()
  for (const word of all.flatMap((words) => [...words]))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  const weightOf = (word: string) => 1 + Math.log((all.length + 1) / ((counts.get(word) ?? 0) + 1))

  function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
    const sum = (words: ReadonlySet<string>) =>
      [...words].reduce((total, word) => total + weightOf(word), 0)
    const shared = sum(one.intersection(other))
    return shared === 0 ? 0 : shared / sum(one.union(other))
  }

  return {
    find(question) {
      const words = topicWords(question)
      let best: { readonly id: string; readonly similarity: number } | undefined
      for (const [id, questions] of gaps) {
        const nearest = Math.max(...questions.map((one) => similarity(words, one)))
        if (nearest >= SIMILARITY_MIN && nearest > (best?.similarity ?? 0))
          best = { id, similarity: nearest }
      }
      return best?.id
    },
    add(question, gapId) {
      gaps.set(gapId, [...(gaps.get(gapId) ?? []), topicWords(question)])
    },
  }
}
