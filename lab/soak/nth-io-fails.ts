/**
 * Fails the n-th request of a deployment to the store or to PostgreSQL, for every n.
 * Each n has its own deployment. The site must be completely the old one or the new one, errors
 * must be 503, and the next attempt must succeed. At the end every file of every finished
 * deployment is compared with its digest.
 *
 *   npm run lab soak/nth-io-fails -- [--tries 40]
 *
 * A request to the store fails alone, or with all that follow it. A connection to PostgreSQL is
 * reset before a message arrives, or after it, so that only the response is lost. `--tries` is the
 * maximum number of attempts of each kind; if there are more messages, the attempts are spread
 * evenly.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBlobStore } from '../../packages/service/src/platform/blobs/open-blob-store.ts'
import { startHosting } from '../../packages/service/testing/start-hosting.ts'
import {
  clientOf,
  siteOf,
  type TestSite,
  visit,
} from '../../packages/service/testing/test-deployment.ts'
import { checkDeployments } from '../parts/deploy/check-deployments.ts'
import { startFaultProxy } from './faults/fault-proxy.ts'
import { startFaultyStore } from './faults/faulty-store.ts'

const { values } = parseArgs({ options: { tries: { type: 'string', default: '40' } } })
const TRIES_MAX = Number(values.tries)
const PAGES = ['/', '/guide', '/soil']
const SHOWN_MS_MAX = 20_000
const PAUSE_MS = 50
/** A number of requests that no deployment reaches. */
const ALL = 1_000_000
const SHOWN_MAX = 20

const wrong: string[] = []
const counts = { deployments: 0, refused: 0 }
const store = await startFaultyStore()
const hosting = await startHosting({
  environment: {
    OCTAVO_BLOBS: 's3://octavo/blobs',
    OCTAVO_S3_ENDPOINT: store.endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'us-east-1',
  },
})
const proxy = await startFaultProxy(Number(new URL(hosting.postgres.url).port))
try {
  await run()
} finally {
  await hosting.stop()
  proxy.stop()
  store.stop()
}
for (const line of wrong.slice(0, SHOWN_MAX)) console.log(`WRONG ${line}`)
console.log(
  `${counts.deployments} deployments with one fault each, ${counts.refused} refused, ${wrong.length} wrong`,
)
process.exitCode = wrong.length === 0 ? 0 : 1

async function run(): Promise<void> {
  const project = hosting.createProject('plants')
  const url = Object.assign(new URL(hosting.environment.DATABASE_URL ?? ''), { port: proxy.port })
  const service = await hosting.start('all', { DATABASE_URL: url.href })
  const pid = service.pid()
  const client = clientOf(hosting.url, { publicId: project.projectId, token: project.adminKey })
  let version = 0

  /**
   * Attempts a deployment; returns the status of its last step, or of the first one that failed.
   */
  async function deploy(site: TestSite): Promise<number> {
    const created = await client.create(site)
    if (created.status >= 300) return created.status
    const sent = await client.sendBlobs(site.blobs)
    if (sent.status >= 300) return sent.status
    const finished = await client.call('POST', `/deployments/${created.body.id}/finish`)
    return finished.status
  }

  async function readVersions(): Promise<ReadonlySet<number>> {
    const marks = await Promise.all(
      PAGES.map(async (path) => {
        const reply = await visit(service.port, project.host, path).catch(() => undefined)
        return Number(/^Version (\d+)\b/.exec(reply?.bytes.toString() ?? '')?.[1] ?? -1)
      }),
    )
    return new Set(marks)
  }

  /** Waits until all pages belong to one of these versions. */
  async function waitFor(name: string, versions: readonly number[]): Promise<void> {
    const end = performance.now() + SHOWN_MS_MAX
    for (;;) {
      const shown = await readVersions()
      if (shown.size === 1 && versions.some((one) => shown.has(one))) return
      if (performance.now() > end) {
        wrong.push(`${name}: shows ${[...shown].join(' and ')} instead of ${versions.join(' or ')}`)
        return
      }
      await sleep(PAUSE_MS)
    }
  }

  async function tryOne(name: string, plan: () => void, end: () => void): Promise<void> {
    const old = version
    version += 1
    const site = siteOfVersion(version)
    counts.deployments += 1
    plan()
    const status = await deploy(site).catch((error: unknown) => {
      wrong.push(`${name}: no reply: ${error}`)
      return 0
    })
    end()

    if (status >= 300) counts.refused += 1
    if (status >= 300 && status !== 503) wrong.push(`${name}: ${status} instead of 503`)
    // A deployment whose response was lost may have succeeded.
    await waitFor(name, status < 300 ? [version] : [old, version])
    const again = await deploy(site)
    if (again >= 300) wrong.push(`${name}: the next attempt gave ${again}`)
    await waitFor(`${name}, next attempt`, [version])
  }

  const first = await deploy(siteOfVersion(version))
  if (first >= 300) throw new Error(`The first deployment gave ${first}.`)
  await waitFor('first', [version])
  const before = { requests: store.requests(), pieces: proxy.pieces() }
  version += 1
  await deploy(siteOfVersion(version))
  const requests = store.requests() - before.requests
  const pieces = proxy.pieces() - before.pieces
  await waitFor('second', [version])
  console.log(`a deployment: ${requests} requests to the store, ${pieces} messages to PostgreSQL`)

  const good = () => store.failFrom(0, 0)
  for (const count of [1, ALL]) {
    const refused = counts.refused
    for (const nth of spread(requests)) {
      const name = `store, request ${nth}${count === 1 ? '' : ' and later'}`
      await tryOne(name, () => store.failFrom(nth, count), good)
    }
    console.log(
      `  requests fail ${count === 1 ? 'alone' : 'from there on'}: ${counts.refused - refused} refused`,
    )
  }
  for (const when of ['before', 'after'] as const) {
    const refused = counts.refused
    for (const nth of spread(pieces)) {
      const cancel = () => proxy.resetAt(0, when)
      await tryOne(`PostgreSQL, ${when} message ${nth}`, () => proxy.resetAt(nth, when), cancel)
    }
    console.log(`  connections reset ${when} a message: ${counts.refused - refused} refused`)
  }
  if (service.pid() !== pid) wrong.push('the service is another process')
  const blobs = await openBlobStore({
    blobs: 's3://octavo/blobs',
    s3Endpoint: store.endpoint,
    awsAccessKeyId: 'test',
    awsSecretAccessKey: 'test',
  })
  const check = await checkDeployments(hosting.postgres.url, blobs)
  wrong.push(...check.wrong)
  console.log(`  walked ${check.ready} manifests, ${check.blobs} files`)
}

function siteOfVersion(number: number): TestSite {
  const text = (page: string) => `Version ${number} of ${page}`
  return siteOf({
    'index.html': text('index'),
    'guide/index.html': text('guide'),
    'soil/index.html': text('soil'),
  })
}

/** Returns the numbers from 1 to n, or evenly spread ones if there are too many. */
function spread(count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  const step = Math.max(1, Math.ceil(count / TRIES_MAX))
  return all.filter((_, index) => index % step === 0)
}
