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
      summary: 'List audit log entries',
      description:
        'Actions of people, keys and operators in a project, newest first. A filtered request scans up to 10,000 entries, so a page can be short or empty and still have a `nextCursor`. Request NDJSON to stream all matching entries.',
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
            'The actor: `operator`, `user <id>` or `key <id>`; `user` or `key` matches all users or keys.',
          examples: ['user usr_5kbu4k41mpelzrqs'],
        }),
        action: filterText.meta({
          description: 'A prefix of the action.',
          examples: ['key.'],
        }),
        q: filterText.meta({
          description: 'Text that any field of the entry contains, ignoring case.',
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
