/**
 * Tests every page of the dashboard with as much data as a company has after a month: three sites,
 * 500 conversations, 30 days of views, 20 members and 100 projects. In light and dark mode, on a
 * desktop, a tablet and a phone, axe must find no problem and no element may be outside its
 * container. With `OCTAVO_PICTURES=<folder>`, the test saves a screenshot of each page in each mode
 * and size.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEY_SCOPES, ROLES } from '@octavo/contract'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findFaults } from '../../../../builder/testing/find-faults.ts'
import { GARDEN } from '../../../testing/assistant-site.ts'
import { crawlDashboard } from '../../../testing/crawl-dashboard.ts'
import { startGitHost } from '../../../testing/git-host.ts'
import { addProjects } from '../../../testing/many-projects.ts'
import { HAS_CHROMIUM } from '../../../testing/panel-site.ts'
import { type HostedProject, type Hosting, startHosting } from '../../../testing/start-hosting.ts'
import { ensureMember } from '../../people/users/operator-store.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { type ProjectRow, ProjectStore, tenantOf } from '../../projects/projects/store.ts'
import { buildDemoSite } from '../commands/demo/build-demo-site.ts'
import { createDemoLink, fillDemo } from '../commands/demo/fill-demo.ts'
import { readSettings } from '../settings/env.ts'

const { OCTAVO_PICTURES } = process.env
const TOKEN = 'ghp_canaryCanaryCanaryCanaryCanary1234'
const POLL = { interval: 500, timeout: 150_000 }
const CONVERSATIONS = 500
const MEMBERS = 20
const PROJECTS = 100
const NAMES = ['Mei Tanaka', 'Jonas Weber', 'Priya Raman', 'Lucía Gómez-Fernández', 'Kofi Mensah']
const QUESTIONS = [
  'How do I rotate the key of a webhook without losing events?',
  'Is there a limit for attachments?',
  'Can I send from two regions at once, and what happens when one of them is down for an hour?',
  'bulk import csv',
  'Why does `POST /messages` answer 422 although the address is valid?',
]
const FIND_OUTSIDE = readFileSync(
  new URL('../../../../dashboard/testing/find-outside.js', import.meta.url),
  'utf8',
)
const FORMS = [1440, 1024, 390].flatMap((width) => [
  [width, 'light'] as const,
  [width, 'dark'] as const,
])

let folder: string
let hosting: Hosting
let host: Awaited<ReturnType<typeof startGitHost>>
let owner: Database
let browser: Browser
let context: BrowserContext
let project: HostedProject
let signInUrl: string

beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  folder = mkdtempSync(join(tmpdir(), 'octavo-full-'))
  host = await startGitHost(folder, TOKEN)
  hosting = await startHosting({
    environment: {
      OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
  })
  const read = readSettings(hosting.environment)
  if (read.kind === 'wrong') throw new Error(read.reasons.join(' '))
  const builds = await buildDemoSite(join(folder, 'demo'), 'http://wrenpost.sites.localhost')
  const row = await fillDemo({ settings: read.settings, builds, now: Date.now })
  owner = openDatabase({ url: hosting.environment.DATABASE_OWNER_URL ?? '', connections: 2 })
  project = hostedProject(row)
  await hosting.start('all')
  await addPeopleAndProjects(row)
  await addSites(row)
  await addConversations()
  await connectRepository()
  await changeSettings()
  signInUrl = await createDemoLink(read.settings)
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(signInUrl)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${hosting.url}/**`)
  await page.close()
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await owner?.end()
  await hosting?.stop()
  host?.close()
  rmSync(folder, { recursive: true, force: true })
})

function hostedProject({ public_id, slug }: ProjectRow): HostedProject {
  const scopes = KEY_SCOPES.flatMap((scope) => ['--scope', scope])
  const key = hosting.command('key', 'create', public_id, '--name', 'Release job', ...scopes)
  const adminKey = key.trim().split('\n').at(-1) ?? ''
  return { slug, projectId: public_id, adminKey, host: `${slug}.sites.localhost` }
}

async function addPeopleAndProjects(row: ProjectRow): Promise<void> {
  for (let number = 4; number <= MEMBERS; number += 1) {
    const name = `${NAMES[number % NAMES.length]} ${number}`
    const email = `member-${number}@wrenpost.example`
    const role = ROLES[number % ROLES.length] ?? 'viewer'
    await ensureMember(owner, { email, name, role }, row.organization_id)
  }
  await addProjects({ owner }, { tenant: tenantOf(row) }, PROJECTS - 3)
}

async function addSites(row: ProjectRow): Promise<void> {
  const source = join(folder, 'garden')
  mkdirSync(source)
  for (const [name, text] of Object.entries(GARDEN)) writeFileSync(join(source, name), text)
  for (const slug of ['garden-docs', 'garden-api']) {
    const input = { organizationId: row.organization_id, name: slug, slug }
    const added = hostedProject(await new ProjectStore(owner).insert(input))
    const deployed = await hosting.octavo(added, 'deploy', source)
    expect(deployed).toMatchObject({ code: 0, err: '' })
  }
}

async function addConversations(): Promise<void> {
  const [row] = await owner.query<{ count: number }>(
    `select count(*)::integer as count from conversation c join project p on p.id = c.project_id
      where p.public_id = $1`,
    [project.projectId],
  )
  const length = CONVERSATIONS - (row?.count ?? 0)
  await call('POST', `/v1/analytics/${project.projectId}/assistant`, {
    conversations: Array.from({ length }, (_, index) => ({
      questionId: `imported-${index}`,
      query: `${QUESTIONS[index % QUESTIONS.length]}`,
      response: 'Use the **Webhooks** page.\n\n```bash\ncurl -X POST https://api.example.com\n```',
      sources: [{ title: 'Webhooks', url: '/guides/webhooks' }],
      resolutionStatus: index % 4 === 0 ? 'unanswered' : 'answered',
      queryCategory: ['billing', 'webhooks', 'errors'][index % 3],
      timestamp: new Date(Date.now() - (index + 48) * 3_600_000).toISOString(),
    })),
  })
}

/**
 * Connects a repository with two commits: the first one goes live, and the build of the second
 * fails.
 */
