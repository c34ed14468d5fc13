/**
 * Fills two projects with domains, and runs all operations on the domains of one project; used by
 * `two-tenants.ts`.
 */

import type { Database, ProjectDatabase } from '../src/platform/database/database.ts'
import { DomainStore } from '../src/publishing/domains/store.ts'

const TOKEN = 'a'.repeat(32)
const SEEN = { common: [TOKEN], any: [TOKEN], seconds: 0 }
/** A domain that both projects claim. */
const BOTH = 'both.example.com'

/** Adds an active domain, a claim that both projects have, and a removed domain. */
export async function fillDomains(
  owner: Database,
  { tenant }: Pick<ProjectDatabase, 'tenant'>,
  text = 'text',
): Promise<void> {
  const label = text.toLowerCase().replaceAll(/[^a-z\d]/g, '-')
  await owner.query(
    `insert into domain_claim (project_id, name, token, state, seen_at, ended_at)
     values ($1, $2, md5($2), 'active', now(), null), ($1, $3, md5($1::bigint::text), 'waiting', null, null),
            ($1, 'old-' || $2, md5($2), 'removed', now(), now())`,
    [tenant.projectId, `${label}.example.com`, BOTH],
  )
}

export function domainOperations(
  database: ProjectDatabase,
  otherName: string,
): readonly (() => Promise<unknown>)[] {
  const store = new DomainStore(database)
  // This name is masked, because the operations claim it for this project below. Seeing it does not
  // mean that a row of the other project was read.
  const own = (name: string) => (name === `old-${otherName}` ? 'claimed' : name)
  const list = async () =>
    (await store.list()).map(({ name, state, redirects }) => ({
      name: own(name),
      state,
      redirects,
    }))
  return [
    list,
    () => store.find(otherName),
    () => store.prove(otherName, SEEN),
    () => store.setRedirects(otherName, true),
    () => store.saveChecks(otherName, domainChecksOf()),
    () => store.remove(otherName),
    () => store.claim(`old-${otherName}`, TOKEN),
    () => store.find(`old-${otherName}`).then((claim) => claim?.token),
    () => store.claim('www.both.example.com', TOKEN),
    () => store.setRedirects(BOTH, true),
    () => store.saveChecks(BOTH, domainChecksOf()),
    () => store.prove(BOTH, SEEN),
    () => store.prove('www.both.example.com', SEEN),
    list,
    () => store.remove(BOTH),
    list,
    () => store.slug(),
  ]
}

function domainChecksOf() {
  const light = { state: 'ok' as const, seen: 'own', at: null, hint: '' }
  return { claimed: light, resolves: light, reachesUs: light, certificate: light, canonical: light }
}
