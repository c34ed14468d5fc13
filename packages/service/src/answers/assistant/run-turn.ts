/**
 * The life of one question from its lease to its publication. However it ends, it is published once:
 * here, or by the reaper when this process is gone (`publish_answer` decides).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ASSISTANT_LIMITS, LEASE_MS, SAVE_EVERY_MS } from '@octavo/contract'
import type {
  Answerer,
  AnswerOutcome,
  AnswerPart,
  Question,
  SiteLibrary,
  UnansweredReason,
} from '@octavo/search'
import { storable } from '../../platform/http/reader-body.ts'
import type { LeasedTurn, PublishedAnswer, Turns } from './turn-store.ts'

/** Somebody else has published the question: nothing more may be said. */
export class LostLease extends Error {}

export type TurnWork = {
  readonly turns: Turns
  readonly turn: LeasedTurn
  /** False for previews: then the text is not saved either. */
  readonly isRecorded: boolean
  readonly question: Question
  readonly library: SiteLibrary
  readonly answerer: Answerer
  /** The most that an answer of unknown cost counts as. */
  readonly tokens: number
  readonly give: (part: AnswerPart) => Promise<void>
  /** Ends the answer from outside, for this reason. */
  readonly onEnd: (end: (reason: UnansweredReason) => void) => void
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

export type TurnResult = {
  readonly text: string
  readonly outcome: AnswerOutcome
  readonly usedTokens: number
}

/** Asks until there is an outcome, and keeps the lease meanwhile. */
export async function runTurn(work: TurnWork): Promise<TurnResult> {
  const { turns, turn, question, library, answerer, now } = work
  const control = new AbortController()
  let text = ''
  let ending: UnansweredReason | 'lost' | undefined
  const end = (reason: UnansweredReason | 'lost') => {
    ending ??= reason
    control.abort()
  }
  work.onEnd(end)

  let renewedAt = now()
  let saving = Promise.resolve()
  let isSaving = false
  async function save(): Promise<void> {
    if (isSaving) return
    isSaving = true
    try {
      const isOurs = await turns.renew(turn, work.isRecorded ? text : undefined)
      if (!isOurs) end('lost')
      renewedAt = now()
    } catch (error) {
      // The database may come back; after the lease somebody else may have published.
      if (now() - renewedAt > LEASE_MS) end('lost')
      work.onError(error)
    } finally {
      isSaving = false
    }
  }
  const saver = setInterval(() => {
    saving = save()
  }, SAVE_EVERY_MS)
  const deadline = setTimeout(() => end('provider-error'), ASSISTANT_LIMITS.answerMs)

  async function give(part: AnswerPart): Promise<void> {
    control.signal.throwIfAborted()
    if (part.type !== 'text') return work.give(part)
    const piece = storable(part.text)
    if (text.length + piece.length > ASSISTANT_LIMITS.answerLength) end('provider-error')
    control.signal.throwIfAborted()
    text += piece
    return work.give({ type: 'text', text: piece })
  }

  let outcome: AnswerOutcome | undefined
  let stoppedTokens = work.tokens
  try {
    const costsAtMost = (tokens: number) => {
      stoppedTokens = Math.min(tokens, work.tokens)
    }
    const answering = answerer(question, { library, signal: control.signal, give, costsAtMost })
    outcome = await untilAborted(answering, control.signal)
  } catch (error) {
    if (!control.signal.aborted) work.onError(error)
  } finally {
    clearInterval(saver)
    clearTimeout(deadline)
    await saving
  }
  if (ending === 'lost') throw new LostLease()
  const usage = outcome?.usage
  return {
    text,
    outcome: outcome ?? {
      status: 'unanswered',
      // An answerer that fails in a way of its own is a mistake of ours.
      reason: ending ?? 'interrupted',
      sources: [],
      nearest: [],
    },
    usedTokens: outcome === undefined ? stoppedTokens : sumOf(usage),
  }
}

export const sumOf = (usage: AnswerOutcome['usage']) =>
  usage === undefined ? 0 : usage.inputTokens + usage.outputTokens

/** An answerer that does not listen is not waited for. */
async function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  if (signal.aborted) reject(signal.reason)
  result.catch(() => {})
  return Promise.race([result, promise])
}

const RETRY_MS = [0, 200, 1_000, 3_000]

/** Publishing can be repeated, so a broken connection is no reason to give up. */
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
