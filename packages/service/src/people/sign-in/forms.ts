/**
 * Forms of the dashboard. Two independent checks that a form was sent from our own page: the origin that
 * the browser names, and a token that only pages of this session hold.
 */

import { BODY_LIMITS } from '../../platform/http/body-budget.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { lengthOf } from '../../platform/http/parse-request.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { Exchange } from './page.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset=utf-8)?$/i

/** The token of a session's forms. Whoever has it cannot find the session's own. */
export function formTokenOf({ sessionId }: SignedIn, pepper: PepperRing): string {
  return pepper.sign('form', sessionId)
}

/** Refuses a form without the token of this session. */
export function requireFormToken(
  form: URLSearchParams,
  { sessionId }: SignedIn,
  pepper: PepperRing,
): void {
  if (pepper.verify('form', { text: sessionId, signature: form.get('token') ?? '' })) return
  throw new Problem('forbidden', 'This form is too old. Open the page again.')
}

/** The form of somebody who is signed in, with its token. */
export async function readOwnForm(
  { request, person }: Pick<Exchange, 'request' | 'person'>,
  pepper: PepperRing,
): Promise<{ readonly form: URLSearchParams; readonly person: SignedIn }> {
  if (person === undefined) throw new Problem('unauthorized', 'You are signed out. Sign in again.')
  const form = await readForm(request)
  requireFormToken(form, person, pepper)
  return { form, person }
}

/** Refuses a form that another site sent. A browser that names no origin says at least where it is. */
export function requireOwnOrigin(request: Request, origin: string): void {
  const named = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = named === null ? site === 'same-origin' : named === origin
  if (isOwn && (site === null || site === 'same-origin')) return
  throw new Problem('forbidden', 'This form came from another site. Open the page again.')
}

/** Small, unless it is known who sends it. */
export async function readForm(
  request: Request,
  bytesMax: number = BODY_LIMITS.anonymousBytes,
): Promise<URLSearchParams> {
  if (!FORM_TYPE.test((request.headers.get('content-type') ?? '').trim()))
    throw new Problem('invalid-request', 'Expected a form.', { param: 'Content-Type' })
  lengthOf(request, bytesMax)
  return new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))
}

/** Where to go after signing in: a path of ours, or the start. */
export function safePath(next: string | null | undefined): string {
  if (next === null || next === undefined || !/^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(next)) return '/'
  const url = URL.parse(next, 'https://octavo.invalid')
  // `/..//evil.example` has lost its dots by now. Two slashes further on could become the first two
  // by a redirect.
  if (url?.host !== 'octavo.invalid' || url.pathname.includes('//')) return '/'
  return `${url.pathname}${url.search}`
}
