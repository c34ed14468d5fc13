/** Tests what readers get from a renamed, archived or deleted site under each of its names. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProjectSettingsReply } from '@octavo/contract'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { ProjectLifecycleStore } from '../../projects/projects/lifecycle-store.ts'
import { SLUGS_MAX } from '../../projects/projects/settings-store.ts'

const POLL = { interval: 50, timeout: 10_000 }
const folder = mkdtempSync(join(tmpdir(), 'octavo-site-life-'))
const service = await startTestService({
  blobStore: await openFolderStore(folder),
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
async function newSite() {
  count += 1
  const project = await service.createProject(KEY_SCOPES)
  const call = callerOf(service.url, project)
  const client = clientOf(service.url, project)
  const slug = `site-life-${count}`
  await call('PUT', '/settings', { body: { slug } })
  expect(
    (await client.deploy(siteOf({ 'index.html': 'Welcome', 'guide/index.html': 'Guide' }))).body,
  ).toMatchObject({ state: 'live' })
  const get = (name: string, path = '/', method = 'GET') =>
    visit(service.port, `${name}.sites.localhost`, path, { method })
  const rename = (to: string) =>
    call<ProjectSettingsReply & ProblemBody>('PUT', '/settings', { body: { slug: to } })
  return {
    project,
    call,
    client,
    slug,
    get,
    rename,
    life: new ProjectLifecycleStore(service.owner.forProject(project.tenant)),
  }
}

const statusOf = async (reply: Promise<{ readonly status: number }>) => (await reply).status

describe('a renamed site', () => {
  test('readers of a renamed site are redirected from all former names to the same path', async () => {
    const { slug, get, rename } = await newSite()
    expect((await get(slug)).status).toBe(200)
    expect(await rename(`${slug}-b`)).toMatchObject({ status: 200, body: { slug: `${slug}-b` } })
    await expect.poll(() => statusOf(get(slug)), POLL).toBe(308)
    for (const [path, method] of [
      ['/', 'GET'],
      ['/guide?a=1&b=%2F', 'GET'],
      ['/a//evil.example/', 'GET'],
      ['/guide', 'HEAD'],
    ] as const) {
      const { status, headers } = await get(slug, path, method)
      expect([status, headers.location]).toEqual([
        308,
        `http://${slug}-b.sites.localhost:8080${path}`,
      ])
      expect(headers['cache-control']).toBe('no-cache')
    }
    expect((await get(`${slug}-b`, '/guide')).status).toBe(200)

    await rename(`${slug}-c`)
    await expect
      .poll(async () => (await get(slug)).headers.location, POLL)
      .toBe(`http://${slug}-c.sites.localhost:8080/`)
    await expect.poll(() => statusOf(get(`${slug}-b`)), POLL).toBe(308)
    // The site gets its first name again.
    await rename(slug)
    await expect.poll(() => statusOf(get(slug)), POLL).toBe(200)
    await expect
      .poll(async () => (await get(`${slug}-c`)).headers.location, POLL)
      .toBe(`http://${slug}.sites.localhost:8080/`)
  })

  test('a former name of a site cannot be used by other projects', async () => {
    const first = await newSite()
    const second = await newSite()
    await first.rename(`${first.slug}-b`)
    for (const name of [first.slug, `${first.slug}-b`]) {
      const refused = await second.rename(name)
      expect([refused.status, refused.body.param]).toEqual([409, 'slug'])
      await expect(
        octavo(service, ['project', 'create', 'Other', '--project', name]),
      ).rejects.toThrow('already exists')
    }
    expect((await second.call<ProjectSettingsReply>('GET', '/settings')).body.slug).toBe(
      second.slug,
    )
    // If a name is derived from the title of the project, it gets a suffix.
    const made = await octavo(service, ['project', 'create', first.slug])
    const [row] = await service.owner.query<{ slug: string }>(
      'select slug from project where public_id = $1',
      [made.at(-1)],
    )
    expect(row?.slug).toMatch(new RegExp(`^${first.slug}-\\w{6}$`))
  })

  test('only one of two projects gets a name that both request at the same time', async () => {
    const [first, second] = [await newSite(), await newSite()]
    const name = `wanted-${first.slug}`
    const statuses = await Promise.all([first, second].map((one) => statusOf(one.rename(name))))
    expect(statuses.toSorted()).toEqual([200, 409])
  })

  test(`a site can have at most ${SLUGS_MAX} names and can return to each of them`, async () => {
    const { project, slug, rename } = await newSite()
    await service.owner.query(
      `insert into project_slug (project_id, slug) select $1, $2 || '-' || n from generate_series(3, $3::integer) n`,
      [project.id, slug, SLUGS_MAX],
    )
    const refused = await rename(`${slug}-more`)
    expect([refused.status, refused.body.param]).toEqual([409, 'slug'])
    expect((await rename(`${slug}-3`)).status).toBe(200)
  })

  test('previews of a renamed site keep their names', async () => {
    const { client, slug, rename } = await newSite()
    const done = await client.deploy(siteOf({ 'index.html': 'Preview' }), {
      target: 'preview',
      branch: 'next',
    })
    const host = new URL(done.body.url).host.replace(/:\d+$/, '')
    expect((await visit(service.port, host, '/')).status).toBe(200)
    await rename(`${slug}-b`)
    await expect
      .poll(async () => (await visit(service.port, `${slug}.sites.localhost`, '/')).status, POLL)
      .toBe(308)
    expect((await visit(service.port, host, '/')).bytes.toString()).toContain('Preview')
  })

  test('an operator can also use a former name in commands', async () => {
    const { project, slug } = await newSite()
    expect(await octavo(service, ['project', 'rename', slug, `${slug}-b`])).toEqual([
      `Project ${project.publicId} is now called ${slug}-b. Readers of ${slug} are redirected to it.`,
    ])
    expect((await octavo(service, ['key', 'list', slug])).length).toBeGreaterThan(0)
    await expect(octavo(service, ['project', 'rename', slug, 'No!'])).rejects.toThrow(
      'Invalid slug',
    )
  })
})

describe('an archived site', () => {
  test('an archived site gets 410 under all of its names until it is restored', async () => {
    const { client, slug, get, rename, life } = await newSite()
    const preview = await client.deploy(siteOf({ 'index.html': 'Preview' }), {
      target: 'preview',
      branch: 'next',
    })
    const host = new URL(preview.body.url).host.replace(/:\d+$/, '')
    const getPreview = () => visit(service.port, host, '/')
    await rename(`${slug}-b`)
    expect((await get(`${slug}-b`)).status).toBe(200)
    expect((await getPreview()).status).toBe(200)
    await life.archive(OPERATOR)
    for (const read of [() => get(`${slug}-b`, '/guide'), () => get(slug), getPreview]) {
      await expect.poll(() => statusOf(read()), POLL).toBe(410)
      const { headers, bytes } = await read()
      expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' })
      expect(bytes.toString()).toBe('This site is archived.\n')
    }
    const question = await visit(
      service.port,
      `${slug}-b.sites.localhost`,
      '/_octavo/assistant/ask',
      {
        method: 'POST',
      },
    )
    expect(question.status).toBe(410)
    await life.restore(OPERATOR)
    await expect.poll(() => statusOf(get(`${slug}-b`, '/guide')), POLL).toBe(200)
    await expect.poll(() => statusOf(get(slug)), POLL).toBe(308)
    await expect.poll(() => statusOf(getPreview()), POLL).toBe(200)
  })
})

describe('a deleted site', () => {
  test('a deleted site gets 404 under all of its names until the operator restores it', async () => {
    const { project, slug, get, rename, life } = await newSite()
    const other = await newSite()
    await rename(`${slug}-b`)
    expect((await get(`${slug}-b`)).status).toBe(200)
    await life.removeAsOperator()
    for (const name of [`${slug}-b`, slug])
      await expect.poll(() => statusOf(get(name)), POLL).toBe(404)
    expect((await other.get(other.slug)).status).toBe(200)
    // The name stays reserved as long as the site can be restored.
    expect((await other.rename(slug)).status).toBe(409)
    await octavo(service, ['project', 'restore', project.publicId])
    await expect.poll(() => statusOf(get(`${slug}-b`)), POLL).toBe(200)
  })
})
