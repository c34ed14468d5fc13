/**
 * Runs backups and restores with the commands that an operator uses. They need Debian's PostgreSQL
 * 15, since the npm package has no pg_dump.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POSTGRES_PROGRAMS, runService } from '../../../testing/service-command.ts'
import { type Hosting, startHosting } from '../../../testing/start-hosting.ts'
import { startPostgres } from '../../../testing/start-postgres.ts'
import { clientOf, digest, siteOf } from '../../../testing/test-deployment.ts'
import { findDatabaseFault } from '../../platform/database/check-role.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { printSchema } from '../../platform/database/print-schema.ts'

const PATH = `${POSTGRES_PROGRAMS}:${process.env.PATH ?? ''}`
const SECRET_KEYS = `one:${Buffer.alloc(32, 1).toString('base64')}`
const PAGE = '<h1>Watering</h1>'
const BLOB = digest(PAGE)
const pathOf = (sha256: string) => join(sha256.slice(0, 2), sha256.slice(2))
const BLOB_FILE = join('blobs', pathOf(BLOB))
const MAIN = join(import.meta.dirname, '../../main.ts')
const DAY_MS = 24 * 3_600 * 1_000

describe.skipIf(!existsSync(join(POSTGRES_PROGRAMS, 'pg_dump')))('a backup', () => {
  let hosting: Hosting
  let folder: string
  let databases = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-backup-'))
    hosting = await startHosting({
      binaries: POSTGRES_PROGRAMS,
      settings: { fsync: 'off' },
      environment: { PATH, OCTAVO_SECRET_KEYS: SECRET_KEYS },
    })
    const project = hosting.createProject('plants')
    await hosting.start('api')
    const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
    const site = siteOf({ 'index.html': PAGE, 'other.html': '<h1>Soil</h1>' })
    expect((await client.deploy(site)).status).toBe(200)
    hosting.command('project', 'set', 'plants', '--webhook', 'https://hooks.example.com/')
    const { code, text } = await runService(hosting.environment, 'backup', folder)
    expect(text).toMatch(/^Dumped the database/m)
    expect(code).toBe(0)
  }, 300_000)
  afterAll(async () => {
    await hosting?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Returns a copy of the backup that a test can damage. */
  function copyBackup(): { readonly all: string; readonly one: string } {
    const all = mkdtempSync(join(folder, 'copy-'))
    const [name = ''] = readdirSync(folder).filter((entry) => entry.endsWith('Z'))
    for (const part of [name, 'blobs'])
      cpSync(join(folder, part), join(all, part), { recursive: true })
    return { all, one: join(all, name) }
  }

  /** Creates an empty database and an empty store. */
  async function emptyTarget(more: Readonly<Record<string, string>> = {}) {
    databases += 1
    const name = `target_${databases}`
    const client = new pg.Client(hosting.postgres.url)
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    const at = (url = '') => Object.assign(new URL(url), { pathname: `/${name}` }).href
    const { DATABASE_URL, DATABASE_OWNER_URL } = hosting.environment
    return {
      ...hosting.environment,
      DATABASE_URL: at(DATABASE_URL),
      DATABASE_OWNER_URL: at(DATABASE_OWNER_URL),
      OCTAVO_BLOBS: join(folder, 'stores', name),
      ...more,
    }
  }

  async function countTables(environment: Readonly<Record<string, string>>): Promise<number> {
    const client = new pg.Client(environment.DATABASE_OWNER_URL)
    await client.connect()
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::integer as count from pg_tables where schemaname = 'public'`,
    )
    await client.end()
    return rows[0]?.count ?? 0
  }

  /** Returns all policies, privileges and function owners of a database. */
  async function readRights(database: Database): Promise<readonly string[]> {
    const statements = (await printSchema(database)).split('\n')
    return statements.filter((text) => /^(?:create policy|grant|-- function) /.test(text))
  }

  async function expectRefusal(
    environment: Readonly<Record<string, string>>,
    path: string,
    said: RegExp,
  ): Promise<void> {
    const { code, text } = await runService(environment, 'restore', path)
    expect(text).toMatch(said)
    expect(text).toMatch(/^ {2}Hint: ./m)
    expect(code).toBe(1)
    expect(await countTables(environment)).toBe(0)
  }

  test('a damaged or incomplete backup is rejected, and the database stays empty', async () => {
    const target = await emptyTarget()
    const half = copyBackup()
    rmSync(join(half.one, 'backup.json'))
    await expectRefusal(target, half.all, /backup-incomplete: .*Z: The folder has no backup\.json/)
    const damaged = copyBackup()
    const dump = readFileSync(join(damaged.one, 'database.dump'))
    const middle = Math.trunc(dump.length / 2)
    dump.writeUInt8(dump.readUInt8(middle) ^ 1, middle)
    writeFileSync(join(damaged.one, 'database.dump'), dump)
    await expectRefusal(
      target,
      damaged.all,
      /backup-damaged: .*database\.dump: The content of the file/,
    )
    await expectRefusal(target, join(folder, 'nowhere'), /backup-missing: /)
  })

  test('a backup with missing or damaged files is restored only with --partial', async () => {
    const target = await emptyTarget()
    const { all } = copyBackup()
    writeFileSync(join(all, BLOB_FILE), 'x'.repeat(PAGE.length))
    await expectRefusal(target, all, new RegExp(`blob-damaged: .*${BLOB.slice(2)}: `))
    rmSync(join(all, BLOB_FILE))
    await expectRefusal(target, all, new RegExp(`blob-missing: .*${BLOB.slice(2)}: `))
    const partial = await runService(target, 'restore', all, '--partial')
    expect(partial.text).toMatch(/^blob-missing: plants \S+ index\.html: The blob /m)
    expect(partial.code).toBe(1)
    expect(await countTables(target)).toBeGreaterThan(0)

    // Repair the store from the intact backup.
    cpSync(join(folder, BLOB_FILE), join(target.OCTAVO_BLOBS, BLOB_FILE.slice('blobs/'.length)), {
      recursive: true,
    })
    expect(await runService(target, 'blobs', 'check')).toMatchObject({ code: 0 })
    writeFileSync(
      join(target.OCTAVO_BLOBS, BLOB_FILE.slice('blobs/'.length)),
      'x'.repeat(PAGE.length),
    )
    expect(await runService(target, 'blobs', 'check', '--quick')).toMatchObject({ code: 0 })
    const check = await runService(target, 'blobs', 'check')
    expect(check.text).toMatch(/blob-damaged: plants \S+ index\.html: The blob /)
    expect(check.code).toBe(1)
  })

  test('restore rejects a database with tables and reports a changed key or pepper', async () => {
    const taken = await runService(hosting.environment, 'restore', folder)
    expect(taken.text).toContain('database-not-empty: DATABASE_OWNER_URL: ')
    expect(taken.code).toBe(1)
    const target = await emptyTarget({
      OCTAVO_SECRET_KEYS: `one:${Buffer.alloc(32, 2).toString('base64')}`,
      OCTAVO_KEY_PEPPER: 'another pepper for tests, 32 characters or more',
    })
    const { code, text } = await runService(target, 'restore', folder)
    expect(text).toMatch(/secret-unreadable: plants \S+: The key "one" cannot decrypt this secret/)
    expect(text).toMatch(/^pepper-differs: OCTAVO_KEY_PEPPER: /m)
    expect(code).toBe(1)
    expect(await countTables(target)).toBeGreaterThan(0)
  })

  test('an owner who is not a superuser can restore a backup on a server without our roles', async () => {
    const server = await startPostgres({ binaries: POSTGRES_PROGRAMS, settings: { fsync: 'off' } })
    const source = openDatabase({ url: hosting.postgres.url, connections: 1 })
    const administrator = openDatabase({ url: server.url, connections: 1 })
    const at = (username: string) =>
      Object.assign(new URL(server.url), { username, pathname: '/restored' }).href
    const restored = openDatabase({ url: at('other_owner'), connections: 1 })
    try {
      await administrator.query('create role other_owner login createrole')
      await administrator.query('create database restored owner other_owner')
      const target = {
        ...hosting.environment,
        DATABASE_URL: at('octavo_service'),
        DATABASE_OWNER_URL: at('other_owner'),
        OCTAVO_BLOBS: join(folder, 'stores', 'restored'),
      }
      const { code, text } = await runService(target, 'restore', folder)
      expect(text).toMatch(/^Everything was restored/m)
      expect(code).toBe(0)
      const rights = await readRights(source)
      expect(rights.length).toBeGreaterThan(100)
      expect(await readRights(restored)).toEqual(rights)
      const service = openDatabase({ url: at('octavo_service'), connections: 1 })
      expect(await findDatabaseFault(service)).toBeUndefined()
      expect(await service.query(`select slug from find_site('plants')`)).toEqual([
        { slug: 'plants' },
      ])
      await expect(service.query('create temp table mine ()')).rejects.toThrow('permission denied')
      await service.end()
    } finally {
      await Promise.all([source.end(), administrator.end(), restored.end()])
      await server.stop()
    }
  })

  test('a backup of a store with a missing file succeeds and names the file', async () => {
    const stored = join(hosting.environment.OCTAVO_BLOBS ?? '', BLOB_FILE.slice('blobs/'.length))
    const other = join(folder, 'other')
    rmSync(stored)
    try {
      const { code, text } = await runService(hosting.environment, 'backup', other)
      expect(text).toMatch(/^blob-missing: plants \S+ index\.html: /m)
      expect(code).toBe(1)
      const [name = ''] = readdirSync(other).filter((entry) => entry.endsWith('Z'))
      expect(existsSync(join(other, name, 'backup.json'))).toBe(true)
    } finally {
      cpSync(join(folder, BLOB_FILE), stored)
    }
  })

  test('a backup contains the files of a deployment that is deleted right after the snapshot', async () => {
    const project = hosting.createProject('soil')
    const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
    const old = '<h1>Clay</h1>'
    const blob = digest(old)
    const stored = join(hosting.environment.OCTAVO_BLOBS ?? '', pathOf(blob))
    for (const page of [old, '<h1>Loam</h1>'])
      expect((await client.deploy(siteOf({ 'index.html': page }))).status).toBe(200)
    const longAgo = new Date(Date.now() - 3 * DAY_MS)
    utimesSync(stored, longAgo, longAgo)

    // A fake pg_dump: before it dumps the snapshot, the deployment expires and is collected.
    const programs = mkdtempSync(join(folder, 'programs-'))
    const place = join(folder, 'collected')
    writeFileSync(
      join(programs, 'pg_dump'),
      `#!/bin/sh
test "$1" = --version && exec ${POSTGRES_PROGRAMS}/pg_dump --version
psql --quiet '${hosting.postgres.url}' --command "
  update deployment set state = 'expired', collected_at = null, finished_at = now() - interval '3 days'
   where number = 1 and project_id = (select id from project where public_id = '${project.projectId}');
  update project_blob set stored_at = now() - interval '3 days' where sha256 = '\\\\x${blob}'" >&2
'${process.execPath}' --no-warnings '${MAIN}' blobs collect >&2
exec ${POSTGRES_PROGRAMS}/pg_dump "$@"
`,
      { mode: 0o755 },
    )
    const backup = await runService(
      { ...hosting.environment, PATH: `${programs}:${PATH}` },
      'backup',
      place,
    )
    expect(backup).toMatchObject({ code: 0 })
    expect(existsSync(stored)).toBe(false)

    const target = await emptyTarget()
    expect(await runService(target, 'restore', place)).toMatchObject({ code: 0 })
    expect(readFileSync(join(target.OCTAVO_BLOBS, pathOf(blob)), 'utf8')).toBe(old)
    expect(await runService(target, 'blobs', 'check')).toMatchObject({ code: 0 })
  })

  test('a backup needs a pg_dump that is at least as new as the server', async () => {
    const place = join(folder, 'none')
    const without = await runService(
      { ...hosting.environment, PATH: '/nonexistent' },
      'backup',
      place,
    )
    expect(without.text).toMatch(
      /postgres-tool-missing: pg_dump: .*\n {2}Hint: Install .*PostgreSQL 15/,
    )
    expect(without.code).toBe(1)
    const newer = await startPostgres({ settings: { fsync: 'off' } })
    try {
      const url = { DATABASE_OWNER_URL: newer.url }
      const old = await runService({ ...hosting.environment, ...url }, 'backup', place)
      expect(old.text).toMatch(
        /postgres-tool-old: pg_dump: The program has version 15, and the server is PostgreSQL 18/,
      )
      expect(old.code).toBe(1)
    } finally {
      await newer.stop()
    }
    expect(existsSync(place)).toBe(false)
  })
})
