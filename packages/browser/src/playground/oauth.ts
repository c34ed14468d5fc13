/**
 * Gets OAuth 2 access tokens: with an authorization code and PKCE in a popup, or with client
 * credentials. The code is returned to a page of this site, where the opener reads it; it never
 * passes through another server.
 */
import type { FlowData } from '@octavo/openapi/browser'
import type { PlaygroundWords } from '@octavo/theme/browser'
import { fillWords } from '@octavo/theme/browser'
import { siteAddress } from '../page/site-base.ts'

export const REDIRECT_PATH = siteAddress('/_octavo/oauth.html')

export type TokenRequest = {
  readonly flow: FlowData
  /** The base URL for relative URLs. */
  readonly serverUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  readonly words: PlaygroundWords
}

const POLL_MS = 150
const WAIT_MS_MAX = 300_000

export async function askForCode(input: TokenRequest): Promise<string> {
  const { flow, clientId, scopes, serverUrl, words } = input
  if (flow.authorizationUrl === undefined) throw new Error(noToken(words, 'authorizationUrl'))
  const verifier = randomText()
  const state = randomText()
  const redirect = `${location.origin}${REDIRECT_PATH}`
  const url = new URL(flow.authorizationUrl, serverUrl)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  for (const [name, value] of [
    ['response_type', 'code'],
    ['client_id', clientId],
    ['redirect_uri', redirect],
    ['scope', scopes.join(' ')],
    ['state', state],
    ['code_challenge', base64Url(new Uint8Array(digest))],
    ['code_challenge_method', 'S256'],
  ] as const) {
    if (value !== '') url.searchParams.set(name, value)
  }
  const popup = open(url, 'octavo-sign-in', 'popup,width=520,height=680')
  if (popup === null) throw new Error(words.tryNoWindow)
  const answer = await waitForRedirect(popup)
  if (answer === undefined) throw new Error(words.tryClosed)
  const problem = answer.get('error')
  if (problem !== null) throw new Error(answer.get('error_description') ?? problem)
  const code = answer.get('code')
  if (code === null || answer.get('state') !== state) throw new Error(noToken(words, 'state'))
  return fetchToken(input, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
  })
}

export function askForClientToken(input: TokenRequest): Promise<string> {
  const scope = input.scopes.join(' ')
  return fetchToken(input, { grant_type: 'client_credentials', ...(scope === '' ? {} : { scope }) })
}

/**
 * Waits until the popup is back on this origin, where its URL can be read; returns undefined if it
 * was closed.
 */
function waitForRedirect(popup: Window): Promise<URLSearchParams | undefined> {
  return new Promise((resolve) => {
    const begun = performance.now()
    const timer = setInterval(() => {
      const search = searchOf(popup)
      if (search === undefined && !popup.closed && performance.now() - begun < WAIT_MS_MAX) return
      clearInterval(timer)
      popup.close()
      resolve(search)
    }, POLL_MS)
  })
}

function searchOf(popup: Window): URLSearchParams | undefined {
  try {
    const { origin, pathname, search } = popup.location
    return origin === location.origin && pathname === REDIRECT_PATH
      ? new URLSearchParams(search)
      : undefined
  } catch {
    return undefined
  }
}

async function fetchToken(
  { flow, clientId, clientSecret, serverUrl, words }: TokenRequest,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  if (flow.tokenUrl === undefined) throw new Error(noToken(words, 'tokenUrl'))
  const body = new URLSearchParams({ ...fields, client_id: clientId })
  if (clientSecret !== '') body.set('client_secret', clientSecret)
  const response = await fetch(new URL(flow.tokenUrl, serverUrl), {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  })
  const answer = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
  if (typeof answer.access_token === 'string') return answer.access_token
  const reason = answer.error_description ?? answer.error ?? `status ${response.status}`
  throw new Error(noToken(words, String(reason)))
}

function noToken(words: PlaygroundWords, reason: string): string {
  return fillWords(words.tryNoToken, { reason })
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
