/**
 * Tests the main tasks of an owner in Chromium with the keyboard only: set up and sign in, create a
 * key and a project, roll back, turn a conversation into a gap, and save settings.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { GARDEN } from '../../../testing/assistant-site.ts'
import { type Keyboard, openKeyboard } from '../../../testing/keyboard.ts'
import { HAS_CHROMIUM, openPage } from '../../../testing/panel-site.ts'
import { type HostedProject, type Hosting, startHosting } from '../../../testing/start-hosting.ts'

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
let page: Page
let keyboard: Keyboard
let codes: readonly string[]

beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  folder = mkdtempSync(join(tmpdir(), 'octavo-keyboard-'))
  for (const [name, text] of Object.entries(GARDEN)) writeFileSync(join(folder, name), text)
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const lines: string[] = []
  hosting = await startHosting({ onLine: (line) => lines.push(line) })
  await hosting.start('all')
  const find = () => /http:\/\/\S+\/setup\/\w+/.exec(lines.join('\n'))?.[0]
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  keyboard = openKeyboard(page)
  await page.goto((await vi.waitUntil(find, { timeout: 20_000 })) ?? '')
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await hosting?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const mainButton = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name })

async function deployTwice(adminKey: string): Promise<void> {
  const projectId = new URL(page.url()).pathname.split('/')[2] ?? ''
  const project: HostedProject = { slug: 'garden-docs', projectId, adminKey, host: '' }
  for (let count = 0; count < 2; count += 1)
    expect(await hosting.octavo(project, 'deploy', folder)).toMatchObject({ code: 0 })
}

async function askAsReader(): Promise<void> {
  const { port } = new URL(hosting.url)
  const reader = await openPage(browser, `http://garden-docs.sites.localhost:${port}/water`)
  await reader.open()
  await reader.ask(QUESTION)
  await reader.page.context().close()
}

describe.skipIf(!HAS_CHROMIUM)('the dashboard with the keyboard only', () => {
  test('an owner sets up the service and saves recovery codes with the keyboard', async () => {
    for (const [label, text] of Object.entries(FIELDS)) await keyboard.type(label, text)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose how to sign in next time' }).waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Show recovery codes' }))
    codes = (await page.locator('#codes').innerText()).split('\n')
    await keyboard.press(page.getByLabel('I saved these codes'), 'Space')
    await keyboard.press(page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('heading', { name: 'Garden docs' }).waitFor()
  })

  test('an owner signs out and in again with the keyboard', async () => {
    await keyboard.press(page.locator('summary').filter({ hasText: FIELDS['Your name'] }))
    await keyboard.press(page.getByRole('button', { name: 'Sign out' }))
    await keyboard.press(page.getByRole('link', { name: 'Use a recovery code' }))
    await keyboard.type('E-mail address', FIELDS['E-mail address'])
    await keyboard.type('Recovery code', codes[2] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  test('an owner opens a project, creates a key and rolls back with the keyboard', async () => {
    await keyboard.press(page.getByRole('link', { name: 'Octavo, all projects' }))
    await keyboard.press(page.getByRole('link', { name: 'Garden docs', exact: true }))
    await page.getByRole('heading', { name: 'Garden docs' }).waitFor()
    await keyboard.open('API keys')
    await keyboard.type('Name', 'Keyboard')
    await keyboard.press(page.getByLabel('Deploy, publish and roll back'), 'Space')
    await keyboard.press(page.getByRole('button', { name: 'Create key' }))
    await deployTwice(await page.getByLabel('Key', { exact: true }).inputValue())

    await keyboard.open('Deployments')
    await keyboard.press(page.getByRole('row').nth(2).locator('summary'))
    await keyboard.press(page.getByRole('link', { name: /Roll back|Publish/ }).last())
    await keyboard.press(mainButton(/Roll back|Publish/))
    await page.getByRole('main').getByText('Live', { exact: true }).first().waitFor()
  })

  test('Escape closes a menu, and the focus stays on its button', async () => {
    await keyboard.open('Deployments')
    const menu = page.getByRole('row').nth(1).locator('details')
    await keyboard.press(menu.locator('summary'))
    expect(await menu.getByRole('link', { name: 'Details' }).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await menu.getByRole('link', { name: 'Details' }).isVisible()).toBe(false)
    expect(await menu.locator('summary').and(page.locator(':focus')).count()).toBe(1)
  })

  test('an owner finds a conversation and creates a gap from it with the keyboard', async () => {
    await askAsReader()
    await keyboard.open('Conversations')
    await keyboard.type('Text', 'hose')
    await page.keyboard.press('Enter')
    await page.waitForURL('**text=hose**')
    await keyboard.press(page.getByRole('link', { name: QUESTION }))
    await page.getByText('Turn on the hose with').first().waitFor()
    await keyboard.press(mainButton('Create a gap'))
    await mainButton('Create a gap').waitFor({ state: 'detached' })
    await keyboard.open('Gaps')
    await page.getByRole('main').getByText(QUESTION).first().waitFor()
  })

  test('an owner saves settings with the keyboard', async () => {
    await keyboard.open('Settings')
    await keyboard.type('Name', 'Herb garden')
    await keyboard.press(page.locator('#general').getByRole('button', { name: 'Save' }))
    await page.getByText('The settings were saved.').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Herb garden')
  })

  test('an owner creates a project with the keyboard', async () => {
    await keyboard.press(page.getByRole('link', { name: 'Octavo, all projects' }))
    await keyboard.press(page.getByRole('link', { name: 'New project' }))
    await keyboard.type('Name', 'Vegetables')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Vegetables' }).waitFor()
  })
})
