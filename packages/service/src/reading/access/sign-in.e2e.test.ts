/**
 * Tests sign-in and sign-out on private sites in Chromium, which enforces its rules for cookies,
 * forms and content policies.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtSite } from '../../../testing/built-site.ts'
import { HAS_CHROMIUM, launchFor } from '../../../testing/panel-site.ts'
import { newReaderSite, READER_NAMES } from '../../../testing/reader-browser.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const PASSWORD = 'correct horse battery'
const PLANTS = {
  'docs.json': JSON.stringify({
    name: 'Plants',
    contextual: { options: ['copy', 'download-spec'] },
    navigation: { tabs: [{ tab: 'API', openapi: 'plants.yaml' }] },
  }),
  'plants.yaml':
    'openapi: 3.1.0\ninfo: { title: Plants, version: "1" }\nservers: [{ url: "https://api.example.com" }]\npaths:\n  /plants:\n    get:\n      summary: List plants\n      x-svc: { metadata: { public: true, playground: auth } }\n      responses: { "200": { description: Plants. } }\n',
}
const folder = mkdtempSync(join(tmpdir(), 'octavo-sign-in-'))
let service: TestService
let browser: Browser

beforeAll(async () => {
  if (!HAS_CHROMIUM) return
  const blobStore = await openFolderStore(folder)
  service = await startTestService({ ...READER_NAMES, blobStore })
  browser = await launchFor(service.port, `MAP 127.0.0.1:8080 127.0.0.1:${service.port}`)
})
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens a browser window, and collects script errors and violations of the content policy. */
async function open(): Promise<{ readonly page: Page; readonly errors: string[] }> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (/policy|refused/i.test(message.text())) errors.push(message.text())
  })
  return { page, errors }
}

const bodyOf = (page: Page) => page.locator('body').innerText()

describe.skipIf(!HAS_CHROMIUM)('sign-in in a browser', () => {
  test('a reader returns to the page after signing in, and signing out clears the stored data', async () => {
    const site = await newReaderSite(service)
    await site.set({ mode: 'password', password: PASSWORD })
    const { page, errors } = await open()
    await page.goto(`${site.origin}/guide`)
    // Anonymous readers see the site's 404 page, which is public.
    expect(await bodyOf(page)).toContain('Nothing is here')
    await page.goto(`${site.origin}/login?to=/guide`)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button').click()
    expect(await page.getByRole('alert').innerText()).toBe('This password is wrong.')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button').click()
    await page.waitForURL(`${site.origin}/guide`)
    expect(await bodyOf(page)).toContain('more private words')
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([
      { name: '__Host-octavo-reader', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
    ])
    const keep = [
      'octavo-assistant',
      'octavo-searches',
      'octavo-credentials https://a',
      'octavo-theme',
    ]
    await page.evaluate((keys) => {
      for (const key of keys) localStorage.setItem(key, 'x')
    }, keep)
    await page.goto(`${site.origin}/logout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await bodyOf(page)).toContain('You are signed out')
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['octavo-theme'])
    expect(await page.context().cookies()).toEqual([])
    await page.goto(`${site.origin}/guide`)
    expect(await bodyOf(page)).not.toContain('private words')
    expect(errors).toEqual([])
  })

  test('pages link to sign-in or sign-out, and only signed-in readers can use the playground', async () => {
    const site = await newReaderSite(service)
    await site.client.deploy(await builtSite(PLANTS))
    await site.set({ mode: 'password', password: PASSWORD })
    const { page, errors } = await open()
    const address = `${site.origin}/api-reference/list-plants`
    const link = page.getByRole('link', { name: 'Sign in' })
    // The host notices the deployment and the password within two seconds.
    const hasSignIn = async () => {
      await page.goto(address)
      await page.waitForTimeout(300)
      return link.isVisible()
    }
    await expect.poll(hasSignIn, { timeout: 20_000 }).toBe(true)
    await link.click()
    expect(await page.locator('.oct-try').count()).toBe(0)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button').click()
    await page.waitForURL(address)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto(address)
    await link.waitFor()
    expect(await page.getByRole('button', { name: 'Try it' }).isVisible()).toBe(false)
    expect(errors).toEqual([])
  })

  test('a page that is still loading shows the playground and downloads nothing', async () => {
    const site = await newReaderSite(service)
    await site.client.deploy(await builtSite(PLANTS))
    await site.set({ mode: 'password', password: PASSWORD })
    const { page, errors } = await open()
    const address = `${site.origin}/api-reference/list-plants`
    await page.goto(`${site.origin}/login?to=/api-reference/list-plants`)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button').click()
    await page.waitForURL(address)
    // Makes the part of the script that waits for the page run after all other parts.
    await page.addInitScript(`
      Object.defineProperty(document, 'readyState', { get: () => 'loading' })
      addEventListener('DOMContentLoaded', (event) => event.stopImmediatePropagation(), { once: true })`)
    await page.goto(address, { waitUntil: 'networkidle' })
    expect(await page.getByRole('button', { name: 'Try it' }).isVisible()).toBe(false)
    expect(await page.locator('.oct-page-menu a[download]').count()).toBe(1)
    await page.evaluate("dispatchEvent(new Event('DOMContentLoaded'))")
    await page.getByRole('link', { name: 'Sign out' }).waitFor()
    expect(await page.getByRole('button', { name: 'Try it' }).isVisible()).toBe(true)
    expect(await page.locator('.oct-page-menu a[download]').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Ask' }).count()).toBe(1)
    expect(errors).toEqual([])
  })

  test('a JWT in the URL fragment does not appear in the history or in requests', async () => {
    const site = await newReaderSite(service)
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwt = { loginUrl: 'https://app.example.com', keys: [await exportSPKI(publicKey)] }
    await site.set({ mode: 'jwt', jwt })
    const token = await new SignJWT({ host: site.host })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setExpirationTime('8s')
      .sign(privateKey)
    const { page, errors } = await open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url(), request.headers().referer ?? ''))
    await page.goto(`${site.origin}/login/jwt-callback?redirect=/guide#${token}`)
    await page.waitForURL(`${site.origin}/guide`)
    expect(await bodyOf(page)).toContain('more private words')
    await page.goBack()
    expect(page.url()).not.toContain(token)
    expect(asked.join()).not.toContain(token)
    expect(errors).toEqual([])
  })

  test('a member who is signed in to the dashboard is signed in to the site automatically', async () => {
    const site = await newReaderSite(service, '/docs')
    await site.set({ mode: 'members' })
    const person = await createPerson(service, site.project, 'owner')
    const { page, errors } = await open()
    const [name = '', value = ''] = person.cookie.split('=')
    await page
      .context()
      .addCookies([{ name, value, url: 'https://127.0.0.1:8080', secure: true, httpOnly: true }])
    await page.goto(`${site.origin}/docs/login?to=/docs/owners`)
    await page.waitForURL(`${site.origin}/docs/owners`)
    expect(await bodyOf(page)).toContain('words for owners')
    expect(errors).toEqual([])
  })
})
