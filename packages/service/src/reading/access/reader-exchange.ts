/** A request to a page on which readers sign in or out, and the response to it. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { JWT_SCRIPT, READER_STYLE, renderReaderMessage, SIGN_OUT_SCRIPT } from '@octavo/dashboard'
import type { ManifestRoot } from '@octavo/model'
import { cookieIn, setCookie } from '../../people/sign-in/cookies.ts'
import { safePath } from '../../people/sign-in/forms.ts'
import { sendUncached } from '../../platform/http/send-response.ts'
import { Problem } from '../../platform/problem.ts'
import type { SiteExchange } from '../hosting/site-router.ts'
import { hostOf } from './find-reader.ts'

export type ReaderExchange = Pick<SiteExchange, 'request' | 'pointer' | 'reader'> & {
  /** The manifest root of the deployment. */
  readonly root: ManifestRoot
  /** The path of the site such as `/docs`; empty if it is at the root of the host. */
  readonly basePath: string
  readonly url: URL
  readonly host: string
  /** The site's origin in the browser, unless a proxy changes the host. */
  readonly origin: string
  /** The path on the site that the reader returns to after signing in. */
  readonly to: string
}

export type ReaderReply =
  | {
      readonly kind: 'page'
      readonly status: number
      readonly html: string
      readonly headers?: Readonly<Record<string, string>>
      readonly cookies?: readonly string[]
    }
  | { readonly kind: 'redirect'; readonly url: string; readonly cookies?: readonly string[] }
  /** A response for programs. */
  | { readonly kind: 'json'; readonly status: number; readonly value: object }

/** The maximum size of a request with a form or a token. */
export const READER_BODY_BYTES_MAX = 16 * 1024
/** Paths below the base path of private sites. Each sign-in method uses some of them. */
export const READER_PATHS = [
  '/login',
  '/login/code',
  '/login/callback',
  '/login/jwt-callback',
  '/logout',
] as const
const TO_LENGTH_MAX = 1_000

export function exchangeOf(
  { request, pointer, reader, view }: SiteExchange,
  protocol: string,
): ReaderExchange {
  const { basePath, root } = view
  const host = hostOf(request.headers.host)
  const origin = `${protocol}//${host}`
  const url = new URL(request.url ?? '/', origin)
  const target = url.searchParams.get('to') ?? url.searchParams.get('redirect')
  const to = safeRedirectPath(target, basePath)
  return { request, pointer, reader, root, basePath, url, host, origin, to }
}

/**
 * Returns the target if it is below the base path and not a sign-in page; otherwise the site's
 * start page.
 */
function safeRedirectPath(target: string | null, basePath: string): string {
  const start = `${basePath}/`
  const path = safePath(target)
  const [pathname = ''] = path.split('?')
  const isOwn = path.length <= TO_LENGTH_MAX && pathname.startsWith(start)
  const isOfReaders = READER_PATHS.some((own) => pathname === basePath + own)
  return isOwn && !isOfReaders ? path : start
}

export const readReaderCookie = ({ request }: Pick<ReaderExchange, 'request'>, name: string) =>
  cookieIn(request.headers.cookie ?? '', name)

/** The cookie of a sign-in that continues on another server. */
export const ATTEMPT_COOKIE = '__Host-octavo-reader-attempt'
export const attemptCookie = (sealed: string, seconds: number) =>
  setCookie(ATTEMPT_COOKIE, sealed, seconds)
export const endedAttemptCookie = () => setCookie(ATTEMPT_COOKIE, '', 0)

/**
 * Reads a form that a page of the same origin sent. Behind a proxy that changes the host, only the
 * browser knows the origin, so the header `Sec-Fetch-Site` is checked, which scripts cannot set.
 */
export async function readOwnForm({
  request,
  origin,
}: Pick<ReaderExchange, 'request' | 'origin'>): Promise<URLSearchParams> {
  const { 'sec-fetch-site': site, origin: named, 'content-type': type = '' } = request.headers
  const isOwn = site === undefined ? named === origin : site === 'same-origin'
  if (!isOwn) throw new Problem('forbidden', 'This form came from another site.')
  if (!FORM_TYPE.test(type)) throw new Problem('invalid-request', 'Expected a form.')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > READER_BODY_BYTES_MAX) throw new Problem('too-large', 'The form is too large.')
    pieces.push(piece)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;\s*charset=utf-8)?$/i

export function refusal(
  { basePath }: Pick<ReaderExchange, 'basePath'>,
  text: string,
  status = 403,
): ReaderReply {
  const html = renderReaderMessage({ base: basePath, title: 'You are not signed in', text })
  return { kind: 'page', status, html, cookies: [endedAttemptCookie()] }
}

export function sendReaderReply(response: ServerResponse, reply: ReaderReply): void {
  if (reply.kind === 'json') {
    const body = JSON.stringify(reply.value)
    sendUncached(response, reply.status, { type: 'application/json', body })
    return
  }
  for (const cookie of reply.cookies ?? []) response.appendHeader('set-cookie', cookie)
  if (reply.kind === 'page')
    sendUncached(
      response,
      reply.status,
      { type: 'text/html', body: reply.html },
      { ...PAGE_HEADERS, ...reply.headers },
    )
  else
    response
      .writeHead(303, { ...PAGE_HEADERS, location: reply.url, 'cache-control': 'no-store' })
      .end()
}

const digestOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Headers of sign-in pages. They allow only the service's style and scripts and an inline logo.
 * Frames are forbidden, because a malicious page could cover the button.
 */
const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src ${digestOf(READER_STYLE)}; img-src data:; script-src ${digestOf(JWT_SCRIPT)} ${digestOf(SIGN_OUT_SCRIPT)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  // With `no-referrer`, browsers would not send the origin with a form.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
