import { type AuditEntry, AuditList } from '@octavo/contract'
import { z } from 'zod'
import type { ProjectDatabase, Tenant } from '../database/database.ts'
import {
  checkDates,
  dateParam,
  filterText,
  JSON_FORMAT,
  ProjectParams,
  pageQuery,
} from '../http/params.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { NDJSON, streamLines } from '../http/stream-lines.ts'
import { printTimeCursor, type TimeCursor, timeCursorParam } from '../http/time-cursor.ts'
import { type AuditRow, createAuditStore } from './store.ts'

const BATCH = 1_000

export type AuditRouteDeps = {
  readonly databaseOf: (tenant: Tenant) => ProjectDatabase
  readonly onBrokenStream: (error: unknown) => void
}

export function auditRoutes({ databaseOf, onBrokenStream }: AuditRouteDeps): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/projects/:projectId/audit',
      tag: 'Audit log',
      summary: 'List what was done',
      description:
        'What people, keys and operators did to a project, newest first. A filter that matches little looks at 10,000 entries at once: a page can then be short, or empty, and have a `nextCursor` all the same. Ask for NDJSON to stream everything that the filter matches.',
      caller: { kind: 'adminKey', scope: 'audit:read' },
      params: ProjectParams,
      query: z.object({
        from: dateParam.optional().meta({
          description: 'Lower bound, inclusive: a date (midnight UTC) or an ISO 8601 timestamp.',
          examples: ['2026-01-31'],
        }),
        to: dateParam.optional().meta({
          description: 'Upper bound, exclusive.',
          examples: ['2026-02-28'],
        }),
        actor: filterText.meta({
          description:
            'Who did it: `operator`, `user <id>`, `key <id>`, or `user` and `key` for all of them.',
          examples: ['user usr_5kbu4k41mpelzrqs'],
        }),
        action: filterText.meta({
          description: 'The beginning of the action.',
          examples: ['key.'],
        }),
        q: filterText.meta({
          description: 'Part of anything that is shown of an entry, in upper or lower case.',
        }),
        cursor: timeCursorParam,
        limit: pageQuery('Entries').limit,
      }),
      reply: AuditList,
      formats: [JSON_FORMAT, NDJSON],
      async handle({ caller, query, format }) {
        const { from: fromMs, to: toMs, actor, action, q: text, cursor } = query
        checkDates({ fromMs, toMs }, 'from')
        const store = createAuditStore(databaseOf(caller.tenant))
        const filter = { fromMs, toMs, actor, action, text }
        if (format === NDJSON) {
          const page = async (before: TimeCursor | undefined) => {
            const { rows, next } = await store.page(filter, before, BATCH)
            return { lines: rows.map(showEntry), next }
          }
          const onBroken = onBrokenStream
          return streamLines({ page, from: cursor, fileName: 'audit.ndjson', onBroken })
        }
        const { rows, next } = await store.page(filter, cursor, Math.max(1, query.limit))
        return { entries: rows.map(showEntry), nextCursor: next ? printTimeCursor(next) : null }
      },
    }),
  ]
}

export const showEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: row.actor,
  ...(row.actor_name && { actorName: row.actor_name }),
  action: row.action,
  object: row.object,
  ...(row.before !== null && { before: row.before }),
  ...(row.after !== null && { after: row.after }),
  ...(row.address_prefix !== null && { network: row.address_prefix }),
  ...(row.request_id !== null && { requestId: row.request_id }),
})
