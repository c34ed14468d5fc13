import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillAssistant } from '../../../testing/fill-assistant.ts'
import { fillBuilds } from '../../../testing/fill-builds.ts'
import { fillSignIn } from '../../../testing/fill-sign-in.ts'
import { fillAccess } from '../../../testing/tenant-access.ts'
import { fillDomains } from '../../../testing/tenant-domains.ts'
import { fillEvents } from '../../../testing/tenant-events.ts'
import { fillNotifications } from '../../../testing/tenant-notifications.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { publishOpenTurns } from '../../answers/conversations/store.ts'
import { VectorStore } from '../../answers/vectors/store.ts'
import { MemberStore } from '../../people/members/store.ts'
import { BuildStore } from '../../publishing/builds/store.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { ProofStore } from '../../publishing/deployments/proof-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { createKeyRing } from '../secrets/key-ring.ts'
import { createSecretStore } from '../secrets/store.ts'
import { openDatabase } from './database.ts'
import { findStartProblem } from './find-start-problem.ts'
import { migrate } from './migrate.ts'
import { printSchema } from './print-schema.ts'
import { FUNCTIONS, SCHEMA_FILES } from './schema-files.ts'

const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }
/**
 * Tables that belong to no tenant and that only functions read: sign-in data, and event data from
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
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('the database schema', () => {
  test('schema.sql matches the schema that the migrations create', async () => {
    const schema = await printSchema(service.owner)
    await expect(schema).toMatchFileSnapshot(join(import.meta.dirname, 'schema.sql'))
  })

  test('every SQL file in migrations/ and functions/ is run by migrate', () => {
    const names = ['migrations', 'functions'].flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder)).map((name) => `${folder}/${name}`),
    )
    expect(SCHEMA_FILES.toSorted()).toEqual(names.toSorted())
  })

  test('migrating an up-to-date database does nothing', async () => {
    expect(await migrate(service.databaseUrl)).toEqual([])
  })

  test('every advisory lock in a database function uses a known lock class', async () => {
    const rows = await service.owner.query(
      `select p.proname as name from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prosrc ~ 'pg_(try_)?advisory_\\w+\\((?!lock_class\\()'`,
    )
    expect(rows).toEqual([])
    const unknown = service.owner.query(`select lock_class('other')`)
    await expect(unknown).rejects.toThrow('case not found')
  })

  test('the primary key of every tenant table starts with the tenant', async () => {
    const rows = await service.owner.query<{ table_name: string; first: string }>(
      `select c.relname as table_name, a.attname as first
         from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indisprimary and n.nspname = 'public'
          and c.relname not in ('organization', 'migration', 'deleted_blob', 'app_user', 'key_check')
          and c.relname <> all ($1)`,
      [TABLES_WITHOUT_TENANT],
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter(({ first }) => !/^(?:project|organization|user)_id$/.test(first))).toEqual(
      [],
    )
  })
})

/**
 * Covers all tables with rows of tenants or people. Their names are read from the catalog, so that
 * new tables are included.
 */
