/**
 * Measures what 10,000 sites cost one host process: memory, cold and warm pages.
 * First, it measures the memory, and the time of cold and warm pages, for that many live sites that
 * share most of their files and differ in one page. Then it measures the CPU time of the same warm
 * requests with 10 and with 100,000 rows in the tables for host lookups, as the median of
 * alternating pairs.
 *
 *   npm run lab bench/host-sites -- [built folders…] [--sites 10000] [--rows 100000] [--pairs 10]
 *
 * Built folders are outputs of `octavo build`, such as from a corpus; without any, twelve small
 * sites are built. Rows are written with SQL, files through the store. Needs Linux. Takes some
 * minutes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printManifest } from '@octavo/model'
import pg from 'pg'
import {
  type BlobStore,
  forEachLimited,
} from '../../packages/service/src/platform/blobs/blob-store.ts'
import {
  type Hosting,
  type ServiceProcess,
  startHosting,
} from '../../packages/service/testing/start-hosting.ts'
import {
  type BuiltTree,
  octavo,
  ownPage,
  readBuiltTree,
  sha256Of,
} from '../parts/deploy/site-versions.ts'
import { storedKb } from '../parts/deploy/stored-size.ts'
import { cpuMs } from '../parts/export/cpu-time.ts'
import { runJob } from '../parts/export/load-client.ts'
import { median } from '../parts/export/print-table.ts'
import { residentMb } from '../parts/export/watch-memory.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sites: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '100000' },
    pairs: { type: 'string', default: '10' },
    requests: { type: 'string', default: '4000' },
  },
})
const [siteCount, rowCount, pairCount, requestCount] = [
  values.sites,
  values.rows,
  values.pairs,
  values.requests,
].map(Number) as [number, number, number, number]
const FEW = 10
const RATIO_MAX = 1.2
const CONNECTIONS = 8
const PUT_CONCURRENCY = 16
const BASES = 12
const CACHE_MB = '2048'

/** A site: its name, the digest of its manifest root, and the path of its unique page. */
type Site = { readonly slug: string; readonly root: string; readonly address: string }
type Base = BuiltTree & { readonly folder: string }

const hosting = await startHosting({ settings: { fsync: 'off', synchronous_commit: 'off' } })
try {
  process.exitCode = (await measure(hosting)) ? 0 : 1
} finally {
  await hosting.stop()
}

async function measure(hosting: Hosting): Promise<boolean> {
  const folders = positionals.length > 0 ? positionals : await buildBases(hosting.folder)
  const bases = folders.map((folder) => ({ folder, ...readBuiltTree(folder) }))
  const store = await hosting.openStore()
  await putBases(store, bases)
  const baseKb = storedKb(hosting)
  const sites = await putSites(store, bases)
  const mb = (kb: number) => `${(kb / 1_000).toFixed(0)} MB`
  console.log(`in the store: ${mb(baseKb)} for the builds, ${mb(storedKb(hosting))} with all sites`)
  const { url } = hosting.postgres
  await writeRows(url, sites.slice(0, FEW))
  // The small database is a copy made before the other rows are added, on the same server.
  await runSql(new URL('/template1', url).href, 'create database few template postgres')
  await writeRows(url, sites.slice(FEW))

  const host = await hosting.start('host', { OCTAVO_HOST_CACHE_MB: CACHE_MB })
  const startMb = residentMb(host.pid())
  const cold = await visit(host, shuffled(sites))
  const coldMb = residentMb(host.pid())
  const warm = await visit(host, shuffled(sites))
  const warmMb = residentMb(host.pid())
  await host.kill()
  console.log(
    `${sites.length} sites of ${bases.length} builds, each with one page of its own; one request each, ${CONNECTIONS} connections`,
  )
  printLine('', 'p50 ms', 'p99 ms', 'RSS MB')
  printLine('at the start', '', '', startMb.toFixed(0))
  printLine('cold pages', cold.p50Ms.toFixed(2), cold.p99Ms.toFixed(2), coldMb.toFixed(0))
  printLine('warm pages', warm.p50Ms.toFixed(2), warm.p99Ms.toFixed(2), warmMb.toFixed(0))
  return compareRows(hosting, sites)
}

async function compareRows(hosting: Hosting, sites: readonly Site[]): Promise<boolean> {
  const { url } = hosting.postgres
  const roots = sites.slice(0, BASES).map(({ root }) => root)
  const more = Array.from({ length: Math.max(0, rowCount - sites.length) }, (_, index) => ({
    slug: `more-${index}`,
    root: roots[index % roots.length] ?? '',
    address: '/',
  }))
  await writeRows(url, more)
  const total = sites.length + more.length
  const fewSites = sites.slice(0, FEW)
  const fewUrl = Object.assign(new URL(hosting.environment.DATABASE_URL ?? ''), {
    pathname: '/few',
  }).href
  const cache = { OCTAVO_HOST_CACHE_MB: CACHE_MB }
  const small = await hosting.start('host', { ...cache, DATABASE_URL: fewUrl })
  const large = await hosting.start('host', cache)
  await visit(small, fewSites)
  await visit(large, fewSites)
  const pairs: { readonly few: number; readonly all: number }[] = []
  // The first pair warms up both processes and is not counted.
  for (let pair = 0; pair <= pairCount; pair += 1) {
    pairs.push({
      few: await cpuOfRequest(small, fewSites),
      all: await cpuOfRequest(large, fewSites),
    })
  }
  const counted = pairs.slice(1)
  const ratio = median(counted.map((pair) => pair.all / pair.few))
  const isMet = ratio <= RATIO_MAX
  console.log(`\nCPU of a warm request, ${requestCount} requests each, ${pairCount} pairs`)
  printLine('rows', 'CPU ms', 'RSS MB')
  const ms = (list: readonly number[]) => median(list).toFixed(3)
  printLine(String(FEW), ms(counted.map(({ few }) => few)), residentMb(small.pid()).toFixed(0))
  printLine(String(total), ms(counted.map((p) => p.all)), residentMb(large.pid()).toFixed(0))
  console.log(`ratio ${ratio.toFixed(2)}, goal at most ${RATIO_MAX} ${isMet ? '✓' : '✗ missed'}`)
  await visit(large, shuffled(sites))
  const spread = await cpuOfRequest(large, sites)
  console.log(
    `spread over ${sites.length} sites that are in memory: ${spread.toFixed(3)} ms, ${residentMb(large.pid()).toFixed(0)} MB`,
  )
  return isMet
}

