import type { ProviderKind } from '@octavo/contract'
import { HookReply } from '@octavo/contract'
import { z } from 'zod'
import type { Database, Tenant } from '../../platform/database/database.ts'
import type { HookDelivery } from '../../platform/http/caller.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import { tryAction } from '../../platform/limits/hourly-limit.ts'
import { HOOK_BYTES_MAX } from './authenticate-hook.ts'
import { type HookEvent, readHookEvent, refOfEvent } from './read-hook-event.ts'
import { insertDelivery } from './store.ts'

/** A generous limit, since many webhooks share one repository check. */
const LIMIT = { action: 'hook', perHour: 3_600 }

export type HookRouteDeps = { readonly database: Database; readonly jobSender: JobSender }

type Arrived = {
  readonly provider: ProviderKind
  readonly delivery: HookDelivery
  readonly payload: unknown
}

/** Routes to which Git hosts send webhooks. */
export function hookRoutes({ database, jobSender }: HookRouteDeps): readonly Route[] {
  /** Stores a delivery and queues a check if needed. Returns false for a known delivery. */
  async function accept(tenant: Tenant, { provider, delivery, payload }: Arrived) {
    const event = readHookEvent(provider, delivery.event, payload)
    await jobSender.start()
    return database.forProject(tenant).transaction(async (query) => {
      const row = { ...delivery, ref: refOfEvent(event) }
      if (!(await insertDelivery(query, row))) return false
      if (isReasonToCheck(provider, event)) await jobSender.send('check', tenant, query)
      return true
    })
  }

  return [
    // Must come before the route with `:hookId`, which also matches this path.
    defineRoute({
      method: 'POST',
      path: '/v1/hooks/github-app',
      tag: 'Builds',
      summary: 'Receive a webhook of the GitHub App',
      description:
        'The webhook address of the GitHub App of this service, for all repositories on which the app is installed. Requests are signed with the secret of the app.',
      caller: { kind: 'appWebhook' },
      params: z.object({}),
      query: z.object({}),
      stream: { type: 'application/json', bytesMax: HOOK_BYTES_MAX },
      reply: HookReply,
      status: 202,
      problems: ['invalid-signature'],
      formats: ['application/json'],
      async handle({ caller: { tenants, ...arrived } }) {
        let isNew = false
        for (const tenant of tenants) {
          // A project over its limit must not block others that use the same repository.
          if (!(await tryAction(database.forProject(tenant), LIMIT))) continue
          isNew = (await accept(tenant, { ...arrived, provider: 'github' })) || isNew
        }
        if (tenants.length === 0) return { result: 'ignored' as const }
        return { result: isNew ? ('accepted' as const) : ('duplicate' as const) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/hooks/:hookId',
      tag: 'Builds',
      summary: 'Receive a webhook',
      description:
        'The webhook address of a connected repository. Requests are signed in the format of GitHub, GitLab, Gitea or Forgejo, or of Standard Webhooks. The service then compares the repository with what was built; the payload is only a hint.',
      caller: { kind: 'webhook' },
      params: z.object({
        hookId: z.string().meta({
          description: 'The part of the address that `connection add` created.',
          examples: ['k3vq7m2xw5tyb4cdhn6pza'],
        }),
      }),
      query: z.object({}),
      stream: { type: 'application/json', bytesMax: HOOK_BYTES_MAX },
      reply: HookReply,
      status: 202,
      problems: ['invalid-signature'],
      formats: ['application/json'],
      limit: LIMIT,
      async handle({ caller: { tenant, ...arrived } }) {
        const isNew = await accept(tenant, arrived)
        return { result: isNew ? ('accepted' as const) : ('duplicate' as const) }
      },
    }),
  ]
}

/**
 * Returns true if an event needs a check. Git hosts also send irrelevant events, while any event of
 * a generic webhook is relevant.
 */
function isReasonToCheck(provider: ProviderKind, { kind }: HookEvent): boolean {
  return kind === 'push' || kind === 'pull-request' || (kind === 'other' && provider === 'git')
}
