/**
 * Tests that statements and row-level security each protect projects without the other. First, each
 * operation is repeated without row-level security. Then each condition that restricts a statement
 * or a database function to its project is removed, one at a time, and the operations that run it
 * are repeated. The project must still not be able to read or change data of another project.
 * `tenant-statements.test.ts` tests that no statement and no function is skipped.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DatabaseFunction,
  findCalled,
  readFunctions,
} from '../../../testing/database-functions.ts'
import { TENANT } from '../../../testing/source-statements.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { openTrialDatabase } from '../../../testing/trial-database.ts'
import { createTwoTenants } from '../../../testing/two-tenants.ts'
import type { Query } from './database.ts'

/** Matches SQL conditions that restrict a statement to its tenant. */
const CONDITION =
  /(?:\w+\.)?(?:project_id|organization_id) = (?:current_project\(\)|current_organization\(\)|project\b)/g

/** Matches mutations that may change the results of the project, but not reveal or change others. */
const MAY_DIFFER = [
  // These functions run as octavo_definer, because a domain name must be unique among all projects.
  // Their writes are protected by a trigger instead of row-level security. A mutation changes the
  // results if the trigger rejects a write. The functions could read only the value of another
  // organization's TXT record, which is public in DNS.
  /^(?:claim|prove|remove)_domain:/,
  // Row-level security restricts the audit log, members and invitations to the organization. Without
  // the condition, the project also gets the rows of its organization.
  /…: [eim]\.project_id = current_project\(\) → true$/,
]

/**
 * A transfer changes two organizations, so it runs as octavo_definer without a second lock. The
 * mutation adds too many bytes to the storage usage of the new organization.
 */
const UNPROTECTED = ['transfer_project: b.project_id = project → true']

/**
 * Tables that belong to no tenant and that only functions read: sign-in data, and counts from
 * hosts.
 */
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
  /**
   * True if a condition is removed, false if the tenant is replaced. Without the condition, the
   * tenant must still get all its own rows.
   */
  readonly isOpen: boolean
  readonly prepare: string
  readonly rewrite: (text: string) => string
}

/** The result of an operation, and the rows of both projects after it. */
type Outcome = { readonly done: unknown; readonly own: string; readonly other: string }

const UNCHANGED = { prepare: '', rewrite: (text: string) => text }
const service = await startTestService()
const { own, other, otherSecrets, prepare } = await createTwoTenants(service)
const trial = await openTrialDatabase(service.databaseUrl, own.tenant)
const ROLE = new URL(service.settings.databaseUrl).username
const functions = await readFunctions(service.owner.query)
afterAll(async () => {
  await trial.end()
  await service.stop()
})

const tables = await service.owner.query<{ name: string; key: string }>(
  `select c.relname as name, a.attname as key
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisprimary and n.nspname = 'public' and not c.relispartition 
      and c.relname not in ('migration', 'deleted_blob', 'key_check') and c.relname <> all ($1)`,
  [TABLES_WITHOUT_TENANT],
)

