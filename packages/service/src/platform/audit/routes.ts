import { AuditEntry, AuditList, hasScope, ROLE_SCOPES } from '@octavo/contract'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { Caller } from '../http/caller.ts'
import {
  checkDates,
  dateParam,
  filterText,
  JSON_FORMAT,
  ProjectParams,
  pageQuery,
} from '../http/params.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { CSV, NDJSON, streamLines } from '../http/stream-lines.ts'
import { printTimeCursor, type TimeCursor, timeCursorParam } from '../http/time-cursor.ts'
import { type AuditRow, createAuditLog } from './audit-log.ts'

const BATCH = 1_000

export type AuditRouteDeps = {
  readonly database: Database
  readonly onBrokenStream: (error: unknown) => void
}

const AuditQuery = z.object({
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
      'The actor of an entry, such as `operator` or `user <id>`; `user` or `key` matches all users or keys.',
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
})
const COLUMNS = Object.keys(AuditEntry.shape)
const SCANS =
  'A filtered request scans up to 10,000 entries, so a page of results can be short or empty and still have a `nextCursor`. Request NDJSON or CSV to stream all matching entries.'
const SHARED = {
  method: 'GET',
  query: AuditQuery,
  reply: AuditList,
  formats: [JSON_FORMAT, NDJSON, CSV],
  exportAction: 'audit.export',
} as const

export const auditRoutes = (deps: AuditRouteDeps): readonly Route[] => [
  defineRoute({
    ...SHARED,
    path: '/v1/projects/:projectId/audit',
    tag: 'Audit log',
    summary: 'List audit log entries',
    description: `Actions of people, keys and operators in a project, newest first. If you have a role in the organization, you also see its members and their sign-ins. ${SCANS}`,
    caller: { kind: 'adminKey', scope: 'audit:read' },
    params: ProjectParams,
    handle: ({ caller, query, format }) =>
      answer(
        createAuditLog(deps.database.forProject(caller.tenant), {
          of: 'project',
          withPeople: readsOrganization(caller),
        }),
        { query, format, onBroken: deps.onBrokenStream },
      ),
  }),
  defineRoute({
    ...SHARED,
    path: '/v1/organizations/:organizationId/audit',
    tag: 'Organizations',
    summary: 'List audit log entries of an organization',
    description: `Actions in the organization as a whole, and actions that concern people in its projects, newest first. Other actions in a project are in the log of that project. ${SCANS}`,
    caller: { kind: 'organization', scope: 'audit:read' },
    params: z.object({
      organizationId: z.string().meta({ description: 'The id of the organization.' }),
    }),
    handle: ({ caller, query, format }) =>
      answer(createAuditLog(deps.database.forOrganization(caller.organizationId), ORGANIZATION), {
        query,
        format,
        onBroken: deps.onBrokenStream,
      }),
  }),
]

const ORGANIZATION = { of: 'organization' } as const

const readsOrganization = (caller: Caller) =>
  caller.kind === 'member' &&
  caller.organizationRole !== null &&
  hasScope(ROLE_SCOPES[caller.organizationRole], 'audit:read')

type ExportOptions = {
  readonly query: z.output<typeof AuditQuery>
  readonly format: string
  readonly onBroken: (error: unknown) => void
}

async function answer(
  log: ReturnType<typeof createAuditLog>,
  { query, format, onBroken }: ExportOptions,
): Promise<Response | z.input<typeof AuditList>> {
  const { from: fromMs, to: toMs, actor, action, q: text, cursor } = query
  checkDates({ fromMs, toMs }, 'from')
  const filter = { fromMs, toMs, actor, action, text }
  if (format !== JSON_FORMAT) {
    const page = async (before: TimeCursor | undefined) => {
      const { rows, next } = await log.page(filter, before, BATCH)
      return { lines: rows.map(showEntry), next }
    }
    const csvColumns = format === CSV ? COLUMNS : undefined
    return streamLines({ page, from: cursor, name: 'audit', csvColumns, onBroken })
  }
  const { rows, next } = await log.page(filter, cursor, Math.max(1, query.limit))
  return { entries: rows.map(showEntry), nextCursor: next ? printTimeCursor(next) : null }
}

const showEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: row.actor,
  ...(row.actor_name && { actorName: row.actor_name }),
  action: row.action,
  object: row.object,
  ...(row.object_name && { objectName: row.object_name }),
  ...(row.project !== null && { project: row.project }),
  ...(row.before !== null && { before: row.before }),
  ...(row.after !== null && { after: row.after }),
  ...(row.address_prefix !== null && { network: row.address_prefix }),
  ...(row.request_id !== null && { requestId: row.request_id }),
})
