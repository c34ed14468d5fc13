/** Answers to questions that were asked before, of the same deployment by readers who see the same. */
import { createHash } from 'node:crypto'
import type { AnswerOutcome, Question } from '@octavo/search'
import { LRUCache } from 'lru-cache'

export type CachedAnswer = {
  readonly text: string
  readonly outcome: AnswerOutcome
  readonly model: string | undefined
}

/** Everything beside the question that an answer depends on. */
export type AnswerPlace = {
  readonly projectId: string
  readonly deploymentId: string
  readonly scope: string | undefined
  /** What readers with the same labels have in common. */
  readonly labels: string
  /** The answerer and its settings. */
  readonly answerer: string
  /** Vectors come some minutes after their deployment, and find more. */
  readonly hasVectors: boolean
}

const BYTES_MAX = 32 * 1024 * 1024
const BYTES_PER_CHARACTER = 2
const ENTRY_BYTES = 2_000
/** Nothing that was erased stays longer than this. Questions are known by their digest alone. */
const KEPT_MS = 60 * 60_000
/** Asking again would give another outcome. */
const PASSING = new Set(['stopped', 'budget', 'provider-error', 'interrupted'])

export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer>

  constructor(now: () => number) {
    this.#answers = new LRUCache({
      maxSize: BYTES_MAX,
      sizeCalculation: ({ text }) => ENTRY_BYTES + text.length * BYTES_PER_CHARACTER,
      ttl: KEPT_MS,
      perf: { now },
    })
  }

  /** Nothing for a question that depends on what was said before. */
  keyOf(question: Question, place: AnswerPlace): string | undefined {
    if (question.history.length > 0) return undefined
    const parts = [...Object.values(place), question.page, normalise(question.text)]
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
  }

  get(key: string | undefined): CachedAnswer | undefined {
    return key === undefined ? undefined : this.#answers.get(key)
  }

  set(key: string | undefined, answer: CachedAnswer): void {
    const { outcome } = answer
    if (key === undefined || (outcome.status === 'unanswered' && PASSING.has(outcome.reason)))
      return
    this.#answers.set(key, answer)
  }
}

function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s?!.]+$/, '')
    .trim()
}
