/**
 * Tests the tools for reviewers of a preview: the list of changes, live pages, and the approval of
 * scripts from forks.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const POLL = { interval: 50, timeout: 10_000 }
const page = (text: string) => `<!doctype html><main><article><p>${text}</p></article></main>`
const LIVE = {
  'index.html': page('Home'),
  'index.md': 'Home',
  'guide/index.html': page('Guide'),
  'guide.md': 'Guide',
  'old/index.html': page('Moves'),
  'old.md': 'Moves',
  'staff/index.html': { text: page('Staff'), access: ['staff'] },
  'staff.md': { text: 'Staff', access: ['staff'] },
}
const NEXT = {
  'index.html': page('Home'),
  'index.md': 'Home',
  'guide/index.html': page('A better guide'),
  'guide.md': 'A better guide',
  'new/index.html': page('Moves'),
  'new.md': 'Moves',
  'staff/index.html': { text: page('Other staff'), access: ['staff'] },
  'staff.md': { text: 'Other staff', access: ['staff'] },
}

let folder: string
let service: TestService

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-preview-tools-'))
  service = await startTestService({
    blobStore: await openFolderStore(folder),
    url: 'http://127.0.0.1',
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newProject() {
  const project = await service.createProject(SCOPES)
  return { project, client: clientOf(service.url, project) }
}

type Project = Awaited<ReturnType<typeof newProject>>

/** Creates a preview as `octavo deploy` does. For a fork, also adds the row of its build. */
async function preview(
  { client, project }: Project,
  files: Parameters<typeof siteOf>[0],
  isFork = false,
  facts: Parameters<typeof siteOf>[1] = {},
) {
  const site = siteOf(files, facts)
  const { body } = await client.create(site, { target: 'preview', branch: 'next' })
  if (isFork)
    await service.owner.query(
      `insert into build (project_id, id, number, target, ref, commit_sha, is_fork, trigger)
       select project_id, id, number, 'preview', 'pull/7', repeat('a', 40), true, 'webhook'
         from deployment where project_id = $1 and id = $2`,
      [project.id, body.id],
    )
  await client.upload(body.id, site)
  await client.call('POST', `/deployments/${body.id}/finish`)
  const { body: list } = await client.call('GET', '/previews')
  const [{ name }] = list.previews
  const get = (path: string) => visit(service.port, `${name}.previews.localhost`, path)
  return { id: body.id as string, name: name as string, get }
}

const jsonOf = ({ bytes }: { readonly bytes: Buffer }) => JSON.parse(bytes.toString())

describe('the list of changes in a preview', () => {
  test('the list of changes contains pages with different text that the reader may see', async () => {
    const own = await newProject()
    const { id: live } = await own.client.deploy(siteOf(LIVE))
    const { id, get } = await preview(own, NEXT)
    expect(jsonOf(await get('/_octavo/changes.json'))).toEqual({
      branch: 'next',
      deployment: id,
      number: 2,
      runsScripts: true,
      base: live,
      pages: {
        added: [],
        changed: ['/guide'],
        removed: [],
        moved: [{ from: '/old', to: '/new' }],
      },
    })
  })

  test('the list of changes has no base if no site is live', async () => {
    const { get } = await preview(await newProject(), NEXT)
    expect(jsonOf(await get('/_octavo/changes.json'))).toMatchObject({ base: null })
    expect((await get('/_octavo/live/')).status).toBe(404)
  })

  test('the list of changes and the live pages exist only in previews', async () => {
    const own = await newProject()
    await own.client.deploy(siteOf(LIVE))
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where id = $1',
      [own.project.id],
    )
    for (const path of ['/_octavo/changes.json', '/_octavo/live/guide'])
      expect((await visit(service.port, `${row?.slug}.sites.localhost`, path)).status).toBe(404)
  })
})

