import { BODY_LIMITS } from './body-budget.ts'
import { BODY_BYTES_MAX } from './parse-request.ts'
import type { Route } from './route.ts'

/** The limit for request bodies to a path. */
export type BodyLimit = {
  readonly bytesMax: number
  /** True if the body is read as a whole, false if it is streamed. */
  readonly isBuffered: boolean
}

/**
 * The limit for forms of signed-in people; `readForm` has a lower limit before the session is
 * known.
 */
export const FORM_BYTES_MAX = 1024 * 1024

/**
 * Returns the body limit of each path. A route that accepts a stream defines its own limit. Other
 * bodies of authenticated callers may be large, because the credential is checked before the body
 * is read.
 */
export function bodyLimits(routes: readonly Route[]): (path: string) => BodyLimit {
  const known = routes.map((route) => ({
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
    limit: bodyLimitOf(route),
  }))
  return (path) => {
    const own = known.filter(({ pattern }) => pattern.test(path)).map(({ limit }) => limit)
    // Methods that share a path get the largest limit; a method that the path does not support
    // reads no body.
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
  // A signature covers the whole body.
  const isSigned = kind === 'webhook' || kind === 'appWebhook'
  if (stream !== undefined) return { bytesMax: stream.bytesMax, isBuffered: isSigned }
  return kind === 'nobody' ? ANONYMOUS : { bytesMax: BODY_BYTES_MAX, isBuffered: true }
}
