/**
 * Tests every page of the dashboard on the real service, found by following links from the start
 * page, with hostile text in everything that readers, authors and owners can write. No such text
 * may be executed, axe must report no violations, no page may be wider than its window, and no
 * request may fail.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFaults } from '../../../../builder/testing/find-faults.ts'
import { readerOf } from '../../../testing/assistant-site.ts'
import { crawlDashboard } from '../../../testing/crawl-dashboard.ts'
import { startGitHost } from '../../../testing/git-host.ts'
import { HAS_CHROMIUM } from '../../../testing/panel-site.ts'
import { type HostedProject, type Hosting, startHosting } from '../../../testing/start-hosting.ts'

const { OCTAVO_PICTURES } = process.env
const HOSTILE = '"><img src=x onerror=canary()><script>canary()</script>\'`{canary()}'
const TOKEN = 'ghp_canaryCanaryCanaryCanaryCanary1234'
const POLL = { interval: 500, timeout: 150_000 }

const site = {
  'docs.json': JSON.stringify({ name: 'Plants', navigation: { pages: ['index'] } }),
  'index.mdx': `---\ntitle: ${JSON.stringify(`Welcome${HOSTILE}`)}\n---\n\nPlants like water.\n`,
}

let folder: string
let hosting: Hosting
let host: Awaited<ReturnType<typeof startGitHost>>
let browser: Browser
let context: BrowserContext
let project: HostedProject
const faults: string[] = []

beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  folder = mkdtempSync(join(tmpdir(), 'octavo-screens-'))
  host = await startGitHost(folder, TOKEN)
  const lines: string[] = []
  hosting = await startHosting({
    environment: {
      OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
    onLine: (line) => lines.push(line),
  })
  const service = await hosting.start('all')
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  context = await browser.newContext({ userAgent: `Test ${HOSTILE}` })
  const page = await context.newPage()
  const link = () => /http:\/\/\S+\/setup\/\w+/.exec(lines.join('\n'))?.[0]
  await page.goto((await vi.waitUntil(link, POLL)) ?? '')
  await page.getByLabel('Your name').fill(`Amara${HOSTILE}`)
  await page.getByLabel('E-mail address').fill('amara@greenhouse.example')
  await page.getByLabel('Organization').fill(`Greenhouse${HOSTILE}`)
  await page.getByLabel('First project').fill(`Garden${HOSTILE}`)
  await page.getByRole('button', { name: 'Create account and sign in' }).click()
  await page.getByRole('button', { name: 'Show recovery codes' }).click()
  await page.getByLabel('I saved these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/projects/**')
  const projectId = new URL(page.url()).pathname.split('/')[2] ?? ''
  const at = (path: string) => `${hosting.url}/projects/${projectId}/${path}`
  await page.goto(at('keys'))
  await page.getByLabel('Name', { exact: true }).fill(`Key${HOSTILE}`)
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const adminKey = await page.getByLabel('Key', { exact: true }).inputValue()
  const slug = (await page.locator('header a[href*="sites.localhost"]').getAttribute('href')) ?? ''
  project = { slug: '', projectId, adminKey, host: new URL(slug).host.split(':')[0] ?? '' }
  await page.goto(at('members'))
  await page.getByLabel('E-mail address').fill('mei@greenhouse.example')
  await page.getByRole('button', { name: 'Create invitation' }).click()

  const options = ['connection', 'add', projectId, '--url', host.url, '--provider', 'github']
  const added = hosting.commandWith(TOKEN, ...options, '--token-file', '-')
  const hook = {
    url: /http:\/\/\S+\/v1\/hooks\/[\w-]+/.exec(added)?.[0] ?? '',
    secret: /whsec_\S+/.exec(added)?.[0] ?? '',
  }
  const commit = host.repository.commit(site, { message: `First${HOSTILE}` })
  await host.tell(hook, 'push', { ref: 'refs/heads/main', after: commit })
  await host.tell({ ...hook, secret: 'wrong' }, `push${HOSTILE}`.slice(0, 20), {})
  await vi.waitFor(async () => expect(await list('deployments')).toHaveLength(1), POLL)
  const broken = { ...site, 'index.mdx': `---\ntitle: x\n---\n\n<Nothing${HOSTILE}\n` }
  const failing = host.repository.commit(broken, { message: `Second${HOSTILE}` })
  await host.tell(hook, 'push', { ref: 'refs/heads/main', after: failing })
  await vi.waitFor(
    async () =>
      expect(await list('builds')).toContainEqual(expect.objectContaining({ state: 'failed' })),
    POLL,
  )
  const next = { ...site, 'index.mdx': `${site['index.mdx']}\nAnd light.\n` }
  const good = host.repository.commit(next, { message: `Third${HOSTILE}` })
  await host.tell(hook, 'push', { ref: 'refs/heads/main', after: good })
  const side = { ...next, 'soil.mdx': '---\ntitle: Soil\n---\n\nDark.\n' }
  const branch = host.repository.commit(side, { branch: 'side', message: `Fourth${HOSTILE}` })
  await host.tell(hook, 'push', { ref: 'refs/heads/side', after: branch })
  await vi.waitFor(async () => expect(await list('deployments')).toHaveLength(3), POLL)

  await call('POST', `/v1/analytics/${projectId}/assistant`, {
    conversations: ['answered', 'unanswered'].map((resolutionStatus, index) => ({
      questionId: `turn-${index}`,
      query: `How?${HOSTILE}`,
      response: `So.${HOSTILE}`,
      sources: [
        { title: `Page${HOSTILE}`, url: `/page${HOSTILE}` },
        { title: 'Script', url: 'javascript:canary()' },
      ],
      resolutionStatus,
      queryCategory: `kind${HOSTILE}`,
      threadId: `thread${HOSTILE}`,
      pageUrl: `https://x.example/${HOSTILE}`,
    })),
  })
  const reader = readerOf(service.port, project.host)
  await sendHostileInput(reader)
  const { ask } = reader
  await ask(`Bonsai repotting?${HOSTILE}`, { headers: { accept: 'application/json' } })
  await vi.waitFor(async () => expect(await list('gaps')).not.toHaveLength(0), POLL)
  await page.goto(at('lock'))
  await page.getByLabel('Reason').fill(`Closed${HOSTILE}`)
  await page.getByRole('main').getByRole('button', { name: /Lock/ }).click()
  await page.close()
}, 400_000)
afterAll(async () => {
  await browser?.close()
  await hosting?.stop()
  host?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Words by which the test finds the values that a reader can write without signing in. */