async function connectRepository(): Promise<void> {
  host.repository.commit(GARDEN, { message: 'Explain the hose' })
  const options = ['connection', 'add', project.projectId, '--url', host.url]
  hosting.commandWith(TOKEN, ...options, '--provider', 'github', '--token-file', '-')
  // The command blocked this process, which needs a moment to notice connections that were closed.
  await sleep(100)
  await call('POST', `/v1/projects/${project.projectId}/builds`, {})
  await vi.waitFor(async () => expect(await statesOfBuilds()).toContain('finished'), POLL)
  const broken = { ...GARDEN, 'water.mdx': '---\ntitle: Water\n---\n<Crad />\nWater.\n' }
  host.repository.commit(broken, { message: 'Use cards for the steps of watering' })
  await call('POST', `/v1/projects/${project.projectId}/builds`, {})
  await vi.waitFor(async () => expect(await statesOfBuilds()).toContain('failed'), POLL)
}

const statesOfBuilds = async () => {
  const { builds } = await call('GET', `/v1/projects/${project.projectId}/builds`)
  return (builds as readonly { readonly state: string }[]).map(({ state }) => state)
}

async function changeSettings(): Promise<void> {
  const at = `/v1/projects/${project.projectId}`
  await call('POST', `${at}/domains`, { name: 'docs.wrenpost.com' })
  await call('PUT', `${at}/access`, { mode: 'password', password: 'a long password' })
  for (const name of ['Link checker', 'Claude Code', 'Nightly export'])
    await call('POST', `${at}/access/tokens`, { name, minutes: 365 * 24 * 60, groups: [] })
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(hosting.url + path, {
    method,
    headers: { authorization: `Bearer ${project.adminKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

describe.skipIf(!HAS_CHROMIUM)('the dashboard of a company', () => {
  let found: ReadonlyMap<string, readonly string[]> = new Map()

  async function openPage(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await context.newPage()
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    return page
  }

  test('the crawler finds all pages of the dashboard, and no page fails', async () => {
    const page = await openPage(1440, 'light')
    const faults: string[] = []
    const lists = ['pages', 'agents', 'unread', 'searches', 'empty-searches', 'not-found', 'uses']
    const at = `/projects/${project.projectId}`
    found = await crawlDashboard(page, {
      origin: hosting.url,
      from: [at, '/', '/account', ...lists.map((name) => `${at}/analytics/${name}`)],
      onPage: async ({ url, response }) => {
        if (response?.status() !== 200) faults.push(`${url.pathname}: ${response?.status()}`)
      },
    })
    await page.goto(`${hosting.url}${at}/conversations`)
    expect(await page.getByRole('main').innerText()).toContain(`${CONVERSATIONS}`)
    await page.goto(`${hosting.url}/`)
    expect(await page.getByRole('main').innerText()).toContain(`${PROJECTS}`)
    await page.close()
    console.info(`${[...found.values()].flat().length} pages of ${found.size} kinds`)
    expect(faults).toEqual([])
    expect(found.size).toBeGreaterThan(40)
  })

  test.each(FORMS)(
    'all dashboard screens pass axe and no element overflows at %i px in %s mode',
    async (...form) => {
      const page = await openPage(...form)
      const faults: string[] = []
      for (const [kind, [url = '']] of found) {
        const name = kind.replaceAll(/[^a-z]+/g, '-').replace(/^-/, '') || 'projects'
        await page.goto(url)
        for (const fault of await findFaults(page)) faults.push(`${name}: ${fault}`)
        for (const fault of await page.evaluate<string[]>(FIND_OUTSIDE))
          faults.push(`${name}: ${fault}`)
        if (OCTAVO_PICTURES === undefined) continue
        const path = join(OCTAVO_PICTURES, `${name}-${form[0]}-${form[1]}.png`)
        await page.screenshot({ path, fullPage: true })
      }
      await page.close()
      expect(faults).toEqual([])
    },
  )

  test.each(FORMS)(
    'the gaps page with selected rows passes axe at %i px in %s mode',
    async (...form) => {
      const page = await openPage(...form)
      await page.goto(`${hosting.url}/projects/${project.projectId}/gaps`)
      const rows = page.getByRole('row').getByRole('checkbox')
      for (const box of (await rows.all()).slice(0, 3)) await box.check()
      if (OCTAVO_PICTURES !== undefined) {
        const path = join(OCTAVO_PICTURES, `gaps-chosen-${form[0]}-${form[1]}.png`)
        await page.screenshot({ path, fullPage: true })
      }
      expect(await findFaults(page)).toEqual([])
      expect(await page.evaluate<string[]>(FIND_OUTSIDE)).toEqual([])
      await page.close()
    },
  )
})
