/**
 * Tests in Chromium what an unapproved preview of a fork can do. It uses TLS, as in production.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import { SCOPES } from '@octavo/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtSite } from '../../../testing/built-site.ts'
import { HAS_CHROMIUM, launchFor } from '../../../testing/panel-site.ts'
import { clientOf, type TestSite } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const POLL = { interval: 100, timeout: 10_000 }
const TOOL = 'https://assets.adobedtm.com/launch.js'
const AUTHORS_SCRIPT = 'document.title = "Author code ran"\n'
const folder = mkdtempSync(join(tmpdir(), 'octavo-fork-'))
let service: TestService
let browser: Browser
let tls: Server

beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  service = await startTestService({
    blobStore: await openFolderStore(join(folder, 'blobs')),
    url: 'https://127.0.0.1',
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
  })
  tls = await openTls(service.port)
  browser = await launchFor((tls.address() as AddressInfo).port)
})
afterAll(async () => {
  await browser?.close()
  tls?.close()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a proxy that accepts TLS connections for the service. */
async function openTls(port: number): Promise<Server> {
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const files = ['-keyout', keyFile, '-out', certFile]
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', ...files]
  execFileSync('openssl', args, { stdio: 'ignore' })
  const pair = { key: readFileSync(keyFile), cert: readFileSync(certFile) }
  const server = createServer(pair, (socket) => {
    const upstream = connect(port, '127.0.0.1')
    socket.pipe(upstream).pipe(socket)
    for (const one of [socket, upstream]) one.on('error', () => one.destroy())
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

type Project = ReturnType<typeof clientOf> & { readonly id: string }

async function newProject(): Promise<Project> {
  const project = await service.createProject(SCOPES)
  return { ...clientOf(service.url, project), id: project.id }
}

/** Creates a preview of a fork, with the row in the `build` table that a real build would have. */
async function previewOf({ id, ...client }: Project, site: TestSite) {
  const { body } = await client.create(site, { target: 'preview', branch: 'next' })
  await service.owner.query(
    `insert into build (project_id, id, number, target, ref, commit_sha, is_fork, trigger)
     select project_id, id, number, 'preview', 'pull/7', repeat('a', 40), true, 'webhook'
       from deployment where project_id = $1 and id = $2`,
    [id, body.id],
  )
  await client.upload(body.id, site)
  expect(await client.call('POST', `/deployments/${body.id}/finish`)).toMatchObject({ status: 200 })
  const { body: list } = await client.call('GET', '/previews')
  return { deployment: body.id as string, name: list.previews[0].name as string }
}

const filesOf = (launchUrl: string) => ({
  'docs.json': JSON.stringify({
    name: 'Garden',
    integrations: { adobe: { launchUrl } },
    redirects: [
      { source: '/_octavo/scripts/x.js', destination: '/evil.js' },
      { source: '/:folder/scripts/x.js', destination: '/evil.js' },
    ],
    navigation: { groups: [{ group: 'Care', pages: ['water', 'soil'] }] },
  }),
  'evil.js': AUTHORS_SCRIPT,
  'water.mdx':
    '---\ntitle: Water\nicon: droplet\n---\nPlants need water.\n\n<Tabs><Tab title="Can">From a can.</Tab><Tab title="Hose">From a hose.</Tab></Tabs>\n',
  'soil.mdx': '---\ntitle: Soil\n---\nMix compost into heavy soil.\n',
})

async function open(url: string) {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  // Requests that the content policy blocks have no response.
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(response.url()))
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  // A third-party script.
  await context.route(TOOL, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'document.documentElement.dataset.tool = "ran"',
    }),
  )
  await page.goto(url)
  return { page, loaded, failures }
}

describe.skipIf(!HAS_CHROMIUM)('an unapproved preview of a fork', () => {
  test('the preview of a fork runs no script of its author, despite integrations and redirects', async () => {
    const project = await newProject()
    const { name } = await previewOf(project, await builtSite(filesOf(TOOL)))
    const origin = `https://${name}.previews.localhost`
    const built = await builtSite(filesOf(`${origin}/_octavo/scripts/x.js`))
    const { deployment } = await previewOf(project, built)
    const { page, loaded } = await open(`${origin}/water`)
    await page.getByText('are disabled until a maintainer approves this fork').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.title()).toContain('Water')
    expect(loaded.filter((url) => url.endsWith('/evil.js'))).toEqual([])

    await project.call('POST', `/previews/${name}/approve`, { deployment })
    await vi.waitFor(async () => {
      await page.reload()
      expect(await page.title()).toBe('Author code ran')
    }, POLL)
  })

  test('the preview of a fork is readable and styled, but cannot access the site or its reader', async () => {
    const project = await newProject()
    const built = await builtSite(filesOf(TOOL))
    await project.deploy(built)
    const { name, deployment } = await previewOf(project, built)
    const origin = `https://${name}.previews.localhost`
    const { page, loaded, failures } = await open(`${origin}/water`)
    await page.context().addCookies([{ name: '__Host-octavo-reader', value: 'x', url: origin }])
    await page.reload()
    await page.getByText('are disabled until a maintainer approves this fork').waitFor()
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'fork-preview.png') })
    const read = (path: string) =>
      page.evaluate(
        (wanted) =>
          fetch(wanted, { credentials: 'include' }).then(
            (response) => response.text(),
            (error: Error) => error.name,
          ),
        path,
      )
    for (const path of ['/_octavo/live/water', '/_octavo/changes.json', '/soil', '/soil.md'])
      expect([path, await read(path)]).toEqual([path, 'TypeError'])
    const refused =
      await page.evaluate(`[() => document.cookie, () => localStorage.length].map((use) => {
      try { return use() } catch (error) { return error.name }
    })`)
    expect(refused).toEqual(['SecurityError', 'SecurityError'])
    const looks = await page.evaluate(`document.fonts.ready.then((fonts) => ({
      sheets: document.styleSheets.length > 0,
      failed: [...fonts].filter(({ status }) => status === 'error').length,
      layout: getComputedStyle(document.querySelector('.oct-layout')).display,
    }))`)
    expect(looks).toEqual({ sheets: true, failed: 0, layout: 'grid' })
    await page.getByText('Hose', { exact: true }).click()
    await page.getByText('From a hose.').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('compost')
    await page.getByText('Search could not be loaded.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Soil' }).first().click()
    await page.waitForURL(`${origin}/soil`)
    await page.getByText('Mix compost').waitFor()
    expect(await page.locator('html').getAttribute('data-tool')).toBeNull()
    expect(loaded.filter((url) => !url.startsWith(origin))).toEqual([])
    expect(failures).toEqual([])

    await project.call('POST', `/previews/${name}/approve`, { deployment })
    await vi.waitFor(async () => {
      await page.reload()
      expect(await page.locator('html').getAttribute('data-tool')).toBe('ran')
    }, POLL)
    expect(await read('/soil.md')).toContain('Mix compost')
  })
})
