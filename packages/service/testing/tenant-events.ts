/**
 * Fills two projects with analytics, and runs everything that an owner can read in one project;
 * used by `two-tenants.ts`.
 */

import type { Database, ProjectDatabase } from '../src/platform/database/database.ts'
import { createBatchStore } from '../src/reading/analytics/batch-store.ts'
import { CountStore } from '../src/reading/analytics/count-store.ts'
import { createFeedbackStore } from '../src/reading/analytics/feedback-store.ts'

const KEY = '6f0b5ad6-52b0-4f4e-9d3c-1d2f3a4b5c6d'

/** Adds counts, a visit and feedback. Returns the id of the feedback. */
export async function fillEvents(
  owner: Database,
  { tenant }: Pick<ProjectDatabase, 'tenant'>,
  text = 'text',
): Promise<string> {
  const { projectId } = tenant
  const hour = Date.now()
  const day = new Date(hour).toISOString().slice(0, 10)
  const batches = createBatchStore(owner)
  const subject = `/${text}`
  await batches.storeCounts(crypto.randomUUID(), 1, [
    { projectId, hour, event: 'view', subject, detail: 'people', count: 2 },
    { projectId, hour, event: 'not-found', subject, detail: 'agents', count: 1 },
    { projectId, hour, event: 'search', subject: text, detail: 'found', count: 1 },
    { projectId, hour, event: 'search-click', subject: text, detail: subject, count: 1 },
    { projectId, hour, event: 'referrer', subject: text, detail: 'people', count: 1 },
    { projectId, hour, event: 'mcp', subject: text, detail: 'done', count: 1 },
  ])
  await batches.saltOf(day)
  await batches.storeVisits([{ projectId, day, subject, detail: 'people', hash: 7 }])
  const id = await createFeedbackStore(owner.forProject(tenant)).add({
    key: KEY,
    source: 'contextual',
    path: subject,
    helpful: false,
    comment: text,
    contact: text,
  })
  return id ?? ''
}

export function eventOperations(
  database: ProjectDatabase,
  { ownId, otherId }: { readonly ownId: string; readonly otherId: string },
): readonly (() => Promise<unknown>)[] {
  const counts = new CountStore(database)
  const feedback = createFeedbackStore(database)
  const period = { from: '2020-01-01', to: '2100-01-01' }
  const page = { after: undefined, offset: 0, limit: 10 }
  const report = { source: 'contextual', path: '/own', helpful: true, comment: 'own' } as const
  return [
    () => counts.subjects('view', period, page),
    () => counts.totals('view', period),
    () => counts.days({ from: '2026-01-01', to: '2026-01-03' }),
    () => counts.searches(period, page, false),
    () => counts.totalSearches(period),
    () => counts.referrers(period, page),
    () => counts.uses(period, page),
    () => counts.reads('people', period, page),
    () => counts.reads('agents', period, page),
    () => counts.agents(period),
    () => counts.viewed(period, ['/own', '/other']),
    () => feedback.add({ ...report, key: KEY }),
    () => feedback.list(period, { before: undefined, limit: 10 }),
    () => feedback.byPage(period, { after: undefined, limit: 10, sort: 'total', votesMin: 0 }),
    () => feedback.counts(period),
    () => feedback.totals(period),
    () => feedback.setState(otherId, 'resolved'),
    () => feedback.setState(ownId, 'resolved'),
    () => feedback.remove(otherId),
    () => feedback.remove(ownId),
  ]
}
