/**
 * Destroys a whole service and restores it from a backup that was made while it was written to. The
 * service, PostgreSQL, the store and the commands are the real ones. Compares afterwards:
 *
 * - each row in every table that existed before the backup and did not change until its end;
 * - exports from the API: all rows acknowledged before the backup must exist, line by line, and of
 *   the rows written meanwhile, exactly those up to one moment;
 * - the responses that readers get from every site, byte by byte;
 * - every file of every deployment, by its digest.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import {
  type CommandEnd,
  POSTGRES_PROGRAMS,
  runService,
} from '../../../packages/service/testing/service-command.ts'
import {
  type HostedProject,
  type Hosting,
  startHosting,
} from '../../../packages/service/testing/start-hosting.ts'
import { startPostgres } from '../../../packages/service/testing/start-postgres.ts'
import { buildVersions, markOf, type SiteVersion } from '../../parts/deploy/site-versions.ts'
import { deploySite, openWriter } from './background-writes.ts'
import { readExport, readRows, readSite } from './read-state.ts'

export type DrillOptions = {
  readonly store?: 'folder' | 'bluestore'
  readonly projects: number
  readonly deployments: number
  readonly conversations: number
  /** The time for which deployments and conversations continue before and after the backup. */
  readonly marginMs?: number
  readonly onStep?: (step: DrillStep) => void
}

type DrillStep = {
  readonly name: string
  readonly seconds: number
  readonly found: string
}

export type DrillResult = {
  readonly steps: readonly DrillStep[]
  /** The differences that were found. */
  readonly wrong: readonly string[]
}

type Site = {
  readonly project: HostedProject
  readonly replies: Map<number, ReadonlyMap<string, string>>
}

const PATHS = [
  '/',
  '/guides/page-1',
  '/guides/page-29',
  '/guides/page-7.md',
  '/llms.txt',
  '/own/style.css',
  '/none',
]
const SECRET_KEY = `drill:${Buffer.alloc(32, 7).toString('base64')}`
const LIVE_MS_MAX = 60_000
const LIVE_PAUSE_MS = 100
/** The owner of the tables on the new server, whose name differs from that on the lost server. */
const NEW_OWNER = 'another_owner'

export async function runDrill(options: DrillOptions): Promise<DrillResult> {
  const hosting = await startHosting({
    store: options.store ?? 'folder',
    binaries: POSTGRES_PROGRAMS,
    environment: {
      PATH: `${POSTGRES_PROGRAMS}:${process.env.PATH ?? ''}`,
      OCTAVO_SECRET_KEYS: SECRET_KEY,
    },
  })
  const ends: (() => Promise<unknown>)[] = [hosting.stop]
  try {
    return await drill(hosting, options, ends)
  } finally {
    for (const end of ends.reverse())
      await end().catch((error: unknown) =>
        console.error('a part of the drill did not end:', error),
      )
  }
}

