/**
 * Takes PostgreSQL and the store away, and checks that hosts serve cached pages and clear errors.
 * Cached pages must be served all the time, publishing must fail soon with a clear error, uncached
 * pages must get 503 with `Retry-After`, and everything must recover.
 *
 *   npm run lab soak/deploy-faults -- [--seconds 60] [--only database|store|s3]
 *
 * PostgreSQL is killed (connections are refused) and frozen (connections hang). The blob folder is
 * moved away. With Ceph installed, the same is done with S3, whose gateway is killed and frozen.
 */
import { renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CEPH_PACKAGES, missingCephPrograms } from '../../packages/service/testing/start-ceph.ts'
import { type Hosting, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { freePort } from '../../packages/service/testing/start-postgres.ts'
import { clientOf, siteOf, visit } from '../../packages/service/testing/test-deployment.ts'
import { median } from '../parts/export/print-table.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, only: { type: 'string' } },
})
const READERS = 8
const PAUSE_MS = 20
const ASK_MS = 2_000
/** The time after which a response counts as hanging. */
const REFUSAL_MS_MAX = 30_000
const READER_MS_MAX = 15_000
const RECOVERY_MS_MAX = 30_000
const PAGES = ['/', '/guide', '/_octavo/styles/theme-1.css', '/_octavo/search/all.bin']

type Fault = {
  readonly name: string
  readonly begin: () => void | Promise<void>
  readonly end: () => void | Promise<void>
  /** The part that is made unavailable: PostgreSQL or the file store. */
  readonly away: 'database' | 'store'
}

const wrong: string[] = []
const isWanted = (name: string) => values.only === undefined || values.only === name

if (isWanted('database') || isWanted('store')) await withHosting('folder', runFolderFaults)
if (isWanted('s3')) {
  if (missingCephPrograms().length === 0) await withHosting('bluestore', runS3Faults)
  else console.log(`S3 is skipped: apt-get install --no-install-recommends ${CEPH_PACKAGES}`)
}
for (const line of wrong) console.log(`WRONG ${line}`)
console.log(wrong.length === 0 ? '\nEverything as promised.' : `\n${wrong.length} faults`)
process.exitCode = wrong.length === 0 ? 0 : 1

async function withHosting(
  store: 'folder' | 'bluestore',
  work: (hosting: Hosting, scene: Scene) => Promise<void>,
): Promise<void> {
  const hosting = await startHosting({ store })
  try {
    await work(hosting, await prepare(hosting))
  } finally {
    await hosting.stop()
  }
}

async function runFolderFaults(hosting: Hosting, scene: Scene): Promise<void> {
  const { postgres } = hosting
  const blobs = hosting.environment.OCTAVO_BLOBS ?? ''
  if (isWanted('database')) {
    await run(scene, {
      name: 'PostgreSQL killed',
      away: 'database',
      begin: postgres.kill,
      end: postgres.restart,
    })
    await run(scene, {
      name: 'PostgreSQL frozen',
      away: 'database',
      begin: postgres.pause,
      end: postgres.resume,
    })
  }
  if (!isWanted('store')) return
  await run(scene, {
    name: 'folder of blobs away',
    away: 'store',
    begin: () => renameSync(blobs, `${blobs}-away`),
    end: () => renameSync(`${blobs}-away`, blobs),
  })
}

async function runS3Faults({ ceph }: Hosting, scene: Scene): Promise<void> {
  if (ceph === undefined) return
  await run(scene, { name: 'S3 killed', away: 'store', begin: ceph.kill, end: ceph.restart })
  await run(scene, { name: 'S3 frozen', away: 'store', begin: ceph.pause, end: ceph.resume })
}

type Scene = Awaited<ReturnType<typeof prepare>>

/** Starts two processes with a cached site, and creates a site that was never requested. */
async function prepare(hosting: Hosting) {
  const project = hosting.createProject('plants')
  const adminPorts = [await freePort(), await freePort()]
  const [admin = 0, otherAdmin = 0] = adminPorts
  const main = await hosting.start('all', { OCTAVO_ADMIN_PORT: String(admin) })
  const other = await hosting.start('host', { OCTAVO_ADMIN_PORT: String(otherAdmin) })
  const ports = [main.port, other.port]
  const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
  let version = 0

  /** Deploys new files. `uncached` is a path that was never requested. */
  async function deploy() {
    version += 1
    const site = siteOf({
      'index.html': `<!doctype html><title>Version ${version}</title>${'<p>Water.</p>'.repeat(200)}`,
      'guide/index.html': '<!doctype html><title>Guide</title>',
      '404.html': '<!doctype html><title>Not found</title>',
      '_octavo/styles/theme-1.css': 'html{color:green}',
      '_octavo/search/all.bin': 'words',
      [`uncached-${version}.txt`]: `Nobody has read version ${version}`,
    })
    const done = await client.deploy(site)
    return { ...done, title: `Version ${version}`, uncached: `/uncached-${version}.txt` }
  }

  const load = (port: number, path: string) =>
    visit(port, project.host, path, {
      timeoutMs: REFUSAL_MS_MAX,
      headers: { 'accept-encoding': 'br' },
    })

  /** Waits until both processes show a deployment, with all its pages cached. */
  async function warm(id: string): Promise<number> {
    const started = performance.now()
    for (const port of ports) {
      for (;;) {
        const reply = await load(port, '/_octavo/version.json').catch(() => undefined)
        if (reply?.bytes.toString().includes(id)) break
        if (performance.now() - started > RECOVERY_MS_MAX) return Number.NaN
        await sleep(50)
      }
      for (const path of PAGES) await load(port, path)
    }
    return performance.now() - started
  }

  return { hosting, project, ports, adminPorts, client, deploy, load, warm }
}

