/**
 * Breaks the network, disk, store and clients of a service, one at a time.
 * The processes are real. The faults are in the network to PostgreSQL, its connections, its disk,
 * the blob store, and slow clients. No process may die, every request must get a response in time,
 * errors must be 503 with Retry-After, everything must recover without a restart, and nothing
 * acknowledged may be lost.
 *
 *   npm run lab soak/service-faults -- [--seconds 8] [--only network|connections|disk|wal|store|clients]
 *
 * Full disks need root, which mounts a small volume in memory.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase, type Tenant } from '@octavo/service'
import type { Database } from '../../packages/service/src/platform/database/database.ts'
import {
  type Hosting,
  type HostingOptions,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'
import { siteOf, type TestSite, visit } from '../../packages/service/testing/test-deployment.ts'
import { type FaultMode, startFaultProxy } from './faults/fault-proxy.ts'
import { type StoreMode, startFaultyStore } from './faults/faulty-store.ts'
import { holdConnections } from './faults/hold-connections.ts'
import { openSlowClients, type SlowKind } from './faults/slow-clients.ts'
import { canMount, mountSmallVolume } from './faults/small-volume.ts'
import { startWorkload, type Workload } from './faults/workload.ts'
import { startWriterFleet } from './no-loss/writer-fleet.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, only: { type: 'string' } },
})
const SECONDS = Number(values.seconds)
const CONNECTIONS = 30
const SMALL_MB = 320
const BLOBS_MB = 8
const WAL_MB = 96
/**
 * The maximum duration of a deployment. It has three steps, each of which waits up to a minute for
 * the store.
 */
const DEPLOY_SECONDS_MAX = 200
const SHOWN_TRIES_MAX = 100
const SHOWN_PAUSE_MS = 100

const SCENES: Readonly<Record<string, () => Promise<void>>> = {
  network: breakNetwork,
  connections: exhaustConnections,
  disk: fillDisks,
  wal: fillWal,
  store: breakStore,
  clients: sendSlowly,
}

const wrong: string[] = []
let total = 0
for (const [name, scene] of Object.entries(SCENES)) {
  if (values.only !== undefined && values.only !== name) continue
  console.log(`\n${name}`)
  await scene()
}
for (const line of wrong.slice(0, 40)) console.log(`WRONG ${line}`)
console.log(`\n${total} requests, ${wrong.length} wrong`)
process.exitCode = wrong.length === 0 ? 0 : 1

type Stage = {
  readonly hosting: Hosting
  readonly work: Workload
  readonly port: number
  readonly host: string
}

/** Starts a service for one scene, collects its errors, and stops it. */
async function withStage(
  options: HostingOptions & { readonly variables?: (hosting: Hosting) => Promise<object> },
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const hosting = await startHosting(options)
  try {
    const project = hosting.createProject('plants')
    const more = { ...(await options.variables?.(hosting)) }
    const service = await hosting.start('all', more)
    const work = await startWorkload(hosting, service, project)
    await work.run('before', 2, { mustServe: ['record', 'export', 'page'] })
    await play({ hosting, work, port: service.port, host: project.host })
    await work.checkNothingLost()
    wrong.push(...work.wrong)
    total += work.total()
  } finally {
    await hosting.stop()
  }
}

async function breakNetwork(): Promise<void> {
  const ended: (() => void)[] = []
  let set: (mode: FaultMode) => void = () => {}
  let reset: () => void = () => {}
  const variables = async ({ postgres, environment }: Hosting) => {
    const proxy = await startFaultProxy(Number(new URL(postgres.url).port))
    ended.push(proxy.stop)
    set = proxy.set
    reset = proxy.reset
    const url = new URL(environment.DATABASE_URL ?? '')
    url.port = String(proxy.port)
    return { DATABASE_URL: url.href }
  }
  await withStage({ variables }, async ({ work }) => {
    const all = ['record', 'export', 'page']
    const faults: readonly (readonly [name: string, mode: FaultMode, mustServe: string[]])[] = [
      ['latency of 50 ms', { kind: 'delay', ms: 50 }, all],
      ['latency of 500 ms', { kind: 'delay', ms: 500 }, ['page']],
      ['latency of 5 s', { kind: 'delay', ms: 5_000 }, ['page']],
      ['8 KB a second', { kind: 'throttle', bytesPerSecond: 8_000 }, ['page']],
      ['answers are lost', { kind: 'one-way' }, ['page']],
      ['half-open', { kind: 'stall' }, ['page']],
      ['refused', { kind: 'refuse' }, ['page']],
    ]
    for (const [name, mode, mustServe] of faults) {
      set(mode)
      if (mode.kind === 'refuse') reset()
      const isCut = ['one-way', 'stall', 'refuse'].includes(mode.kind)
      await work.run(name, SECONDS, { mustServe, mustRefuse: isCut ? ['record', 'export'] : [] })
      set({ kind: 'pass' })
      await work.recover(name)
    }
    const timer = setInterval(reset, 300)
    await work.run('resets every 300 ms', SECONDS, { mustServe: ['page'] })
    clearInterval(timer)
    await work.recover('resets')
  })
  for (const end of ended) end()
}

