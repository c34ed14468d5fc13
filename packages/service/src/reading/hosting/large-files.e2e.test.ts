/**
 * Tests that many simultaneous requests for files of one project do not use much memory or slow
 * down other sites.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SCOPES } from '@octavo/contract'
import { mediaType } from '@octavo/model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, digest, siteOf, type TestSite, visit } from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const NAMES = { url: 'http://127.0.0.1:8080', sitesDomain: 'sites.localhost' }
const MB = 1024 * 1024
const FILES = 6
const FILE_BYTES = 60 * MB
const RSS_GROWTH_MAX = 200 * MB
const LATENCY_MS_MAX = 500

let folder: string
let service: TestService
/** Blob reads wait for this promise while it is set. */
let gate: Promise<void> | undefined
let reads = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-large-'))
  const real = await openFolderStore(folder)
  const blobStore: typeof real = {
    ...real,
    get: async (sha256, range) => {
      reads += 1
      await gate
      return real.get(sha256, range)
    },
  }
  service = await startTestService({ blobStore, ...NAMES })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newProject() {
  const project = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  return { project, host: `${row?.slug}.sites.localhost` }
}

async function newSite(site: TestSite): Promise<string> {
  const { project, host } = await newProject()
  const { body } = await clientOf(service.url, project).deploy(site)
  expect(body).toMatchObject({ state: 'live' })
  return host
}

/** Yields 60 MB of text in chunks, so that it is never completely in memory. */
function* largeText(number: number): Generator<Buffer> {
  const line = Buffer.from(`file ${number}: water the plants every day\n`.padEnd(64, '.'))
  const piece = Buffer.concat(Array.from({ length: MB / line.length }, () => line))
  for (let count = 0; count < FILE_BYTES / MB; count += 1) yield piece
}

async function putLarge(project: TestProject, number: number): Promise<string> {
  const hash = createHash('sha256')
  for (const piece of largeText(number)) hash.update(piece)
  const sha256 = hash.digest('hex')
  const sent = request(`${service.url}/v1/projects/${project.publicId}/blobs/${sha256}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${project.token}`, 'content-length': FILE_BYTES },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    sent.on('error', reject)
  })
  await pipeline(Readable.from(largeText(number)), sent)
  expect(await answered).toBeLessThan(300)
  return sha256
}

/** Sends a request, but does not read the response. */
function askWithoutReading(host: string, path: string, encoding: string) {
  const socket: Socket = connect(service.port, '127.0.0.1')
  const state = { socket, hasBegun: false }
  socket.on('readable', () => {
    state.hasBegun = true
  })
  socket.on('error', () => {
    state.hasBegun = true
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${encoding}\r\n\r\n`)
  return state
}

test('clients that do not read large partly private files cannot exhaust memory or slow down other sites', async () => {
  const other = await newSite(siteOf({ 'index.html': 'Other' }))
  const { project, host } = await newProject()
  const client = clientOf(service.url, project)
  const paths = Array.from({ length: FILES }, (_, number) => `large-${number}.txt`)
  const digests: string[] = []
  for (const number of paths.keys()) digests.push(await putLarge(project, number))
  const entries = paths.map((path, index) => {
    const ranges = [{ start: 100, end: 200, access: ['staff'] }]
    const size = FILE_BYTES
    return [path, { text: '', type: mediaType(path), sha256: digests[index] ?? '', size, ranges }]
  })
  const { body } = await client.deploy(siteOf(Object.fromEntries(entries)))
  expect(body).toMatchObject({ state: 'live' })
  expect((await visit(service.port, other, '/')).bytes.toString()).toBe('Other')

  const before = process.memoryUsage.rss()
  let peak = before
  let slowestMs = 0
  const requests = ['br', 'gzip', 'identity'].flatMap((encoding) =>
    paths.map((path) => askWithoutReading(host, `/${path}`, encoding)),
  )
  try {
    for (let round = 0; round < 100 || requests.some(({ hasBegun }) => !hasBegun); round += 1) {
      const started = performance.now()
      const { status } = await visit(service.port, other, '/')
      slowestMs = Math.max(slowestMs, performance.now() - started)
      peak = Math.max(peak, process.memoryUsage.rss())
      expect(status).toBe(200)
    }
  } finally {
    for (const { socket } of requests) socket.destroy()
  }
  expect(peak - before, 'growth of resident memory').toBeLessThan(RSS_GROWTH_MAX)
  expect(slowestMs, 'slowest page of another project').toBeLessThan(LATENCY_MS_MAX)
  const part = await visit(service.port, host, `/${paths[0]}`, {
    headers: { range: 'bytes=90-109' },
  })
  const [first = Buffer.alloc(0)] = largeText(0)
  const kept = Buffer.concat([first.subarray(90, 100), first.subarray(200, 210)])
  expect(part.bytes.toString()).toBe(kept.toString())
})

test('a project whose files are being prepared leaves capacity for other projects', async () => {
  const page = (number: number) => {
    const ranges = [{ start: 0, end: 1, access: ['staff'] }]
    return { text: `${number} `.padEnd(MB, 'x'), ranges }
  }
  const host = await newSite(
    siteOf(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}.txt`, page(n)]))),
  )
  const other = await newSite(siteOf({ 'index.html': 'Other', 'cold.txt': 'Cold' }))
  expect((await visit(service.port, host, '/nothing')).status).toBe(404)
  expect((await visit(service.port, other, '/')).status).toBe(200)
  const { promise, resolve: open } = Promise.withResolvers<void>()
  reads = 0
  gate = promise
  const replies = Array.from({ length: 20 }, (_, n) => visit(service.port, host, `/${n}.txt`))
  await expect.poll(() => reads).toBe(8)
  const cold = visit(service.port, other, '/cold.txt')
  await expect.poll(() => reads).toBe(9)
  gate = undefined
  open()
  expect((await cold).bytes.toString()).toBe('Cold')
  for (const reply of await Promise.all(replies)) {
    expect([reply.status, reply.bytes.length]).toEqual([200, MB - 1])
  }
})

test('a project with too many waiting files gets 503, but its cached files are served', async () => {
  const count = 1_600
  const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.txt`, `${n}`]))
  const host = await newSite(siteOf({ ...files, 'index.html': 'Cached' }))
  expect((await visit(service.port, host, '/')).status).toBe(200)
  // Loads the whole manifest into the cache, but not the files.
  for (const [name, text] of Object.entries(files)) {
    const headers = { 'if-none-match': `"${digest(text)}"` }
    expect((await visit(service.port, host, `/${name}`, { headers })).status).toBe(304)
  }
  const { promise, resolve: open } = Promise.withResolvers<void>()
  gate = promise
  const replies = Object.keys(files).map((name) => visit(service.port, host, `/${name}`))
  // While the store is blocked, only the rejected request gets a response.
  expect(await Promise.race(replies)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2' },
  })
  expect((await visit(service.port, host, '/')).bytes.toString()).toBe('Cached')
  gate = undefined
  open()
  const statuses = (await Promise.all(replies)).map(({ status }) => status)
  // 8 MB are 512 files, since each counts as at least 16 KB. Another 1,000 files may wait.
  const served = statuses.filter((status) => status === 200).length
  expect(served).toBeLessThanOrEqual(512 + 1_000)
  expect(served).toBeGreaterThanOrEqual(1_000)
  expect(statuses.filter((status) => status === 503)).toHaveLength(count - served)
  expect((await visit(service.port, host, '/1599.txt')).bytes.toString()).toBe('1599')
})