async function drill(
  hosting: Hosting,
  options: DrillOptions,
  ends: (() => Promise<unknown>)[],
): Promise<DrillResult> {
  const steps: DrillStep[] = []
  const wrong: string[] = []
  function note(one: DrillStep) {
    steps.push(one)
    options.onStep?.(one)
  }
  async function step<Result>(name: string, work: () => Promise<readonly [Result, string]>) {
    const started = performance.now()
    const [result, found] = await work()
    note({ name, seconds: (performance.now() - started) / 1_000, found })
    return result
  }
  const folder = join(hosting.folder, 'backup')
  const service = await hosting.start('all')
  const { sites, busy, makeVersion } = await step('fill', async () => {
    const filled = await fill(hosting, options, service.port)
    return [
      filled,
      `${options.projects} projects with ${options.deployments} deployments and ${options.conversations} conversations each`,
    ]
  })
  const writer = await openWriter(hosting)
  ends.push(writer.end)

  // Everything that was acknowledged so far must be in the backup.
  const exportsBefore = await readExports(hosting, sites)
  const rowsBefore = await readRows(hosting.postgres.url)
  let isOver = false
  let deployed = options.deployments - 1
  const deployer = (async () => {
    while (!isOver) {
      const version = makeVersion(deployed + 1)
      await deploySite(hosting, busy.project, version)
      deployed = version.number
      busy.replies.set(
        version.number,
        await readVersion(service.port, busy.project, version.number),
      )
    }
  })()
  let written = 0
  const asker = (async () => {
    while (!isOver)
      for (const { project } of sites) written += (await writer.write(project, 1)).length
  })()
  await Promise.race([deployer, asker, sleepFor(options.marginMs ?? 1_000)])
  const first = await step('back up', () => runStep(hosting.environment, 'backup', folder))
  await step('back up again', () => runStep(hosting.environment, 'backup', folder))
  isOver = true
  await Promise.all([deployer, asker])
  if (first.code !== 0) wrong.push(first.text)
  const rowsAfter = await readRows(hosting.postgres.url)
  const exportsAfter = await readExports(hosting, sites)
  const quiet = sites.filter((site) => site !== busy)
  const pagesBefore = new Map<Site, ReadonlyMap<string, string>>()
  for (const site of quiet) pagesBefore.set(site, await readSite(service.port, site.project, PATHS))
  note({
    name: 'written meanwhile',
    seconds: 0,
    found: `${written} conversations, ${deployed + 1 - options.deployments} deployments`,
  })

  // Here the service is lost: only the backup folder remains.
  await service.kill()
  await hosting.postgres.stop()
  await emptyStore(hosting)
  const postgres = await startPostgres({ binaries: POSTGRES_PROGRAMS })
  ends.push(postgres.stop)
  const environment = await newDatabase(hosting, postgres.url)

  const [backup = ''] = first.text.match(/^\/.+Z$/m) ?? []
  const restored = await step('restore', () => runStep(environment, 'restore', backup))
  if (restored.code !== 0) wrong.push(restored.text)
  const checked = await step('check files', () => runStep(environment, 'blobs', 'check'))
  if (checked.code !== 0) wrong.push(checked.text)

  await step('compare rows', async () => {
    const { compared, lost } = compareRows(
      rowsBefore,
      rowsAfter,
      await readRows(environment.DATABASE_OWNER_URL),
    )
    wrong.push(...lost)
    return [undefined, `${compared} rows in ${rowsBefore.size} tables, ${lost.length} lost`]
  })
  const again = await hosting.start('all', environment)
  await step('compare exports', async () => {
    let lines = 0
    let later = 0
    for (const site of sites) {
      const now = await readExport(hosting.url, site.project)
      const before = exportsBefore.get(site) ?? []
      const after = exportsAfter.get(site) ?? []
      if (!isPrefix(before, now))
        wrong.push(`${site.project.slug}: the export has lost what was there before the backup`)
      if (!isPrefix(now, after))
        wrong.push(`${site.project.slug}: the export is no prefix of the one that was lost`)
      lines += now.length
      later += now.length - before.length
    }
    return [undefined, `${lines} conversations, of which ${later} came during the backup`]
  })
  await step('compare sites', async () => {
    for (const site of quiet)
      wrong.push(
        ...compareReplies(
          site,
          pagesBefore.get(site),
          await readSite(again.port, site.project, PATHS),
        ),
      )
    const now = await readSite(again.port, busy.project, PATHS)
    const number = versionOf(now)
    if (number === undefined || number < options.deployments - 1)
      wrong.push(`${busy.project.slug} shows version ${number}`)
    else wrong.push(...compareReplies(busy, busy.replies.get(number), now))
    return [
      undefined,
      `${sites.length * PATHS.length} replies; the busy site shows version ${number} of ${deployed}`,
    ]
  })
  await step('go on', async () => {
    const version = makeVersion(deployed + 1)
    await deploySite(hosting, busy.project, version)
    return [undefined, 'a deployment after the restore']
  })
  return { steps, wrong }
}

async function fill(hosting: Hosting, options: DrillOptions, port: number) {
  const makeVersion = remember(await buildVersions(hosting.folder))
  const sites: Site[] = []
  for (let index = 0; index < options.projects; index += 1) {
    const project = hosting.createProject(`site-${index}`)
    const replies = new Map<number, ReadonlyMap<string, string>>()
    for (let number = 0; number < options.deployments; number += 1)
      await deploySite(hosting, project, makeVersion(number))
    const newest = options.deployments - 1
    replies.set(newest, await readVersion(port, project, newest))
    await addDomain(hosting, project)
    if (index === 0) addSettings(hosting, project)
    sites.push({ project, replies })
  }
  const busy = sites.at(-1)
  if (busy === undefined) throw new Error('a drill needs a project')
  const writer = await openWriter(hosting)
  for (const { project } of sites) await writer.write(project, options.conversations)
  await writer.end()
  return { sites, busy, makeVersion }
}

