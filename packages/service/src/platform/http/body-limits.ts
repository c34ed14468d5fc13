import { BODY_LIMITS } from './body-budget.ts'
import { BODY_BYTES_MAX } from './parse-request.ts'
import type { Route } from './route.ts'

/** What the body of a request to a path may be. */
export type BodyLimit = {
  readonly bytesMax: number
  /** It is read as a whole, and not passed on as it comes. */
  readonly isBuffered: boolean
}

/** Forms of people who are signed in; `readForm` is stricter before that is known. */
export const FORM_BYTES_MAX = 1024 * 1024

/**
 * A route that takes a stream says its own limit. Other bodies of callers with a credential may be
 * large: the credential is checked before the body is read.
 */
export function bodyLimits(routes: readonly Route[]): (path: string) => BodyLimit {
  const known = routes.map((route) => ({
    pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
    limit: bodyLimitOf(route),
  }))
  return (path) => {
    const own = known.filter(({ pattern }) => pattern.test(path)).map(({ limit }) => limit)
    // Several methods share a path, and a method that it does not have reads no body.
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
