/**
 * Forms of the dashboard. Two independent checks ensure that a form was sent from our own page: the
 * origin that the browser sends, and a token that only pages of this session contain.
 */

import { BODY_LIMITS } from '../../platform/http/body-budget.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { lengthOf } from '../../platform/http/parse-request.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { Exchange } from './page.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset=utf-8)?$/i

/** Returns the token for a session's forms. The session token cannot be derived from it. */
export function formTokenOf({ sessionId }: SignedIn, pepper: PepperRing): string {
  return pepper.sign('form', sessionId)
}

export function requireFormToken(
  form: URLSearchParams,
  { sessionId }: SignedIn,
  pepper: PepperRing,
): void {
  if (pepper.verify('form', { text: sessionId, signature: form.get('token') ?? '' })) return
  throw new Problem('forbidden', 'This form is too old. Open the page again.')
}

/** Reads the form of a signed-in person and checks its token. */
export async function readOwnForm(
  { request, person }: Pick<Exchange, 'request' | 'person'>,
  pepper: PepperRing,
): Promise<{ readonly form: URLSearchParams; readonly person: SignedIn }> {
  if (person === undefined) throw new Problem('unauthorized', 'You are signed out. Sign in again.')
  const form = await readForm(request)
  requireFormToken(form, person, pepper)
  return { form, person }
}

/**
 * Rejects a form from another site. A browser that sends no `origin` must at least send
 * `sec-fetch-site`.
 */
export function requireOwnOrigin(request: Request, origin: string): void {
  const named = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = named === null ? site === 'same-origin' : named === origin
  if (isOwn && (site === null || site === 'same-origin')) return
  throw new Problem('forbidden', 'This form came from another site. Open the page again.')
}

/** Reads a form. The default size limit is small, since the sender may be anonymous. */
export async function readForm(
  request: Request,
  bytesMax: number = BODY_LIMITS.anonymousBytes,
): Promise<URLSearchParams> {
  if (!FORM_TYPE.test((request.headers.get('content-type') ?? '').trim()))
    throw new Problem('invalid-request', 'Expected a form.', { param: 'Content-Type' })
  lengthOf(request, bytesMax)
  return new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))
}

/**
 * Returns the path to go to after signing in: the given one if it is a path of this service,
 * otherwise the start page.
 */
export function safePath(next: string | null | undefined): string {
  if (next === null || next === undefined || !/^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(next)) return '/'
  const url = URL.parse(next, 'https://octavo.invalid')
  // URL parsing has resolved the dots of `/..//evil.example`. A double slash later in the path
  // could become the start of a redirect target.
  if (url?.host !== 'octavo.invalid' || url.pathname.includes('//')) return '/'
  return `${url.pathname}${url.search}`
}
