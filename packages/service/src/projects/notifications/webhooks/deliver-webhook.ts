/**
 * Sends a signed message to a project's webhook. Throws if it was not delivered, so that the queue
 * retries.
 */

import type { NoticeKind } from '@octavo/contract'
import { printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { ProjectDatabase } from '../../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../../platform/secrets/store.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { WEBHOOK_SECRET } from '../../projects/store.ts'
import { printNotice } from './print-notice.ts'
import { signWebhook } from './sign-webhook.ts'
import { WebhookStore } from './store.ts'

const LIMITS = { totalMsMax: 20_000, bytesMax: 100_000 }

/**
 * The number of concurrent deliveries. Waiting for receivers costs next to nothing, and a few slow
 * receivers must not delay the messages of other projects.
 */
export const DELIVERIES_AT_ONCE = 8

export const WEBHOOK_FORMATS = ['standard', 'slack'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

export type WebhookTarget = {
  readonly publicId: string
  /** The project's name. */
  readonly name: string
  readonly slug: string
  /** The webhook's URL. */
  readonly url: string
  readonly format: WebhookFormat
}

export type WebhookMessage = {
  readonly type: 'deployment.live' | 'deployment.removed' | 'build.superseded' | 'test' | NoticeKind
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export type SendingDeps = {
  readonly secretKeys: readonly SecretKey[]
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
}

export type DeliveryDeps = SendingDeps & { readonly log: Log }

export type Sending = {
  /** The message id, identical for every attempt, so that a receiver can detect duplicates. */
  readonly id: string
  readonly target: WebhookTarget
  readonly message: WebhookMessage
  readonly signal: AbortSignal
}

export type Delivery = Sending & {
  /** Ids for the log. */
  readonly facts: Readonly<Record<string, string>>
}

type SendOutcome =
  | { readonly kind: 'sent'; readonly status: number }
  /** A final error is not retried; all others are. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isFinal: boolean }
  /** The webhook was removed in the meantime. */
  | { readonly kind: 'removed' }

export async function deliverWebhook(
  deps: DeliveryDeps,
  database: ProjectDatabase,
  { facts, ...sending }: Delivery,
): Promise<void> {
  const sent = await sendWebhook(deps, database, sending)
  const all = { project: sending.target.publicId, ...facts }
  if (sent.kind === 'sent') deps.log.info('webhook sent', { ...all, status: sent.status })
  if (sent.kind !== 'failed') return
  const { reason, isFinal } = sent
  deps.log.error(isFinal ? 'webhook refused' : 'webhook not delivered', { ...all, reason })
  if (!isFinal) throw new Error(`The webhook was not delivered: ${reason}.`)
}

/** Sends a message once, and stores the outcome, which the owner can see. */
export async function sendWebhook(
  deps: SendingDeps,
  database: ProjectDatabase,
  sending: Sending,
): Promise<SendOutcome> {
  const outcome = await sendOnce(deps, database, sending)
  if (outcome.kind === 'removed') return outcome
  const { target, message } = sending
  await new WebhookStore(database).keepAttempt(target.url, {
    type: message.type,
    at: new Date(deps.now()).toISOString(),
    ...(outcome.kind === 'sent' ? { status: outcome.status } : { reason: outcome.reason }),
  })
  return outcome
}

async function sendOnce(
  deps: SendingDeps,
  database: ProjectDatabase,
  { id, target, message, signal }: Sending,
): Promise<SendOutcome> {
  const ring = createKeyRing(deps.secretKeys)
  const secret = await createSecretStore(database, ring).read(WEBHOOK_SECRET)
  if (secret === undefined) return { kind: 'removed' }
  const body = JSON.stringify(
    target.format === 'slack' ? { text: printNotice(message, target.name) } : message,
  )
  const outcome = await requestOutbound({
    url: target.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signWebhook(secret, { id, body, nowMs: deps.now() }),
    },
    body: Buffer.from(body),
    allowPrivateHosts: deps.allowPrivateHosts,
    limits: LIMITS,
    signal,
  })
  if (outcome.kind !== 'response') {
    const reason = printOutboundFailure(outcome, target.url)
    return { kind: 'failed', reason, isFinal: outcome.kind === 'refused' }
  }
  const { status } = outcome
  if (status >= 200 && status < 300) return { kind: 'sent', status }
  return { kind: 'failed', reason: `the server responded with status ${status}`, isFinal: false }
}
