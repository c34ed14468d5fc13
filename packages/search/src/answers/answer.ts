import type { Match, SiteLibrary } from './site-library.ts'

/** A reader's question, with secrets already masked. */
export type Question = {
  readonly text: string
  /** Earlier questions and answers of the conversation, oldest first. */
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** The page on which the reader asked the question. */
  readonly page?: { readonly url: string; readonly selection?: string }
}

/** Text or a step, streamed to the reader while the answer is generated. */
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'step'
      readonly tool: 'search' | 'read' | 'grep' | 'list'
      readonly of: string
    }

export type AnswerSource = {
  /** URL relative to the site root, with the section's fragment. */
  readonly url: string
  readonly title: string
}

/**
 * Why a question is unanswered. The export contains only the status; the site owner sees the
 * reason.
 */
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
  /** The closest pages, if there is no answer. */
  readonly nearest: readonly AnswerSource[]
  /**
   * Excerpts of sections that fit the question, if no model was used: those after the quoted
   * answer, or the best ones if none counts as an answer.
   */
  readonly matches?: readonly Match[]
  /** Names in the question that the documentation does not mention. */
  readonly missing?: readonly string[]
  readonly category?: string
  /** The number of citations of sources that do not exist, if a model answered. */
  readonly invented?: number
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
} & (
  | { readonly status: 'answered' }
  | { readonly status: 'unanswered'; readonly reason: UnansweredReason }
)

/**
 * Answers a question from a library, with or without a model. Passes each part to `give` as soon as
 * it exists, and waits until `give` resolves. Throws only when the signal is aborted.
 */
export type Answerer = (
  question: Question,
  work: {
    readonly library: SiteLibrary
    readonly signal: AbortSignal
    readonly give: (part: AnswerPart) => Promise<void>
    /**
     * Called before each model request with the maximum number of tokens that the answer costs if
     * it stops after that request.
     */
    readonly onMaxCost?: (tokens: number) => void
  },
) => Promise<AnswerOutcome>