async function exhaustConnections(): Promise<void> {
  const settings = { max_connections: String(CONNECTIONS) }
  let reset: () => void = () => {}
  const ended: (() => void)[] = []
  const variables = async ({ postgres, environment }: Hosting) => {
    const proxy = await startFaultProxy(Number(new URL(postgres.url).port))
    ended.push(proxy.stop)
    reset = proxy.reset
    const url = new URL(environment.DATABASE_URL ?? '')
    url.port = String(proxy.port)
    return { DATABASE_URL: url.href }
  }
  await withStage({ settings, variables }, async ({ hosting, work }) => {
    const others = await holdConnections(hosting.postgres.url)
    try {
      console.log(`  others hold ${await others.fill()} connections`)
      await work.run('taken by others', SECONDS, { mustServe: ['page'] })
      // After this reset, the service has no connections of its own either.
      reset()
      console.log(`  others hold ${await others.fill()} connections`)
      await work.run('none is left', SECONDS, { mustServe: ['page'], mustRefuse: ['record'] })
    } finally {
      await others.release()
    }
    await work.recover('connections')
  })
  for (const end of ended) end()
}

async function fillDisks(): Promise<void> {
  if (!canMount()) {
    console.log('  skipped: only root can mount a small volume')
    return
  }
  const volume = mountSmallVolume(SMALL_MB)
  const blobs = mountSmallVolume(BLOBS_MB)
  const before = process.env.TMPDIR
  process.env.TMPDIR = volume.folder
  try {
    const environment = { OCTAVO_BLOBS: blobs.folder }
    const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
    await withStage({ environment, settings }, async ({ hosting, work }) => {
      blobs.fill()
      const site = siteOf({ 'index.html': 'x'.repeat(100_000) })
      const { said: refused } = await tryDeploying(work, site)
      console.log(`  blobs are full: ${refused}`)
      if (!refused.startsWith('503')) wrong.push(`blobs are full: deploying gave ${refused}`)
      await work.run('blobs are full', SECONDS, { mustServe: ['record', 'export', 'page'] })
      blobs.free()
      const again = await work.client.deploy(site)
      if (again.body.state !== 'live') wrong.push(`after the disk: ${JSON.stringify(again.body)}`)
      volume.fill()
      // Large rows are needed, because small ones would fit into existing pages and log files.
      work.setResponseBytes(400_000)
      await work.run('database is full', SECONDS, { mustServe: ['page'], mustRefuse: ['record'] })
      volume.free()
      work.setResponseBytes(20)
      // PostgreSQL shuts down if there is no space for its log, as documented.
      await hosting.postgres.restart().catch(() => undefined)
      await work.recover('database is full')
    })
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    volume.unmount()
    blobs.unmount()
  }
}

/**
 * Fills the disk with PostgreSQL's log, so that it shuts down. No committed row may be lost
 * afterwards.
 */
async function fillWal(): Promise<void> {
  if (!canMount()) {
    console.log('  skipped: only root can mount a small volume')
    return
  }
  const volume = mountSmallVolume(WAL_MB)
  try {
    const walFolder = join(volume.folder, 'wal')
    mkdirSync(walFolder)
    const settings = { max_wal_size: '48MB', min_wal_size: '32MB' }
    const database = await startPostgres({ settings, walFolder })
    try {
      await withStage({ database }, async ({ hosting, work }) => {
        const owner = openDatabase({ url: database.url, connections: 1 })
        const fleet = await startWriters(hosting, owner)
        await work.run('with writers', SECONDS, { mustServe: ['record', 'export', 'page'] })
        volume.fill()
        work.setResponseBytes(400_000)
        await work.run('log is full', SECONDS, { mustServe: ['page'], mustRefuse: ['record'] })
        const isUp = database.isRunning()
        console.log(`  PostgreSQL ${isUp ? 'is up' : 'has stopped itself'}`)
        if (isUp) wrong.push('log is full: PostgreSQL has not stopped, so the fault was none')
        work.setResponseBytes(20)
        await work.run('PostgreSQL is down', SECONDS, {
          mustServe: ['page'],
          mustRefuse: ['record', 'export'],
        })
        volume.free()
        await database.restart()
        await work.recover('log is full')
        await fleet.stop()
        const rows = await owner.query<{ id: string }>('select id from conversation')
        await owner.end()
        const ids = new Set(rows.map(({ id }) => id))
        const lost = [...fleet.acks.values()].filter(({ id }) => !ids.has(id))
        console.log(`  ${fleet.acks.size} acknowledged to writers, ${lost.length} lost`)
        if (lost.length > 0) wrong.push(`log is full: ${lost.length} committed rows are lost`)
        const failure = fleet.failure()
        if (failure !== undefined) wrong.push(`log is full: ${failure.message}`)
      })
    } finally {
      await database.stop()
    }
  } finally {
    volume.unmount()
  }
}