const SINKS = [
  ...['searchsink', 'emptysink', 'clicksink', 'missingsink'],
  ...['commentsink', 'contactsink', 'codesink', 'filesink', 'languagesink', 'snippetsink'],
]

const ANALYTICS_LISTS = [
  ...['pages', 'unread', 'searches', 'empty-searches', 'not-found', 'referrers', 'uses'],
]

async function sendHostileInput({ call: visit }: ReturnType<typeof readerOf>): Promise<void> {
  const browser = {
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    accept: 'text/html',
    'sec-fetch-mode': 'navigate',
  }
  const referer = `https://refersink${HOSTILE.replaceAll('/', '')}.example/`
  await visit('GET', '/', { headers: { ...browser, referer } })
  await visit('GET', `/missingsink${encodeURIComponent(HOSTILE)}`, { headers: browser })
  const path = '/'
  const events = [
    { type: 'search', query: `searchsink${HOSTILE}`, results: 1 },
    { type: 'search', query: `emptysink${HOSTILE}`, results: 0 },
    { type: 'search', query: `clicksink${HOSTILE}`, results: 2 },
    { type: 'search-click', query: `clicksink${HOSTILE}`, path },
    {
      type: 'feedback',
      key: randomUUID(),
      path,
      helpful: false,
      comment: `commentsink${HOSTILE}`,
      contact: `contactsink${HOSTILE}`,
    },
    {
      type: 'code-feedback',
      key: randomUUID(),
      path,
      code: `codesink${HOSTILE}`,
      filename: `filesink${HOSTILE}`,
      lang: `languagesink${HOSTILE}`,
      comment: `snippetsink${HOSTILE}`,
    },
  ]
  for (const event of events) {
    const reply = await visit('POST', '/_octavo/events', {
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(event),
    })
    if (reply.status >= 300) throw new Error(`${event.type}: ${reply.status} ${reply.text}`)
  }
  // Counts are stored every few seconds.
  await vi.waitFor(async () => {
    const { searches } = await call('GET', `/v1/analytics/${project.projectId}/searches`)
    expect(searches).toHaveLength(3)
  }, POLL)
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(hosting.url + path, {
    method,
    headers: { authorization: `Bearer ${project.adminKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as Record<string, readonly object[]>
}

const list = async (noun: 'deployments' | 'builds' | 'gaps') =>
  (await call('GET', `/v1/projects/${project.projectId}/${noun}`))[noun] ?? []

async function watchedPage(width: number): Promise<Page> {
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 900 })
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error}`))
  page.on('dialog', (dialog) => faults.push(`${page.url()}: ${dialog.message()}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`)
  })
  return page
}

describe.skipIf(!HAS_CHROMIUM)('dashboard pages', () => {
  let found: ReadonlyMap<string, readonly string[]> = new Map()

  const count = () => [...found.values()].flat().length

  test('all dashboard pages load, execute no injected text, and pass axe', async () => {
    const page = await watchedPage(1280)
    let texts = ''
    const pictures = new Map<string, number>()
    // Pages link to the full list only if it has more than the first few rows.
    const lists = ANALYTICS_LISTS.map((name) => `/projects/${project.projectId}/analytics/${name}`)
    found = await crawlDashboard(page, {
      origin: hosting.url,
      from: ['/', '/account', ...lists],
      onPage: async ({ kind, url, response }) => {
        if (response?.status() !== 200) faults.push(`${url.pathname}: ${response?.status()}`)
        const images = await page.evaluate<number>('document.images.length')
        if (images > 0) faults.push(`${url.pathname}: ${images} pictures`)
        for (const fault of await findFaults(page)) faults.push(`${url.pathname}: ${fault}`)
        if (OCTAVO_PICTURES !== undefined) {
          mkdirSync(OCTAVO_PICTURES, { recursive: true })
          const number = pictures.get(kind) ?? 0
          pictures.set(kind, number + 1)
          const name = `all${kind.replaceAll(/[^a-z]+/g, '-')}-${number}.png`
          await page.screenshot({ path: join(OCTAVO_PICTURES, name), fullPage: true })
        }
        texts += await page.evaluate<string>('document.body.textContent')
      },
    })
    await page.close()
    console.info(`${count()} pages of ${found.size} kinds: ${[...found.keys()].join(' ')}`)
    expect(faults).toEqual([])
    expect(found.size).toBeGreaterThan(25)
    expect(SINKS.filter((word) => !texts.includes(word))).toEqual([])
    // Only the host name of a referrer is stored, and this one is invalid.
    expect(texts).not.toContain('refersink')
  })

  test('all dashboard pages fit on a phone and have enough contrast in dark mode', async () => {
    const page = await watchedPage(390)
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const url of [...found.values()].flat()) {
      await page.goto(url)
      for (const fault of await findFaults(page)) faults.push(`${url} (phone, dark): ${fault}`)
    }
    await page.close()
    expect(faults).toEqual([])
  })
})
