import { NOTICE_KINDS, NoticesBody, NoticesReply } from '@octavo/contract'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { NOTICE_TYPES } from './notice-types.ts'
import { NoticeStore, type SentNotice } from './store.ts'
import { WebhookStore } from './webhooks/store.ts'

const TAG = 'Projects'
const PATH = '/v1/projects/:projectId/notifications'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const

export type NoticeRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  /** True if this service can send mail. */
  readonly canEmail: boolean
}

export function noticeRoutes({ databaseOf, canEmail }: NoticeRouteDeps): readonly Route[] {
  const showNotices = async (tenant: Tenant): Promise<NoticesReply> => {
    const database = databaseOf(tenant)
    const store = new NoticeStore(database)
    const { email, addresses } = await store.settings()
    return {
      email: [...email],
      addresses: [...addresses],
      canEmail,
      hasWebhook: await new WebhookStore(database).isSet(),
      sent: (await store.sent()).flatMap(showSent),
    }
  }
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'Get notifications',
      description:
        'What is sent to owners and admins by e-mail: a failed production build (`build.failed`), an assistant that has used 80 % of a budget (`assistant.budget`), an API key that expires within 7 days (`key.expiring`), a custom domain whose record is missing (`domain.lost`). The webhook of the project receives all of them.',
      caller: CALLER,
      params: ProjectParams,
      reply: NoticesReply,
      handle: ({ caller }) => showNotices(caller.tenant),
    }),
    defineRoute({
      method: 'PUT',
      path: PATH,
      tag: TAG,
      summary: 'Change notifications',
      description: 'Changes only the settings that are in the body.',
      caller: CALLER,
      params: ProjectParams,
      body: NoticesBody,
      reply: NoticesReply,
      async handle({ caller, body, clientAddress }) {
        const store = new NoticeStore(databaseOf(caller.tenant))
        await store.change(body, requesterOf({ caller, clientAddress }))
        return showNotices(caller.tenant)
      },
    }),
  ]
}

function showSent({ kind, facts, at, emails, webhook }: SentNotice): NoticesReply['sent'] {
  const known = NOTICE_KINDS.find((one) => one === kind)
  if (known === undefined) return []
  const { title } = NOTICE_TYPES[known].describe(facts)
  return [{ kind: known, text: title, at: at.toISOString(), emails, webhook }]
}
