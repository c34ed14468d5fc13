/**
 * Upgrades a service that is in use, with real processes and a real PostgreSQL: the old version
 * serves while the new one migrates, then both serve, then only the new one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { CHILD_ENVIRONMENT } from '../../../packages/builder/testing/child-environment.ts'
import type { Query } from '../../../packages/service/src/platform/database/database.ts'
import { createNextVersion } from '../../../packages/service/testing/next-version.ts'
import { startPostgres } from '../../../packages/service/testing/start-postgres.ts'
import { unpackVersion } from '../../parts/old-version.ts'
import { type Content, fillConversations, readContent, readIds } from './fill-conversations.ts'
import { type DrillProject, type LoadResult, startLoad } from './load.ts'
import { type RunningVersion, type ServiceVersion, serviceVersion } from './service-version.ts'

export type DrillOptions = {
  /**
   * The revision of the old version; undefined for an upgrade from this version to a future one.
   */
  readonly from: string | undefined
  readonly conversations: number
  readonly projects: number
  /** The duration of each phase other than the migration. */
  readonly partSeconds: number
  readonly role: 'api' | 'all'
  /** True if clients keep their connections open, as a proxy does. */
  readonly keepAlive: boolean
  readonly print: (line: string) => void
}

export type DrillResult = {
  readonly load: LoadResult
  readonly migrateSeconds: number
  readonly before: Content
  readonly after: Content
  /** The number of rows in the tables at the end, and the number that clients expect. */
  readonly rows: number
  readonly expectedRows: number
  readonly countedByDay: number
  /** The error messages of the versions that correctly refuse to start. */
  readonly newBeforeMigrate: string
  readonly oldAfterMigrate: string
  readonly oldReadiness: string
  readonly oldExitCode: number | null
  readonly errors: readonly string[]
}

const PRESENT = join(import.meta.dirname, '../../../packages/service/src/main.ts')
/** A string that is greater than every id created in this century. */
const LAST_ID = '7'

export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-drill-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  try {
    const { oldMain, newMain, remove } = chooseVersions(options)
    ends.push(remove)
    const postgres = await startPostgres()
    ends.push(postgres.stop)
    const environment = {
      ...CHILD_ENVIRONMENT,
      DATABASE_OWNER_URL: postgres.url,
      DATABASE_URL: Object.assign(new URL(postgres.url), { username: 'octavo_service' }).href,
      OCTAVO_KEY_PEPPER: 'a pepper for the drill, 32 characters or more',
      OCTAVO_URL: 'http://127.0.0.1:8080',
      OCTAVO_SITES_DOMAIN: 'sites.localhost',
      OCTAVO_BLOBS: join(folder, 'blobs'),
      OCTAVO_WORK_FOLDER: join(folder, 'work'),
      OCTAVO_REQUESTS_PER_HOUR: '1000000000',
    }
    const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
    ends.push(() => pool.end())
    return await upgrade({
      ...options,
      query: async (text, values = []) => (await pool.query(text, [...values])).rows,
      oldVersion: serviceVersion(oldMain, environment, options.role),
      newVersion: serviceVersion(newMain, environment, options.role),
      onStart: ({ kill }) => ends.push(kill),
    })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

function chooseVersions({ from, print }: DrillOptions) {
  if (from === undefined) {
    const next = createNextVersion()
    print('old version: this one; new version: the same with one more migration')
    return { oldMain: PRESENT, newMain: next.main, remove: next.remove }
  }
  const old = unpackVersion(from)
  print(`old version: ${from}, ${old.commit.slice(0, 8)}; new version: this one`)
  return { oldMain: old.main, newMain: PRESENT, remove: old.remove }
}

type Stage = DrillOptions & {
  /** Runs a query as the owner of the tables, without a timeout. */
  readonly query: Query
  readonly oldVersion: ServiceVersion
  readonly newVersion: ServiceVersion
  readonly onStart: (running: RunningVersion) => void
}

async function upgrade(stage: Stage): Promise<DrillResult> {
  const { query, oldVersion, newVersion, onStart, print } = stage
  const partMs = stage.partSeconds * 1_000
  const projects = await createProjects(stage)
  const [newest] = await query<{ id: string }>('select max(id) as id from conversation')
  const before = await readContent(query, newest?.id ?? LAST_ID)
  print(`${before.rows} conversations in ${projects.length} projects`)
  const newBeforeMigrate = await refusal(newVersion, onStart)

  const old = await oldVersion.start()
  onStart(old)
  const load = startLoad(projects, stage.keepAlive)
  load.setTargets(old.url)
  await sleep(partMs)

  load.setPhase('migrating')
  print('migrate of the new version, while the old one answers')
  const migrated = await succeed(newVersion, 'migrate')
  load.setPhase('old on new schema')
  await sleep(partMs)
  const oldReadiness = await old.readiness()
  const oldAfterMigrate = await refusal(oldVersion, onStart)

  const fresh = await newVersion.start()
  onStart(fresh)
  print('old and new version, in turns')
  load.setPhase('side by side')
  load.setTargets(old.url, fresh.url)
  await sleep(partMs)

  print('the old version is stopped')
  load.setTargets(fresh.url)
  const oldExitCode = await old.stop()
  load.setPhase('new alone')
  await sleep(partMs)
  const result = await load.stop()

  const after = await readContent(query, newest?.id ?? LAST_ID)
  const [rows] = await query<{ rows: number; counted: number }>(
    `select (select count(*) from conversation)::integer as rows,
            (select sum(answered + unanswered) from conversation_day)::integer as counted`,
  )
  await fresh.stop()
  return {
    load: result,
    migrateSeconds: migrated.seconds,
    before,
    after,
    rows: rows?.rows ?? 0,
    expectedRows: before.rows + result.recorded - result.deleted,
    countedByDay: rows?.counted ?? 0,
    newBeforeMigrate,
    oldAfterMigrate,
    oldReadiness,
    oldExitCode,
    errors: [...old.errors, ...fresh.errors],
  }
}

async function createProjects(stage: Stage): Promise<readonly DrillProject[]> {
  const { oldVersion, query } = stage
  await succeed(oldVersion, 'migrate')
  const made: { projectId: string; adminKey: string }[] = []
  for (let number = 1; number <= stage.projects; number += 1) {
    const name = `drill-${number}`
    const names = ['--organization', name, '--project', name]
    const { text } = await succeed(oldVersion, 'init', ...names, '--json')
    made.push(JSON.parse(text))
  }
  await fillConversations(query, stage.conversations)
  return Promise.all(
    made.map(async (one) => ({ ...one, ids: new Set(await readIds(query, one.projectId)) })),
  )
}

async function succeed(version: ServiceVersion, ...args: readonly string[]) {
  const end = await version.run(...args)
  if (end.code !== 0) throw new Error(`octavo-service ${args.join(' ')}: ${end.text}`)
  return end
}

/** Returns the error of a version that must not start on another version's schema. */
async function refusal(version: ServiceVersion, onStart: Stage['onStart']): Promise<string> {
  try {
    onStart(await version.start())
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
