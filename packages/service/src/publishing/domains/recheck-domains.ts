import { writeAudit } from '../../platform/audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { logExpiringCertificate } from './certificate-watch.ts'
import type { DomainCheck } from './check-domain.ts'
import { DomainStore, shownState } from './store.ts'

type DueRow = {
  readonly organization_id: string
  readonly project_id: string
  readonly name: string
}

const BATCH_SIZE = 10

/**
 * Checks all domains that are due, in batches, and deletes claims that ended long ago. Returns how
 * many domains were checked.
 */
export async function recheckDomains(
  deps: {
    readonly database: Database
    readonly domainCheck: DomainCheck
    readonly log: Log
    readonly now: () => number
  },
  signal: AbortSignal,
): Promise<number> {
  const { database, domainCheck, log, now } = deps
  const checkOne = async ({ organization_id, project_id, name }: DueRow) => {
    const tenant = { organizationId: organization_id, projectId: project_id }
    const bound = database.forProject(tenant)
    const store = new DomainStore(bound)
    const claim = await store.find(name)
    if (claim === undefined) return
    await domainCheck.check(store, claim)
    const checked = await store.find(name)
    if (checked === undefined) return
    const { endsAt } = checked.checks?.certificate ?? {}
    if (endsAt !== undefined)
      logExpiringCertificate(log, { name, endsAt: Date.parse(endsAt), now: now() })
    const [before, after] = [shownState(claim), shownState(checked)]
    // The database function that reassigns a lost domain writes the audit entry.
    if (before !== after && after !== 'lost')
      await writeAudit(bound, {
        actor: 'service',
        action: `domain.${after}`,
        object: name,
        before: { state: before },
        after: { state: after },
      })
  }
  let checked = 0
  while (!signal.aborted) {
    const due = await database.query<DueRow>('select * from take_due_domains($1)', [BATCH_SIZE])
    const results = await Promise.allSettled(due.map(checkOne))
    for (const result of results)
      if (result.status === 'rejected')
        log.error('a domain was not checked', { error: result.reason })
    checked += due.length
    if (due.length < BATCH_SIZE) break
  }
  await database.query('select forget_domains()')
  return checked
}
