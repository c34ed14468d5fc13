/**
 * Tells the people and the webhook of a project what is noted for them. What is done is noted after each step, so a job that
 * is tried again goes on where it stopped: a mail is sent twice only if the worker dies between sending and noting.
 */
import type { Database } from '../../platform/database/database.ts'
import type { JobHandler } from '../../platform/jobs/job-queue.ts'
import { isRefusedAddress, type Mailer } from '../../platform/mail/mailer.ts'
import { noticeMail } from '../../platform/mail/mails.ts'
import type { NoticeType } from './notice-type.ts'
import { NOTICE_TYPES } from './notice-types.ts'
import { NoticeStore, type UndeliveredNotice } from './store.ts'
import {
  type DeliveryDeps,
  deliverWebhook,
  type WebhookTarget,
} from './webhooks/deliver-webhook.ts'
import { WebhookStore } from './webhooks/store.ts'

export type NoticeSenderDeps = DeliveryDeps & {
  readonly database: Database
  /** Nothing for a service that cannot send mail. */
  readonly mailer: Pick<Mailer, 'deliver'> | undefined
  /** Of the dashboard. */
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

    /** A webhook that is down does not keep mail back, nor the other way round; nor is it asked for each notice. */
    async function tell(channel: Channel, work: () => Promise<void>): Promise<boolean> {
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
      const isHooked = await tell('webhook', () => tellWebhook(notice, type))
      const isMailed = await tell('mail', () => tellPeople(notice, type))
      if (isHooked && isMailed) await store.markDelivered(notice)
    }
    // The queue tries again.
    for (const error of failures.values()) throw error

    async function tellWebhook(notice: UndeliveredNotice, type: NoticeType): Promise<void> {
      if (target === undefined || notice.isHooked) return
      if (!type.hasOwnWebhook)
        await deliverWebhook(deps, bound, {
          id: `msg_${target.publicId}_${type.kind}_${notice.subject}`,
          target,
          message: messageOf(notice, type, target),
          facts: { notice: `${type.kind} ${notice.subject}` },
          signal,
        })
      await store.markHooked(notice)
    }

    async function tellPeople(notice: UndeliveredNotice, type: NoticeType): Promise<void> {
      const { mailer } = deps
      if (mailer === undefined) return
      const { publicId, name } = await store.project()
      const linkTo = (page: string) => deps.url && `${deps.url}/projects/${publicId}/${page}`
      const { path, ...text } = type.describe(notice.facts)
      for (const { address, isListed } of await recipientsOf(store, type)) {
        if (notice.mailed.includes(address)) continue
        const isSent = await mailer
          .deliver(
            noticeMail(address, {
              ...text,
              project: name,
              link: linkTo(path),
              settingsLink: linkTo('notices'),
              isListed,
            }),
          )
          .then(() => true)
          .catch((error: unknown) => {
            // Others get it all the same, and nobody tries this address again.
            if (!isRefusedAddress(error)) throw error
            deps.log.error('the mail server refused the address of a notice', { project: publicId })
            return false
          })
        await store.markMailed(notice, { address, isSent })
      }
    }
  }
}

/** Nothing for a kind of a newer version. */
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

function messageOf(
  { facts, at }: UndeliveredNotice,
  { kind, describe }: NoticeType,
  { publicId }: WebhookTarget,
) {
  return {
    type: kind,
    timestamp: at.toISOString(),
    data: { projectId: publicId, summary: describe(facts).title, ...facts },
  }
}