describe('row-level security', async () => {
  const own = await startTestService()
  afterAll(() => own.stop())
  const a = await own.createProject()
  const b = await own.createProject()
  const tables = await own.owner.query<{ name: string; policies: number }>(
    `select c.relname as name, (select count(*)::integer from pg_policy p
                                  where p.polrelid = c.oid and p.polroles <> array['octavo_definer'::regrole::oid]) as policies
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('migration', 'deleted_blob', 'key_check') and c.relname <> all ($1) order by 1`,
    [TABLES_WITHOUT_TENANT],
  )
  const ofPeople = ['app_user', 'user_session', 'user_identity', 'passkey', 'recovery_code']
  const userOf = new Map<string, string>()

  beforeAll(async () => {
    for (const project of [a, b]) {
      const person = await createPerson(own, project, 'owner')
      userOf.set(project.id, person.id)
      await fillSignIn(own.owner, person.id)
      const members = new MemberStore(
        own.service.database.forOrganization(project.tenant.organizationId),
      )
      await members.invite(
        {
          hash: Buffer.from(project.id),
          email: 'a@example.com',
          role: 'viewer',
          projectId: undefined,
          invitedBy: 'test',
          days: 1,
        },
        { actor: 'test', addressPrefix: undefined },
      )
      await own.publish(project, { ...TURN, questionId: 't' })
      await own.conversationsOf(project).accept({ query: 'q', reader: 'r' })
      await own.conversationsOf(project).importBatch([{ ...TURN, questionId: 'old', atMs: 1 }])
      const gone = await own.publish(project, { ...TURN, questionId: 'gone' })
      await own.conversationsOf(project).erase({ id: gone })
      const bound = own.service.database.forProject(project.tenant)
      await bound.query(`select count_action('import', 60)`)
      await fillAssistant(bound)
      await fillNotifications(own.owner, bound, project.publicId)
      await fillDomains(own.owner, bound, project.publicId)
      await fillAccess(own.owner, bound, project.publicId)
      await fillEvents(own.owner, bound, project.publicId)
      await bound.query(`select add_traffic(array[$1::bigint], '{1}', '{2}')`, [project.id])
      const deployments = new DeploymentStore(bound)
      await deployments.addBlobs(
        [{ sha256: 'a'.repeat(64), size: 1 }],
        await deployments.beginUpload(),
      )
      const { id } = await deployments.insert({
        root: Buffer.alloc(32),
        target: 'preview',
        isDraft: false,
        branch: 'next',
        message: null,
        commit: null,
        by: 'test',
        idempotencyKey: null,
      })
      await deployments.end(id, 'ready', undefined, async () => {})
      await new VectorStore(bound).save({
        deploymentId: id,
        model: 'model',
        sha256: 'a'.repeat(64),
        passages: 1,
        embedded: 1,
        tryAfterSeconds: undefined,
      })
      const counts = { passed: 1, failed: 0, notRun: 0, pages: new Map() }
      const proof = { ranAt: new Date(0), octavo: '0', runtimes: [], ...counts }
      await new ProofStore(bound).save(id, proof, 20)
      await fillBuilds(own.owner, project, { text: 'test', number: 1_000, deploymentId: id })
      await new PreviewStore(bound).publish(id, `preview-${project.id}`)
      const builds = new BuildStore(bound, async () => {})
      await bound.transaction((query) =>
        builds.accept(query, {
          target: 'production',
          ref: 'main',
          commit: 'a'.repeat(40),
          pullRequest: undefined,
          isFork: false,
          trigger: 'webhook',
        }),
      )
      await builds.setCache({ sha256: 'a'.repeat(64), size: 1 })
      await createSecretStore(bound, createKeyRing([{ id: 'k', bytes: Buffer.alloc(32) }])).write(
        'n',
        's',
      )
    }
  })

  test.each(tables.filter(({ name }) => ofPeople.includes(name)))(
    'in the table $name, a person sees only their own rows',
    async ({ name, policies }) => {
      expect(policies).toBe(1)
      const { database } = own.service
      const user = userOf.get(a.id) ?? ''
      const key = name === 'app_user' ? 'id' : 'user_id'
      expect(await database.query(`select * from ${name}`)).toEqual([])
      const mine = await database.forPerson(user).query(`select ${key}::text as id from ${name}`)
      expect(new Set(mine.map((row) => Object.values(row)[0]))).toEqual(new Set([user]))
    },
  )

  test('an organization can see the names of its members, but not their sessions or sign-in links', async () => {
    const { database } = own.service
    const bound = database.forOrganization(a.tenant.organizationId)
    expect(await bound.query('select id::text from app_user')).toEqual([{ id: userOf.get(a.id) }])
    expect(await bound.query('select * from user_session')).toEqual([])
    for (const name of TABLES_WITHOUT_TENANT) {
      expect(await own.owner.query(`select from ${name}`)).not.toEqual([])
      expect(await bound.query(`select * from ${name}`)).toEqual([])
    }
  })

  const ofTenants = tables.filter(({ name }) => !ofPeople.includes(name))
  test.each(ofTenants)(
    'in the table $name, a tenant sees only its own rows',
    async ({ name, policies }) => {
      expect(policies).toBe(1)
      const { database } = own.service
      const column = name === 'organization' ? 'id' : 'organization_id'
      const isOfProject = ![
        'organization',
        'project',
        'audit_event',
        'storage_usage',
        'membership',
        'invitation',
      ].includes(name)
      const key = isOfProject ? 'project_id' : column
      const all = await own.owner.query(`select ${key} from ${name}`)
      expect(new Set(all.map((row) => Object.values(row)[0])).size).toBeGreaterThanOrEqual(2)
      expect(await database.query(`select * from ${name}`)).toEqual([])
      const mine = await database.forProject(a.tenant).query(`select ${key} from ${name}`)
      const tenant = isOfProject ? a.tenant.projectId : a.tenant.organizationId
      expect(new Set(mine.map((row) => Object.values(row)[0]))).toEqual(new Set([tenant]))
    },
  )

  test.each(tables)(
    "the service's role cannot drop the table $name or change its policies",
    async ({ name }) => {
      const query = own.service.database.forProject(a.tenant).query
      for (const statement of [
        `alter table ${name} disable row level security`,
        `drop policy one_project on ${name}`,
        `drop table ${name}`,
        `truncate ${name}`,
      ])
        await expect(query(statement)).rejects.toThrow(
          /must be owner|permission denied|does not exist/,
        )
    },
  )

  test("the service's role cannot switch to another role", async () => {
    const query = own.service.database.query
    await expect(query('set role postgres')).rejects.toThrow('permission denied')
    await expect(query('set session authorization postgres')).rejects.toThrow('permission denied')
    await expect(query('alter role octavo_service bypassrls')).rejects.toThrow(/denied|superuser/i)
  })

  test("the service's role cannot change conversations, key scopes or the audit log", async () => {
    const query = own.service.database.forProject(a.tenant).query
    for (const statement of [
      'select from deleted_blob',
      'select from key_check',
      'delete from key_check',
      `update conversation set query = 'x'`,
      `update api_key set scopes = '{}'`,
      'delete from project',
      `update audit_event set actor = 'x'`,
      'delete from audit_event',
    ])
      await expect(query(statement)).rejects.toThrow('permission denied')
  })

  test('the service does not start with an unrestricted role or with another schema version', async () => {
    await own.owner.query('delete from secret')
    expect(await own.service.findStartProblem()).toBeUndefined()
    const asOwner = openDatabase({ url: own.databaseUrl, connections: 1 })
    expect(await findStartProblem(asOwner, own.settings)).toMatch(
      /row-level security does not apply to it/,
    )
    await asOwner.query(`update migration set checksum = 'x' where name like 'functions/%'`)
    expect(await own.service.findStartProblem()).toMatch('Run `octavo-service migrate`')
    expect(await migrate(own.databaseUrl)).toEqual(FUNCTIONS.map(({ name }) => name))
    await asOwner.query(`insert into migration values ('migrations/9999-later.sql', 'x')`)
    expect(await own.service.findStartProblem()).toMatch('newer version')
    await expect(migrate(own.databaseUrl)).rejects.toThrow('newer version')
    await asOwner.query(
      `update migration set name = 'migrations/0001-tables.sql' where name like '%9999%'`,
    )
    const early =
      /version before 0\.1, .*`octavo-service conversations export`.*octavo-service conversations import`/
    expect(await own.service.findStartProblem()).toMatch(early)
    await expect(migrate(own.databaseUrl)).rejects.toThrow(early)
    await asOwner.query(`delete from migration where name like '%0001-tables%'`)
    await asOwner.end()
  })
})

describe('publishing conversations', () => {
  test('conversation ids strictly increase even if the clock is behind', async () => {
    const project = await service.createProject()
    const publish = (number: number) =>
      service.publish(project, { ...TURN, questionId: `t${number}` })
    const first = await publish(1)
    await service.owner.query(
      'update conversation_sequence set last_ms = last_ms + 3600000 where project_id = $1',
      [project.id],
    )
    const second = await publish(2)
    const third = await publish(3)
    expect([first, second, third].toSorted()).toEqual([first, second, third])
    expect(second.slice(0, 10)).toBe(third.slice(0, 10))
  })

  test('conversation ids continue in the next millisecond when the counter of one is full', async () => {
    const ahead = Date.now() + 3_600_000
    const project = await service.createProject()
    await service.owner.query(
      `update conversation_sequence set last_ms = $2, last_counter = 1048575 where project_id = $1`,
      [project.id, ahead],
    )
    const id = await service.publish(project, { ...TURN, questionId: 't' })
    const [row] = await service.owner.query<{ floor: string }>(
      'select ulid_floor($1::bigint) as floor',
      [ahead + 1],
    )
    expect(id.slice(0, 14)).toBe(row?.floor.slice(0, 14))
  })

  test('a new conversation id cannot fall into a time window that was already exported', async () => {
    const project = await service.createProject()
    const end = new Date(Date.now() + 5)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const response = await service.get(project, `?dateTo=${end.toISOString()}`)
    expect(await response.json()).toEqual({ conversations: [], nextCursor: null, hasMore: false })
    const [row] = await service.owner.query<{ last_ms: string }>(
      'select last_ms from conversation_sequence where project_id = $1',
      [project.id],
    )
    expect(Number(row?.last_ms)).toBeGreaterThanOrEqual(end.getTime())
  })

  test('an abandoned question is published once, as unanswered', async () => {
    const project = await service.createProject()
    const { database } = service.service
    await service.conversationsOf(project).accept({ query: 'Lost?' })
    expect(await publishOpenTurns(database, Date.now() - 60_000)).toBe(0)
    expect(await publishOpenTurns(database, Date.now() + 1_000)).toBe(1)
    expect(await publishOpenTurns(database, Date.now() + 1_000)).toBe(0)
    const body = (await (await service.get(project)).json()) as { conversations: object[] }
    expect(body.conversations).toMatchObject([
      { query: 'Lost?', response: '', resolutionStatus: 'unanswered' },
    ])
  })

  test('publishing an answer twice returns the same id, and the text of the question is erased', async () => {
    const project = await service.createProject()
    const conversations = service.conversationsOf(project)
    const turn = await conversations.accept({ query: 'private', pageUrl: '/private', reader: 'me' })
    const id = await conversations.publish(turn, TURN)
    expect(await conversations.publish(turn, { ...TURN, response: 'another' })).toBe(id)
    expect(await conversations.publish('01ARZ3NDEKTSV4RRFFQ69G5FAV', TURN)).toBeUndefined()
    const rows = await service.owner.query('select * from question where project_id = $1', [
      project.id,
    ])
    expect(JSON.stringify(rows)).not.toMatch(/private|me"/)
    expect(rows).toMatchObject([{ id: turn, conversation_id: id }])
  })

  test('conversations are deleted by id and by reader, and an import does not restore them', async () => {
    const project = await service.createProject()
    const conversations = service.conversationsOf(project)
    const old = { ...TURN, questionId: 'old', atMs: 1_000 }
    const { ids } = await conversations.importBatch([old])
    await service.publish(project, { ...TURN, questionId: '2' }, 'reader-a')
    await conversations.accept({ query: 'private', reader: 'reader-a' })
    const kept = await service.publish(project, { ...TURN, questionId: '3' }, 'reader-b')
    expect(await conversations.erase({ id: ids[0] ?? '' })).toBe(1)
    expect(await conversations.erase({ reader: 'reader-a' })).toBe(1)
    expect(await conversations.erase({ reader: 'reader-a' })).toBe(0)
    expect(await conversations.importBatch([old])).toMatchObject({ ids, backfilled: 0 })
    const body = (await (await service.get(project)).json()) as { conversations: { id: string }[] }
    expect(body.conversations.map(({ id }) => id)).toEqual([kept])
    const turns = await service.owner.query('select * from question where project_id = $1', [
      project.id,
    ])
    expect(JSON.stringify(turns)).not.toContain('private')
  })
})
