/**
 * Fills two projects with notifications, and runs all operations on those of one project; used by
 * `two-tenants.ts`.
 */

import type { Database, ProjectDatabase } from '../src/platform/database/database.ts'
import { NoticeStore } from '../src/projects/notifications/store.ts'

const BUDGET = { tokensPerDay: 1, tokensPerMonth: 1 }
const BOTH = { kind: 'key.expiring', subject: 'both' } as const

/**
 * Adds a notification that both projects have, others that only this project has, budget use, and
 * events that cause notifications: a failed build, an expiring key and a lost domain.
 */
export async function fillNotifications(
  owner: Database,
  bound: ProjectDatabase,
  text = 'text',
): Promise<void> {
  const store = new NoticeStore(bound)
  await store.insert('key.expiring', { subject: 'both', facts: { name: text } })
  await store.insert('build.failed', { subject: text, facts: { branch: text } })
  await store.insert('key.expiring', { subject: 'sent', facts: { name: text } })
  await store.markHooked({ kind: 'key.expiring', subject: 'sent' })
  await store.markDelivered({ kind: 'key.expiring', subject: 'sent' })
  await bound.query('select note_budget_use(true, true)')
  await owner.query(
    `update build set finished_at = now() where project_id = $1 and state = 'failed'`,
    [bound.tenant.projectId],
  )
  await owner.query(
    `insert into api_key (project_id, kind, token_hash, last_four, name, scopes, pepper_id, created_at, expires_at)
     values ($1, 'admin', $2, '0000', $3, '{}', 'x', now() - interval '30 days', now() + interval '3 days')`,
    [bound.tenant.projectId, Buffer.from(`notice ${text}`), text],
  )
  await owner.query(
    `insert into domain_claim (project_id, name, token, state, missing_since)
     values ($1::bigint, 'missing-' || $1::bigint || '.example.com', repeat('0', 32), 'active', now() - interval '2 days')`,
    [bound.tenant.projectId],
  )
}

/**
 * Adds the notifications that are due in the project `from` to the project `to`, as if both had the
 * same subjects. Also adds an old notification.
 */
export async function copyNotifications(
  owner: Database,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  for (const statement of [
    `insert into notice (project_id, kind, subject, facts)
     select $2, 'build.failed', id, '{}' from build where project_id = $1 and state = 'failed'`,
    `insert into notice (project_id, kind, subject, facts)
     select $2, 'key.expiring', key_expiry(id, expires_at), '{}' from api_key
      where project_id = $1 and expires_at is not null`,
    `insert into notice (project_id, kind, subject, facts)
     select $2, 'domain.lost', domain_loss(c), '{}' from domain_claim c
      where project_id = $1 and domain_loss(c) is not null`,
    `insert into notice (project_id, kind, subject, facts)
     select $2, 'assistant.budget', budget_period(period), '{}' from (values ('day'), ('month')) b (period)
      where $1::bigint is not null`,
    `insert into notice (project_id, kind, subject, facts, at)
     select $2, 'key.expiring', 'old', '{}', now() - interval '1 year' where $1::bigint is not null`,
  ])
    await owner.query(statement, [from, to])
}

export function notificationOperations(
  database: ProjectDatabase,
): readonly (() => Promise<unknown>)[] {
  const store = new NoticeStore(database)
  const timeless = <Row extends { readonly at: Date }>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, at: 0 }))
  return [
    () => store.project(),
    () => store.managers(),
    () => store.failedBuilds(),
    () => store.expiringKeys().then((keys) => keys.map(({ name }) => name)),
    () => store.lostDomains().then((domains) => domains.map(({ name }) => name)),
    () => store.hasBudgetWork(),
    () => store.nearBudgets(BUDGET),
    () => store.endBudgetWork(),
    () => store.hasBudgetWork(),
    () => database.query('select note_budget_use(true, true)'),
    () => store.hasBudgetWork(),
    () => store.undelivered().then(timeless),
    () => store.markMailed(BOTH, { address: 'own@example.com', isSent: true }),
    () => store.markHooked(BOTH),
    () => store.markDelivered(BOTH),
    () => store.sent().then(timeless),
    () => store.insert('assistant.budget', { subject: 'both', facts: {} }),
    () => store.forgetOld(),
    () => store.change({ addresses: ['own@example.com'] }, { actor: 'own' }),
    () => store.settings(),
  ]
}
