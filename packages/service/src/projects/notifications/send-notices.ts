/**
 * Sends a project's stored notifications to its people and its webhook. Each step is recorded, so a
 * retried job continues where it stopped: a mail is sent twice only if the worker crashes between
 * sending and recording.
 */
import type { Database } from '../../platform/database/database.ts'
import type { JobHandler } from '../../platform/jobs/job-queue.ts'
import { isRejectedAddress, type Mailer } from '../../platform/mail/mailer.ts'
import { notificationMail } from '../../platform/mail/mails.ts'
import type { NoticeType } from './notice-type.ts'
import { NOTICE_TYPES } from './notice-types.ts'
import { NoticeStore, type UndeliveredNotice } from './store.ts'
import { type Delivery, type DeliveryDeps, deliverWebhook } from './webhooks/deliver-webhook.ts'
import { WebhookStore } from './webhooks/store.ts'

export type NoticeSenderDeps = DeliveryDeps & {
  readonly database: Database
  /** Undefined if the service cannot send mail. */
  readonly mailer: Pick<Mailer, 'deliver'> | undefined
  /** The dashboard's URL. */
  readonly url: string | undefined
}

type Recipient = { readonly address: string; readonly isListed: boolean }
type Channel = 'webhook' | 'mail'

export function createNoticeSender(deps: NoticeSenderDeps): JobHandler {
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const bound = deps.database.forProject({ organizationId, projectId })
    const store = new NoticeStore(bound)
    const target = await new WebhookStore(bound).target()
    const failures = new Map<Channel, unknown>()

    /**
     * Sends on one channel. The channels are independent: a failing webhook does not delay mail, or
     * vice versa. A channel that failed is not tried again for the other notifications.
     */
    async function sendOn(channel: Channel, work: () => Promise<void>): Promise<boolean> {
      if (failures.has(channel)) return false
      return work().then(
        () => true,
        (error: unknown) => {
          failures.set(channel, error)
          return false
        },
      )
    }

    for (const notice of await store.undelivered()) {
      const type = typeOf(notice)
      if (type === undefined || signal.aborted) continue
      const isHooked = await sendOn('webhook', async () => {
        if (target === undefined || notice.isHooked) return
        if (!type.hasOwnWebhook)
          await deliverWebhook(deps, bound, deliveryOf(notice, type, { target, signal }))
        await store.markHooked(notice)
      })
      const isMailed = await sendOn('mail', () => mailPeople(deps, store, { notice, type }))
      if (isHooked && isMailed) await store.markDelivered(notice)
    }
    // The queue retries a job that throws.
    for (const error of failures.values()) throw error
  }
}

async function mailPeople(
  { mailer, url, log }: NoticeSenderDeps,
  store: NoticeStore,
  { notice, type }: { readonly notice: UndeliveredNotice; readonly type: NoticeType },
): Promise<void> {
  if (mailer === undefined) return
  const { publicId, name } = await store.project()
  const linkTo = (page: string) => url && `${url}/projects/${publicId}/${page}`
  const { path, ...text } = type.describe(notice.facts)
  const parts = {
    ...text,
    project: name,
    link: linkTo(path),
    settingsLink: linkTo('notifications'),
  }
  for (const { address, isListed } of await recipientsOf(store, type)) {
    if (notice.mailed.includes(address)) continue
    const isSent = await mailer.deliver(notificationMail(address, { ...parts, isListed })).then(
      () => true,
      (error: unknown) => {
        // The other recipients still get the mail, and this address is not retried.
        if (!isRejectedAddress(error)) throw error
        log.error('the mail server refused the address of a notice', { project: publicId })
        return false
      },
    )
    await store.markMailed(notice, { address, isSent })
  }
}

/** Returns undefined for a kind that only a newer version of the service knows. */
function typeOf({ kind }: UndeliveredNotice): NoticeType | undefined {
  return Object.values(NOTICE_TYPES).find((type) => type.kind === kind)
}

async function recipientsOf(store: NoticeStore, { kind }: NoticeType): Promise<Recipient[]> {
  const { email, addresses } = await store.settings()
  if (!email.includes(kind)) return []
  const managers = await store.managers()
  const listed = addresses.filter((address) => !managers.includes(address))
  return [
    ...managers.map((address) => ({ address, isListed: false })),
    ...listed.map((address) => ({ address, isListed: true })),
  ]
}

function deliveryOf(
  { subject, facts, at }: UndeliveredNotice,
  { kind, describe }: NoticeType,
  { target, signal }: Pick<Delivery, 'target' | 'signal'>,
): Delivery {
  const { publicId } = target
  return {
    id: `msg_${publicId}_${kind}_${subject}`,
    target,
    message: {
      type: kind,
      timestamp: at.toISOString(),
      data: { projectId: publicId, summary: describe(facts).title, ...facts },
    },
    facts: { notice: `${kind} ${subject}` },
    signal,
  }
}
