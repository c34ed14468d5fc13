/**
 * Runs one question from its lease to the publication of its outcome. However it ends, it is
 * published exactly once: here, or by the reaper if this process has died. `publish_answers` decides
 * which of the two publishes it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ASSISTANT_LIMITS, LEASE_MS, SAVE_EVERY_MS } from '@octavo/contract'
import type {
  Answerer,
  AnswerOutcome,
  AnswerPart,
  AnswerSource,
  Question,
  SiteLibrary,
  UnansweredReason,
} from '@octavo/search'
import { storable } from '../../platform/http/reader-body.ts'
import type { LeasedTurn, NewTurn, PublishedAnswer, Turns } from './turn-store.ts'

/** Thrown when another process has published the question, so that no more text is sent. */
export class LostLease extends Error {}

export type TurnWork = {
  readonly turns: Turns
  readonly turn: LeasedTurn
  /** False for previews. The text of their answers is not saved. */
  readonly isRecorded: boolean
  readonly question: Question
  readonly library: SiteLibrary
  readonly answerer: Answerer
  /** The number of tokens to charge if the cost of an answer is unknown. */
  readonly tokens: number
  readonly give?: (part: AnswerPart) => Promise<void>
  /** Receives a function that ends the answer with the given reason. */
  readonly onEnd?: (end: (reason: UnansweredReason) => void) => void
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export type TurnResult = {
  readonly text: string
  readonly outcome: AnswerOutcome
  readonly usedTokens: number
}

const LEASE_BYTES = 16

/** Stores a question with a lease. Only the holder of the lease can publish the answer. */
export async function beginTurn(turns: Turns, question: Omit<NewTurn, 'lease'>) {
  const lease = randomBytes(LEASE_BYTES).toString('base64url')
  const begun = await turns.begin({ ...question, lease })
  return begun.kind === 'refused' ? begun : { ...begun, lease }
}

/** Runs the answerer until it ends, and renews the lease in the meantime. */
export async function runTurn(work: TurnWork): Promise<TurnResult> {
  const { question, library, answerer } = work
  const control = new AbortController()
  const { signal } = control
  let text = ''
  let ending: UnansweredReason | 'lost' | undefined
  const end = (reason: UnansweredReason | 'lost') => {
    ending ??= reason
    control.abort()
  }
  work.onEnd?.(end)
  const stopSaving = keepLease(work, { textSoFar: () => text, onLost: () => end('lost') })
  const deadline = setTimeout(() => end('provider-error'), ASSISTANT_LIMITS.answerMs)

  async function give(part: AnswerPart): Promise<void> {
    signal.throwIfAborted()
    if (part.type !== 'text') return work.give?.(part)
    const piece = storable(part.text)
    if (text.length + piece.length > ASSISTANT_LIMITS.answerLength) end('provider-error')
    signal.throwIfAborted()
    text += piece
    return work.give?.({ type: 'text', text: piece })
  }

  let outcome: AnswerOutcome | undefined
  let stoppedTokens = work.tokens
  try {
    const onMaxCost = (tokens: number) => {
      stoppedTokens = Math.min(tokens, work.tokens)
    }
    outcome = await untilAborted(answerer(question, { library, signal, give, onMaxCost }), signal)
  } catch (error) {
    if (!signal.aborted) work.onError(error)
  } finally {
    clearTimeout(deadline)
    await stopSaving()
  }
  if (ending === 'lost') throw new LostLease()
  if (outcome !== undefined) return { text, outcome, usedTokens: sumOf(outcome.usage) }
  // If the answerer threw an error without being stopped, it has a bug.
  const reason = ending ?? 'interrupted'
  return {
    text,
    outcome: { status: 'unanswered', reason, sources: [], nearest: [] },
    usedTokens: stoppedTokens,
  }
}

/**
 * Regularly renews the lease and saves the text so far. Returns a function that stops this and
 * waits for the last save.
 */
function keepLease(
  { turns, turn, isRecorded, onError, now }: TurnWork,
  { textSoFar, onLost }: { readonly textSoFar: () => string; readonly onLost: () => void },
): () => Promise<void> {
  let renewedAt = now()
  let saving = Promise.resolve()
  let isSaving = false
  async function save(): Promise<void> {
    if (isSaving) return
    isSaving = true
    try {
      const isOurs = await turns.renew(turn, isRecorded ? textSoFar() : undefined)
      if (!isOurs) onLost()
      renewedAt = now()
    } catch (error) {
      // The database may recover. But after the lease has expired, another process may have
      // published the question.
      if (now() - renewedAt > LEASE_MS) onLost()
      onError(error)
    } finally {
      isSaving = false
    }
  }
  const saver = setInterval(() => {
    saving = save()
  }, SAVE_EVERY_MS)
  return () => {
    clearInterval(saver)
    return saving
  }
}

const SOURCES_MAX = 50

/** Returns the outcome of a question in the form that the reader sees. */
export function endOf(
  { outcome }: TurnResult,
  isSpent: boolean,
  toSource: (source: AnswerSource) => AnswerSource,
) {
  const { status, category, sources, nearest, matches, missing } = outcome
  return {
    status,
    reason: reasonOf(outcome, isSpent),
    category,
    sources: sources.slice(0, SOURCES_MAX).map(toSource),
    nearest: nearest.slice(0, SOURCES_MAX).map(toSource),
    matches: matches?.map(({ text, ...source }) => ({ ...toSource(source), text })),
    missing: missing && [...missing],
  }
}

function reasonOf(outcome: AnswerOutcome, isSpent: boolean): UnansweredReason | undefined {
  if (outcome.status === 'answered') return undefined
  return isSpent && outcome.reason !== 'stopped' ? 'budget' : outcome.reason
}

export const sumOf = (usage: AnswerOutcome['usage']) =>
  usage === undefined ? 0 : usage.inputTokens + usage.outputTokens

/** Rejects as soon as the signal is aborted, even if the answerer ignores the signal. */
async function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  if (signal.aborted) reject(signal.reason)
  result.catch(() => {})
  return Promise.race([result, promise])
}

const RETRY_MS = [0, 200, 1_000, 3_000]

/**
 * Publishes the outcome. This is retried after a broken connection, which is safe since publishing
 * is idempotent.
 */
export async function publishTurn(
  { turns, turn }: Pick<TurnWork, 'turns' | 'turn'>,
  answer: PublishedAnswer,
): Promise<string> {
  let failure: unknown
  for (const delay of RETRY_MS) {
    await sleep(delay)
    try {
      const id = await turns.publish(turn, answer)
      if (id === undefined) throw new LostLease()
      return id
    } catch (error) {
      if (error instanceof LostLease) throw error
      failure = error
    }
  }
  throw failure
}

/** Fields of a question that are omitted if only its cost is recorded. */
export const UNRECORDED = { query: undefined, threadId: undefined, pageUrl: undefined }

/** Ends a question for which only the cost is recorded. If there is no result, it costs nothing. */
export async function publishUnrecorded(
  leased: Pick<TurnWork, 'turns' | 'turn'>,
  result: TurnResult | undefined,
): Promise<void> {
  await publishTurn(leased, {
    response: '',
    sources: [],
    nearest: [],
    status: result?.outcome.status ?? 'unanswered',
    usedTokens: result?.usedTokens ?? 0,
    savedTokens: 0,
    isCached: false,
  })
}