/**
 * Starts writers that make many small commits in addition to the requests, with the product's
 * store.
 */
async function startWriters(hosting: Hosting, owner: Database) {
  const [tenant] = await owner.query<Tenant>(
    'select id as "projectId", organization_id as "organizationId" from project',
  )
  if (tenant === undefined) throw new Error('there is no project')
  return startWriterFleet({
    databaseUrl: hosting.environment.DATABASE_URL ?? '',
    tenant,
    noiseTenants: [],
    answerBytes: 1_000,
    niceness: 0,
    processes: 1,
    writersPerProcess: 4,
    onAck: () => {},
  })
}

async function breakStore(): Promise<void> {
  const store = await startFaultyStore()
  const environment = {
    OCTAVO_BLOBS: 's3://octavo/blobs',
    OCTAVO_S3_ENDPOINT: store.endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
  }
  await withStage({ environment }, async ({ work, port, host }) => {
    let version = 0
    const modes: readonly StoreMode[] = ['errors', 'half', 'slow', 'silent']
    for (const mode of modes) {
      version += 1
      const site = siteOf({
        'index.html': `<!doctype html><title>Version ${version}</title>`,
        'guide.html': `Guide ${version}`,
      })
      store.set(mode)
      const tried = tryDeploying(work, site)
      await work.run(`store: ${mode}`, SECONDS, { mustServe: ['record', 'export', 'page'] })
      const { said, seconds } = await tried
      console.log(`  deploying meanwhile: ${said} after ${seconds.toFixed(1)} s`)
      if (!/^(?:20\d|503)/.test(said)) wrong.push(`store ${mode}: deploying gave ${said}`)
      if (seconds > DEPLOY_SECONDS_MAX) wrong.push(`store ${mode}: ${said} after ${seconds} s`)
      store.set('good')
      await work.recover(`store: ${mode}`)
      const again = await work.client.deploy(site)
      if (again.body.state !== 'live') wrong.push(`store ${mode}: afterwards ${again.status}`)
      // The next fault starts only after this version is shown and therefore cached.
      const isShown = async () => {
        const page = await visit(port, host, '/').catch(() => undefined)
        return page?.bytes.toString().includes(`Version ${version}<`) === true
      }
      for (let tried = 0; !(await isShown()); tried += 1) {
        if (tried > SHOWN_TRIES_MAX) throw new Error(`Version ${version} is not shown.`)
        await sleep(SHOWN_PAUSE_MS)
      }
    }
  })
  store.stop()
}

/** Attempts a deployment, up to the first step that fails. */
async function tryDeploying({ client }: Workload, site: TestSite) {
  const begun = performance.now()
  const steps = async (): Promise<string> => {
    const created = await client.create(site)
    if (created.status >= 300) return `${created.status} for the new deployment`
    const sent = await client.sendBlobs(site.blobs)
    if (sent.status >= 300) return `${sent.status} for the files`
    const { status } = await client.call('POST', `/deployments/${created.body.id}/finish`)
    return `${status} at the end`
  }
  const said = await steps().catch((error: unknown) => `no reply: ${error}`)
  return { said, seconds: (performance.now() - begun) / 1_000 }
}

async function sendSlowly(): Promise<void> {
  const kinds: readonly (readonly [kind: SlowKind, count: number])[] = [
    ['headers', 300],
    ['body', 100],
    ['reader', 100],
    ['idle', 500],
  ]
  await withStage({}, async ({ work, port, host }) => {
    const large = siteOf({
      'index.html': '<!doctype html><title>Plants</title>',
      'large.txt': 'Water. '.repeat(300_000),
    })
    await work.client.deploy(large)
    for (const [kind, count] of kinds) {
      const clients = openSlowClients({ port, host, kind, count, path: '/large.txt' })
      await work.run(`${count} slow clients: ${kind}`, SECONDS, {
        mustServe: ['record', 'export', 'page'],
      })
      console.log(`  ${clients.closed()} of ${clients.opened} were closed by the server`)
      clients.stop()
      await work.recover(kind)
    }
  })
}
