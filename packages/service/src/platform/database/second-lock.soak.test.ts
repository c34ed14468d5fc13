/**
 * Tests row-level security as the second lock: each condition that restricts a statement to its
 * project is removed, one at a time, in the stores and in the database functions. A project must
 * still not read or change any data of another project.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestService } from '../../../testing/test-service.ts'
import { openTrialDatabase } from '../../../testing/trial-database.ts'
import { createTwoTenants } from '../../../testing/two-tenants.ts'
import type { Query } from './database.ts'

const SOURCE = join(import.meta.dirname, '../..')
/** Matches conditions that restrict a statement to its tenant. */
const CONDITION =
  /(?:\w+\.)?(?:project_id|organization_id) = (?:current_project\(\)|current_organization\(\)|project\b)/g
/** Matches the calls that a statement or function gets its tenant from. */
const TENANT = /(?<!function )\b(?:current_project|current_organization|lock_project)\(\)/g

/**
 * These functions run as octavo_definer, because a domain name must be unique among all projects. A
 * trigger is the second lock for what they write: it rejects the write, so the results differ. All
 * they could read of another organization is the value of a TXT record, which is public in DNS.
 */
const GUARDED = /^(?:claim|prove|remove)_domain:/

/** Tables without a tenant that only functions read: sign-in data, and counts from hosts. */
const TABLES_WITHOUT_TENANT = [
  'event_batch',
  'visitor_salt',
  'sign_in_link',
  'used_token',
  'sign_in_count',
  'sign_in_code',
  'device_request',
]

type Mutation = {
  readonly title: string
  /** True if only a condition is removed, so that the tenant must still get all its own rows. */
  readonly isOpen: boolean
  readonly prepare: string
  readonly rewrite: (text: string) => string
}

const service = await startTestService()
const { own, other, otherSecrets, work } = await createTwoTenants(service)
const trials = await openTrialDatabase(service.databaseUrl)
const ROLE = new URL(service.settings.databaseUrl).username
const UNCHANGED = { prepare: '', rewrite: (text: string) => text }
afterAll(async () => {
  await trials.end()
  await service.stop()
})

const tables = await service.owner.query<{ name: string; key: string }>(
  `select c.relname as name, a.attname as key
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisprimary and n.nspname = 'public' and not c.relispartition 
      and c.relname not in ('migration', 'deleted_blob') and c.relname <> all ($1)`,
  [TABLES_WITHOUT_TENANT],
)

/** Reads all rows of the other project, its organization and its members. */
async function readOther(query: Query): Promise<string> {
  const selects = tables.map(({ name, key }) => {
    const { organizationId } = other.tenant
    const people = `select user_id from membership where organization_id = ${organizationId}`
    const isOfPeople = key === 'user_id' || name === 'app_user'
    const ids = isOfPeople ? people : key === 'project_id' ? other.id : organizationId
    return `select '${name}' as "table", to_json(t)::text as row from ${name} t where ${key} in (${ids})`
  })
  const rows = await query(`${selects.join(' union all ')} order by 1, 2`)
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

const run = (mutation: Pick<Mutation, 'prepare' | 'rewrite'>, role: string | undefined) =>
  trials.run({ ...mutation, tenant: own.tenant, role }, work, readOther)

const untouched = await readOther(service.owner.query)
const statements = new Set<string>()
const baseline = await run(
  {
    prepare: '',
    rewrite: (text) => {
      statements.add(text)
      return text
    },
  },
  ROLE,
)
const mutations = [...mutateFunctions(), ...[...statements].flatMap(mutateStatement)]
const named = mutations.map((mutation): [string, Mutation] => [mutation.title, mutation])

function mutateFunctions(): readonly Mutation[] {
  return globSync('database/functions/*.sql', { cwd: SOURCE })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(SOURCE, file), 'utf8')
      return mutateText(text).map(({ changed, index, change, isOpen }) => ({
        isOpen,
        title: `${functionAt(text, index)}: ${change}`,
        prepare: changed,
        rewrite: UNCHANGED.rewrite,
      }))
    })
}

function functionAt(text: string, index: number): string {
  return [...text.slice(0, index).matchAll(/function (\w+)/g)].at(-1)?.[1] ?? ''
}

function mutateStatement(statement: string): readonly Mutation[] {
  return mutateText(statement).map(({ changed, change, isOpen }) => ({
    isOpen,
    title: `${statement.replaceAll(/\s+/g, ' ').slice(0, 40)}…: ${change}`,
    prepare: '',
    rewrite: (text) => (text === statement ? changed : text),
  }))
}

