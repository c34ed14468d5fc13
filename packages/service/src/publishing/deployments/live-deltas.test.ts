/** Sends files as changes of live ones, rightly and with every lie that we could think of. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SCOPES } from '@octavo/contract'
import { DELTA_LIMITS, type DeltaPart, printDelta } from '@octavo/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf, digest, siteOf } from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const MEGABYTE = 1_000_000
const LIVE = randomBytes(MEGABYTE).toString('hex')
const NEW = Buffer.from('One more sentence about a rhododendron.')

let folder: string
let blobs: BlobStore
let service: TestService
let project: TestProject
let client: Client

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-deltas-'))
  blobs = await openFolderStore(folder)
  service = await startTestService({
    blobStore: blobs,
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
  })
  project = await service.createProject(SCOPES)
  client = clientOf(service.url, project)
  await client.deploy(siteOf({ 'index.html': 'Welcome', 'all.txt': LIVE }))
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const part = (start: number, copied: number, added: Uint8Array = new Uint8Array()): DeltaPart => ({
  start,
  copied,
  added,
})

async function sendBody(
  sha256: string,
  body: Uint8Array,
  { path = 'all.txt', kind = 'file', to = project } = {},
) {
  const query = new URLSearchParams({ path, kind })
  const response = await fetch(
    `${service.url}/v1/projects/${to.publicId}/blobs/${sha256}/delta?${query}`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${to.token}` },
      body: new Uint8Array(body),
    },
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const send = (sha256: string, parts: readonly DeltaPart[], more?: Parameters<typeof sendBody>[2]) =>
  sendBody(sha256, gzipSync(printDelta(parts)), more)

/** Sends a delta that must be refused, and checks that its file is not stored. */
async function expectRefusal(
  sha256: string,
  sent: Promise<{ status: number; body: { detail?: string } }>,
  reason: RegExp,
): Promise<void> {
  const { status, body } = await sent
  expect({ status, detail: body.detail }).toEqual({
    status: 422,
    detail: expect.stringMatching(reason),
  })
  expect(await blobs.hasMany([sha256])).toEqual(new Set())
  expect(await ownsBlob(sha256)).toBe(false)
}

async function ownsBlob(sha256: string): Promise<boolean> {
  const rows = await service.owner.query('select 1 from project_blob where sha256 = $1', [
    Buffer.from(sha256, 'hex'),
  ])
  return rows.length > 0
}

const chunksOf = async (path: string, kind = 'file', of = client) =>
  (await of.call('GET', `/live-chunks?${new URLSearchParams({ path, kind })}`)).body.chunks as [
    number,
    string,
  ][]

describe('the chunks of a live file', () => {
  test('the chunks of a file are listed in its order with size and hash', async () => {
    let start = 0
    for (const [size, digits] of await chunksOf('all.txt')) {
      expect(digest(LIVE.slice(start, start + size)).startsWith(digits)).toBe(true)
      start += size
    }
    expect(start).toBe(LIVE.length)
  })

  test('the run that lists a path has chunks, and an unknown path has none', async () => {
    const [[size = 0] = []] = await chunksOf('all.txt', 'run')
    expect(size).toBeGreaterThan(100)
    expect(await chunksOf('a-path-before-all-others', 'run')).toHaveLength(1)
    for (const path of ['nothing.txt', 'All.txt', '../all.txt', 'zzz'])
      expect(await chunksOf(path)).toEqual([])
  })

  test('a project without a live deployment has no chunks', async () => {
    const other = clientOf(service.url, await service.createProject(SCOPES))
    expect(await chunksOf('all.txt', 'file', other)).toEqual([])
    expect(await chunksOf('all.txt', 'run', other)).toEqual([])
  })

  test('the request needs a path and the scope deploy:write', async () => {
    expect((await client.call('GET', '/live-chunks')).status).toBe(400)
    const reader = clientOf(service.url, await service.createProject(['deploy:read']))
    expect((await reader.call('GET', '/live-chunks?path=all.txt')).status).toBe(403)
  })
})