describe('live pages in a preview', () => {
  test('live pages in a preview are served for comparison and cannot run scripts', async () => {
    const own = await newProject()
    await own.client.deploy(siteOf(LIVE))
    const { get } = await preview(own, NEXT)
    const reply = await get('/_octavo/live/guide')
    expect([reply.status, reply.bytes.toString()]).toEqual([200, LIVE['guide/index.html']])
    expect(reply.headers).toMatchObject({
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    for (const path of ['staff', 'new', 'guide.md', '../guide', '%2e%2e/guide', '%ff'])
      expect((await get(`/_octavo/live/${path}`)).status, path).toBe(404)
  })

  test('live pages up to 1 MiB are served in a preview, without parts hidden from the reader', async () => {
    const own = await newProject()
    const mib = 1024 * 1024
    const pageOf = (size: number) => ({
      text: 'secret'.padEnd(size, '.'),
      ranges: [{ start: 0, end: 6, access: ['staff'] }],
    })
    const files = { 'most/index.html': pageOf(mib), 'more/index.html': pageOf(mib + 1) }
    await own.client.deploy(siteOf(files))
    const { get } = await preview(own, NEXT)
    const most = await get('/_octavo/live/most')
    expect([most.status, most.bytes.toString()]).toEqual([200, '.'.repeat(mib - 6)])
    const more = await get('/_octavo/live/more')
    expect([more.status, more.bytes.toString()]).toEqual([
      404,
      'The live page is too large to compare.\n',
    ])
  })

  test('live pages of a private project are only served to readers with access', async () => {
    const own = await newProject()
    await own.client.deploy(siteOf(LIVE))
    const { get } = await preview(own, NEXT)
    await service.owner.query(`update project set protection = 'members' where id = $1`, [
      own.project.id,
    ])
    await service.owner.query(
      'update preview set changed_at = clock_timestamp() where project_id = $1',
      [own.project.id],
    )
    await service.owner.query(
      'update publication set changed_at = clock_timestamp() where project_id = $1',
      [own.project.id],
    )
    await vi.waitFor(async () => {
      for (const path of ['/_octavo/live/guide', '/_octavo/changes.json'])
        expect((await get(path)).status).toBe(401)
    }, POLL)
  })
})

describe('scripts in the preview of a fork', () => {
  const policyOf = async (get: Awaited<ReturnType<typeof preview>>['get']) =>
    String((await get('/guide')).headers['content-security-policy'])

  test('only scripts of the service run in the preview of a fork until it is approved', async () => {
    const own = await newProject()
    await own.client.deploy(siteOf(LIVE))
    const { id, name, get } = await preview(own, NEXT, true)
    const origin = `http://${name}.previews.localhost`
    expect(await policyOf(get)).toContain(
      `script-src 'unsafe-inline' ${origin}/_octavo/scripts/ ${origin}/_octavo/host.js ${origin}/_octavo/assistant/;`,
    )
    expect(await policyOf(get)).toMatch(
      /; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox$/,
    )
    expect(jsonOf(await get('/_octavo/changes.json'))).toMatchObject({ runsScripts: false })
    const approve = (deployment: string) =>
      own.client.call('POST', `/previews/${name}/approve`, { deployment })
    expect(await approve('01KG9YS7G0CPZHN1J3EKWGC1Y1')).toMatchObject({ status: 409 })
    const notices = () =>
      service.owner.query(
        `select from jobs.job where name = 'notify-build' and data ->> 'projectId' = $1`,
        [own.project.id],
      )
    expect(await notices()).toEqual([])
    expect(await approve(id)).toMatchObject({ status: 204 })
    // The approval updates the comment on the pull request.
    expect(await notices()).toHaveLength(1)
    await vi.waitFor(
      async () => expect(await policyOf(get)).toContain("script-src 'self' 'unsafe-inline'"),
      POLL,
    )
    const { body } = await own.client.call('GET', '/previews')
    expect(body.previews).toMatchObject([{ runsScripts: true }])
  })

  test("all responses of a fork's preview have an opaque origin until it is approved", async () => {
    const own = await newProject()
    await own.client.deploy(siteOf(LIVE))
    const to = { destination: '/guide', permanent: true, access: 'default' as const }
    const files = {
      ...NEXT,
      'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'feed.xml': '<rss/>',
      'film.mp4': 'v'.repeat(2_000_000),
      '404.html': page('Nothing'),
      '_octavo/scripts/site-0123.js': '0',
      '_octavo/styles/inter-0123.woff2': '0',
      '_octavo/search-data/all-0123.bin': '0',
    }
    const facts = { redirects: [{ source: '/away', ...to }] }
    const { id, name, get } = await preview(own, files, true, facts)
    const replies = [
      ['/', 200],
      ['/guide.md', 200],
      ['/logo.svg', 200],
      ['/feed.xml', 200],
      ['/film.mp4', 200],
      ['/_octavo/scripts/site-0123.js', 200],
      ['/_octavo/host.js', 200],
      ['/_octavo/version.json', 200],
      ['/_octavo/changes.json', 200],
      ['/_octavo/live/guide', 200],
      ['/robots.txt', 200],
      ['/away', 308],
      ['/nothing', 404],
      ['/nothing.png', 404],
    ] as const
    for (const [path, status] of [...replies, ...replies]) {
      const { status: answered, headers } = await get(path)
      expect([path, answered]).toEqual([path, status])
      const policy = String(headers['content-security-policy'])
      expect([path, policy]).toEqual([path, expect.stringMatching(/(?:^|; )sandbox\b/)])
      expect(policy).not.toContain('allow-same-origin')
    }
    const allowed = async () => {
      const open = []
      for (const [path] of [...replies, ['/_octavo/styles/inter-0123.woff2'] as const])
        if ('access-control-allow-origin' in (await get(path)).headers) open.push(path)
      const data = await get('/_octavo/search-data/all-0123.bin')
      expect(data.headers).not.toHaveProperty('access-control-allow-origin')
      return open
    }
    // Only modules and fonts allow cross-origin requests, since they have no content of the site.
    expect(await allowed()).toEqual([
      '/_octavo/scripts/site-0123.js',
      '/_octavo/host.js',
      '/_octavo/styles/inter-0123.woff2',
    ])
    await own.client.call('POST', `/previews/${name}/approve`, { deployment: id })
    await vi.waitFor(async () => expect(await policyOf(get)).not.toContain('sandbox'), POLL)
    expect(await allowed()).toEqual([])
  })

  test('scripts of a fork are blocked again after the next push', async () => {
    const own = await newProject()
    const first = await preview(own, NEXT, true)
    await own.client.call('POST', `/previews/${first.name}/approve`, { deployment: first.id })
    const second = await preview(own, LIVE, true)
    expect(second.name).toBe(first.name)
    await vi.waitFor(async () => {
      expect((await second.get('/guide')).bytes.toString()).toContain('>Guide<')
      expect(await policyOf(second.get)).not.toContain("script-src 'self'")
    }, POLL)
  })

  test('scripts of a preview from the repository itself run without approval', async () => {
    const { get } = await preview(await newProject(), NEXT)
    expect(await policyOf(get)).toContain("script-src 'self'")
  })
})

test('the host script of a preview contains the preview bar', async () => {
  const { get } = await preview(await newProject(), NEXT)
  const { status, headers, bytes } = await get('/_octavo/host.js')
  expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(bytes.toString()).toContain('octavo-preview')
})
