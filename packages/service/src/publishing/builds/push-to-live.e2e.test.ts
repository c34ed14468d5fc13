/**
 * The lifecycle of a repository as its owner sees it: connected from the command line, pushed to,
 * and reviewed in Chromium. The service runs as separate processes, and Git is a real server.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startGitHost } from '../../../testing/git-host.ts'
import {
  type HostedProject,
  type Hosting,
  type ServiceProcess,
  startHosting,
} from '../../../testing/start-hosting.ts'
import { visit } from '../../../testing/test-deployment.ts'

const CHROMIUM = '/usr/bin/chromium'
const TOKEN = 'ghp_canaryCanaryCanaryCanaryCanary1234'
const POLL = { interval: 200, timeout: 90_000 }

const site = (words: string, more: Readonly<Record<string, string>> = {}) => ({
  'README.md': '# Not a page',
  'docs/docs.json': JSON.stringify({
    name: 'Plants',
    navigation: { pages: ['index', 'guides/water', ...Object.keys(more).flatMap(pageOf)] },
  }),
  'docs/index.mdx': `---\ntitle: Welcome\n---\n\nPlants like ${words}.\n\nSecond paragraph.\n`,
  'docs/guides/water.mdx': '---\ntitle: Water\n---\n\nA fern needs a lot.\n',
  ...more,
})
const pageOf = (file: string) => (file.endsWith('.mdx') ? [file.slice(5, -4)] : [])

let folder: string
let hosting: Hosting
let host: Awaited<ReturnType<typeof startGitHost>>
let project: HostedProject
let service: ServiceProcess
let hook: { url: string; secret: string }
let added: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-push-'))
  host = await startGitHost(folder, TOKEN)
  hosting = await startHosting({
    environment: {
      OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
  })
  project = hosting.createProject('plants')
  const args = ['connection', 'add', project.projectId, '--url', host.url, '--folder', 'docs']
  added = hosting.commandWith(TOKEN, ...args, '--provider', 'github', '--token-file', '-')
  const [url = ''] = /http:\/\/\S+\/v1\/hooks\/[\w-]+/.exec(added) ?? []
  const [secret = ''] = /whsec_\S+/.exec(added) ?? []
  hook = { url, secret }
  host.repository.commit(site('water'))
  service = await hosting.start('all')
}, 180_000)
afterAll(async () => {
  await hosting?.stop()
  host?.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = async (path = '/', hostName = project.host) => {
  const { status, bytes } = await visit(service.port, hostName, path)
  return `${status} ${bytes}`
}
const push = (files: Readonly<Record<string, string>>, branch = 'main', message = 'A change') => {
  const commit = host.repository.commit(files, { branch, message })
  return {
    commit,
    response: host.tell(hook, 'push', { ref: `refs/heads/${branch}`, after: commit }),
  }
}
const statesOf = (commit: string) =>
  host.api.statuses.filter(({ sha }) => sha === commit).map(({ state }) => state)
const call = async (path: string) => {
  const headers = { authorization: `Bearer ${project.adminKey}` }
  const response = await fetch(`${hosting.url}/v1/projects/${project.projectId}/${path}`, {
    headers,
  })
  return (await response.json()) as { readonly entries: readonly object[] }
}
const previewUrl = async (branch: string) => {
  const { out } = await hosting.octavo(project, 'deployments', 'previews', '--json')
  const { previews } = JSON.parse(out)
  return previews.find((one: { branch: string }) => one.branch === branch)?.url as string
}

test('a connected repository is built and goes live without any webhook', async () => {
  expect(added).not.toContain(TOKEN)
  await vi.waitFor(async () => expect(await read()).toContain('Plants like water.'), POLL)
})

test('a push goes live, and its commit gets a status within seconds', async () => {
  const began = Date.now()
  const { commit, response } = push(site('light'))
  expect(await response).toBe(202)
  await vi.waitFor(() => expect(statesOf(commit)[0]).toBe('pending'), POLL)
  const firstStatusMs = Date.now() - began
  await vi.waitFor(async () => expect(await read()).toContain('Plants like light.'), POLL)
  const liveMs = Date.now() - began
  await vi.waitFor(() => expect(statesOf(commit).at(-1)).toBe('success'), POLL)
  console.log(`first status after ${firstStatusMs} ms, live after ${liveMs} ms`)
  const { entries } = await call('audit?action=deployment.')
  expect(entries[0]).toMatchObject({
    actor: 'git',
    action: 'deployment.finish',
    after: { state: 'live', commit },
  })
})

test('a push that changes no documentation is skipped with a reason', async () => {
  const { commit } = push({ ...site('light'), 'README.md': '# Changed' })
  await vi.waitFor(() => {
    const last = host.api.statuses.findLast(({ sha }) => sha === commit)
    expect([last?.state, last?.description]).toEqual(['success', expect.stringContaining('docs/')])
  }, POLL)
})

test('a build with errors leaves the live site unchanged', async () => {
  const { commit } = push({ ...site('light'), 'docs/index.mdx': '<Plnat />\n' })
  await vi.waitFor(() => expect(statesOf(commit).at(-1)).toBe('failure'), POLL)
  expect(await read()).toContain('Plants like light.')
  const { commit: repaired } = push(site('light'))
  await vi.waitFor(() => expect(statesOf(repaired).at(-1)).toBe('success'), POLL)
})

test('the owner reads the result of a push in the terminal', async () => {
  const octavo = (...words: string[]) => hosting.octavo(project, 'builds', ...words)
  const listed = JSON.parse((await octavo('--json')).out).builds
  const { id, commit } = listed.find((one: { state: string }) => one.state === 'failed')
  const list = await octavo('list', '--branch', 'main')
  expect([list.code, list.out]).toEqual([0, expect.stringContaining(`${id}  failed`)])
  expect(list.out).toMatch(/skipped .* docs\//)
  const shown = await octavo('show', id)
  expect(shown.out).toContain(`✗ Build ${id} failed.`)
  expect(shown.out).toContain(commit)
  expect(shown.out).toMatch(/error {2}index.mdx:1:\d+ {2}content\/[\s\S]* {2}Hint: /)
  const log = await octavo('log', id)
  expect([log.code, log.out]).toEqual([0, expect.stringMatching(/^\d\d:\d\d:\d\d {2}Queued: main/)])
  expect((await octavo('log', id, '--follow')).code).toBe(1)
  const lines = (await octavo('log', id, '--json')).out.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(lines.map((_, index) => index + 1))
  const refused = await octavo('cancel', id)
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('has already ended: failed'),
  ])
  const { id: newest } = JSON.parse((await octavo('--json')).out).builds[0]
  await octavo('log', newest, '--follow')
  const retried = await octavo('retry', newest, '--json')
  const followed = await octavo('log', JSON.parse(retried.out).id, '--follow')
  expect([followed.code, followed.out]).toEqual([0, expect.stringContaining('✓ Build')])
  if (process.env.SCREENSHOTS) console.log(list.out, shown.out, log.out, followed.out)
})

test('the newest of many pushes goes live', async () => {
  const all = Array.from({ length: 6 }, (_, index) => push(site(`number ${index}`)))
  await vi.waitFor(async () => expect(await read()).toContain('Plants like number 5.'), POLL)
  await vi.waitFor(() => expect(statesOf(all[5]?.commit ?? '').at(-1)).toBe('success'), POLL)
})

test('a branch gets a preview, which is deleted together with the branch', async () => {
  push(site('shade'), 'topic')
  await vi.waitFor(async () => expect(await previewUrl('topic')).toBeDefined(), POLL)
  const { host: name } = new URL(await previewUrl('topic'))
  // The repository is private, so only members can read its previews until the owner changes that.
  expect(await read('/', name)).toMatch(/^401/)
  const { projectId, adminKey } = project
  const decided = await fetch(`${hosting.url}/v1/projects/${projectId}/access`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ previews: 'site' }),
  })
  expect(decided.status).toBe(200)
  await vi.waitFor(async () => expect(await read('/', name)).toContain('Plants like shade.'), POLL)
  host.repository.git(['update-ref', '-d', 'refs/heads/topic'])
  await host.tell(hook, 'push', { ref: 'refs/heads/topic', deleted: true })
  await vi.waitFor(async () => expect(await read('/', name)).toMatch(/^404/), POLL)
})

describe.skipIf(!existsSync(CHROMIUM))(
  `previews in a browser (skipped if there is no ${CHROMIUM})`,
  () => {
    let browser: Browser
    beforeAll(async () => {
      const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
      browser = await chromium.launch({ executablePath: CHROMIUM, args })
    })
    afterAll(() => browser?.close())

    test("the preview of a fork's pull request runs scripts only after approval", async () => {
      const commit = host.repository.commit(
        site('number 5 and a lot of rain', {
          'docs/guides/soil.mdx': '---\ntitle: Soil\n---\n\nNew.\n',
          'docs/fork.js': 'document.documentElement.dataset.fork = "ran"\n',
        }),
        { branch: 'stranger' },
      )
      host.repository.git(['update-ref', '-d', 'refs/heads/stranger'])
      host.pullFromFork(7, commit)
      await host.tell(hook, 'pull_request', { action: 'opened', number: 7 })
      const comment = () => host.api.comments.of(7)[0]?.body ?? ''
      await vi.waitFor(() => expect(comment()).toContain('previews.localhost'), POLL)
      expect(comment()).toContain('approve-preview pull/7')
      const url = await previewUrl('pull/7')
      const page = await browser.newPage()
      await page.goto(url)
      await page.getByText('are disabled until a maintainer approves this fork').waitFor()
      expect(await page.locator('html').getAttribute('data-fork')).toBeNull()
      const approved = await hosting.octavo(project, 'deployments', 'approve-preview', 'pull/7')
      expect([approved.code, approved.out]).toEqual([
        0,
        expect.stringContaining('Scripts are now enabled'),
      ])
      await vi.waitFor(() => expect(comment()).not.toContain('approve-preview'), POLL)
      await vi.waitFor(async () => {
        await page.reload()
        expect(await page.locator('html').getAttribute('data-fork')).toBe('ran')
      }, POLL)
      await page.getByText('Preview of pull/7').waitFor()
      await page.getByText('2 pages changed').click()
      await page.getByRole('link', { name: '/guides/soil' }).waitFor()
      await page.keyboard.press('d')
      await expect
        .poll(() => page.locator('main ins').allTextContents())
        .toEqual([expect.stringContaining('and a lot of rain')])
      if (process.env.SCREENSHOTS) {
        await page.screenshot({ path: join(process.env.SCREENSHOTS, 'preview-light.png') })
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.screenshot({ path: join(process.env.SCREENSHOTS, 'preview-dark.png') })
        await page.setViewportSize({ width: 390, height: 800 })
        await page.screenshot({ path: join(process.env.SCREENSHOTS, 'preview-phone.png') })
        console.log(comment())
      }
      await page.keyboard.press('d')
      expect(await page.locator('main ins, main del').count()).toBe(0)
    })
  },
)

test('a site that asks for sign-in is not published while everyone can read the project', async () => {
  const files = site('locks')
  const config = { ...JSON.parse(files['docs/docs.json']), auth: { method: 'password' } }
  const { commit, response } = push({ ...files, 'docs/docs.json': JSON.stringify(config, null, 2) })
  await response
  await vi.waitFor(() => expect(statesOf(commit).at(-1)).toBe('failure'), POLL)
  expect(await read()).not.toContain('locks')
  const listed = JSON.parse((await hosting.octavo(project, 'builds', '--json')).out).builds
  const { id } = listed.find((one: { commit: string }) => one.commit === commit)
  const { out } = await hosting.octavo(project, 'builds', 'show', id)
  expect(out).toContain('docs.json:9:3  value/not-protected')
  expect(out).toContain('Choose how readers sign in')
})

test('tokens and secrets are not logged', async () => {
  expect(service.errors.join('\n')).not.toContain(TOKEN)
  const deliveries = hosting.command('connection', 'deliveries', project.projectId)
  expect(deliveries).not.toContain(hook.secret)
})
