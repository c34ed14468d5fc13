/** Signatures as Standard Webhooks 1.0 defines them, so that receivers can use a library. */
import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** The name that the secret is kept under. */
export const WEBHOOK_SECRET = 'webhook'

export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

type Message = { readonly id: string; readonly body: string; readonly nowMs: number }

export function signWebhook(
  secret: string,
  { id, body, nowMs }: Message,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
