import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  clientOf,
  digest,
  framesOf,
  siteOf,
  type TestSite,
} from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createPreviewName } from './preview-name.ts'

let folder: string
let service: TestService
let project: TestProject
let client: Client
let now = Date.now()
let isStoreAway = false

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-blobs-'))
  const real = await openFolderStore(folder)
  const away = () => Promise.reject(new Error('the disk is gone'))
  const blobStore: BlobStore = {
    ...real,
    put: (blob, body) => (isStoreAway ? away() : real.put(blob, body)),
    get: (sha256, range) => (isStoreAway ? away() : real.get(sha256, range)),
  }
  service = await startTestService({
    blobStore,
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
    now: () => now,
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Creates a new project for the tests of a `describe` block. */
async function begin(): Promise<void> {
  project = await service.createProject(SCOPES)
  client = clientOf(service.url, project)
}

const version = (text: string) => siteOf({ 'index.html': text, 'guide/index.html': 'Guide' })
const stateOf = async (id: string) => (await client.call('GET', `/deployments/${id}`)).body.state
const liveOf = async () => {
  const { body } = await client.call('GET', '/deployments?limit=100')
  return body.deployments.find(({ state }: { state: string }) => state === 'live')?.id
}

describe('the lifecycle of a deployment', () => {
  beforeAll(begin)
  let first: string
  let second: string

  test('a new deployment first asks for its runs and then for its files', async () => {
    const site = version('One')
    const { status, body } = await client.create(site, { branch: 'main', message: 'First' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ number: 1, state: 'uploading', branch: 'main', message: 'First' })
    const runs = [...site.blobs.keys()].filter((sha256) => body.missing.includes(sha256))
    expect(runs).toHaveLength(1)
    await client.sendBlobs(runs.map((sha256) => [sha256, site.blobs.get(sha256) as Buffer]))
    const { body: next } = await client.call('GET', `/deployments/${body.id}/missing`)
    expect(next.missing.toSorted()).toEqual([digest('Guide'), digest('One')].toSorted())
    await client.upload(body.id, site)
    const finished = await client.call('POST', `/deployments/${body.id}/finish`)
    expect(finished).toMatchObject({ status: 200, body: { state: 'live', files: 2, bytes: 8 } })
    expect(finished.body.author).toBe('test')
    expect(finished.body.url).toMatch(/^http:\/\/test-\d+\.sites\.localhost:8080$/)
    first = body.id
  })

  test('the next deployment uploads only changes, and a deployment without changes uploads no files', async () => {
    const done = await client.deploy(version('Two'))
    // The run and the changed page were sent.
    expect(done).toMatchObject({ sent: 2, body: { state: 'live' } })
    second = done.id
    expect(await client.deploy(version('Two'), { draft: true })).toMatchObject({ sent: 0 })
    expect(await stateOf(first)).toBe('superseded')
  })

  test('a draft is finished but not published', async () => {
    const done = await client.deploy(version('Draft'), { draft: true })
    expect(done.body).toMatchObject({ state: 'ready', notPublished: 'draft' })
    expect(await liveOf()).toBe(second)
  })

  test('a rollback locks the project until it is unlocked', async () => {
    const back = await client.call('POST', `/deployments/${first}/publish`, {
      expectedLive: second,
    })
    expect(back.body).toEqual({ live: first, liveNumber: 1, lockReason: 'Rolled back to #1 First' })
    const waiting = await client.deploy(version('Three'))
    expect(waiting.body).toMatchObject({ state: 'ready', notPublished: 'locked' })
    expect(await liveOf()).toBe(first)
    expect((await client.call('POST', '/unlock')).body).toEqual({
      live: first,
      liveNumber: 1,
      lockReason: null,
    })
    const again = await client.call('POST', `/deployments/${waiting.id}/finish`)
    expect(again.body.state).toBe('live')
  })

  test('publishing manually requires the id of the current live deployment', async () => {
    const live = await liveOf()
    const old = await client.call('POST', `/deployments/${second}/publish`, { expectedLive: first })
    expect(old).toMatchObject({ status: 409, body: { param: 'expectedLive' } })
    expect(old.body.detail).toMatch(/^Deployment #\d+ is live now\.$/)
    expect(await liveOf()).toBe(live)
  })

  test('a lock needs a reason, and deployments are not published while it is set', async () => {
    const locked = await client.call('POST', '/lock', { reason: 'Release freeze' })
    expect(locked.body.lockReason).toBe('Release freeze')
    expect((await client.deploy(version('Four'))).body.notPublished).toBe('locked')
    await client.call('POST', '/unlock')
    expect((await client.call('POST', '/lock', { reason: '' })).status).toBe(400)
  })

  test('the list of deployments is paginated, newest first', async () => {
    const { body } = await client.call('GET', '/deployments?limit=2')
    expect(body.deployments).toHaveLength(2)
    const { body: rest } = await client.call('GET', `/deployments?cursor=${body.nextCursor}`)
    const ids = [...body.deployments, ...rest.deployments].map(({ id }: { id: string }) => id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(rest.nextCursor).toBeNull()
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the order of deployments', () => {
  beforeAll(begin)

  test('the newer of two deployments stays live if it finishes first', async () => {
    const [early, late] = [version('early'), version('late')]
    const { body: a } = await client.create(early)
    const { body: b } = await client.create(late)
    await client.upload(a.id, early)
    await client.upload(b.id, late)
    expect((await client.call('POST', `/deployments/${b.id}/finish`)).body.state).toBe('live')
    const slow = await client.call('POST', `/deployments/${a.id}/finish`)
    expect(slow.body).toMatchObject({ state: 'ready', notPublished: 'older' })
    expect(await liveOf()).toBe(b.id)
  })

  test('only one of two concurrent publications succeeds', async () => {
    const live = await liveOf()
    const drafts = [
      await client.deploy(version('a'), { draft: true }),
      await client.deploy(version('b'), { draft: true }),
    ]
    const replies = await Promise.all(
      drafts.map(({ id }) =>
        client.call('POST', `/deployments/${id}/publish`, { expectedLive: live }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('two requests with the same idempotency key create one deployment', async () => {
    const fields = { root: version('once').root }
    const key = { 'idempotency-key': 'push-1' }
    const [a, b] = await Promise.all([
      client.call('POST', '/deployments', fields, key),
      client.call('POST', '/deployments', fields, key),
    ])
    expect(a.body.id).toBe(b.body.id)
    const bad = await client.call('POST', '/deployments', fields, { 'idempotency-key': 'a b' })
    expect(bad).toMatchObject({ status: 400, body: { param: 'Idempotency-Key' } })
  })
})

describe('previews', () => {
  beforeAll(begin)
  const preview = (text: string, branch: string) =>
    client.deploy(version(text), { target: 'preview', branch })

  test('a preview has its own address and leaves production unchanged', async () => {
    const live = await client.deploy(version('Production'))
    await client.call('POST', '/lock', { reason: 'Release freeze' })
    const { body } = await preview('Next', 'feature/New guide')
    expect(body).toMatchObject({ state: 'ready', target: 'preview', branch: 'feature/New guide' })
    expect(body.notPublished).toBeUndefined()
    expect(body.url).toMatch(
      /^http:\/\/test-\d+-feature-new-guide-[a-z2-7]{20}\.previews\.localhost:8080$/,
    )
    await client.call('POST', '/unlock')
    expect(await liveOf()).toBe(live.id)
    const { body: list } = await client.call('GET', '/previews')
    expect(list.previews).toEqual([
      {
        name: new URL(body.url).hostname.split('.')[0],
        branch: 'feature/New guide',
        url: body.url,
        deployment: body.id,
        number: body.number,
        changedAt: expect.any(String),
        expiresAt: expect.any(String),
        runsScripts: true,
      },
    ])
    const [{ changedAt, expiresAt }] = list.previews
    const days = (Date.parse(expiresAt) - Date.parse(changedAt)) / 86_400_000
    expect(days).toBeCloseTo(14, 3)
  })

  test('an older deployment of a branch does not replace its preview if it finishes last', async () => {
    const fields = { target: 'preview', branch: 'order' }
    const [early, late] = [version('early'), version('late')]
    const { body: a } = await client.create(early, fields)
    const { body: b } = await client.create(late, fields)
    await client.upload(a.id, early)
    await client.upload(b.id, late)
    const { body: shown } = await client.call('POST', `/deployments/${b.id}/finish`)
    const slow = await client.call('POST', `/deployments/${a.id}/finish`)
    expect(slow.body).toMatchObject({ state: 'ready', notPublished: 'older' })
    expect(slow.body.url).toBeUndefined()
    const again = await client.call('POST', `/deployments/${b.id}/finish`)
    expect(again.body.url).toBe(shown.url)
  })

  test('concurrent deployments of one branch share one preview address', async () => {
    const fields = { target: 'preview', branch: 'at-once' }
    const made = await Promise.all([
      client.create(version('x'), fields),
      client.create(version('x'), fields),
    ])
    await client.upload(made[0].body.id, version('x'))
    await Promise.all(made.map(({ body }) => client.call('POST', `/deployments/${body.id}/finish`)))
    const { body } = await client.call('GET', '/previews')
    const names = body.previews.filter(({ branch }: { branch: string }) => branch === 'at-once')
    expect(names).toHaveLength(1)
  })

  test('a preview can be published manually and compared with production', async () => {
    const live = await liveOf()
    const { id } = await preview('Approved', 'approved')
    const { body: diff } = await client.call('GET', `/deployments/${id}/diff`)
    expect(diff).toMatchObject({ base: live, files: { changed: 1 } })
    const done = await client.call('POST', `/deployments/${id}/publish`, { expectedLive: live })
    expect(done.body).toMatchObject({ live: id, lockReason: null })
    const { body } = await client.call('GET', `/deployments/${id}`)
    expect(body).toMatchObject({ state: 'live', target: 'preview' })
    expect(body.url).toContain('.sites.localhost')
  })

  test('a preview can be deleted by name, but only once', async () => {
    const { body } = await preview('Gone', 'gone')
    const name = new URL(body.url).hostname.split('.')[0]
    expect((await client.call('DELETE', `/previews/${name}`)).status).toBe(204)
    expect((await client.call('DELETE', `/previews/${name}`)).status).toBe(404)
    expect((await client.call('GET', `/deployments/${body.id}`)).body.url).toBeUndefined()
  })

  test.each([
    ['no branch', {}, 'branch'],
    ['an empty branch', { branch: '' }, 'branch'],
    ['a branch of 251 characters', { branch: 'x'.repeat(251) }, 'branch'],
    ['a draft', { branch: 'x', draft: true }, 'draft'],
    ['another target', { branch: 'x', target: 'staging' }, 'target'],
  ])('a preview with %s is rejected', async (_, fields, param) => {
    const reply = await client.create(version('x'), { target: 'preview', ...fields })
    expect(reply).toMatchObject({ status: 400, body: { param } })
  })

  test('a project can have at most 1,000 previews', async () => {
    await begin()
    const { id } = await preview('many', 'first')
    await service.owner.query(
      `insert into preview (project_id, name, branch, deployment_id, expires_at)
       select $1, $2 || n, 'branch-' || n, $3, now() + interval '1 day' from generate_series(2, 1000) n`,
      [project.id, `p${project.id}-`, id],
    )
    const full = await preview('many', 'one-more')
    expect(full).toMatchObject({ status: 409, body: { detail: expect.stringContaining('1000') } })
    expect((await preview('next', 'first')).status).toBe(200)
    expect((await client.call('GET', '/previews')).body.previews).toHaveLength(1_000)
    expect((await client.call('DELETE', `/previews/p${project.id}-7`)).status).toBe(204)
    expect((await client.call('POST', `/deployments/${full.id}/finish`)).status).toBe(200)
  })

  test.each([
    ['plants', 'feature/New guide', 'plants-feature-new-guide'],
    ['a', 'Ünïcode…', 'a-n-code'],
    ['plants', '日本語', 'plants'],
    ['x'.repeat(50), 'next', 'x'.repeat(42)],
    ['plants', `a-${'b'.repeat(33)}--c`, `plants-a-${'b'.repeat(33)}`],
  ])('the preview of the project %s and the branch %s is named %s-…', (slug, branch, readable) => {
    const name = createPreviewName(slug, branch)
    expect(name).toMatch(/^[a-z\d-]+-[a-z2-7]{20}$/)
    expect(name.slice(0, -21)).toBe(readable)
    expect(name.length).toBeLessThanOrEqual(63)
    expect(createPreviewName(slug, branch)).not.toBe(name)
  })
})

describe('the diff between deployments', () => {
  beforeAll(begin)
  const pages = (texts: Readonly<Record<string, string>>) =>
    siteOf(
      Object.fromEntries(
        Object.entries(texts).flatMap(([path, text]) => [
          [`${path}.md`, text],
          [`${path === 'index' ? '' : `${path}/`}index.html`, `<p>${text}</p>`],
        ]),
      ),
    )

  test('a diff lists added, changed, removed and moved pages with redirects', async () => {
    const first = await client.deploy(pages({ index: 'Home', a: 'Alpha', b: 'Beta', c: 'Gamma' }))
    const next = await client.deploy(
      pages({ index: 'Home', a: 'Alpha 2', 'new/b': 'Beta', d: 'Delta' }),
      { draft: true },
    )
    const { status, body } = await client.call('GET', `/deployments/${next.id}/diff`)
    expect(status).toBe(200)
    expect(body).toEqual({
      number: 2,
      base: first.id,
      baseNumber: 1,
      pages: {
        added: ['/d'],
        changed: ['/a'],
        removed: ['/c'],
        moved: [{ from: '/b', to: '/new/b' }],
      },
      redirects: [{ source: '/b', destination: '/new/b' }],
      files: { added: 4, changed: 2, removed: 4 },
    })
    const back = await client.call('GET', `/deployments/${first.id}/diff?base=${next.id}`)
    expect(back.body.pages).toMatchObject({ added: ['/c'], removed: ['/d'] })
    const same = await client.call('GET', `/deployments/${first.id}/diff`)
    expect(same.body.files).toEqual({ added: 0, changed: 0, removed: 0 })
  })

  test('a diff with an unfinished deployment or one of another project is rejected', async () => {
    const { body } = await client.create(pages({ index: 'Open' }))
    expect((await client.call('GET', `/deployments/${body.id}/diff`)).status).toBe(409)
    const other = await service.createProject(SCOPES)
    const theirs = await clientOf(service.url, other).deploy(pages({ index: 'Theirs' }))
    const live = await liveOf()
    expect((await client.call('GET', `/deployments/${live}/diff?base=${theirs.id}`)).status).toBe(
      404,
    )
    expect((await client.call('GET', `/deployments/${live}/diff?base=x`)).status).toBe(400)
  })

  test('the diff of a first deployment contains all pages', async () => {
    await begin()
    const { id } = await client.deploy(pages({ index: 'Home' }), { draft: true })
    const { body } = await client.call('GET', `/deployments/${id}/diff`)
    expect(body).toMatchObject({ base: null, pages: { added: ['/'] } })
  })
})

describe('deployments that cannot be finished', () => {
  beforeAll(begin)

  test('an incomplete or canceled deployment cannot be finished', async () => {
    const site = version('part')
    const { body } = await client.create(site)
    const early = await client.call('POST', `/deployments/${body.id}/finish`)
    expect(early).toMatchObject({
      status: 409,
      body: { detail: '1 runs of the manifest are missing.' },
    })
    await client.sendBlobs([...site.blobs].filter(([sha256]) => body.missing.includes(sha256)))
    const second = await client.call('POST', `/deployments/${body.id}/finish`)
    expect(second.status).toBe(422)
    expect(second.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'guide/index.html',
      'index.html',
    ])
    expect((await client.call('POST', `/deployments/${body.id}/cancel`)).body.state).toBe(
      'cancelled',
    )
    expect((await client.call('POST', `/deployments/${body.id}/finish`)).status).toBe(409)
    expect(await liveOf()).toBeUndefined()
  })

  test('an upload expires after a day', async () => {
    const { body } = await client.create(version('late'))
    now = Date.now() + 24 * 3_600_000 + 60_000
    expect((await client.call('GET', `/deployments/${body.id}/missing`)).status).toBe(410)
    now = Date.now()
  })

  test('requests fail with 503 while the store is down, and the upload continues afterwards', async () => {
    const site = version('while the store is away')
    const { body } = await client.create(site)
    isStoreAway = true
    try {
      for (const reply of [
        await client.create(version('another')),
        await client.sendBlobs([...site.blobs]),
        await client.call('GET', `/deployments/${body.id}/missing`),
        await client.call('POST', `/deployments/${body.id}/finish`),
      ])
        expect(reply).toMatchObject({
          status: 503,
          body: { detail: 'The file store cannot be reached. Please try again.' },
        })
    } finally {
      isStoreAway = false
    }
    await client.upload(body.id, site)
    const done = await client.call('POST', `/deployments/${body.id}/finish`)
    expect(done.body.state).toBe('live')
  })

  test('a blob that only another project has uploaded counts as missing', async () => {
    const other = await service.createProject(SCOPES)
    const site = version('shared secret')
    expect((await clientOf(service.url, other).deploy(site)).status).toBe(200)
    const { body } = await client.create(site)
    expect(body.missing).toHaveLength(1)
    const finish = await client.call('POST', `/deployments/${body.id}/finish`)
    expect(finish.status).toBe(409)
    await client.sendBlobs([...site.blobs].filter(([sha256]) => body.missing.includes(sha256)))
    const { body: next } = await client.call('GET', `/deployments/${body.id}/missing`)
    expect(next.missing).toContain(digest('shared secret'))
  })
})

describe('blob uploads', () => {
  beforeAll(begin)
  const put = (sha256: string, body: string) =>
    fetch(`${service.url}/v1/projects/${project.publicId}/blobs/${sha256}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${project.token}` },
      body,
    })

  test('a blob is stored only under its own digest', async () => {
    expect((await put(digest('right'), 'right')).status).toBe(204)
    expect((await put(digest('right'), 'right')).status).toBe(204)
    expect((await put(digest('right'), 'wrong')).status).toBe(422)
    expect((await put('A'.repeat(64), 'x')).status).toBe(404)
    expect((await put(digest('x').slice(1), 'x')).status).toBe(404)
  })

  test('a batch stores valid blobs and reports invalid ones', async () => {
    const reply = await client.sendBlobs([
      [digest('a'), Buffer.from('a')],
      [digest('b'), Buffer.from('not b')],
      [digest(''), Buffer.alloc(0)],
    ])
    expect(reply).toEqual({
      status: 200,
      body: {
        stored: 2,
        refused: [{ sha256: digest('b'), reason: 'The bytes do not match this SHA-256 digest.' }],
      },
    })
  })

  test.each([1, 31, 35, 36])(
    'an upload that ends after byte %i of a file is rejected',
    async (length) => {
      const body = framesOf([[digest('abc'), Buffer.from('abc')]]).subarray(0, length)
      const response = await fetch(`${service.url}/v1/projects/${project.publicId}/blobs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${project.token}` },
        body: new Uint8Array(body),
      })
      expect(response.status).toBe(400)
    },
  )

  test('blobs over 100 MB and batches over 32 MB are rejected before they are read', async () => {
    for (const [path, bytes, status] of [
      [`/blobs/${digest('x')}`, 100 * 1024 * 1024 + 1, 413],
      ['/blobs', 32 * 1024 * 1024 + 1, 413],
    ] as const) {
      const response = await fetch(`${service.url}/v1/projects/${project.publicId}${path}`, {
        method: path === '/blobs' ? 'POST' : 'PUT',
        headers: { authorization: `Bearer ${project.token}` },
        body: new Uint8Array(bytes),
      }).catch((error: unknown) => error as Error)
      // The server closes the connection early, so the client might not receive the response.
      if (response instanceof Response) expect(response.status).toBe(status)
    }
    const [row] = await service.owner.query<{ count: string }>(
      'select count(*) from project_blob where project_id = $1 and size > 20000000',
      [project.id],
    )
    expect(row?.count).toBe('0')
  })
})

describe('manifests', () => {
  beforeAll(begin)
  const refusalOf = async (site: TestSite) => {
    const created = await client.create(site)
    if (created.status !== 201) return created
    await client.upload(created.body.id, site)
    return client.call('POST', `/deployments/${created.body.id}/finish`)
  }

  test.each([
    ['mcp', 'This path is reserved for the host.'],
    ['MCP/index.html', 'This path is reserved for the host.'],
    ['login', 'This path is reserved for the host.'],
    ['logout/index.html', 'This path is reserved for the host.'],
    ['_octavo/version.json', 'This path is reserved for the host.'],
    ['_octavo/host.js', 'This path is reserved for the host.'],
    ['_octavo/proxy', 'This path is reserved for the host.'],
    ['.well-known/mcp.json', 'This path is reserved for the host.'],
  ])('a manifest with the reserved path %j is rejected', async (path, reason) => {
    const reply = await refusalOf(siteOf({ 'index.html': 'x', [path]: 'x' }))
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toEqual([{ path, reason: expect.stringContaining(reason) }])
  })

  test.each([
    '../x',
    'a/../b',
    '/etc/passwd',
    'a//b',
    './a',
    'a/.',
    'a\\b',
    '',
    'a\u0000b',
    'a\u0001b',
    'a\u007fb',
    'a\nb',
    'x'.repeat(5_000),
  ])('a manifest with the invalid path number %# is rejected', async (path) => {
    const reply = await refusalOf(siteOf({ 'index.html': 'x', [path]: 'x' }))
    expect(reply.status).toBe(422)
  })

  test('a manifest with paths that are similar to invalid ones is accepted', async () => {
    const reply = await refusalOf(
      siteOf({
        'index.html': 'x',
        'mcp.html': 'x',
        'mcp/overview/index.html': 'x',
        'logout/index.html': { text: 'A redirect, for other hosts', access: [] },
        'login-help/index.html': 'x',
        'a..b': 'x',
        '.well-known/security.txt': 'x',
        'ä ö%2e': 'x',
      }),
    )
    expect(reply).toMatchObject({ status: 200, body: { state: 'live' } })
  })

  test('paths that differ only in case are rejected, and every invalid path is listed', async () => {
    const reply = await refusalOf(siteOf({ 'A.html': 'x', 'a.html': 'x', mcp: 'x' }))
    expect(reply.body.errors).toEqual([
      { path: 'a.html', reason: 'The path differs from A.html only in capitalization.' },
      { path: 'mcp', reason: 'This path is reserved for the host.' },
    ])
  })

  test('a manifest with a wrong size is rejected', async () => {
    for (const size of [0, 2, 2 ** 40]) {
      const reply = await refusalOf(siteOf({ 'index.html': { text: 'x', size } }))
      expect(reply.body.errors).toEqual([
        { path: 'index.html', reason: `The file has 1 bytes, not ${size}.` },
      ])
    }
  })

  test.each([
    ['invalid JSON', 'x'],
    ['another format', JSON.stringify({ format: 'octavo/2' })],
    ['no runs', siteOf({}).root.replace('"runs"', '"walks"')],
    ['a run that is too long', siteOf({ a: 'x' }).root.replace('"count":1', '"count":1001')],
    ['an invalid digest', siteOf({ a: 'x' }).root.replace(/"sha256":"../, '"sha256":"zz')],
  ])('a manifest root with %s is rejected immediately', async (_, root) => {
    const reply = await client.create({ root, blobs: new Map() })
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toHaveLength(1)
  })
})
