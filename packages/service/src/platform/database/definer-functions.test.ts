/**
 * Tests the functions that run with the privileges of their owner (`security definer`): which ones
 * exist, and that callers cannot abuse them.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runReviewedExploit, shadowAllTables } from '../../../testing/shadow-attack.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { DEFINER_FUNCTIONS, OWNER_FUNCTIONS } from './definer-functions.ts'

type DefinerFunction = {
  readonly name: string
  readonly owner: string
  readonly path: string | null
  readonly isPublic: boolean
}

let service: TestService
let functions: readonly DefinerFunction[]
beforeAll(async () => {
  service = await startTestService()
  functions = await service.owner.query<DefinerFunction>(
    `select case n.nspname when 'public' then p.proname else n.nspname || '.' || p.proname end as name,
            p.proowner::regrole::text as owner, has_function_privilege('public', p.oid, 'execute') as "isPublic",
            (select substr(c, 13) from unnest(p.proconfig) c where c like 'search_path=%') as path
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  )
})
afterAll(() => service.stop())

/** Returns the names of functions. The name of an overloaded function appears only once. */
const namesOf = (found: readonly DefinerFunction[]) => [...new Set(found.map(({ name }) => name))]

describe('security definer functions', () => {
  test('every definer function in any schema is listed in definer-functions.ts', () => {
    expect(namesOf(functions)).toEqual([...DEFINER_FUNCTIONS, ...OWNER_FUNCTIONS].toSorted())
  })

  test('every definer function has a search path that ends with pg_temp', () => {
    const wrong = functions.filter(({ path }) => path !== 'pg_catalog, public, pg_temp')
    expect(namesOf(wrong)).toEqual([])
  })

  test('no definer function is executable by public', () => {
    expect(namesOf(functions.filter(({ isPublic }) => isPublic))).toEqual([])
  })

  test('octavo_definer owns all definer functions except those listed for the owner, and nothing else', async () => {
    const ofOthers = functions.filter(({ owner }) => owner !== 'octavo_definer')
    expect(namesOf(ofOthers)).toEqual(OWNER_FUNCTIONS)
    const owned = await service.owner.query<{ class: string; count: number }>(
      `select classid::regclass::text as class, count(*)::integer as count from pg_shdepend
        where refobjid = 'octavo_definer'::regrole and deptype = 'o'
          and dbid = (select oid from pg_database where datname = current_database()) group by 1`,
    )
    expect(owned).toEqual([{ class: 'pg_proc', count: functions.length - ofOthers.length }])
  })

  test("the owner's definer functions take only ids and numbers as arguments", async () => {
    const types = await service.owner.query<{ types: string }>(
      `select pg_get_function_identity_arguments(oid) as types from pg_proc
        where proname = any ($1) and pronamespace = 'public'::regnamespace and proargtypes <> ''`,
      [OWNER_FUNCTIONS],
    )
    expect(types).toEqual([{ types: 'p_project bigint, p_limit integer' }])
  })

  test('trigger functions that a cascade can run as the table owner have a fixed search path', async () => {
    const rows = await service.owner.query(
      `select distinct p.proname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where not t.tgisinternal
          and exists (select from pg_constraint k
                       where k.conrelid = t.tgrelid and k.contype = 'f' and (k.confdeltype <> 'a' or k.confupdtype <> 'a'))
          and not coalesce(p.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false)`,
    )
    expect(rows).toEqual([])
  })
})

describe('the role octavo_definer', () => {
  test('octavo_definer cannot log in, create anything or bypass policies', async () => {
    expect(
      await service.owner.query(
        `select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
                has_schema_privilege(oid, 'public', 'create') as creates,
                has_database_privilege(oid, current_database(), 'create') as "createsSchemas"
           from pg_roles where rolname = 'octavo_definer'`,
      ),
    ).toEqual([
      {
        rolcanlogin: false,
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        creates: false,
        createsSchemas: false,
      },
    ])
  })

  test('octavo_definer cannot read questions, answers or secrets, or change the audit log', async () => {
    for (const statement of [
      'select query from question',
      'select response from conversation',
      'select note from conversation_feedback',
      'select sealed from secret',
      'select password_hash from site_access',
      'select diagnostics from build',
      'select actor from audit_event',
      'delete from audit_event',
      `update audit_event set actor = 'x'`,
      'delete from conversation',
      'alter table project disable row level security',
      'create table public.mine ()',
    ])
      await expect(
        service.owner.transaction(async (query) => {
          await query('set local role octavo_definer')
          await query(statement)
        }),
        statement,
      ).rejects.toThrow(/permission denied|must be owner/)
  })
})

