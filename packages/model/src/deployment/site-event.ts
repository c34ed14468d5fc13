/**
 * The path to which pages of a hosted site send events, one per request. It is relative to the base
 * path. Page views are not sent, because the host counts them itself.
 */
export const EVENTS_PATH = '/_octavo/events'

export const EVENT_LIMITS = {
  /** The maximum number of bytes in a request body. */
  bodyBytes: 2_048,
  queryLength: 100,
  commentLength: 1_000,
  contactLength: 200,
  /**
   * The maximum number of characters of the code that the feedback is about; longer code is
   * truncated.
   */
  codeLength: 500,
  nameLength: 100,
} as const

/** The outcome of a playground request. It reveals nothing that was sent or received. */
export const PLAYGROUND_OUTCOMES = ['success', 'client-error', 'server-error', 'failed'] as const
export type PlaygroundOutcome = (typeof PLAYGROUND_OUTCOMES)[number]

/**
 * An event caused by a reader. `path` is the page's address without the base path: `/guides/start`.
 */
export type SiteEvent =
  /**
   * A complete query: the reader closed the dialog, opened a result, or stopped typing for a while.
   */
  | { readonly type: 'search'; readonly query: string; readonly results: number }
  | { readonly type: 'search-click'; readonly query: string; readonly path: string }
  | { readonly type: 'playground'; readonly path: string; readonly outcome: PlaygroundOutcome }
  | PageFeedback
  | CodeFeedback

/**
 * Feedback on a page. It is sent when the reader selects a thumb, and again with the same key if
 * they add a comment.
 */
export type PageFeedback = {
  readonly type: 'feedback'
  /** A random UUID that identifies this feedback. */
  readonly key: string
  readonly path: string
  readonly helpful: boolean
  readonly comment?: string | undefined
  /** An e-mail address, if the reader wants a reply. */
  readonly contact?: string | undefined
}

export type CodeFeedback = {
  readonly type: 'code-feedback'
  readonly key: string
  readonly path: string
  readonly code: string
  readonly filename?: string | undefined
  readonly lang?: string | undefined
  readonly comment?: string | undefined
}
