/**
 * Stores problems that agents report about the documentation, as feedback from the source `agent`.
 */
import { randomUUID } from 'node:crypto'
import { EVENT_LIMITS } from '@octavo/model'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { storable } from '../../platform/http/reader-body.ts'
import { createRateLimit } from '../../platform/limits/rate-limit.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { SUBJECT_LENGTH_MAX } from './event-buffer.ts'
import { createFeedbackStore } from './feedback-store.ts'

const REPORTS_PER_HOUR = 200

export function createAgentReports(database: Database, now: () => number) {
  const limit = createRateLimit(REPORTS_PER_HOUR, now)
  return {
    async add(
      tenant: Tenant,
      { page = '/', problem }: { readonly page: string | undefined; readonly problem: string },
    ): Promise<void> {
      limit(tenant.projectId)
      await createFeedbackStore(database.forProject(tenant)).add({
        key: randomUUID(),
        source: 'agent',
        path: storable(page).slice(0, SUBJECT_LENGTH_MAX),
        comment: storable(maskSecrets(problem)).slice(0, EVENT_LIMITS.commentLength),
      })
    },
  }
}
export type AgentReports = ReturnType<typeof createAgentReports>