async function run(scene: Scene, fault: Fault): Promise<void> {
  const { ports, client, load } = scene
  const live = await scene.deploy()
  const problem = (line: string) => wrong.push(`${fault.name}: ${line}`)
  if (live.body.state !== 'live') problem(`the deployment before it is ${live.status}`)
  if (Number.isNaN(await scene.warm(live.id))) problem('the processes did not show the deployment')
  let isOver = false
  const readMs: number[] = []
  const failed: string[] = []
  const reader = async (number: number) => {
    for (let turn = number; !isOver; turn += 1) {
      const path = PAGES[turn % PAGES.length] ?? '/'
      const started = performance.now()
      const reply = await load(ports[number % ports.length] ?? 0, path).catch(String)
      readMs.push(performance.now() - started)
      const status = typeof reply === 'string' ? reply : reply.status
      if (status !== 200) failed.push(`${path}: ${status}`)
      await sleep(PAUSE_MS)
    }
  }
  const readers = Array.from({ length: READERS }, (_, number) => reader(number))

  await fault.begin()
  const end = performance.now() + Number(values.seconds) * 1_000
  const refusals = new Map<string, number[]>()
  const count = (name: string, ms: number) =>
    refusals.set(name, [...(refusals.get(name) ?? []), ms])
  const askers = [
    () =>
      timed(async () => {
        const reply =
          fault.away === 'database'
            ? await client.call('POST', `/deployments/${live.id}/publish`, {
                expectedLive: live.id,
              })
            : await sendNewFile(scene)
        return `${fault.away === 'database' ? 'publish' : 'upload'}: ${reply.status} ${reply.body.code}`
      }),
    () =>
      timed(async () => {
        // This process has never been asked for this host name or file.
        const reply =
          fault.away === 'database'
            ? await visit(ports[0] ?? 0, 'unknown.sites.localhost', '/')
            : await load(ports[1] ?? 0, live.uncached)
        return `uncached page: ${reply.status}, Retry-After ${reply.headers['retry-after']}`
      }),
    () =>
      timed(async () => {
        const ready = await fetch(`http://127.0.0.1:${scene.adminPorts[1]}/readyz`)
        return `readyz: ${ready.status}`
      }),
  ]
  await Promise.all(
    askers.map(async (ask) => {
      while (performance.now() < end) {
        const { name, ms } = await ask()
        count(name, ms)
        await sleep(ASK_MS)
      }
    }),
  )
  await fault.end()
  const back = performance.now()
  const recovered = await recover(scene, back)
  isOver = true
  await Promise.all(readers)
  await Promise.all(PAGES.map((path) => load(ports[0] ?? 0, path)))
  const uncached = await load(ports[1] ?? 0, live.uncached)

  const sorted = readMs.toSorted((a, b) => a - b)
  console.log(`\n${fault.name} for ${values.seconds} s`)
  console.log(
    `  cached pages: ${readMs.length} loads, ${failed.length} failed; median ${median(readMs).toFixed(1)} ms, longest ${sorted.at(-1)?.toFixed(0)} ms`,
  )
  for (const [name, list] of refusals)
    console.log(`  ${name} × ${list.length}, longest ${Math.max(...list).toFixed(0)} ms`)
  console.log(
    `  a new deployment is live everywhere ${(recovered / 1_000).toFixed(1)} s after it ended`,
  )

  for (const line of failed.slice(0, 3)) problem(line)
  if (Number.isNaN(recovered)) problem('it did not recover')
  if (fault.away === 'store' && uncached.status !== 404 && uncached.status !== 200)
    problem(`the uncached page afterwards: ${uncached.status}`)
  for (const [name, list] of refusals) {
    const isReady = name.startsWith('readyz')
    const limit = isReady
      ? REFUSAL_MS_MAX
      : name.startsWith('uncached')
        ? READER_MS_MAX
        : REFUSAL_MS_MAX
    if (!isReady && !/: 503\b/.test(name)) problem(`${name} instead of 503`)
    if (name.startsWith('uncached') && !/Retry-After \d/.test(name)) problem(name)
    if (Math.max(...list) > limit) problem(`${name} took ${Math.max(...list).toFixed(0)} ms`)
  }
  if (!refusals.has('readyz: 503')) problem('readyz did not tell')
}

async function sendNewFile({ client }: Scene) {
  const site = siteOf({ 'new.txt': `New at ${performance.now()}` })
  return client.create(site)
}

async function timed(ask: () => Promise<string>): Promise<{ name: string; ms: number }> {
  const started = performance.now()
  const name = await ask().catch((error: unknown) => `no reply: ${error}`)
  return { name, ms: performance.now() - started }
}

/** Measures the milliseconds until a new deployment is live in both processes. */
async function recover(scene: Scene, since: number): Promise<number> {
  while (performance.now() - since < RECOVERY_MS_MAX) {
    const next = await scene.deploy().catch(() => undefined)
    if (next?.body.state === 'live') {
      const ms = await scene.warm(next.id)
      return Number.isNaN(ms) ? ms : performance.now() - since
    }
    await sleep(200)
  }
  return Number.NaN
}
