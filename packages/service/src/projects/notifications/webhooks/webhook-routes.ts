import { WebhookBody, WebhookReply } from '@octavo/contract'
import { requesterOf } from '../../../platform/audit/request-audit.ts'
import type { ProjectDatabase, Tenant } from '../../../platform/database/database.ts'
import { ProjectParams } from '../../../platform/http/params.ts'
import { defineRoute, type Route } from '../../../platform/http/route.ts'
import { Problem } from '../../../platform/problem.ts'
import { createKeyRing, type SecretKey } from '../../../platform/secrets/key-ring.ts'
import { changeWebhook, parseWebhookUrl } from './change-webhook.ts'

const TAG = 'Projects'
const PATH = '/v1/projects/:projectId/webhook'
const CALLER = { kind: 'adminKey', scope: 'project:write' } as const

export type WebhookRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly secretKeys: readonly SecretKey[]
  readonly allowPrivateHosts: readonly string[]
}

export const webhookRoutes = (deps: WebhookRouteDeps): readonly Route[] => [
  setWebhook(deps),
  removeWebhook(deps),
]

const setWebhook = ({ databaseOf, secretKeys, allowPrivateHosts }: WebhookRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Set the webhook',
    description:
      'Messages about the project are sent to this URL: deployments that went live, and everything that [notifications](/dashboard/notices) are about. Each call creates a new signing secret, and the old one is no longer used.',
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
      return { url: url.href, format: body.format, secret }
    },
  })

const removeWebhook = ({ databaseOf }: WebhookRouteDeps) =>
  defineRoute({
    method: 'DELETE',
    path: PATH,
    tag: TAG,
    summary: 'Remove the webhook',
    description: 'No more messages are sent. Removing a webhook that is not set changes nothing.',
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
