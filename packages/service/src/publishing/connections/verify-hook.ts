/**
 * Verifies that a webhook request comes from the connection's provider. Each provider signs
 * requests in its own way. The connection decides which way is expected, not the request.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderKind } from '@octavo/contract'
import { findSignatureProblem } from '../../projects/notifications/webhooks/sign-webhook.ts'

export type HookRequest = {
  readonly headers: Headers
  /** The raw bytes that were signed. The same JSON could be encoded as different bytes. */
  readonly body: Uint8Array
  readonly nowMs: number
}

export type HookProof =
  | {
      readonly kind: 'verified'
      /** The provider's id of this delivery; `null` if it sent none. */
      readonly deliveryId: string | null
      readonly event: string | null
    }
  | { readonly kind: 'refused'; readonly reason: string }

const WRONG =
  'The signature does not match. Copy the secret of the connection again, without spaces, and send the webhook as JSON.'
const ID = /^[\x21-\x7e]{1,200}$/
const EVENT_LENGTH_MAX = 100

export function verifyHook(
  provider: ProviderKind,
  secret: string,
  request: HookRequest,
): HookProof {
  const problem = VERIFIERS[provider](secret, request)
  if (problem !== undefined) return { kind: 'refused', reason: problem }
  return readDeliveryHeaders(provider, request.headers)
}

/** Returns the id and the event of a delivery with a verified signature. */
export function readDeliveryHeaders(provider: ProviderKind, headers: Headers): HookProof {
  const first = (names: readonly string[]) =>
    names.map((name) => headers.get(name)).find((value) => value !== null && value !== '') ?? null
  const deliveryId = first(DELIVERY_HEADERS[provider])
  if (deliveryId !== null && !ID.test(deliveryId))
    return { kind: 'refused', reason: 'The delivery id is invalid.' }
  const event = first(EVENT_HEADERS[provider])?.slice(0, EVENT_LENGTH_MAX) ?? null
  return { kind: 'verified', deliveryId, event }
}

/**
 * Headers with the id of a delivery, most specific first. Gitea and Forgejo also send GitHub's
 * headers.
 */
const DELIVERY_HEADERS: Readonly<Record<ProviderKind, readonly string[]>> = {
  github: ['x-github-delivery'],
  // If a push changes several branches, several deliveries can share the event id, so the
  // idempotency key comes first.
  gitlab: ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'],
  gitea: ['x-forgejo-delivery', 'x-gitea-delivery'],
  git: ['webhook-id', 'x-request-uuid', 'x-request-id'],
}

export const EVENT_HEADERS: Readonly<Record<ProviderKind, readonly string[]>> = {
  github: ['x-github-event'],
  gitlab: ['x-gitlab-event'],
  gitea: ['x-forgejo-event', 'x-gitea-event'],
  git: ['x-event-key'],
}

/** Returns why the request is rejected; undefined if its signature is valid. */
type Verifier = (secret: string, request: HookRequest) => string | undefined

const VERIFIERS: Readonly<Record<ProviderKind, Verifier>> = {
  github: verifyGitHub,
  gitlab: verifyGitLab,
  gitea: verifyGitea,
  git: verifyOther,
}

function verifyGitHub(secret: string, { headers, body }: HookRequest): string | undefined {
  if (headers.has('x-gitea-signature') || headers.has('x-forgejo-signature'))
    return 'This webhook is from Gitea or Forgejo, but the connection is for GitHub. Add the connection again with --provider gitea.'
  const signature = headers.get('x-hub-signature-256')
  if (signature === null)
    return headers.has('x-hub-signature')
      ? 'Only the SHA-1 signature was sent. The header X-Hub-Signature-256 is required.'
      : 'The header X-Hub-Signature-256 is missing. Set the secret of the webhook in the settings of the repository.'
  return isHmac(secret, body, signature.replace(/^sha256=/, '')) && signature.startsWith('sha256=')
    ? undefined
    : WRONG
}

/**
 * Verifies GitLab's signature, or its token if there is no signature. A wrong signature is rejected
 * even if the token is valid.
 */
function verifyGitLab(secret: string, { headers, body, nowMs }: HookRequest): string | undefined {
  if (headers.has('webhook-signature'))
    return findSignatureProblem(secret, standardMessage(headers, body, nowMs))
  const token = headers.get('x-gitlab-token')
  if (token === null)
    return 'Neither webhook-signature nor X-Gitlab-Token was sent. Set the secret token or the signing token of the webhook.'
  // Digests have a fixed length, so that the comparison does not reveal the secret's length.
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(token), hash(secret)) ? undefined : 'The secret token does not match.'
}

/** Verifies the most specific signature header. If it is wrong, the others are not tried. */
function verifyGitea(secret: string, { headers, body }: HookRequest): string | undefined {
  const signature = headers.get('x-forgejo-signature') ?? headers.get('x-gitea-signature')
  if (signature === null || signature === '')
    return 'The header X-Gitea-Signature or X-Forgejo-Signature is missing. Set the secret of the webhook in the settings of the repository.'
  return isHmac(secret, body, signature) ? undefined : WRONG
}

/**
 * Verifies a signature in the format of Standard Webhooks, or Bitbucket's `X-Hub-Signature`, which
 * is SHA-256.
 */
function verifyOther(secret: string, { headers, body, nowMs }: HookRequest): string | undefined {
  const signature = headers.get('x-hub-signature')
  if (headers.has('webhook-signature') || signature === null) {
    const problem = findSignatureProblem(secret, standardMessage(headers, body, nowMs))
    return problem && `${problem}${hintOf(headers)}`
  }
  return /^sha256=/.test(signature) && isHmac(secret, body, signature.slice('sha256='.length))
    ? undefined
    : WRONG
}

function hintOf(headers: Headers): string {
  const other = [
    ['x-gitea-event', 'gitea'],
    ['x-forgejo-event', 'gitea'],
    ['x-gitlab-event', 'gitlab'],
    ['x-github-event', 'github'],
  ].find(([name]) => headers.has(name ?? ''))
  return other === undefined
    ? ''
    : ` This looks like a hook of another provider: add the connection again with --provider ${other[1]}.`
}

const standardMessage = (headers: Headers, body: Uint8Array, nowMs: number) => ({
  id: headers.get('webhook-id'),
  timestamp: headers.get('webhook-timestamp'),
  signature: headers.get('webhook-signature'),
  body,
  nowMs,
})

function isHmac(secret: string, body: Uint8Array, hex: string): boolean {
  if (!/^[\da-f]{64}$/i.test(hex)) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}