/**
 * Returns variants of the text: each condition replaced by `true`, and each tenant by the other
 * one.
 */
function mutateText(text: string) {
  const { organizationId, projectId } = other.tenant
  const openings = [...text.matchAll(CONDITION)].map((match) => ({
    ...replaceMatch(text, match, 'true'),
    isOpen: true,
    change: `${match[0]} → true`,
  }))
  const swaps = [...text.matchAll(TENANT)].map((match) => {
    const id = match[0].includes('organization') ? organizationId : projectId
    const change = `${match[0]} → the other tenant`
    return { ...replaceMatch(text, match, `'${id}'::bigint`), isOpen: false, change }
  })
  return [...openings, ...swaps]
}

function replaceMatch(text: string, { 0: before, index }: RegExpExecArray, after: string) {
  return { index, changed: text.slice(0, index) + after + text.slice(index + before.length) }
}

/** Masks ids and times, which differ in every run. */
function withoutIds(results: readonly unknown[]): string {
  return JSON.stringify(results, null, 1)
    .replaceAll(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, 'ULID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d{12,}\b/g, 'ID')
}

const leaks = (results: readonly unknown[]) =>
  otherSecrets.filter((secret) => JSON.stringify(results).includes(secret))

test('every statement in the stores that refers to its tenant is tested', () => {
  const count = (texts: readonly string[], pattern: RegExp) =>
    texts.reduce((sum, text) => sum + [...text.matchAll(pattern)].length, 0)
  const sources = globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !/\.test\.ts$|^testing\//.test(file))
    .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
  for (const pattern of [CONDITION, TENANT]) {
    expect(count([...statements], pattern)).toBe(count(sources, pattern))
  }
  expect(mutations.length).toBeGreaterThan(40)
})

test("unmodified statements return a project's own rows and no others", () => {
  expect(JSON.stringify(baseline.done)).toContain('own')
  expect(leaks(baseline.done)).toEqual([])
  expect(baseline.seen).toBe(untouched)
})

describe('statements that do not check their tenant', () => {
  test.each(named)('%s', async (_, mutation) => {
    const { done, seen } = await run(mutation, ROLE)
    expect(leaks(done)).toEqual([])
    expect(seen).toBe(untouched)
    const isGuarded = GUARDED.test(mutation.title)
    if (mutation.isOpen && !isGuarded) expect(withoutIds(done)).toBe(withoutIds(baseline.done))
  })
})

/** Mutations that would do no harm even without policies, because something else prevents it. */
const HARMLESS = [
  // Key ids are globally unique, and the other project has no such key.
  'authenticate_api_key: k.project_id = current_project() → true',
  'authenticate_api_key: current_project() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  'expire_conversations: p.organization_id = current_organization() → true',
  // Only takes a stronger lock.
  'fence_conversations: s.project_id = project → true',
  // The retention of a project in another organization is not found.
  'expire_conversations: current_project() → the other tenant',
  'expire_conversations: current_organization() → the other tenant',
  // A build is found by its id, which no other project has.
  'create_deployment: d.project_id = project → true',
  'create_deployment: b.project_id = project → true',
  // Project ids are globally unique, and a project belongs to one organization.
  'is_suspended: p.organization_id = current_organization() → true',
  // Deployment ids are globally unique.
  'publish_deployment: d.project_id = project → true',
  'publish_deployment: d.project_id = project → true',
  'publish_deployment: d.project_id = project → true',
  // Locks more rows, but only the deployment with this id can be the live one.
  'take_down_deployment: p.project_id = project → true',
  'take_down_deployment: v.project_id = project → true',
  'take_down_deployment: p.project_id = project → true',
  'take_down_deployment: v.project_id = project → true',
  // Only takes a stronger lock.
  'publish_preview: p.project_id = project → true',
  // Deployment ids and preview names are globally unique.
  'publish_preview: d.project_id = project → true',
  // Affects only whether the build counts as one of a fork, whose scripts stay off.
  'publish_preview: b.project_id = project → true',
  // Affects only the count for the limit of a thousand.
  'publish_preview: v.project_id = project → true',
  'publish_preview: v.project_id = project → true',
  // The deployment is not found afterwards, so the transaction is rolled back.
  'create_deployment: current_project() → the other tenant',
  // No project is found, so it does not count as suspended.
  'is_suspended: current_organization() → the other tenant',
  'is_suspended: current_project() → the other tenant',
  // Reveals only which of the caller's digests exist.
  'add_blobs: b.project_id = current_project() → true',
  // That organization has no such project.
  'begin_upload: current_organization() → the other tenant',
  'begin_upload: current_project() → the other tenant',
  'add_blobs: current_project() → the other tenant',
  // Reveals only a number of deployments.
  // Builds are looked up by id, and other projects' builds have other numbers, branches or states.
  'accept_build: p.project_id = project → true',
  'accept_build: b.project_id = project → true',
  'take_build: b.project_id = project → true',
  'ended_state: b.project_id = current_project() → true',
  'cancel_build: b.project_id = project → true',
  'cancel_build: b.project_id = project → true',
  'ended_state: current_project() → the other tenant',
  // Affects only whether the budget is spent.
  'begin_question: current_project() → the other tenant',
  // Affects only whether gap work is queued for the project.
  'note_gap_deployment: g.project_id = current_project() → true',
  'note_gap_deployment: current_project() → the other tenant',
  // Affects only the id from which questions are searched.
  'find_unsorted_questions: current_project() → the other tenant',
  // Reveals only the number of conversations of a gap, which is found by its id.
  'read_gaps: current_project() → the other tenant',
  // A deployment is found only if the project both has and serves it.
  'pending_vectors: w.project_id = current_project() → true',
  'pending_vectors: d.project_id = current_project() → true',
  'pending_vectors: p.project_id = current_project() → true',
  'pending_vectors: v.project_id = current_project() → true',
  'pending_vectors: current_project() → the other tenant',
  'pending_vectors: current_project() → the other tenant',
  'pending_vectors: current_project() → the other tenant',
  'pending_vectors: current_project() → the other tenant',
  // The other project already has this note, or has notifications for other periods.
  'note_budget_use: current_project() → the other tenant',
  'note_budget_use: current_project() → the other tenant',
  // Only makes the hosts of other sites reload their data.
  'announce_project: s.project_id = project → true',
  'announce_project: v.project_id = project → true',
  // The person does not own the other organization, so the project is not transferred.
  'transfer_project: b.project_id = project → true',
  'transfer_project: m.project_id = project → true',
  'transfer_project: i.project_id = project → true',
  'transfer_project: e.project_id = project → true',
  // Reveals only small counts, which both projects have.
  'count_contents: current_project() → the other tenant',
  'count_contents: current_project() → the other tenant',
  'count_contents: current_project() → the other tenant',
  'count_contents: current_project() → the other tenant',
  'count_contents: current_project() → the other tenant',
  // That organization has no such project.
  'transfer_project: current_project() → the other tenant',
  'transfer_project: current_organization() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  'select public_id, name, slug from projec…: organization_id = current_organization() → true',
  'select public_id, name, slug from projec…: current_organization() → the other tenant',
  'select public_id, name, slug from projec…: current_project() → the other tenant',
  // Affects only where the next page begins in a project with a thousand deployments.
  'select id from deployment where project_…: project_id = current_project() → true',
  'select id from deployment where project_…: current_project() → the other tenant',
  // Vectors of a deployment that the project does not have violate a foreign key.
  'select id from deployment where project_…: current_project() → the other tenant',
  'insert into deployment_vectors (project_…: current_project() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  "select settings -> 'trust' as trust from…: organization_id = current_organization() → true",
  "select settings -> 'trust' as trust from…: current_organization() → the other tenant",
  "select settings -> 'trust' as trust from…: current_project() → the other tenant",
  "select settings ->> 'webhook' as url fro…: organization_id = current_organization() → true",
  "select settings ->> 'webhook' as url fro…: current_organization() → the other tenant",
  "select settings ->> 'webhook' as url fro…: current_project() → the other tenant",
  'select public_id as "publicId", name, sl…: organization_id = current_organization() → true',
  'select public_id as "publicId", name, sl…: current_organization() → the other tenant',
  'select public_id as "publicId", name, sl…: current_project() → the other tenant',
  'select public_id as "publicId", name, sl…: organization_id = current_organization() → true',
  'select public_id as "publicId", name, sl…: current_organization() → the other tenant',
  'select public_id as "publicId", name, sl…: current_project() → the other tenant',
  // Affects only whether a build is the newest of its commit.
  'select b.id, b.target, b.commit_sha as c…: n.project_id = current_project() → true',
  'select b.id, b.target, b.commit_sha as c…: current_project() → the other tenant',
  // Reveals only whether such builds exist.
  'select from build where project_id = cur…: current_project() → the other tenant',
  // The first branch by name has the same name in both projects.
  'select name from git_ref where project_i…: project_id = current_project() → true',
  'select name from git_ref where project_i…: current_project() → the other tenant',
  // Affects only the count for the limit of rejected webhooks.
  'insert into webhook_delivery (project_id, d…: h.project_id = current_project() → true',
  'insert into webhook_delivery (project_id, d…: current_project() → the other tenant',
  // The other project is connected to another repository, so no row is locked.
  'select url from connection where project…: current_project() → the other tenant',
  // Neither project has an abandoned commit.
  'select r.name from git_ref r cross join …: b.project_id = current_project() → true',
  'select r.name from git_ref r cross join …: r.project_id = current_project() → true',
  'select r.name from git_ref r cross join …: current_project() → the other tenant',
  'select r.name from git_ref r cross join …: current_project() → the other tenant',
  // The other project already has a repository, and keeps it.
  'insert into connection (project_id, prov…: current_project() → the other tenant',
  // These statements look rows up by id, or compare them with values that the project does not
  // have.
  'select preview_name as name from build w…: project_id = current_project() → true',
  'select preview_name as name from build w…: current_project() → the other tenant',
  'select r.name, r.commit_sha as commit, r…: b.project_id = current_project() → true',
  'select r.name, r.commit_sha as commit, r…: c.project_id = current_project() → true',
  'select r.name, r.commit_sha as commit, r…: current_project() → the other tenant',
  'select r.name, r.commit_sha as commit, r…: current_project() → the other tenant',
  'select r.name, r.commit_sha as commit, r…: current_project() → the other tenant',
  'insert into build_log (project_id, build…: project_id = current_project() → true',
  'insert into build_log (project_id, build…: current_project() → the other tenant',
  'insert into build_log (project_id, build…: current_project() → the other tenant',
  'select from build b where b.project_id =…: current_project() → the other tenant',
  'select from build b where b.project_id =…: b.project_id = current_project() → true',
  'select from build b where b.project_id =…: current_project() → the other tenant',
  'select b.commit_sha as commit, b.unread_…: v.project_id = current_project() → true',
  'select b.commit_sha as commit, b.unread_…: current_project() → the other tenant',
  'select b.commit_sha as commit, b.unread_…: current_project() → the other tenant',
  'select from build b where b.project_id =…: b.project_id = current_project() → true',
  'select from build b where b.project_id =…: current_project() → the other tenant',
  'select ended_state(b) as state from buil…: current_project() → the other tenant',
  // Each build is then canceled by a function that checks the project.
  'select id from build where project_id = …: project_id = current_project() → true',
  'select id from build where project_id = …: current_project() → the other tenant',
  'update git_ref set built_sha = $2 where …: current_project() → the other tenant',
  // Finds only deployments removed while none is live, and the other project has a live one.
  'select d.id as "deploymentId", d.superse…: u.project_id = current_project() → true',
  'select d.id as "deploymentId", d.superse…: current_project() → the other tenant',
  // A secret is encrypted for its project.
  'select name, key_id, sealed from secret …: current_project() → the other tenant',
  // The event is written to the log of its own organization.
  'insert into audit_event (organization_id…: current_project() → the other tenant',
  // Reveals only numbers per day.
  'select day::text, answered, unanswered, …: current_project() → the other tenant',
  'select day::text, count::integer from ( …: current_project() → the other tenant',
  'select count(*)::integer as count, (now(…: current_project() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  'select public_id as "publicId", name, sl…: organization_id = current_organization() → true',
  'select public_id as "publicId", name, sl…: current_organization() → the other tenant',
  'select public_id as "publicId", name, sl…: current_project() → the other tenant',
  'update project set name = coalesce($1, n…: organization_id = current_organization() → true',
  'update project set name = coalesce($1, n…: current_organization() → the other tenant',
  'update project set name = coalesce($1, n…: current_project() → the other tenant',
  // Events are filtered by both organization and project, and either one is enough; so is the id of
  // a key or person.
  'select e.id, e.at, instant_micros(e.at) …: e.organization_id = current_organization() → true',
  'select e.id, e.at, instant_micros(e.at) …: e.project_id = current_project() → true',
  'select e.id, e.at, instant_micros(e.at) …: k.project_id = current_project() → true',
  'select e.id, e.at, instant_micros(e.at) …: m.organization_id = current_organization() → true',
  'select e.id, e.at, instant_micros(e.at) …: current_organization() → the other tenant',
  'select e.id, e.at, instant_micros(e.at) …: current_project() → the other tenant',
  'select e.id, e.at, instant_micros(e.at) …: current_project() → the other tenant',
  'select e.id, e.at, instant_micros(e.at) …: current_organization() → the other tenant',
  'select instant_micros(e.at) as micros, e…: e.organization_id = current_organization() → true',
  'select instant_micros(e.at) as micros, e…: e.project_id = current_project() → true',
  'select instant_micros(e.at) as micros, e…: current_organization() → the other tenant',
  'select instant_micros(e.at) as micros, e…: current_project() → the other tenant',
  // Reveals only the time since when work is pending.
  'select since::text from gap_work where p…: current_project() → the other tenant',
  // Reveals only how many names the project has.
  'select count(*)::integer as count from p…: project_id = current_project() → true',
  'select count(*)::integer as count from p…: current_project() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  'update project set archived_at = now() w…: organization_id = current_organization() → true',
  'update project set archived_at = now() w…: current_organization() → the other tenant',
  'update project set archived_at = now() w…: current_project() → the other tenant',
  'update project set archived_at = null wh…: organization_id = current_organization() → true',
  'update project set archived_at = null wh…: current_organization() → the other tenant',
  'update project set archived_at = null wh…: current_project() → the other tenant',
  'update project set deleted_at = now() wh…: organization_id = current_organization() → true',
  'update project set deleted_at = now() wh…: current_organization() → the other tenant',
  'update project set deleted_at = now() wh…: current_project() → the other tenant',
  'update project set deleted_at = null whe…: organization_id = current_organization() → true',
  'update project set deleted_at = null whe…: current_organization() → the other tenant',
  'update project set deleted_at = null whe…: current_project() → the other tenant',
  // The other organization is not deleted, so restoring it changes nothing.
  'update organization set deleted_at = nul…: current_organization() → the other tenant',
  // Only locks the row of the other organization, which cannot be deleted because it has projects.
  'select from organization where id = curr…: current_organization() → the other tenant',
  'update organization set deleted_at = now…: organization_id = current_organization() → true',
  'update organization set deleted_at = now…: current_organization() → the other tenant',
  'update organization set deleted_at = now…: current_organization() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  'select public_id as "publicId", name fro…: organization_id = current_organization() → true',
  'select public_id as "publicId", name fro…: current_organization() → the other tenant',
  'select public_id as "publicId", name fro…: current_project() → the other tenant',
  // The organization has no other project with its own members.
  'select distinct u.email from membership …: m.project_id = current_project() → true',
  'select distinct u.email from membership …: current_project() → the other tenant',
  // Affects only whether a notification was already sent.
  'select id, ref as branch, commit_sha as …: current_project() → the other tenant',
  'select id, key_expiry(id, expires_at) as…: current_project() → the other tenant',
  'select from notice_work where project_id…: current_project() → the other tenant',
  // The other project has the same budgets and was already notified for these periods.
  'select b.period, budget_period(b.period)…: current_project() → the other tenant',
  'select b.period, budget_period(b.period)…: current_project() → the other tenant',
  'select b.period, budget_period(b.period)…: current_project() → the other tenant',
  // Project ids are globally unique, and a project belongs to one organization.
  "select settings -> 'notices' as notices …: organization_id = current_organization() → true",
  "select settings -> 'notices' as notices …: current_organization() → the other tenant",
  "select settings -> 'notices' as notices …: current_project() → the other tenant",
  'update project set settings = jsonb_set(…: organization_id = current_organization() → true',
  'update project set settings = jsonb_set(…: current_organization() → the other tenant',
  'update project set settings = jsonb_set(…: current_project() → the other tenant',
  // The other organization has no invitation for this address.
  'delete from invitation where organisatio…: organization_id = current_organization() → true',
  'delete from invitation where organisatio…: current_organization() → the other tenant',
  // Reads only the role of a person who has no role in the other organization, and whether there is
  // an owner.
  'select role from membership where organi…: organization_id = current_organization() → true',
  'select role from membership where organi…: current_organization() → the other tenant',
  'select from membership where organisatio…: current_organization() → the other tenant',
  // The other project already has such a row.
  'insert into conversation_sequence (project_id…: current_project() → the other tenant',
]

test('without policies the same mutations are detected, except for harmless ones', async () => {
  const unnoticed: string[] = []
  for (const mutation of mutations) {
    const { done, seen } = await run(mutation, undefined)
    const isSame = !mutation.isOpen || withoutIds(done) === withoutIds(baseline.done)
    if (isSame && leaks(done).length === 0 && seen === untouched) unnoticed.push(mutation.title)
  }
  expect(unnoticed).toEqual(HARMLESS)
}, 900_000)
