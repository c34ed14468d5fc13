/**
 * Tests that a reader never gets parts of a file that are hidden from them, whatever other readers
 * requested before.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestReader } from '../../../testing/private-readers.ts'
import { clientOf, digest, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const POLL = { interval: 50, timeout: 10_000 }
const NAMES = {
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
}
const STAFF = ['staff']

let folder: string
let service: TestService

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-parts-'))
  service = await startTestService({ blobStore: await openFolderStore(folder), ...NAMES })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Files = Parameters<typeof siteOf>[0]

async function newSite(files: Files) {
  const project = await service.createProject(SCOPES)
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  const host = `${row?.slug}.sites.localhost`
  const client = clientOf(service.url, project)
  async function deploy(next: Files): Promise<void> {
    const { id, body } = await client.deploy(siteOf(next))
    expect(body).toMatchObject({ state: 'live' })
    await vi.waitFor(async () => {
      const { bytes } = await visit(service.port, host, '/_octavo/version.json')
      expect(JSON.parse(bytes.toString())).toMatchObject({ deployment: id })
    }, POLL)
  }
  await deploy(files)
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    visit(service.port, host, path, { method, headers })
  return { project, host, client, deploy, get }
}

/** Creates text from a template, in which the parts in brackets are only for staff. */
function partly(marked: string) {
  const ranges: { start: number; end: number; access: string[] }[] = []
  let text = ''
  for (const part of marked.split(/(?=\[)|(?<=\])/)) {
    const isPrivate = part.startsWith('[')
    const start = Buffer.byteLength(text)
    text += isPrivate ? part.slice(1, -1) : part
    if (isPrivate) ranges.push({ start, end: Buffer.byteLength(text), access: STAFF })
  }
  return { text, ranges }
}

const textOf = async (site: { get: (path: string) => Promise<{ bytes: Buffer }> }) =>
  (await site.get('/page.md')).bytes.toString()

describe('files with private parts', () => {
  test('a part of a file disappears for readers without its group as soon as it is restricted', async () => {
    const before = partly('public [salaries ]launch date')
    const after = partly('public [salaries ][launch date]')
    expect(before.text).toBe(after.text)
    const site = await newSite({ 'page.md': before })
    expect(await textOf(site)).toBe('public launch date')
    const { etag } = (await site.get('/page.md')).headers
    await site.deploy({ 'page.md': after })
    expect(await textOf(site)).toBe('public ')
    const again = await site.get('/page.md', { 'if-none-match': String(etag) })
    expect([again.status, again.bytes.toString()]).toEqual([200, 'public '])
  })

  test("a project cannot change another project's response by deploying the same bytes first", async () => {
    const bytes = 'tenants share the cache: [acquisition of Foo]'
    const victim = partly(bytes)
    // In the other project, either the whole text is private, or only a part that does not matter.
    for (const [ranges, name] of [
      [[{ start: 0, end: victim.text.length, access: STAFF }], 'all'],
      [[{ start: 0, end: 1, access: STAFF }], 'first letter'],
    ] as const) {
      const text = `${victim.text}, ${name}`
      const evil = await newSite({ 'page.md': { text, ranges } })
      await evil.get('/page.md')
      await evil.get('/page.md', { 'accept-encoding': 'br' })
      const own = await newSite({ 'page.md': { text, ranges: victim.ranges } })
      expect(await textOf(own), name).toBe(`tenants share the cache: , ${name}`)
    }
  })

  test('readers of a private site get the parts for their groups in any encoding', async () => {
    const long = `${'public '.repeat(300)}[${'secret '.repeat(300)}]end`
    const site = await newSite({ 'page.md': partly(long) })
    const access = { mode: 'password', password: 'a password for tests' }
    expect((await site.client.call('PUT', '/access', access)).status).toBe(200)
    const reader = (groups: readonly string[]) =>
      createTestReader(service, site.host, { project: site.project, groups })
    const [staff, other] = [await reader(STAFF), await reader(['other'])]
    await vi.waitFor(async () => expect((await site.get('/page.md')).status).toBe(401), POLL)
    const tags = new Set<unknown>()
    for (const encoding of ['identity', 'br', 'gzip', 'br'])
      for (const [one, length] of [
        [staff, long.length - 2],
        [other, 2_103],
      ] as const) {
        const { headers, bytes } = await one.get('/page.md', { 'accept-encoding': encoding })
        if (encoding === 'identity') expect(bytes.length).toBe(length)
        tags.add(headers.etag)
        const known = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) }
        expect((await one.get('/page.md', known)).status).toBe(304)
      }
    expect(tags.size).toBe(6)
  })

  test('the ETag of a file depends only on the bytes that the reader receives', async () => {
    const site = await newSite({ 'page.md': partly('menu [falcon]') })
    const { headers } = await site.get('/page.md')
    expect(headers.etag).toBe(`"${digest('menu ')}"`)
    await site.deploy({ 'page.md': partly('menu [a much longer eagle]') })
    const again = await site.get('/page.md')
    expect(again.headers.etag).toBe(headers.etag)
    // Other headers do not depend on hidden parts either.
    expect(again.headers['x-markdown-tokens']).toBe(headers['x-markdown-tokens'])
  })
})

