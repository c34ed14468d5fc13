import { randomUUID } from 'node:crypto'
import { WebhookBody, WebhookReply, WebhookTestReply } from '@octavo/contract'
import { requesterOf } from '../../../platform/audit/request-audit.ts'
import type { ProjectDatabase, Tenant } from '../../../platform/database/database.ts'
import { ProjectParams } from '../../../platform/http/params.ts'
import { defineRoute, type Route } from '../../../platform/http/route.ts'
import { countAction } from '../../../platform/limits/hourly-limit.ts'
import { Problem } from '../../../platform/problem.ts'
import { createKeyRing } from '../../../platform/secrets/key-ring.ts'
import { changeWebhook, parseWebhookUrl } from './change-webhook.ts'
import { type SendingDeps, sendWebhook } from './deliver-webhook.ts'
import { WebhookStore } from './store.ts'

const TAG = 'Projects'
const PATH = '/v1/projects/:projectId/webhook'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const

const TESTS_PER_HOUR = 30
/** The timeout is short, since a person is waiting for the result. */
const TEST_MS_MAX = 10_000

export type WebhookRouteDeps = SendingDeps & {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
}

export const webhookRoutes = (deps: WebhookRouteDeps): readonly Route[] => [
  setWebhook(deps),
  testWebhook(deps),
  removeWebhook(deps),
]

const setWebhook = ({ databaseOf, secretKeys, allowPrivateHosts }: WebhookRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Set the webhook',
    description:
      'Messages about the project are sent to this URL: deployments that went live, and all [notifications](/dashboard/notifications). Each call creates a new signing secret, which replaces the old one, unless the call changes only the format.',
    caller: CALLER,
    params: ProjectParams,
    body: WebhookBody,
    reply: WebhookReply,
    problems: ['conflict'],
    async handle({ caller, body, clientAddress }) {
      if (secretKeys.length === 0)
        throw new Problem(
          'conflict',
          'This service cannot store secrets. Ask its operator to set OCTAVO_SECRET_KEYS.',
        )
      const url = parseWebhookUrl(body.url, allowPrivateHosts)
      if (typeof url === 'string') throw new Problem('invalid-request', url, { param: 'url' })
      const target = { url, format: body.format }
      const secret = await changeWebhook(databaseOf(caller.tenant), {
        ring: createKeyRing(secretKeys),
        target,
        requester: requesterOf({ caller, clientAddress }),
      })
      return { url: url.href, format: body.format, ...(secret && { secret }) }
    },
  })

const testWebhook = ({ databaseOf, ...deps }: WebhookRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/test`,
    tag: TAG,
    summary: 'Test the webhook',
    description: `Sends a message of the type \`test\` once and returns what the server responded. At most ${TESTS_PER_HOUR} times an hour.`,
    caller: CALLER,
    params: ProjectParams,
    reply: WebhookTestReply,
    problems: ['conflict'],
    async handle({ caller }) {
      const database = databaseOf(caller.tenant)
      const target = await new WebhookStore(database).target()
      if (target === undefined) throw notSet()
      await countAction(database, { action: 'webhook-test', perHour: TESTS_PER_HOUR })
      const sent = await sendWebhook(deps, database, {
        id: `msg_test_${randomUUID()}`,
        target,
        message: {
          type: 'test',
          timestamp: new Date(deps.now()).toISOString(),
          data: { projectId: target.publicId },
        },
        signal: AbortSignal.timeout(TEST_MS_MAX),
      })
      if (sent.kind === 'removed') throw notSet()
      return sent.kind === 'sent'
        ? { delivered: true, status: sent.status }
        : { delivered: false, reason: sent.reason }
    },
  })

const notSet = () => new Problem('conflict', 'This project has no webhook. Set one first.')

const removeWebhook = ({ databaseOf }: WebhookRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: PATH,
    tag: TAG,
    summary: 'Remove the webhook',
    description: 'No more messages are sent. If no webhook is set, nothing changes.',
    caller: CALLER,
    params: ProjectParams,
    async handle({ caller, clientAddress }) {
      await changeWebhook(databaseOf(caller.tenant), {
        target: undefined,
        requester: requesterOf({ caller, clientAddress }),
      })
      return undefined
    },
  })
