/** Caches answers by question, deployment and reader labels. */
import { createHash } from 'node:crypto'
import type { AnswerOutcome, Question } from '@octavo/search'
import { LRUCache } from 'lru-cache'

export type CachedAnswer = {
  readonly text: string
  readonly outcome: AnswerOutcome
  readonly model: string | undefined
}

/** Everything besides the question that an answer depends on. */
export type AnswerContext = {
  readonly projectId: string
  readonly deploymentId: string
  readonly scope: string | undefined
  /** Identifies the readers who share the same access labels. */
  readonly labels: string
  /** The answerer and its settings. */
  readonly answerer: string
  /** Vectors arrive some minutes after their deployment and improve the search results. */
  readonly hasVectors: boolean
}

const BYTES_MAX = 32 * 1024 * 1024
const BYTES_PER_CHARACTER = 2
const ENTRY_BYTES = 2_000
/**
 * The longest time that an erased answer stays in the cache. Cache keys are digests of the
 * questions.
 */
const KEPT_MS = 60 * 60_000
/** Reasons that may not apply to the next attempt, so their results are not cached. */
const TRANSIENT_REASONS = new Set(['stopped', 'budget', 'provider-error', 'interrupted'])

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

  /** Returns undefined for a question that depends on earlier messages. */
  keyOf(question: Question, place: AnswerContext): string | undefined {
    if (question.history.length > 0) return undefined
    const parts = [...Object.values(place), question.page, normalise(question.text)]
    return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
  }

  get(key: string | undefined): CachedAnswer | undefined {
    return key === undefined ? undefined : this.#answers.get(key)
  }

  set(key: string | undefined, answer: CachedAnswer): void {
    const { outcome } = answer
    if (
      key === undefined ||
      (outcome.status === 'unanswered' && TRANSIENT_REASONS.has(outcome.reason))
    )
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