describe('the labels of a deployment', () => {
  const files = { 'open.md': 'Open', 'staff.md': { text: 'Staff', access: STAFF } }

  test('the groups of a label determine who can read a page', async () => {
    const site = await newSite(files)
    const access = { mode: 'password', password: 'a password for tests' }
    expect((await site.client.call('PUT', '/access', access)).status).toBe(200)
    await vi.waitFor(async () => expect((await site.get('/open.md')).status).toBe(401), POLL)
    for (const [groups, status] of [
      [STAFF, 200],
      [['other'], 404],
    ] as const) {
      const reader = await createTestReader(service, site.host, { project: site.project, groups })
      expect((await reader.get('/open.md')).status).toBe(200)
      expect((await reader.get('/staff.md')).status).toBe(status)
    }
  })

  test('a deployment whose label ids do not match their groups is rejected', async () => {
    const site = await newSite(files)
    const { root, blobs } = siteOf(files)
    const forged = { root: root.replace('"staff"', '"other"'), blobs }
    const { status, body } = await site.client.create(forged)
    expect([status, JSON.stringify(body)]).toEqual([
      422,
      expect.stringContaining('do not match its id'),
    ])
  })
})

describe('large files with private parts', () => {
  const MIDDLE = 'S'.repeat(700_000)
  const large = () => partly(`[head]${'a'.repeat(500_000)}[${MIDDLE}]${'b'.repeat(300_000)}[tail]`)
  const sent = `${'a'.repeat(500_000)}${'b'.repeat(300_000)}`

  test('a large file is streamed without its hidden parts, also by range and conditionally', async () => {
    const site = await newSite({ 'page.md': large() })
    const whole = await site.get('/page.md', { 'accept-encoding': 'br' })
    expect([whole.status, whole.headers['content-length']]).toEqual([200, '800000'])
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(whole.headers['cache-control']).toBe('private, no-cache')
    expect(whole.bytes.toString() === sent).toBe(true)
    const { etag } = whole.headers
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=499990-500009', 499_990, 500_010],
      ['bytes=500000-', 500_000, 800_000],
      ['bytes=-5', 799_995, 800_000],
      ['bytes=799999-99999999', 799_999, 800_000],
    ] as const) {
      const part = await site.get('/page.md', { range, 'if-range': String(etag) })
      expect([part.status, part.headers['content-range']], range).toEqual([
        206,
        `bytes ${start}-${end - 1}/800000`,
      ])
      expect(part.bytes.toString() === sent.slice(start, end), range).toBe(true)
    }
    expect((await site.get('/page.md', { range: 'bytes=800000-' })).status).toBe(416)
    const changed = await site.get('/page.md', { range: 'bytes=0-1', 'if-range': '"x"' })
    expect([changed.status, changed.bytes.length]).toEqual([200, 800_000])
    const head = await site.get('/page.md', {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([
      200,
      '800000',
      etag,
    ])
    expect((await site.get('/page.md', { 'if-none-match': String(etag) })).status).toBe(304)
  })

  test('the ETag of a large file reveals nothing about hidden parts and changes with each deployment', async () => {
    const site = await newSite({ 'page.md': large() })
    const first = (await site.get('/page.md')).headers.etag
    expect(first).toMatch(/^"[\da-f]{32}"$/)
    expect(first).not.toContain(digest(large().text).slice(0, 32))
    expect(first).not.toContain(digest(sent).slice(0, 32))
    await site.deploy({ 'page.md': large(), 'other.txt': 'more' })
    expect((await site.get('/page.md')).headers.etag).not.toBe(first)
    const other = await newSite({ 'page.md': large() })
    expect((await other.get('/page.md')).headers.etag).not.toBe(first)
  })

  test('a reader who may read no part of a file gets an empty response', async () => {
    const site = await newSite({ 'page.md': partly(`[${'x'.repeat(1_100_000)}]`) })
    const { status, headers, bytes } = await site.get('/page.md')
    expect([status, headers['content-length'], bytes.length]).toEqual([200, '0', 0])
    expect((await site.get('/page.md', { range: 'bytes=0-' })).status).toBe(416)
  })
})

describe('files of other deployments', () => {
  const kept = (name: string) => [
    `_octavo/scripts/site-${name}.js`,
    `_octavo/styles/theme-${name}.css`,
    `_octavo/icons-${name}.svg`,
  ]
  const gone = (name: string) => [
    `_octavo/search-data/pages/0-${name}/1.bin`,
    `_octavo/api/${name}/0.json`,
    `_octavo/og/${name}.png`,
  ]
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.map((path) => [path, `text of ${path}`]))

  test('only scripts, styles and icons of earlier deployments are still served', async () => {
    const old = { ...named(kept('old')), ...named(gone('old')) }
    const site = await newSite({ 'index.html': 'One', 'b/index.html': 'launch date', ...old })
    for (const path of [...kept('old'), ...gone('old')])
      expect((await site.get(`/${path}`)).status, path).toBe(200)
    await site.deploy({ 'index.html': 'Two', 'b/index.html': { text: 'launch', access: STAFF } })
    for (const path of kept('old')) expect((await site.get(`/${path}`)).status, path).toBe(200)
    for (const path of gone('old')) expect((await site.get(`/${path}`)).status, path).toBe(404)
  })

  test('files of a newer deployment are served before the next poll', async () => {
    const site = await newSite({ 'index.html': 'One' })
    expect((await site.get('/')).status).toBe(200)
    await site.client.deploy(siteOf({ 'index.html': 'Two', ...named(gone('new')) }))
    for (const path of gone('new')) expect((await site.get(`/${path}`)).status, path).toBe(200)
  })
})
