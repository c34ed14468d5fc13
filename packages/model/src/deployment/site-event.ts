/**
 * What pages of a hosted site tell the service, one event a request, at this address below the base path.
 * Views of pages are not among them: the host counts those itself.
 */
export const EVENTS_PATH = '/_octavo/events'

export const EVENT_LIMITS = {
  /** Bytes of one request. */
  bodyBytes: 2_048,
  queryLength: 100,
  commentLength: 1_000,
  contactLength: 200,
  /** Of the code block that the feedback is about; longer code is cut. */
  codeLength: 500,
  nameLength: 100,
} as const

/** What became of a request of the playground. Nothing of what was sent or received is told. */
export const PLAYGROUND_OUTCOMES = ['success', 'client-error', 'server-error', 'failed'] as const
export type PlaygroundOutcome = (typeof PLAYGROUND_OUTCOMES)[number]

/** `path` is the address of a page without the base path: `/guides/start`. */
export type SiteEvent =
  /** A query that the reader stopped at: the dialog was closed, a result opened, or nothing typed for a while. */
  | { readonly type: 'search'; readonly query: string; readonly results: number }
  | { readonly type: 'search-click'; readonly query: string; readonly path: string }
  | { readonly type: 'playground'; readonly path: string; readonly outcome: PlaygroundOutcome }
  | PageFeedback
  | CodeFeedback

/** Sent with the click on a thumb, and once more, with the same key, when the reader says why. */
export type PageFeedback = {
  readonly type: 'feedback'
  /** A random UUID of this one opinion. */
  readonly key: string
  readonly path: string
  readonly helpful: boolean
  readonly comment?: string | undefined
  /** An e-mail address, if the reader wants an answer. */
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
