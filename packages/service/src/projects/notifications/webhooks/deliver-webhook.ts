/** One message to the webhook of a project, signed. A message that was not delivered is thrown, so that the queue tries again. */

import type { NoticeKind } from '@octavo/contract'
import { printOutboundFailure, requestOutbound } from '@octavo/outbound'
import type { ProjectDatabase } from '../../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../../platform/secrets/store.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { printNotice } from './print-notice.ts'
import { signWebhook, WEBHOOK_SECRET } from './sign-webhook.ts'

const LIMITS = { totalMsMax: 20_000, bytesMax: 100_000 }

/** Jobs that wait for receivers cost next to nothing, and a few slow receivers must not hold up those of others. */
export const DELIVERIES_AT_ONCE = 8

export const WEBHOOK_FORMATS = ['standard', 'slack'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

export type WebhookTarget = {
  readonly publicId: string
  /** Of the project. */
  readonly name: string
  readonly slug: string
  /** Where the owner wants to be told. */
  readonly url: string
  readonly format: WebhookFormat
}

export type WebhookMessage = {
  readonly type: 'deployment.live' | 'deployment.removed' | 'build.superseded' | NoticeKind
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

export type DeliveryDeps = {
  readonly secretKeys: readonly SecretKey[]
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
  readonly log: Log
}

export type Delivery = {
  /** The same for every attempt, so that a receiver knows what it has seen. */
  readonly id: string
  readonly target: WebhookTarget
  readonly message: WebhookMessage
  /** For the log: ids. */
  readonly facts: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export async function deliverWebhook(
  deps: DeliveryDeps,
  database: ProjectDatabase,
  { id, target, message, facts, signal }: Delivery,
): Promise<void> {
  const ring = createKeyRing(deps.secretKeys)
  const secret = await createSecretStore(database, ring).read(WEBHOOK_SECRET)
  if (secret === undefined) return
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
  const all = { project: target.publicId, ...facts }
  if (outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300) {
    deps.log.info('webhook sent', { ...all, status: outcome.status })
    return
  }
  const reason =
    outcome.kind === 'response'
      ? `the server responded with status ${outcome.status}`
      : printOutboundFailure(outcome, target.url)
  const isFinal = outcome.kind === 'refused'
  deps.log.error(isFinal ? 'webhook refused' : 'webhook not delivered', { ...all, reason })
  // Another attempt would be refused too; everything else is tried again.
  if (!isFinal) throw new Error(`The webhook was not delivered: ${reason}.`)
}