/**
 * Reads a version of a site. It waits for the version, because hosts serve a new deployment a
 * moment after it is live.
 */
async function readVersion(port: number, project: HostedProject, number: number) {
  const giveUpAt = performance.now() + LIVE_MS_MAX
  for (;;) {
    const replies = await readSite(port, project, PATHS)
    if (versionOf(replies) === number) return replies
    if (performance.now() > giveUpAt)
      throw new Error(`${project.slug} does not show version ${number}`)
    await sleepFor(LIVE_PAUSE_MS)
  }
}

const versionOf = (replies: ReadonlyMap<string, string>) =>
  markOf(Buffer.from(replies.get('/')?.split('\n').at(-1) ?? '', 'base64').toString('utf8'))

async function addDomain(hosting: Hosting, { projectId, adminKey, slug }: HostedProject) {
  const response = await fetch(`${hosting.url}/v1/projects/${projectId}/domains`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `docs.${slug}.example.com` }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

/** Adds a user, another key and a secret. */
function addSettings(hosting: Hosting, { projectId, slug }: HostedProject): void {
  hosting.command('user', 'create', `${slug}@example.com`, '--organization', slug)
  hosting.command('key', 'create', projectId, '--scope', 'analytics:read')
  hosting.command('project', 'set', projectId, '--webhook', 'https://hooks.example.com/')
}

function remember(make: (number: number) => SiteVersion): (number: number) => SiteVersion {
  const made = new Map<number, SiteVersion>()
  return (number) => {
    const version = made.get(number) ?? make(number)
    made.set(number, version)
    return version
  }
}

async function runStep(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<readonly [CommandEnd, string]> {
  const end = await runService(environment, ...args)
  const lines = end.text.trim().split('\n')
  return [
    end,
    `exit ${end.code}: ${lines.filter((line) => /^(?:Copied|Dumped|Walked|Checked)/.test(line)).join(' ')}`,
  ]
}

async function readExports(hosting: Hosting, sites: readonly Site[]) {
  const exports = new Map<Site, readonly string[]>()
  for (const site of sites) exports.set(site, await readExport(hosting.url, site.project))
  return exports
}

async function emptyStore(hosting: Hosting): Promise<void> {
  if (hosting.ceph === undefined)
    return rmSync(hosting.environment.OCTAVO_BLOBS ?? '', { recursive: true })
  const store = await hosting.openStore()
  for await (const { sha256 } of store.list()) await store.delete(sha256)
}

/** Creates an empty database whose owner is not a superuser, and returns the environment for it. */
export async function newDatabase(hosting: Hosting, url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create role ${NEW_OWNER} login createrole`)
  await client.query(`create database octavo owner ${NEW_OWNER}`)
  await client.end()
  const owner = Object.assign(new URL(url), { username: NEW_OWNER, pathname: '/octavo' })
  const role = Object.assign(new URL(owner), { username: 'octavo_service' })
  return { ...hosting.environment, DATABASE_OWNER_URL: owner.href, DATABASE_URL: role.href }
}

type Rows = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Compares the rows that are equal before and after the backup, because they did not change during
 * it.
 */
function compareRows(before: Rows, after: Rows, now: Rows) {
  const lost: string[] = []
  let compared = 0
  for (const [table, rows] of before)
    for (const [text, count] of rows) {
      const least = Math.min(count, after.get(table)?.get(text) ?? 0)
      compared += least
      if ((now.get(table)?.get(text) ?? 0) < least) lost.push(`${table}: ${text.slice(0, 200)}`)
    }
  return { compared, lost }
}

function compareReplies(
  { project }: Site,
  before: ReadonlyMap<string, string> | undefined,
  now: ReadonlyMap<string, string>,
): readonly string[] {
  return PATHS.filter((path) => before?.get(path) !== now.get(path)).map(
    (path) => `${project.slug}${path} is not as it was`,
  )
}

const isPrefix = (start: readonly string[], all: readonly string[]) =>
  start.every((line, index) => line === all[index])

const sleepFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
