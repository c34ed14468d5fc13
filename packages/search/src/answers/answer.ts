import type { SiteLibrary } from './site-library.ts'

/** A reader's question. Secrets in it are masked already. */
export type Question = {
  readonly text: string
  /** Earlier questions and answers of the thread, the oldest first. */
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** Where it was asked. */
  readonly page?: { readonly url: string; readonly selection?: string }
}

/** What a reader sees while an answer is made. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'step'
      readonly tool: 'search' | 'read' | 'grep' | 'list'
      readonly of: string
    }

export type AnswerSource = {
  /** From the root of the site, with the fragment of its section. */
  readonly url: string
  readonly title: string
}

/** Why a question counts as unanswered; the export has the two values, the owner sees why. */
export type UnansweredReason =
  | 'declared'
  | 'no-sources'
  | 'low-support'
  | 'stopped'
  | 'budget'
  | 'provider-error'
  | 'interrupted'

export type AnswerOutcome = {
  readonly sources: readonly AnswerSource[]
  /** Pages that come nearest when there is no answer. */
  readonly nearest: readonly AnswerSource[]
  readonly category?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
} & (
  | { readonly status: 'answered' }
  | { readonly status: 'unanswered'; readonly reason: UnansweredReason }
)

/**
 * Answers a question from a library, with or without a model. Parts are given as they are made; it
 * waits for each to be taken. It throws only when the signal is aborted.
 */
export type Answerer = (
  question: Question,
  work: {
    readonly library: SiteLibrary
    readonly signal: AbortSignal
    readonly give: (part: AnswerPart) => Promise<void>
    /** Called before each request to a model with the most tokens that the answer costs if it is stopped then. */
    readonly costsAtMost?: (tokens: number) => void
  },
) => Promise<AnswerOutcome>
