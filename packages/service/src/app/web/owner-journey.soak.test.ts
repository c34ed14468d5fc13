/**
 * Follows an owner from an empty service to four real documentation sites, with only what an owner
 * has: the setup link in the log, the dashboard in Chromium, a terminal and a Git server. The sites
 * are not part of this repository: `OCTAVO_CORPUS` names their folder.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startGitHost } from '../../../testing/git-host.ts'
import {
  type Desk,
  keepAccess,
  openDesk,
  openRequests,
  openTerminal,
  readFiles,
  type ServiceRequests,
  unpackSites,
} from '../../../testing/owner-desk.ts'
import { HAS_CHROMIUM } from '../../../testing/panel-site.ts'
import { type Hosting, startHosting } from '../../../testing/start-hosting.ts'

const { OCTAVO_CORPUS } = process.env
const SITES = {
  Polar: 'polarsource__polar__docs',
  Bun: 'oven-sh__bun',
  Turso: 'tursodatabase__turso-docs',
  Starter: 'mintlify__starter',
} as const
type SiteName = keyof typeof SITES
const GIT_TOKEN = 'ghp_canaryCanaryCanaryCanaryCanary1234'
const POLL = { interval: 500, timeout: 180_000 }
const SECOND_QUESTION = 'Can I get an invoice in yen?'

let folder: string
let sites: string
let hosting: Hosting
let host: Awaited<ReturnType<typeof startGitHost>>
let browser: Browser
let owner: Desk
let octavo: ReturnType<typeof openTerminal>
let service: ServiceRequests
const ids = new Map<SiteName, string>()
const idOf = (name: SiteName) => ids.get(name) ?? ''
const at = (name: SiteName, rest = '') => `/projects/${idOf(name)}${rest}`
const received: string[] = []
const receiver = createServer(async (request, response) => {
  for await (const bytes of request) received.push(String(bytes))
  response.end()
})

beforeAll(async () => {
  if (OCTAVO_CORPUS === undefined || !HAS_CHROMIUM) return
  folder = mkdtempSync(join(tmpdir(), 'octavo-owner-'))
  sites = unpackSites(OCTAVO_CORPUS, folder, Object.values(SITES))
  host = await startGitHost(folder, GIT_TOKEN)
  receiver.listen(0, '127.0.0.1')
  const lines: string[] = []
  hosting = await startHosting({
    environment: {
      OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
    onLine: (line) => lines.push(line),
  })
  await hosting.start('all')
  octavo = openTerminal(join(folder, 'home'), folder)
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  owner = await openDesk(browser, hosting.url)
  const find = () => /http:\/\/\S+\/setup\/\w+/.exec(lines.join('\n'))?.[0]
  await owner.page.goto((await vi.waitUntil(find, POLL)) ?? '')
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await hosting?.stop()
  host?.close()
  receiver.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

const deploy = (name: SiteName, ...args: readonly string[]) => {
  const to = ['--project', idOf(name), '--service', hosting.url, '--offline']
  return octavo(['deploy', join(sites, SITES[name]), ...to, ...args])
}

const title = OCTAVO_CORPUS === undefined ? ' (skipped: OCTAVO_CORPUS names no folder)' : ''

describe.skipIf(OCTAVO_CORPUS === undefined || !HAS_CHROMIUM)(`a new owner${title}`, () => {
  test('a new owner sets up the service, adds a sign-in method and creates four projects', async () => {
    const { page, press, type } = owner
    await type('Your name', 'Amara Okafor')
    await type('E-mail address', 'amara@greenhouse.example')
    await type('Organization', 'Greenhouse')
    await type('First project', 'Polar')
    await press('Create account and sign in')
    await keepAccess(owner)
    await page.getByRole('heading', { name: 'Polar' }).waitFor()
    ids.set('Polar', new URL(page.url()).pathname.split('/')[2] ?? '')
    for (const name of ['Bun', 'Turso', 'Starter'] as const) {
      await owner.read('/')
      await page.getByText('New project', { exact: true }).first().click()
      await type('Name', name)
      await press('Create project')
      await page.getByRole('heading', { name }).waitFor()
      ids.set(name, new URL(page.url()).pathname.split('/')[2] ?? '')
    }
    expect(new Set(ids.values()).size).toBe(4)
  })

  test('the list of API keys names the person who created a key, and the API accepts the key', async () => {
    await owner.read(at('Polar', '/keys'))
    await owner.type('Name', 'My laptop')
    for (const box of await owner.main.getByRole('checkbox').all()) await box.check()
    await owner.press('Create key')
    const key = await owner.page.getByLabel('Key', { exact: true }).inputValue()
    service = openRequests(hosting.url, key)
    const text = await owner.read(at('Polar', '/keys'))
    expect(text).toContain('Amara Okafor')
    expect(text).not.toContain('usr_')
    expect(text).toContain('1 active')
    const refused = await service.call('POST', `/v1/projects/${idOf('Polar')}/deployments`, {})
    expect(refused).toMatchObject({ status: 400, body: { param: 'root' } })
    expect(refused.body.detail).toMatch(/^This field is required/)
  })

  test('`octavo login` accepts the address of the service, and `octavo deploy` lists the projects', async () => {
    const ran = await octavo(['login', hosting.url], { onOutput: allowDevice() })
    expect(ran).toMatchObject({ code: 0, err: '' })
    const { code, err } = await octavo(['deploy', '--service', hosting.url])
    expect(code).toBe(2)
    for (const [name, id] of ids) expect(err).toContain(`${id}  ${name}, owner (Greenhouse)`)
  })

  /** Returns an output handler that enters the code shown in the terminal in the browser. */
  function allowDevice() {
    let isAllowed = false
    return async (text: string) => {
      const [code] = /[A-Z]{4}-[A-Z]{4}/.exec(text) ?? []
      if (code === undefined || isAllowed) return
      isAllowed = true
      await owner.read('/device')
      await owner.type('Code', code)
      await owner.press('Continue')
      await owner.press('Allow')
    }
  }

  test.each(['Polar', 'Bun', 'Turso'] as const)(
    'the site %s is deployed although it has errors',
    async (name) => {
      const ran = await deploy(name, '--wait')
      expect(ran).toMatchObject({ code: 0, err: '' })
      expect(ran.out).toMatch(/The site has [\d,]+ errors?/)
      expect(ran.out).toContain('Deployment #1 is live')
      const { status } = await service.readSite(name, '/')
      expect([200, 307, 308]).toContain(status)
      console.info(`${name}: ${ran.out.trim()}`)
    },
  )

  test('a repository that does not exist is rejected with the error message of Git', async () => {
    await owner.read(at('Starter', '/connection'))
    await owner.type('Clone URL', `${host.url}-nowhere`)
    await owner.press('Connect')
    const text = await owner.text()
    expect(text).not.toContain('Repository connected')
    expect(text).toMatch(/not exist|not found|refused|no access|token/i)
  })

  test('a connected repository goes live, and the button "Build now" builds the newest commit', async () => {
    const files = readFiles(join(sites, SITES.Starter))
    host.repository.commit(files, { message: 'Start the docs' })
    await owner.read(at('Starter', '/connection'))
    await owner.type('Clone URL', host.url)
    await owner.main.getByText('Token', { exact: true }).first().click()
    await owner.page.locator('input[name=gitToken]').fill(GIT_TOKEN)
    await owner.page.getByLabel('Git host').selectOption('GitHub')
    await owner.press('Connect')
    await owner.page.getByText('whsec_').or(owner.page.getByLabel('Secret')).first().waitFor()
    await vi.waitFor(
      async () => expect((await service.readSite('starter', '/')).status).toBe(200),
      POLL,
    )
    const broken = { ...files, 'index.mdx': '---\ntitle: Home\n---\n<Plnat />\n' }
    host.repository.commit(broken, { message: 'Break the home page' })
    await owner.read(at('Starter', '/connection'))
    await owner.press('Build now')
    await owner.page.waitForURL('**/builds/**')
    await vi.waitFor(
      async () => expect(await owner.read(at('Starter'))).toContain('The last build failed'),
      POLL,
    )
    const overview = await owner.text()
    expect(overview).toContain('Readers still see #1')
    expect(overview).toContain('index.mdx:4')
    expect(await owner.read('/')).toMatch(/Starter .*Build failed older #1 is live/)
    host.repository.commit(files, { message: 'Repair the home page' })
    await owner.read(at('Starter', '/connection'))
    await owner.press('Build now')
    await vi.waitFor(
      async () => expect(await owner.read(at('Starter'))).not.toContain('failed'),
      POLL,
    )
  })

  test('a preview shows a change that readers do not see, and a rollback names the live deployment', async () => {
    appendFileSync(join(sites, SITES.Polar, 'support.mdx'), '\nWe answer on Sundays, too.\n')
    const preview = await deploy('Polar', '--preview', '--branch', 'sundays')
    expect(preview).toMatchObject({ code: 0, err: '' })
    console.info(`A changed sentence: ${preview.out.trim()}`)
    const [url = ''] = /http:\/\/\S+previews\.localhost\S*/.exec(preview.out) ?? []
    expect((await service.readSite(new URL(url).hostname, '/support')).text).toContain('on Sundays')
    expect((await service.readSite('polar', '/support')).text).not.toContain('on Sundays')
    const second = await deploy('Polar', '--wait', '--message', 'Answer on Sundays')
    expect(second.out).toMatch(/Deployment #\d is live/)
    await owner.read(at('Polar', '/deployments'))
    const first = owner.page.getByRole('row').filter({ hasText: 'Superseded' }).last()
    await first.locator('summary').click()
    await owner.page
      .getByRole('link', { name: /^Roll back/ })
      .last()
      .click()
    await owner.press('Roll back')
    await owner.page.waitForURL('**/deployments/*')
    expect(await owner.read(at('Polar'))).toContain('Rolled back to #1')
    await expect
      .poll(async () => (await service.readSite('polar', '/support')).text, POLL)
      .not.toContain('on Sundays')
    await owner.read(at('Polar', '/unlock'))
    await owner.press('Unlock publishing')
  })

  test('pasting a URL as a custom domain adds the domain of the URL', async () => {
    await owner.read(at('Polar', '/domains'))
    await owner.type('Domain', 'https://docs.greenhouse-sensors.com/')
    await owner.press(/^Add/)
    expect(await owner.read(at('Polar', '/domains'))).toContain('docs.greenhouse-sensors.com')
  })

  test('a private site asks for the password under its name, and an access token can be valid for a year', async () => {
    await owner.read(at('Turso', '/access'))
    await owner.page.getByRole('radio', { name: 'Password' }).check()
    expect(await owner.page.getByLabel('Password', { exact: true }).last().isVisible()).toBe(true)
    await owner.page.locator('input[name=password]').fill('correct horse battery')
    await owner.press('Save')
    expect(await owner.text()).toContain('Private: readers enter one password')
    const reader = await openDesk(browser, hosting.url)
    const siteStatus = async () => (await service.readSite('turso', '/introduction')).status
    await vi.waitFor(async () => expect(await siteStatus()).toBe(401), POLL)
    await reader.page.goto(`http://turso.sites.localhost:${new URL(hosting.url).port}/introduction`)
    await reader.page.getByLabel('Password').waitFor()
    expect(await reader.page.locator('body').innerText()).toContain('Turso')
    expect(await reader.page.locator('img').count()).toBeGreaterThan(0)
    await reader.page.getByLabel('Password').fill('correct horse battery')
    await reader.page.keyboard.press('Enter')
    await reader.page.waitForURL('**/introduction')
    await reader.page.context().close()
    await owner.type('Name', 'Link checker')
    await owner.main.getByText('1 year', { exact: true }).click()
    await owner.press('Create token')
    const token = await owner.page.getByLabel('Token', { exact: true }).inputValue()
    const authorization = { authorization: `Bearer ${token}` }
    expect((await service.readSite('turso', '/introduction', authorization)).status).toBe(200)
    expect((await service.readSite('turso', '/introduction')).status).toBe(401)
    expect(await owner.read(at('Turso', '/access'))).toMatch(
      /Link checker .*(?:365 days|1 year|in 12 months)/,
    )
  })

  test('an invited editor enters a name, gets to the project, and sees only what editors may see', async () => {
    await owner.read(at('Polar', '/members'))
    await owner.type('E-mail address', 'mei@greenhouse.example')
    await owner.press('Create invitation')
    const link = await owner.page.getByLabel('Link', { exact: true }).inputValue()
    const editor = await openDesk(browser, hosting.url)
    await editor.page.goto(link)
    await editor.page.getByLabel('Your name').fill('Mei Tanaka')
    await editor.press('Accept')
    await keepAccess(editor)
    await editor.page.waitForURL(`**${at('Polar')}`)
    expect(await editor.read(at('Polar', '/analytics'))).toContain('What people and agents read')
    expect(await editor.read(at('Polar', '/feedback'))).toContain('Feedback')
    expect(await editor.read(at('Polar', '/conversations'))).not.toContain('Export')
    await editor.page.context().close()
    await owner.read(at('Polar', '/members'))
    await owner.type('E-mail address', 'amara@greenhouse.example')
    await owner.press('Create invitation')
    expect(await owner.text()).not.toContain('Send this link now')
  })

  test('the audit log describes events in sentences with names', async () => {
    const text = await owner.read(at('Polar', '/audit'))
    expect(text).toContain('Mei Tanaka accepted the invitation as Editor')
    expect(text).toContain('Amara Okafor invited Mei Tanaka as Editor')
    expect(text).toContain('added the domain docs.greenhouse-sensors.com')
    expect(text).toContain('created the key My laptop')
    expect(text).not.toMatch(/[\dA-HJKMNP-TV-Z]{26}|127\.0\.0/)
    expect(await owner.read(at('Turso', '/audit'))).toContain('changed who can read the site')
  })

  test('the owner sets the webhook, sees its last message, and trusts a CI job', async () => {
    await owner.read(at('Bun', '/settings'))
    const port = (receiver.address() as AddressInfo).port
    await owner.type('URL', `http://127.0.0.1:${port}/hook`)
    await owner.press('Add the webhook')
    await owner.page.getByLabel('Secret', { exact: true }).waitFor()
    await owner.press('Send a test')
    expect(await owner.text()).toContain('The test was delivered')
    expect(received.join('')).toContain('"test"')
    expect(await owner.read(at('Bun', '/settings'))).toMatch(/Last message Delivered, 200 test/)
    const trust = owner.page.getByLabel('CI jobs that deploy without a key')
    await trust.fill('https://github.com/greenhouse/docs')
    await owner.page.locator('#publishing').getByRole('button', { name: 'Save' }).click()
    await owner.read(at('Bun', '/settings'))
    expect(await trust.inputValue()).toBe('github:greenhouse/docs')
  })

  test('the settings page shows the settings that docs.json contains, each with its line', async () => {
    expect(await owner.read(at('Bun', '/settings'))).toMatch(/docs\.json:\d+/)
  })

  test('imported questions without an answer become gaps', async () => {
    const rows = Array.from({ length: 420 }, (_, index) => ({
      questionId: `old-${index}`,
      query: index % 6 === 0 ? SECOND_QUESTION : `How do I use feature ${index}?`,
      response: index % 6 === 0 ? '' : 'Read the page.',
      sources: [],
      resolutionStatus: index % 6 === 0 ? 'unanswered' : 'answered',
      timestamp: new Date(Date.now() - index * 3_600_000).toISOString(),
    }))
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const imported = await service.call('POST', `/v1/analytics/${idOf('Polar')}/assistant`, lines)
    expect(imported.status).toBe(200)
    await vi.waitFor(
      async () => expect(await owner.read(at('Polar', '/gaps'))).toContain('1 gap, 70 questions'),
      POLL,
    )
    expect(await owner.text()).toContain(SECOND_QUESTION)
  })

  test('a test question of the assistant shows its answer and is not counted', async () => {
    const asked = /Questions this month (\d+)/
    const before = asked.exec(await owner.read(at('Polar', '/assistant')))?.[1]
    await owner.type('Question', 'How do I give a customer a refund?')
    await owner.press('Ask')
    const answer = owner.main.locator('.md').first()
    await answer.waitFor()
    expect(await answer.innerText()).not.toMatch(/\*\*|^\s*$/)
    expect(asked.exec(await owner.read(at('Polar', '/assistant')))?.[1]).toBe(before)
  })

  test('an invalid recipient of notifications is reported with its line', async () => {
    await owner.read(at('Polar', '/notifications'))
    const recipients = owner.page.getByLabel('Additional recipients')
    await recipients.fill('mei@greenhouse.example\nnot an address')
    await owner.press('Save')
    expect(await owner.text()).toContain('not an address')
    expect(await owner.text()).toMatch(/line 2/i)
  })

  test('`octavo export` works after `octavo login`, and the CSV file of the dashboard contains ratings', async () => {
    const file = join(folder, 'conversations.ndjson')
    const to = ['--project', idOf('Polar'), '--service', hosting.url]
    const ran = await octavo(['export', ...to, '-o', file])
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(420)
    const csv = await owner.page.request.get(hosting.url + at('Polar', '/conversations.csv'))
    expect((await csv.text()).split('\r\n')[0]).toMatch(/,feedback$/)
  })

  test('agents get short responses, and their reads are counted', async () => {
    const missing = await service.readSite('polar', '/features/nope.md')
    expect(missing.status).toBe(404)
    expect(missing.text.length).toBeLessThan(1_000)
    expect(missing.text).not.toContain('<html')
    const agent = { 'user-agent': 'Claude-User/1.0' }
    const full = await service.readSite('polar', '/llms-full.txt', agent)
    expect(full.status).toBe(200)
    const operation = await service.callTool('polar', 'get_operation', {
      operation: 'POST /v1/checkouts/',
    })
    expect(operation.length).toBeLessThan(17_000)
    const found = await service.callTool('polar', 'search_docs', {
      query: 'verify webhook signature in Next.js',
    })
    expect(found).not.toMatch(/^## [^\n]+\n\S+\n\n\n/)
    await vi.waitFor(
      async () => expect(await owner.read(at('Polar', '/analytics'))).toMatch(/llms-full|Claude/),
      POLL,
    )
  })

  test('no page caused an error in the browser', () => {
    expect(owner.faults.filter((one) => !one.includes('status of 4'))).toEqual([])
  })
})
