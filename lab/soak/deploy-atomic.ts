/**
 * Deploys 200 times while readers load pages, and checks that they never get a mix of versions.
 * Versions of a site are deployed by the real command line to the real service, while readers load
 * pages with all their files through two processes. Only the second one has DATABASE_DIRECT_URL, so
 * only this one is notified of changes immediately.
 *
 *   npm run lab soak/deploy-atomic -- [--deployments 200] [--readers 16]
 *   npm run lab soak/deploy-atomic -- --kill service|database|store [--kills 100]
 *   npm run lab soak/deploy-atomic -- --collect              collects blobs the whole time
 *   npm run lab soak/deploy-atomic -- --collect --planted    without a grace period, which must be found
 *
 * Without `--kill`, two versions alternate, and no load may fail. With it, every deployment has its
 * own files, and at random moments the service, PostgreSQL or the store (Ceph with a disk that
 * survives a crash) is killed; loads may then fail, but never show a mix or miss a file. At the end
 * every manifest of every finished deployment is checked, in the database and in the store.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CEPH_PACKAGES, missingCephPrograms } from '../../packages/service/testing/start-ceph.ts'
import {
  type Hosting,
  type ServiceProcess,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import { visit } from '../../packages/service/testing/test-deployment.ts'
import { checkDeployments } from '../parts/deploy/check-deployments.ts'
import { startCollector } from '../parts/deploy/collector.ts'
import { startReaders } from '../parts/deploy/readers.ts'
import { buildVersions, markOf, type SiteVersion } from '../parts/deploy/site-versions.ts'

const { values } = parseArgs({
  options: {
    deployments: { type: 'string', default: '200' },
    readers: { type: 'string', default: '16' },
    kill: { type: 'string' },
    kills: { type: 'string' },
    collect: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
  },
})
const TARGETS = ['service', 'database', 'store'] as const
type Target = (typeof TARGETS)[number]
const target = TARGETS.find((name) => name === values.kill)
if (values.kill !== undefined && target === undefined) {
  console.log(`--kill is one of ${TARGETS.join(', ')}.`)
  process.exit(2)
}
if (target === 'store' && missingCephPrograms().length > 0) {
  console.log(`Ceph is missing: apt-get install --no-install-recommends ${CEPH_PACKAGES}`)
  process.exit(2)
}
const deployments = Number(values.deployments)
const killsDefault = target === 'store' ? 10 : Math.ceil(deployments / 2)
const kills = target === undefined ? 0 : Number(values.kills ?? killsDefault)
const DOWN_MS_MAX = 1_500
const SETTLE_MS_MAX = 20_000
/** The expected duration of a deployment until one has been measured. */
const FIRST_GUESS_MS = 500
/**
 * The number of versions that are prepared in advance, and of old versions whose folders are kept.
 */
const KEPT_FOLDERS = 4

const hosting = await startHosting({ store: target === 'store' ? 'bluestore' : 'folder' })
try {
  process.exitCode = (await soak(hosting)) ? 0 : 1
} finally {
  await hosting.stop()
}