async function cpuOfRequest(host: ServiceProcess, sites: readonly Site[]): Promise<number> {
  const chosen = Array.from(
    { length: requestCount },
    () => sites[Math.floor(Math.random() * sites.length)],
  ).filter((site) => site !== undefined)
  const before = cpuMs(host.pid())
  await visit(host, chosen)
  return (cpuMs(host.pid()) - before) / requestCount
}

/** Requests the unique page of each site once. */
async function visit({ port }: ServiceProcess, sites: readonly Site[]) {
  const result = await runJob({
    kind: 'each',
    port,
    connections: CONNECTIONS,
    requests: sites.map(
      ({ slug, address }) =>
        `GET ${address} HTTP/1.1\r\nHost: ${slug}.sites.localhost\r\nAccept-Encoding: br\r\n\r\n`,
    ),
    status: 200,
  })
  if (result.errors > 0) throw new Error(`${result.errors} replies were not 200`)
  return result
}

function shuffled(sites: readonly Site[]): readonly Site[] {
  return sites
    .map((site) => ({ site, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ site }) => site)
}

async function buildBases(folder: string): Promise<readonly string[]> {
  const folders: string[] = []
  for (let base = 0; base < BASES; base += 1) {
    const docs = join(folder, `base-${base}`)
    await octavo('init', docs, '--name', `Base ${base}`, '--yes')
    await octavo('build', docs, '-o', join(folder, `built-${base}`))
    folders.push(join(folder, `built-${base}`))
  }
  return folders
}

async function put(store: BlobStore, bytes: Buffer): Promise<string> {
  const sha256 = sha256Of(bytes)
  const outcome = await store.put({ sha256, size: bytes.length }, singleChunk(bytes))
  if (outcome !== 'stored') throw new Error(outcome)
  return sha256
}

async function* singleChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function putBases(store: BlobStore, bases: readonly Base[]): Promise<void> {
  for (const { folder, entries } of bases)
    await forEachLimited(entries, {
      atOnce: PUT_CONCURRENCY,
      call: async ({ path }) => {
        await put(store, readFileSync(join(folder, path)))
      },
    })
}

/** Stores the sites. Each is a copy of one of the builds with a different landing page. */
async function putSites(store: BlobStore, bases: readonly Base[]): Promise<readonly Site[]> {
  const sites: Site[] = []
  await forEachLimited([...Array(siteCount).keys()], {
    atOnce: PUT_CONCURRENCY,
    call: async (number) => {
      const base = bases[number % bases.length]
      if (base === undefined) throw new Error('there is no build')
      const { page, entries, address } = ownPage(base.folder, base, number)
      await put(store, page)
      const { root, runs } = printManifest(base.facts, entries, sha256Of)
      for (const { text } of runs) await put(store, Buffer.from(text))
      sites.push({ slug: `site-${number}`, root: await put(store, Buffer.from(root)), address })
    },
  })
  return sites
}

/** Inserts a project with a live deployment for each site. */
async function writeRows(databaseUrl: string, sites: readonly Site[]): Promise<void> {
  await runSql(
    databaseUrl,
    `with made as (
       insert into organization (public_id, name) values ('org_' || lpad((random() * 1e15)::bigint::text, 16, '0'), 'Bench')
       returning id
     ), wanted as (
       select slug, decode(root, 'hex') as root
         from unnest($1::text[], $2::text[]) as t (slug, root)
     ), projects as (
       insert into project (organization_id, public_id, slug, name)
       select made.id, 'prj_' || substr(md5(slug), 1, 16), slug, slug from wanted, made
       returning id, slug
     ), deployments as (
       insert into deployment (project_id, id, number, state, root, created_by, finished_at, published_at)
       select p.id, lpad(p.id::text, 26, '0'), 1, 'ready', w.root, 'bench', now(), now()
         from projects p join wanted w using (slug)
       returning project_id, id
     )
     insert into publication (project_id, deployment_id, last_number)
     select project_id, id, 1 from deployments`,
    [sites.map(({ slug }) => slug), sites.map(({ root }) => root)],
  )
  await runSql(databaseUrl, 'vacuum analyze')
}

async function runSql(databaseUrl: string, text: string, args: unknown[] = []): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(text, args)
  } finally {
    await client.end()
  }
}

function printLine(...cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padStart(14)).join(''))
}
