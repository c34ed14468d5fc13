/** Everything that owners see and change of a project beside its site, put together. */

import { askLive } from '../../answers/assistant/ask-live.ts'
import type { AnswerParts } from '../../answers/assistant/open-assistant.ts'
import { assistantRoutes } from '../../answers/assistant/settings-routes.ts'
import { AssistantSettingsStore } from '../../answers/assistant/settings-store.ts'
import { conversationListRoutes } from '../../answers/conversations/list-routes.ts'
import { ConversationListStore } from '../../answers/conversations/list-store.ts'
import { auditRoutes } from '../../platform/audit/routes.ts'
import type { ProjectDatabase, Tenant } from '../../platform/database/database.ts'
import type { ReplicaReader } from '../../platform/database/replica.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { keyRoutes } from '../../projects/api-keys/routes.ts'
import { noticeRoutes } from '../../projects/notifications/routes.ts'
import { projectRoutes } from '../../projects/projects/routes.ts'
import { type ConnectionRouteDeps, connectionRoutes } from '../../publishing/connections/routes.ts'
import { accessRoutes } from '../../reading/access/routes.ts'
import { feedbackRoutes } from '../../reading/analytics/feedback-routes.ts'
import { eventRoutes } from '../../reading/analytics/routes.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import type { Settings } from '../settings/env.ts'

export type OwnerRouteDeps = ConnectionRouteDeps & {
  readonly settings: Settings
  readonly readReplica: ((tenant: Tenant) => ReplicaReader) | undefined
  /** Nothing where no sites are stored. */
  readonly parts: AnswerParts | undefined
  readonly cache: BlobCache | undefined
  readonly siteUrlOf: (slug: string) => string | undefined
  readonly onBrokenStream: (error: unknown) => void
  readonly log: Log
  readonly now: () => number
}

export function ownerRoutes(deps: OwnerRouteDeps): readonly Route[] {
  const { settings, database, readReplica, parts, cache, onBrokenStream, log, now } = deps
  const databaseOf = database.forProject
  const onError = (error: unknown) => log.error('answering a question failed', { error })
  const live = parts && cache && { database, parts, cache, siteUrlOf: deps.siteUrlOf, onError, now }
  return [
    ...conversationListRoutes({
      listOf: (tenant) => new ConversationListStore(databaseOf(tenant), readReplica?.(tenant)),
      now,
      onBrokenStream,
    }),
    ...eventRoutes({ database, cache, now }),
    ...feedbackRoutes({ database, now }),
    ...keyRoutes({ databaseOf, pepper: settings.pepper, now }),
    ...auditRoutes({ databaseOf, onBrokenStream }),
    ...projectRoutes({
      databaseOf,
      readTokens: (bound) => readTokens(bound, settings.assistant),
      now,
    }),
    ...noticeRoutes({ databaseOf, canEmail: settings.signIn.mail !== undefined }),
    ...assistantRoutes({
      databaseOf,
      settings,
      askLive: live && ((tenant, text) => askLive(live, tenant, text)),
    }),
    ...accessRoutes({ databaseOf, pepper: settings.pepper, secretKeys: settings.secretKeys }),
    ...connectionRoutes(deps),
  ]
}

async function readTokens(database: ProjectDatabase, standard: Settings['assistant']) {
  const assistant = new AssistantSettingsStore(database)
  const { tokensPerMonth = standard.tokensPerMonth } = await assistant.read()
  const { month } = await assistant.use()
  return { month: month.used, monthMax: tokensPerMonth ?? null }
}
