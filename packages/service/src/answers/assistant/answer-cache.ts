/**
 * Caches answers. The key of an answer depends on the question, the deployment and the reader's
 * access labels.
 */
import { createHash } from 'node:crypto'
import type { AnswerOutcome, Question } from '@octavo/search'
import { LRUCache } from 'lru-cache'

export type CachedAnswer = {
  readonly text: string
  readonly outcome: AnswerOutcome
  readonly model: string | undefined
}

/** Everything that an answer depends on, besides the question. */
export type AnswerContext = {
  readonly projectId: string
  readonly deploymentId: string
  readonly scope: string | undefined
  /** Identifies readers who may read the same content. */
  readonly labels: string
  /** The id of the answerer, which depends on its settings. */
  readonly answerer: string
  /**
   * True if the deployment has vectors, which are computed some minutes after it was created and
   * improve the search results.
   */
  readonly hasVectors: boolean
}

const BYTES_MAX = 32 * 1024 * 1024
const BYTES_PER_CHARACTER = 2
const ENTRY_BYTES = 2_000
/**
 * How long an answer is cached. An erased answer is therefore gone after an hour at the latest.
 * Keys are digests, so they do not contain the question.
 */
const KEPT_MS = 60 * 60_000
/**
 * Reasons for a missing answer that may be gone at the next attempt, so the result is not cached.
 */
const TRANSIENT_REASONS = new Set(['stopped', 'budget', 'provider-error', 'interrupted'])

export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer>

  constructor(now: () => number) {
    this.#answers = new LRUCache({
      maxSize: BYTES_MAX,
      sizeCalculation: (answer) => ENTRY_BYTES + lengthOf(answer) * BYTES_PER_CHARACTER,
      ttl: KEPT_MS,
      perf: { now },
    })
  }

  /** Returns the key of a question; undefined if it depends on earlier messages. */
  keyOf(question: Question, place: AnswerContext): string | undefined {
    if (question.history.length > 0) return undefined
    const parts = [...Object.values(place), question.page, normalize(question.text)]
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

function lengthOf({ text, outcome: { matches = [] } }: CachedAnswer): number {
  return matches.reduce((sum, match) => sum + match.text.length, text.length)
}

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s?!.]+$/, '')
    .trim()
}
