import { BODY_LIMITS } from './body-budget.ts'
import { BODY_BYTES_MAX } from './parse-request.ts'
import type { Route } from './route.ts'

/** The limit for the bodies of requests to a path. */
export type BodyLimit = {
  readonly bytesMax: number
  /** True if the body is read as a whole, false if it is streamed. */
  readonly isBuffered: boolean
}

/**
 * The maximum size of dashboard forms. `readForm` has a lower limit for requests without a session.
 */
export const FORM_BYTES_MAX = 1024 * 1024

/**
 * Creates a function that returns the body limit of a path. Routes that accept a stream define
 * their own limit. Other bodies of authenticated callers may be large, because the credential is
 * checked before the body is read.
 */
export function bodyLimits(routes: readonly Route[]): (path: string) => BodyLimit {
  const known = routes.map((route) => ({
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
    limit: bodyLimitOf(route),
  }))
  return (path) => {
    const own = known.filter(({ pattern }) => pattern.test(path)).map(({ limit }) => limit)
    // If several methods share the path, the largest limit applies. Requests with an unsupported
    // method are rejected without reading the body.
    const [first = path.startsWith('/v1/') ? ANONYMOUS : FORM] = own.toSorted(
      (a, b) => b.bytesMax - a.bytesMax,
    )
    return first
  }
}

const ANONYMOUS = { bytesMax: BODY_LIMITS.anonymousBytes, isBuffered: true }
const FORM = { bytesMax: FORM_BYTES_MAX, isBuffered: true }

export function bodyLimitOf({
  caller: { kind },
  stream,
}: Pick<Route, 'caller' | 'stream'>): BodyLimit {
  // Webhook bodies are buffered even if they are streams, because the signature covers the whole
  // body.
  const isSigned = kind === 'webhook' || kind === 'appWebhook'
  if (stream !== undefined) return { bytesMax: stream.bytesMax, isBuffered: isSigned }
  return kind === 'nobody' ? ANONYMOUS : { bytesMax: BODY_BYTES_MAX, isBuffered: true }
}
