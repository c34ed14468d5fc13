/**
 * Forms of the dashboard. Two independent checks that a form was sent from our own page: the origin that
 * the browser names, and a token that only pages of this session hold.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SignedIn } from '../api-keys/caller.ts'
import { Problem } from '../http/problem.ts'

const FORM_BYTES_MAX = 1024 * 1024
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset=utf-8)?$/i

/** The token of a session's forms. Whoever has it cannot find the session's own. */
export function formTokenOf({ sessionId }: SignedIn, pepper: string): string {
  return createHmac('sha256', pepper).update(`form ${sessionId}`).digest('base64url')
}

export function isSameToken(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Refuses a form that another site sent. A browser that names no origin says at least where it is. */
export function requireOwnOrigin(request: Request, origin: string): void {
  const named = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const isOwn = named === null ? site === 'same-origin' : named === origin
  if (isOwn && (site === null || site === 'same-origin')) return
  throw new Problem('forbidden', 'This form came from another site. Open the page again.')
}

export async function readForm(request: Request): Promise<URLSearchParams> {
  if (!FORM_TYPE.test((request.headers.get('content-type') ?? '').trim()))
    throw new Problem('invalid-request', 'Expected a form.', { param: 'Content-Type' })
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength > FORM_BYTES_MAX)
    throw new Problem('too-large', `A form must not exceed ${FORM_BYTES_MAX} bytes.`)
  return new URLSearchParams(new TextDecoder().decode(bytes))
}

/** Where to go after signing in: a path of ours, or the start. */
export function safePath(next: string | null | undefined): string {
  if (next === null || next === undefined || !/^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(next)) return '/'
  const url = URL.parse(next, 'https://octavo.invalid')
  // `/..//evil.example` has lost its dots by now.
  if (url?.host !== 'octavo.invalid' || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}`
}