describe("SQL run as the service's role", () => {
  let attacker: pg.Client
  const name = () => new URL(service.databaseUrl).pathname.slice(1)
  beforeAll(async () => {
    // Connects without the pooler, because temporary tables belong to a session.
    const role = { username: 'octavo_service', password: 'octavo_service' }
    attacker = new pg.Client(Object.assign(new URL(service.databaseUrl), role).href)
    await attacker.connect()
  })
  afterAll(() => attacker.end())

  test('the service cannot create the temporary table that the known exploit needs', async () => {
    await expect(runReviewedExploit(attacker)).rejects.toThrow(
      'permission denied to create temporary tables',
    )
  })

  test.each([
    'create table public.mine ()',
    'create function public.now_ms() returns bigint language sql as $$ select 1 $$',
    'create schema mine',
    'set role octavo_definer',
    'set session authorization octavo_definer',
    'grant octavo_definer to octavo_service',
    'alter function forget_readers() reset search_path',
    'alter function forget_readers() owner to octavo_service',
    'create or replace function has_users() returns boolean language sql as $$ select true $$',
  ])("the service's role cannot run the statement: %s", async (statement) => {
    await expect(attacker.query(statement)).rejects.toThrow(
      /permission denied|must be owner|must have|must be able/,
    )
  })

  describe('a service that can create temporary tables', () => {
    beforeAll(() => service.owner.query(`grant temporary on database ${name()} to octavo_service`))

    test('the known exploit cannot run code with the privileges of a definer function', async () => {
      const project = await service.createProject()
      await service.owner.query(
        `insert into reader_session (project_id, token_hash, way, host, epoch, pepper_id, expires_at)
           values ($1, sha256('old'), 'password', 'x', 0, 'x', now() - interval '1 day')`,
        [project.id],
      )
      expect(await runReviewedExploit(attacker)).toEqual(new Set())
      // The row is gone because the function deleted it from the real table.
      expect(await service.owner.query('select from reader_session')).toEqual([])
      const { rows } = await attacker.query('select from pg_temp.reader_session')
      expect(rows).toHaveLength(1)
    })

    test.each(['tables', 'views'] as const)(
      "no definer function uses the caller's temporary %s, even with a changed search path",
      async (kind) => {
        const { seen, called } = await shadowAllTables(attacker, kind)
        expect([...seen]).toEqual([])
        // Every definer function was called, except five triggers and two functions that only other
        // functions call.
        expect(called).toBe(functions.length - 7)
      },
    )

    test("definer functions do not use the caller's temporary functions or operators", async () => {
      await attacker.query('discard temp')
      await attacker.query(
        `create function pg_temp.now_ms() returns bigint language sql as $$ select -1 $$;
         create function pg_temp.later(timestamptz, timestamptz) returns boolean language sql as $$ select true $$;
         create operator pg_temp.< (leftarg = timestamptz, rightarg = timestamptz, function = pg_temp.later)`,
      )
      const project = await service.createProject()
      await service.owner.query(
        `insert into reader_session (project_id, token_hash, way, host, epoch, pepper_id, expires_at)
           values ($1, sha256('new'), 'password', 'x', 0, 'x', now() + interval '1 day')`,
        [project.id],
      )
      const { rows } = await attacker.query<{ forgotten: number; ahead: string }>(
        'select forget_readers() as forgotten, clock_ahead_ms() as ahead',
      )
      expect(rows).toEqual([{ forgotten: 0, ahead: '0' }])
    })
  })
})
