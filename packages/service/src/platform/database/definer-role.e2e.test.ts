/**
 * Runs `migrate` as an owner who is not a superuser, on the oldest and the newest supported
 * PostgreSQL, because the rules for granting roles and transferring functions differ. Each version
 * has a separate server, because roles belong to a server.
 */
import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runReviewedExploit, shadowAllTables } from '../../../testing/shadow-attack.ts'
import { type RunningPostgres, startPostgres } from '../../../testing/start-postgres.ts'
import { findDatabaseFault } from './check-role.ts'
import { type Database, openDatabase } from './database.ts'
import { DEFINER_FUNCTIONS } from './definer-functions.ts'
import { migrate } from './migrate.ts'

const DEBIAN = '/usr/lib/postgresql/15/bin'
const SERVERS = [
  { version: '18', binaries: undefined },
  ...(existsSync(`${DEBIAN}/initdb`) ? [{ version: '15', binaries: DEBIAN }] : []),
]

describe.each(SERVERS)(
  'migrate on PostgreSQL $version as an owner who is not a superuser',
  ({ binaries }) => {
    let postgres: RunningPostgres
    let superuser: Database
    const opened: Database[] = []
    const urlOf = (role: string, name: string) =>
      Object.assign(new URL(postgres.url), { username: role, pathname: name }).href

    function open(role: string, name: string): Database {
      const database = openDatabase({ url: urlOf(role, name), connections: 1 })
      opened.push(database)
      return database
    }

    async function run(role: string, name: string): Promise<readonly string[]> {
      const warnings: string[] = []
      await migrate(urlOf(role, name), { warn: (line) => warnings.push(line) })
      return warnings
    }

    async function countOwned(name: string): Promise<number> {
      const [row] = await open('postgres', name).query<{ count: number }>(
        `select count(distinct proname)::integer as count from pg_proc where proowner = 'octavo_definer'::regrole`,
      )
      return row?.count ?? 0
    }

    beforeAll(async () => {
      postgres = await startPostgres({ settings: { fsync: 'off' }, ...(binaries && { binaries }) })
      superuser = openDatabase({ url: postgres.url, connections: 1 })
      // This SQL is the same as in docs/operate/install.mdx.
      await superuser.query('create role octavo_owner login createrole')
      await superuser.query('create database octavo owner octavo_owner')
      await migrate(urlOf('octavo_owner', 'octavo'), {
        serviceUrl: urlOf('octavo_service', 'octavo'),
      })
    }, 120_000)
    afterAll(async () => {
      for (const database of opened) await database.end()
      await superuser?.end()
      await postgres?.stop()
    })

    test('octavo_definer owns the definer functions, and only the owner can create objects', async () => {
      expect(await countOwned('octavo')).toBe(DEFINER_FUNCTIONS.length)
      const rows = await superuser.query(
        `select r.rolname as role, has_database_privilege(r.oid, 'octavo', 'temporary') as temporary,
              pg_has_role(r.oid, 'octavo_definer', 'member') as "isDefiner"
         from pg_roles r where r.rolname in ('octavo_owner', 'octavo_service', 'octavo_definer') order by 1`,
      )
      expect(rows).toEqual([
        { role: 'octavo_definer', temporary: false, isDefiner: true },
        { role: 'octavo_owner', temporary: true, isDefiner: true },
        { role: 'octavo_service', temporary: false, isDefiner: false },
      ])
      expect(
        await open('postgres', 'octavo').query(
          `select r.rolname as role from pg_roles r
          where has_schema_privilege(r.oid, 'public', 'create') and not r.rolsuper and r.rolname like 'octavo%'`,
        ),
      ).toEqual([{ role: 'octavo_owner' }])
    })

    test('running migrate again replaces functions and keeps octavo_definer as their owner', async () => {
      const owner = open('octavo_owner', 'octavo')
      await owner.query(`update migration set checksum = 'x' where name like 'functions/%'`)
      expect(await run('octavo_owner', 'octavo')).toEqual([])
      expect(await run('octavo_owner', 'octavo')).toEqual([])
      expect(await countOwned('octavo')).toBe(DEFINER_FUNCTIONS.length)
    })

    test('migrate makes octavo_definer the owner of its functions again after a restore', async () => {
      const administrator = open('postgres', 'octavo')
      await administrator.query('alter function find_site(text) owner to octavo_owner')
      await administrator.query('alter function forget_readers() owner to octavo_owner')
      expect(await countOwned('octavo')).toBe(DEFINER_FUNCTIONS.length - 2)
      expect(await run('octavo_owner', 'octavo')).toEqual([])
      expect(await countOwned('octavo')).toBe(DEFINER_FUNCTIONS.length)
    })

    test('the owner can call definer functions and create partitions', async () => {
      const owner = open('octavo_owner', 'octavo')
      await owner.query(
        'select has_users(), retire_deployments(), ensure_partitions(), drop_partitions()',
      )
      await owner.query(`select make_partitions_for('event_day', '{2020-02-03}')`)
      expect(
        await owner.query(
          `select tableowner as owner from pg_tables where tablename = 'event_day_2020_02'`,
        ),
      ).toEqual([{ owner: 'octavo_owner' }])
    })

    test("the service's role cannot run code with the privileges of a definer function", async () => {
      const attacker = new pg.Client(urlOf('octavo_service', 'octavo'))
      await attacker.connect()
      await expect(runReviewedExploit(attacker)).rejects.toThrow('permission denied to create temp')
      await superuser.query('grant temporary on database octavo to octavo_service')
      expect([...(await runReviewedExploit(attacker))]).toEqual([])
      for (const kind of ['tables', 'views'] as const) {
        const { seen, called } = await shadowAllTables(attacker, kind)
        expect(called).toBeGreaterThan(DEFINER_FUNCTIONS.length - 7)
        expect([...seen]).toEqual([])
      }
      await attacker.end()
      await superuser.query('revoke temporary on database octavo from octavo_service')
    })

    test('a service whose role is a member of octavo_definer does not start', async () => {
      const database = open('octavo_service', 'octavo')
      expect(await findDatabaseFault(database)).toBeUndefined()
      await superuser.query('grant octavo_definer to octavo_service')
      expect(await findDatabaseFault(database)).toMatchObject({ code: 'role-unbound' })
      await superuser.query('revoke octavo_definer from octavo_service')
      expect(await findDatabaseFault(database)).toBeUndefined()
    })

    test('migrate prints the SQL that an administrator must run if the owner lacks privileges', async () => {
      await superuser.query('create role plain login')
      await superuser.query('create database plain')
      const administrator = open('postgres', 'plain')
      await administrator.query('grant create on schema public to plain')
      await administrator.query('grant create on database plain to plain')
      await expectRefusal('plain', administrator)
      const [warning = '', ...more] = await run('plain', 'plain')
      expect(more).toEqual([])
      expect(warning).toMatch(
        'this role cannot revoke it. Run as the owner of the database: revoke temp',
      )
      await administrator.query(sqlOf(warning))
      expect(await run('plain', 'plain')).toEqual([])
      expect(await countOwned('plain')).toBe(DEFINER_FUNCTIONS.length)
    })

    test('migrate prints the SQL that an administrator must run if the owner cannot create roles', async () => {
      const other = await startPostgres({
        settings: { fsync: 'off' },
        ...(binaries && { binaries }),
      })
      const administrator = openDatabase({ url: other.url, connections: 1 })
      try {
        await administrator.query('create role plain login')
        await administrator.query('create database plain owner plain')
        const url = Object.assign(new URL(other.url), { username: 'plain', pathname: 'plain' }).href
        for (const role of ['octavo_app', 'octavo_definer']) {
          const error = await migrate(url).catch((thrown: Error) => thrown)
          expect(error).toMatchObject({
            message: expect.stringContaining(
              `plain cannot create the role ${role}. The database was not changed.`,
            ),
          })
          await administrator.query(sqlOf((error as Error).message))
        }
        expect((await migrate(url)).length).toBeGreaterThan(0)
      } finally {
        await administrator.end()
        await other.stop()
      }
    })

    async function expectRefusal(role: string, administrator: Database): Promise<void> {
      const error = await migrate(urlOf(role, role)).catch((thrown: Error) => thrown)
      expect(error).toMatchObject({
        message: expect.stringContaining('The database was not changed.'),
      })
      expect(await administrator.query(`select to_regclass('migration') as made`)).toEqual([
        { made: null },
      ])
      const statements = sqlOf((error as Error).message)
      expect(statements).toBe(
        'grant octavo_definer to "plain"; grant create on schema public to "plain" with grant option;',
      )
      await administrator.query(statements)
    }
  },
)

/** Extracts the SQL that a message asks the administrator to run. */
const sqlOf = (message: string) => /: ((?:create|grant|revoke) .*;)$/.exec(message)?.[1] ?? ''
