/**
 * Follows a new owner in Chromium, from an empty database and the link in the log to a key, a
 * deployment, and a conversation that is viewed and exported. Counts clicks and typed fields. With
 * `OCTAVO_PICTURES=<folder>`, saves screenshots of the pages for the docs.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { GARDEN } from '../../../testing/assistant-site.ts'
import { HAS_CHROMIUM, openPage } from '../../../testing/panel-site.ts'
import { type Hosting, startHosting } from '../../../testing/start-hosting.ts'

const { OCTAVO_PICTURES } = process.env
const QUESTION = 'How do I turn on the hose?'
const FIELDS = {
  'Your name': 'Amara Okafor',
  'E-mail address': 'amara@greenhouse.example',
  Organization: 'Greenhouse',
  'First project': 'Garden docs',
}

let hosting: Hosting
let folder: string
let browser: Browser
let setupUrl: string
beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  folder = mkdtempSync(join(tmpdir(), 'octavo-new-owner-'))
  for (const [name, text] of Object.entries(GARDEN)) writeFileSync(join(folder, name), text)
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  if (!HAS_CHROMIUM) return
  const lines: string[] = []
  hosting = await startHosting({ onLine: (line) => lines.push(line) })
  await hosting.start('all')
  const find = () => /http:\/\/\S+\/setup\/\w+/.exec(lines.join('\n'))?.[0]
  setupUrl = (await vi.waitUntil(find, { timeout: 20_000 })) ?? ''
}, 120_000)
afterEach(() => hosting?.stop())

async function newVisitor(javaScriptEnabled: boolean) {
  const context = await browser.newContext({
    javaScriptEnabled,
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  const counts = { clicks: 0, fields: 0 }
  return {
    page,
    counts,
    faults,
    close: () => context.close(),
    async click(target: Locator): Promise<void> {
      counts.clicks += 1
      await target.click()
    },
    async type(label: string, text: string): Promise<void> {
      counts.fields += 1
      await page.getByLabel(label, { exact: true }).fill(text)
    },
  }
}

const section = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Sections of the project' })
    .getByRole('link', { name, exact: true })

async function picture(page: Page, name: string): Promise<void> {
  if (OCTAVO_PICTURES === undefined) return
  mkdirSync(OCTAVO_PICTURES, { recursive: true })
  await page.screenshot({ path: join(OCTAVO_PICTURES, `${name}.png`) })
}

async function askAsReader(siteUrl: string): Promise<void> {
  const reader = await openPage(browser, `${siteUrl}/water`)
  await reader.open()
  await reader.ask(QUESTION)
  await reader.page.context().close()
}

describe.skipIf(!HAS_CHROMIUM)('a new owner', () => {
  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])(
    'a new owner %s needs at most 12 clicks and 6 fields, not counting the recovery codes',
    async (_, hasScript) => {
      const visitor = await newVisitor(hasScript)
      const { page, click, type, counts } = visitor
      const keep = (name: string) => (hasScript ? picture(page, name) : Promise.resolve())

      await page.goto(setupUrl)
      for (const [label, text] of Object.entries(FIELDS)) await type(label, text)
      await keep('setup')
      await click(page.getByRole('button', { name: 'Create account and sign in' }))
      await keep('keep-access')
      await page.getByRole('button', { name: 'Show recovery codes' }).click()
      const codes = (await page.locator('#codes').innerText()).split('\n')
      expect(codes).toHaveLength(10)
      await keep('recovery-codes')
      const codeFile = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download' }).click()
      expect(readFileSync(await (await codeFile).path(), 'utf8')).toContain(codes.join('\n'))
      // The browser does not submit the form until the checkbox is checked.
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      await page.getByLabel('I saved these codes').check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Garden docs' }).waitFor()
      await keep('first-steps')

      await click(page.getByRole('link', { name: 'Create a key' }))
      await type('Name', 'My laptop')
      await click(page.getByLabel('Deploy, publish and roll back'))
      await click(page.getByRole('button', { name: 'Create key' }))
      const adminKey = await page.getByLabel('Key', { exact: true }).inputValue()
      expect(adminKey).toMatch(/^octavo_adm_/)
      await keep('key-created')
      const projectId = new URL(page.url()).pathname.split('/')[2] ?? ''

      // Deploy from a terminal, as the page says.
      const project = { slug: 'garden-docs', projectId, adminKey, host: '' }
      const deployed = await hosting.octavo(project, 'deploy', folder)
      expect(deployed).toMatchObject({ code: 0, err: '' })
      await click(section(page, 'Deployments'))
      const live = page.getByRole('row').filter({ hasText: 'Live' })
      await live.waitFor()
      await keep('deployments')
      const siteUrl = await page
        .getByRole('link', { name: /garden-docs\./ })
        .first()
        .getAttribute('href')
      await askAsReader((siteUrl ?? '').replace(/\/$/, ''))

      await click(section(page, 'Conversations'))
      await keep('conversations')
      await click(page.getByRole('link', { name: QUESTION }))
      await page.getByText('Turn on the hose with').first().waitFor()
      await keep('conversation')
      await click(page.getByRole('link', { name: 'Conversations', exact: true }).last())
      await click(page.locator('summary').filter({ hasText: 'Export' }))
      const download = page.waitForEvent('download')
      await click(page.getByRole('link', { name: 'NDJSON' }))
      const file = await (await download).path()
      const [exported] = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(exported).toMatchObject({ query: QUESTION, resolutionStatus: 'answered' })

      await click(section(page, 'Overview'))
      await page.getByText(QUESTION).waitFor()
      await keep('overview')
      console.info(`${counts.clicks} clicks, ${counts.fields} typed fields`)
      expect(counts.clicks).toBeLessThanOrEqual(12)
      expect(counts.fields).toBeLessThanOrEqual(6)
      expect(visitor.faults).toEqual([])
      await visitor.close()

      // Sign in later, in another browser.
      const later = await newVisitor(hasScript)
      await later.page.goto(`${hosting.url}/sign-in`)
      await later.page.getByRole('link', { name: 'Use a recovery code' }).click()
      await later.type('E-mail address', FIELDS['E-mail address'])
      await later.type('Recovery code', codes[4] ?? '')
      await later.page.getByRole('button', { name: 'Sign in' }).click()
      await later.page.getByRole('heading', { name: 'Your account' }).waitFor()
      await later.page.getByText('9 recovery codes left.').waitFor()
      await later.close()
    },
  )
})