async function soak(hosting: Hosting): Promise<boolean> {
  const makeVersion = await buildVersions(hosting.folder)
  const versions = new Map<number, SiteVersion>()
  const project = hosting.createProject('plants')
  const main = await hosting.start('all')
  const other = await hosting.start('host', {
    DATABASE_DIRECT_URL: hosting.environment.DATABASE_URL ?? '',
  })
  const ports = [main.port, other.port]
  const started = performance.now()

  const nextVersion = (number: number): SiteVersion => {
    const known = versions.get(number)
    if (known !== undefined) return known
    const version = makeVersion(number)
    versions.set(number, version)
    const old = versions.get(number - KEPT_FOLDERS)
    if (old !== undefined) rmSync(old.folder, { recursive: true, force: true })
    return version
  }
  const deploy = (version: SiteVersion) =>
    hosting.octavo(project, 'deploy', '--prebuilt', version.folder, '--json')

  const first = await deploy(nextVersion(0))
  if (first.code !== 0) throw new Error(first.err)
  const readers = startReaders({
    count: Number(values.readers),
    host: project.host,
    ports,
    versions,
    allowsOutages: target !== undefined,
  })
  const collector = values.collect
    ? await startCollector(hosting, { isPlanted: values.planted })
    : undefined

  const killer = createKiller(target, { hosting, main })
  const finished: string[] = []
  const failures = new Map<string, number>()
  let typicalMs = FIRST_GUESS_MS
  let last = 0
  for (let count = 1; count < deployments; count += 1) {
    const number = target === undefined && !values.collect ? count % 2 : count
    const version = nextVersion(number)
    // The kills are spread evenly over all deployments except the first.
    const killsBy = (number: number) => Math.floor((number * kills) / (deployments - 1))
    const isKilled = killsBy(count) > killsBy(count - 1)
    const begun = performance.now()
    const kill = isKilled ? killer.kill(Math.random() * typicalMs) : undefined
    const { code, out, err } = await deploy(version)
    if (code === 0) {
      finished.push(JSON.parse(out).id)
      last = number
      if (!isKilled) typicalMs = 0.7 * typicalMs + 0.3 * (performance.now() - begun)
    } else {
      const [line = ''] = err.split('\n')
      failures.set(line, (failures.get(line) ?? 0) + 1)
    }
    await kill
    if (count % 20 === 0) console.log(`  ${count} deployments, ${killer.count()} kills`)
  }
  const seconds = (performance.now() - started) / 1_000
  const read = await readers.stop()
  const collected = await collector?.stop()
  const wrong = [...read.wrong]
  wrong.push(...(await findStale(ports, project.host, last)))
  const check = await checkDeployments(hosting.postgres.url, await hosting.openStore())
  wrong.push(...check.wrong)
  const published = new Set(await killer.published())
  for (const id of finished)
    if (!published.has(id)) wrong.push(`${id} was reported as live and is not published`)
  if (failures.size > 0 && target === undefined)
    wrong.push(...[...failures.keys()].map((line) => `deploy: ${line}`))

  console.log(
    `\n${deployments} deployments in ${seconds.toFixed(0)} s: ${finished.length + 1} succeeded`,
  )
  console.log(`kills: ${target === undefined ? 'none' : `${killer.count()} of the ${target}`}`)
  for (const [line, count] of failures) console.log(`  ${count} × ${line}`)
  console.log(
    `readers: ${read.loads} loads of a page, ${read.files} files; ${read.outages} loads cut off by an outage; ${read.seen.size} versions seen`,
  )
  console.log(
    `states: ${[...check.states].map(([name, count]) => `${count} ${name}`).join(', ')}; walked ${check.ready} manifests, ${check.blobs} blobs`,
  )
  if (collected !== undefined)
    console.log(
      `collections: ${collected.runs}, and ${collected.failed} that an outage ended; blobs deleted: ${collected.deleted}`,
    )
  for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
  if (values.planted) {
    console.log(wrong.length > 0 ? 'The planted bug was found.' : 'The planted bug was NOT found.')
    return wrong.length > 0
  }
  console.log(
    wrong.length === 0
      ? 'No mix, no missing file; every deployment is whole.'
      : `${wrong.length} faults FOUND`,
  )
  return wrong.length === 0 && read.loads > 0
}

/** Checks that both processes show the complete last deployment. */
async function findStale(
  ports: readonly number[],
  host: string,
  number: number,
): Promise<readonly string[]> {
  const end = performance.now() + SETTLE_MS_MAX
  for (;;) {
    const marks = await Promise.all(
      ports.map(async (port) => {
        const reply = await visit(port, host, '/').catch(() => undefined)
        return reply && markOf(reply.bytes.toString('utf8'))
      }),
    )
    if (marks.every((mark) => mark === number)) return []
    if (performance.now() > end)
      return [`the processes show ${marks.join(' and ')}; the last deployment is ${number}`]
    await sleep(200)
  }
}

type Scene = { readonly hosting: Hosting; readonly main: ServiceProcess }

function createKiller(target: Target | undefined, { hosting, main }: Scene) {
  let count = 0
  return {
    count: () => count,
    async kill(afterMs: number): Promise<void> {
      await sleep(afterMs)
      count += 1
      const downMs = Math.random() * DOWN_MS_MAX
      if (target === 'database') await hosting.crashDatabase(downMs)
      if (target === 'service') {
        await main.kill()
        await sleep(downMs)
        await main.restart()
      }
      if (target === 'store') {
        await hosting.ceph?.kill()
        await sleep(downMs)
        await hosting.ceph?.restart()
      }
    },
    async published(): Promise<readonly string[]> {
      const { default: pg } = await import('pg')
      const client = new pg.Client(hosting.postgres.url)
      await client.connect()
      const { rows } = await client.query<{ id: string }>(
        'select id from deployment where published_at is not null',
      )
      await client.end()
      return rows.map(({ id }) => id)
    },
  }
}