describe('a file that is sent as changes of a live one', () => {
  test('an edited file is stored and can be deployed', async () => {
    const edited = `${LIVE.slice(0, MEGABYTE)}${NEW}${LIVE.slice(MEGABYTE + 500)}`
    const sent = await send(digest(edited), [
      part(0, MEGABYTE, NEW),
      part(MEGABYTE + 500, LIVE.length - MEGABYTE - 500),
    ])
    expect(sent.status).toBe(204)
    const draft = siteOf({ 'index.html': 'Welcome', 'all.txt': edited })
    // Only the run is missing.
    expect(await client.deploy(draft, { draft: true })).toMatchObject({
      sent: 1,
      body: { state: 'ready' },
    })
  })

  test('parts may be in another order than in the live file', async () => {
    const half = LIVE.length / 2
    const swapped = LIVE.slice(half) + LIVE.slice(0, half)
    expect((await send(digest(swapped), [part(half, half), part(0, half)])).status).toBe(204)
    expect(await ownsBlob(digest(swapped))).toBe(true)
  })

  test('a file of only new bytes is stored', async () => {
    expect((await send(digest(NEW), [part(0, 0, NEW)], { path: 'nothing.txt' })).status).toBe(204)
  })

  test('a run of the manifest can be sent as changes of the live run', async () => {
    const [[size = 0] = []] = await chunksOf('index.html', 'run')
    const site = siteOf({ 'index.html': 'Welcome', 'all.txt': LIVE })
    const run = [...site.blobs.values()].find(({ length }) => length === size)
    const edited = `${run} `
    const sent = await send(digest(edited), [part(0, size, Buffer.from(' '))], {
      path: 'index.html',
      kind: 'run',
    })
    expect(sent.status).toBe(204)
  })
})

describe('a delta that is refused stores nothing', () => {
  const wanted = digest('what nobody has')

  test('a result with another digest', async () => {
    await expectRefusal(wanted, send(wanted, [part(0, 1_000, NEW)]), /do not match this SHA-256/)
    await expectRefusal(wanted, send(wanted, []), /do not match this SHA-256/)
  })

  test('a copy of bytes after the end of the live file', async () => {
    const { length } = LIVE
    const exact = digest(LIVE.slice(1))
    expect((await send(exact, [part(1, length - 1)])).status).toBe(204)
    for (const parts of [
      [part(1, length)],
      [part(length, 1)],
      [part(0xffffffff, 1)],
      [part(0, 10), part(length - 1, 2)],
    ])
      await expectRefusal(wanted, send(wanted, parts), /bytes that the live file does not have/)
  })

  test('a copy from a file that the live deployment does not have', async () => {
    const sent = send(wanted, [part(0, 10)], { path: 'nothing.txt' })
    await expectRefusal(wanted, sent, /bytes that the live file does not have/)
  })

  test('a copy from the file of another project, even if its digest is known', async () => {
    const other = await service.createProject(SCOPES)
    const copy = digest(LIVE.slice(0, 5_000))
    for (const path of ['all.txt', digest(LIVE)]) {
      const sent = send(copy, [part(0, 5_000)], { to: other, path })
      await expectRefusal(copy, sent, /bytes that the live file does not have/)
    }
    const foreign = { publicId: project.publicId, token: other.token }
    const sent = await send(copy, [part(0, 5_000)], { to: { ...other, ...foreign } })
    expect(sent.status).toBe(404)
  })

  test('a file above the limit, however small its delta', async () => {
    const parts = Array.from({ length: 60 }, () => part(0, LIVE.length))
    await expectRefusal(wanted, send(wanted, parts), /more than 104857600 bytes/)
    await expectRefusal(wanted, send(wanted, [part(0, 0xffffffff)]), /more than 104857600 bytes/)
  })

  test('a delta with one part too many', async () => {
    const parts = Array.from({ length: DELTA_LIMITS.parts }, (_, index) => part(index, 1))
    expect((await send(digest(LIVE.slice(0, parts.length)), parts)).status).toBe(204)
    await expectRefusal(wanted, send(wanted, [...parts, part(0, 1)]), /too many parts/)
  })

  test('a body that is cut off, that is not compressed, or that expands without end', async () => {
    const printed = printDelta([part(0, 10, NEW)])
    await expectRefusal(wanted, sendBody(wanted, gzipSync(printed.subarray(1))), /middle of a part/)
    for (const body of [printed, gzipSync(printed).subarray(0, -9), Buffer.alloc(0)])
      await expectRefusal(wanted, sendBody(wanted, body), /not a gzip file/)
    const bomb = gzipSync(Buffer.alloc(DELTA_LIMITS.bytes + 1))
    await expectRefusal(wanted, sendBody(wanted, bomb), /not a gzip file with at most 8388608/)
  })

  test('a body above the limit is refused before it is read', async () => {
    const sent = await sendBody(wanted, new Uint8Array(DELTA_LIMITS.bytes + 1)).catch(() => null)
    // The server closes the connection early, so the client might not receive the response.
    if (sent !== null) expect(sent.status).toBe(413)
    expect(await ownsBlob(wanted)).toBe(false)
  })

  test('a key without the scope deploy:write', async () => {
    const reader = await service.createProject(['deploy:read'])
    expect((await send(digest(NEW), [part(0, 0, NEW)], { to: reader })).status).toBe(403)
  })
})
