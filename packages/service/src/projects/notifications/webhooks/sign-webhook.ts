/** Signs messages according to Standard Webhooks 1.0, so that receivers can use a library. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

type Message = { readonly id: string; readonly body: string; readonly nowMs: number }

export function signWebhook(
  secret: string,
  { id, body, nowMs }: Message,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const signature = digest(secret, { id, timestamp, body }).toString('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

type SignedParts = {
  readonly id: string
  readonly timestamp: string
  readonly body: string | Uint8Array
}

function digest(secret: string, { id, timestamp, body }: SignedParts): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}

/** Older messages are rejected, to prevent replay attacks. */
const AGE_SECONDS_MAX = 5 * 60
const SIGNATURES_MAX = 10

type SignedMessage = {
  readonly id: string | null
  readonly timestamp: string | null
  /** One or more signatures, separated by spaces: there are two while a secret is replaced. */
  readonly signature: string | null
  readonly body: Uint8Array
  readonly nowMs: number
}

/** Returns why a message cannot be trusted; undefined if it can. */
export function findSignatureProblem(secret: string, message: SignedMessage): string | undefined {
  const { id, timestamp, signature, body, nowMs } = message
  if (id === null || timestamp === null || signature === null)
    return 'The headers webhook-id, webhook-timestamp and webhook-signature are required.'
  if (!/^\d{1,12}$/.test(timestamp)) return 'The header webhook-timestamp is not a time in seconds.'
  const expected = digest(secret, { id, timestamp, body })
  const isRight = signature
    .split(' ', SIGNATURES_MAX)
    .flatMap((one) => /^v1,([\w+/]+={0,2})$/.exec(one)?.[1] ?? [])
    .map((text) => Buffer.from(text, 'base64'))
    .filter((bytes) => bytes.length === expected.length)
    .some((bytes) => timingSafeEqual(bytes, expected))
  if (!isRight) return 'The signature does not match.'
  const age = Math.floor(nowMs / 1_000) - Number(timestamp)
  if (Math.abs(age) > AGE_SECONDS_MAX)
    return `The message is ${Math.abs(age)} seconds ${age > 0 ? 'old' : 'ahead of time'}; at most ${AGE_SECONDS_MAX} are allowed. Check the clocks of both servers.`
  return undefined
}
