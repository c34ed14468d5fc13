/**
 * The path below the base path where pages of a hosted site send events to the service, one per
 * request. Page views are not sent: the host counts those itself.
 */
export const EVENTS_PATH = '/_octavo/events'

export const EVENT_LIMITS = {
  /** Bytes in one request body. */
  bodyBytes: 2_048,
  queryLength: 100,
  commentLength: 1_000,
  contactLength: 200,
  /** Characters of the code block that the feedback is about; longer code is truncated. */
  codeLength: 500,
  nameLength: 100,
} as const

/** The outcome of a playground request. Nothing that was sent or received is included. */
export const PLAYGROUND_OUTCOMES = ['success', 'client-error', 'server-error', 'failed'] as const
export type PlaygroundOutcome = (typeof PLAYGROUND_OUTCOMES)[number]

/** `path` is the page's address without the base path: `/guides/start`. */
export type SiteEvent =
  /** A finished query: the dialog was closed, a result opened, or typing paused for a while. */
  | { readonly type: 'search'; readonly query: string; readonly results: number }
  | { readonly type: 'search-click'; readonly query: string; readonly path: string }
  | { readonly type: 'playground'; readonly path: string; readonly outcome: PlaygroundOutcome }
  | PageFeedback
  | CodeFeedback

/** Sent when the reader selects a thumb, and again with the same key if a comment is added. */
export type PageFeedback = {
  readonly type: 'feedback'
  /** A random UUID of this feedback. */
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