/** Reads all rows of a project, its organization and its members. */
async function readRows(query: Query, { id, tenant }: TestProject): Promise<string> {
  const selects = tables.map(({ name, key }) => {
    const people = `select user_id from membership where organization_id = ${tenant.organizationId}`
    const isOfPeople = key === 'user_id' || name === 'app_user'
    const ids = isOfPeople ? people : key === 'project_id' ? id : tenant.organizationId
    return `select '${name}' as "table", to_json(t)::text as row from ${name} t where ${key} in (${ids})`
  })
  const rows = await query(`${selects.join(' union all ')} order by 1, 2`)
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

type Change = Pick<Mutation, 'prepare' | 'rewrite'> & { readonly role: string | undefined }

async function attempt(operation: () => Promise<unknown>, change: Change): Promise<Outcome> {
  const { done, seen } = await trial.attempt(
    change,
    () => operation().catch((error: Error) => ({ error: error.message })),
    async (query) => ({ own: await readRows(query, own), other: await readRows(query, other) }),
  )
  return { done, ...seen }
}

/** Mutations by the statement or the function that they change. */
const made = new Map<string | DatabaseFunction, readonly Mutation[]>()

/** Returns the mutations of statements, and of the functions that they call. */
function mutationsOf(texts: ReadonlySet<string>): readonly Mutation[] {
  return [...texts, ...findCalled(functions, texts)].flatMap((of) => {
    const mutations =
      made.get(of) ?? (typeof of === 'string' ? mutateStatement(of) : mutateFunction(of))
    made.set(of, mutations)
    return mutations
  })
}

function mutateFunction({ name, body, definition }: DatabaseFunction): readonly Mutation[] {
  return mutateText(body).map(({ changed, change, isOpen }) => ({
    isOpen,
    title: `${name}: ${change}`,
    prepare: definition.replace(body, () => changed),
    rewrite: (text) => text,
  }))
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
 * Returns variants of the text. In each one, either one condition is replaced with `true`, or one
 * tenant with the other tenant.
 */
function mutateText(text: string) {
  const { organizationId, projectId } = other.tenant
  const openings = [...text.matchAll(CONDITION)].map((match) => ({
    changed: replaceMatch(text, match, 'true'),
    isOpen: true,
    change: `${match[0]} → true`,
  }))
  const swaps = [...text.matchAll(TENANT)].map((match) => {
    const id = match[0].includes('organization') ? organizationId : projectId
    const change = `${match[0]} → the other tenant`
    return { changed: replaceMatch(text, match, `'${id}'::bigint`), isOpen: false, change }
  })
  return [...openings, ...swaps]
}

function replaceMatch(text: string, { 0: before, index }: RegExpExecArray, after: string): string {
  return text.slice(0, index) + after + text.slice(index + before.length)
}

/** Prints a result with masked ids and times, which differ in every run. */
function withoutIds(result: unknown): string {
  return JSON.stringify([result])
    .replaceAll(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, 'ULID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d{12,}\b/g, 'ID')
}

const leaksIn = (text: string) => otherSecrets.filter((secret) => text.includes(secret))

/**
 * Returns whether the project has read or stored a secret of the other project, or changed its rows.
 * A name that another project has given up is among its own rows, because an operation claims it.
 */
const isLeak = (found: Outcome, plain: Outcome) =>
  found.other !== plain.other ||
  leaksIn(JSON.stringify([found.done])).length > 0 ||
  leaksIn(found.own).some((secret) => !plain.own.includes(secret))
const isDifferent = (found: Outcome, plain: Outcome) =>
  withoutIds(found.done) !== withoutIds(plain.done)

/** The outcomes of the unmodified operations. */
const outcomes: Outcome[] = []
/** Results of unmodified operations that are wrong if row-level security does not apply. */
const unfiltered: unknown[] = []
/** Mutations that do harm although row-level security applies. */
const unprotected = new Set<string>()
/** Mutations that do harm if row-level security does not apply. */
const harmful = new Set<Mutation>()

beforeAll(async () => {
  for (const operation of await prepare(trial.database)) {
    const texts = new Set<string>()
    const rewrite = (text: string) => {
      texts.add(text)
      return text
    }
    const plain = await attempt(operation, { role: ROLE, prepare: '', rewrite })
    outcomes.push(plain)
    const unlocked = await attempt(operation, { ...UNCHANGED, role: undefined })
    if (isLeak(unlocked, plain) || isDifferent(unlocked, plain)) unfiltered.push(unlocked.done)
    for (const mutation of mutationsOf(texts)) {
      const locked = await attempt(operation, { ...mutation, role: ROLE })
      const mayDiffer = !mutation.isOpen || MAY_DIFFER.some((one) => one.test(mutation.title))
      if (isLeak(locked, plain) || (!mayDiffer && isDifferent(locked, plain)))
        unprotected.add(mutation.title)
      if (harmful.has(mutation)) continue
      const free = await attempt(operation, { ...mutation, role: undefined })
      if (isLeak(free, plain) || (mutation.isOpen && isDifferent(free, plain)))
        harmful.add(mutation)
    }
    await trial.keep(ROLE, () => operation().catch(() => {}))
  }
}, 3_600_000)

test("unmodified statements return a project's own rows and no others", () => {
  const results = JSON.stringify(outcomes.map(({ done }) => done))
  expect(results).toContain('own')
  expect(leaksIn(results)).toEqual([])
  expect(new Set(outcomes.map(({ other: rows }) => rows)).size).toBe(1)
})

test('unmodified statements protect the other project without row-level security', () => {
  expect(unfiltered).toEqual([])
})

test('row-level security protects the other project from statements that do not check their tenant', () => {
  expect([...unprotected]).toEqual(UNPROTECTED)
  expect([...made.values()].flat().length).toBeGreaterThan(700)
})

test('without both, all mutations except the listed ones reveal or change data of the other project', async () => {
  // The others look up rows by globally unique ids, or only read numbers. A new statement that is
  // added to the list must be one of these; otherwise the operations need data that shows the harm.
  const harmless = [...made.values()].flat().filter((one) => !harmful.has(one))
  const lines = harmless.map(({ title }) => `${title}\n`).toSorted()
  await expect(lines.join('')).toMatchFileSnapshot('second-lock.harmless.txt')
  expect(harmful.size).toBeGreaterThan(300)
})
