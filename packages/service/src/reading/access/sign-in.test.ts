/** Tests signing in to private sites with a password, and signing out. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectSafe,
  newReaderSite,
  OPEN_REDIRECTS,
  openReaderBrowser,
  READER_NAMES,
  type ReaderBrowser,
  type ReaderSite,
} from '../../../testing/reader-browser.ts'
import { siteOf } from '../../../testing/test-deployment.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { READER_COOKIE } from './find-reader.ts'

const PASSWORD = 'correct horse battery'
const folder = mkdtempSync(join(tmpdir(), 'octavo-readers-'))
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...READER_NAMES,
    blobStore: await openFolderStore(folder),
    trustedProxies: ['127.0.0.1/32'],
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

let network = 0
/** Returns a header with a different network for each call, to avoid rate limits. */
const from = () => {
  network += 1
  return { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` }
}

const logIn = (browser: ReaderBrowser, password = PASSWORD, to = '') =>
  browser.visit(`/login${to && `?to=${encodeURIComponent(to)}`}`, {
    form: { password },
    headers: from(),
  })

const tokenOf = (browser: ReaderBrowser) => browser.cookies.get(READER_COOKIE)

describe('sign-in with a password', () => {
  let site: ReaderSite
  /** The browser of a reader who is signed in. */
  let reader: ReaderBrowser
  beforeAll(async () => {
    site = await newReaderSite(service)
    await site.set({ mode: 'password', password: PASSWORD, sessionHours: 2 })
    reader = site.browse()
    await logIn(reader)
  })

  test('a password signs the browser in at this host only and leads to the requested page', async () => {
    const browser = site.browse()
    expect(await browser.hasSiteAccess()).toBe(false)
    const form = await browser.visit('/login?to=%2Fguide%3Fa%3D1')
    expect(form.text).toContain('action="/login?to=%2Fguide%3Fa%3D1"')
    expectSafe(form)
    const done = await logIn(browser, PASSWORD, '/guide?a=1')
    expect([done.status, done.location]).toEqual([303, '/guide?a=1'])
    expectSafe(done)
    expect(done.cookies[0]).toContain('; Max-Age=7200')
    expect(await browser.hasSiteAccess()).toBe(true)
    expect((await browser.visit('/login?to=/guide')).location).toBe('/guide')
    const other = await newReaderSite(service)
    await other.set({ mode: 'password', password: PASSWORD })
    const stolen = other.browse()
    stolen.cookies.set(READER_COOKIE, tokenOf(browser) ?? '')
    expect(await stolen.hasSiteAccess()).toBe(false)
  })

  test('the sign-in page shows the name and the logo of the site, but no other file', async () => {
    const branded = await newReaderSite(service)
    await branded.set({ mode: 'password', password: PASSWORD })
    expect((await branded.browse().visit('/login')).text).toContain(`${branded.host} is private`)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>canary()</script></svg>'
    const deploy = async (logo: string) => {
      const brand = { name: 'Garden <docs>', logo: { light: logo, dark: logo } }
      await branded.client.deploy(
        siteOf(
          { 'index.html': 'private words', 'logo.svg': svg, 'big.svg': 'x'.repeat(65_537) },
          { brand },
        ),
      )
    }
    const shows = async (text: string) =>
      expect
        .poll(async () => (await branded.browse().visit('/login')).text, { timeout: 10_000 })
        .toContain(text)
    await deploy('logo.svg')
    const image = `src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}"`
    await shows(image)
    const page = await branded.browse().visit('/login')
    expect(page.text).toContain('Garden &lt;docs&gt;')
    expect(page.headers['content-security-policy']).toContain('img-src data:')
    expectSafe(page)
    // The logo file itself stays private.
    expect((await branded.browse().visit('/logo.svg')).status).toBe(302)
    for (const wrong of ['index.html', 'big.svg', 'gone.svg']) {
      await deploy(wrong)
      await expect
        .poll(async () => (await branded.browse().visit('/login')).text, { timeout: 10_000 })
        .not.toContain(image)
      const { text } = await branded.browse().visit('/login')
      expect(text).toContain('Garden &lt;docs&gt;')
      expect(text).not.toContain('data:')
    }
  })

  test.each([
    '',
    'correct horse batter',
    'Correct horse battery',
    `${PASSWORD} `,
    'x'.repeat(201),
    '\0',
  ])('the wrong password %j is rejected', async (password) => {
    const browser = site.browse()
    const refused = await logIn(browser, password)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('This password is wrong.')
    expectSafe(refused)
    expect(tokenOf(browser)).toBeUndefined()
  })

  test.each(OPEN_REDIRECTS)('sign-in never redirects to %j', async (to) => {
    const path = `/login?to=${encodeURIComponent(to)}`
    expect((await site.browse().visit(path)).text).toContain('action="/login?to=%2F"')
    expect((await reader.visit(path)).location).toBe('/')
  })

  test.each(['/login', '/logout', '/login/code?code=x', `/${'x'.repeat(1_000)}`])(
    'sign-in redirects to the start page instead of %s',
    async (to) => {
      expect((await reader.visit(`/login?to=${encodeURIComponent(to)}`)).location).toBe('/')
    },
  )

  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }],
    ['a frame without an origin', { origin: 'null', 'sec-fetch-site': '' }],
    ['a program without an origin', { origin: '', 'sec-fetch-site': '' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['the same host with another scheme', { origin: 'https://{host}', 'sec-fetch-site': '' }],
  ])('a sign-in form sent from %s is rejected', async (_, headers) => {
    const browser = site.browse()
    const sent = Object.entries(headers).map(([k, v]) => [k, v.replace('{host}', site.host)])
    const refused = await browser.visit('/login', {
      form: { password: PASSWORD },
      headers: { ...from(), ...Object.fromEntries(sent) },
    })
    expect(refused.status).toBe(403)
    expect(tokenOf(browser)).toBeUndefined()
  })

  test('sign-in works behind a proxy that changes the host, because the browser reports the origin', async () => {
    const browser = site.browse()
    const headers = { ...from(), origin: 'https://example.com', 'sec-fetch-site': 'same-origin' }
    const done = await browser.visit('/login', { form: { password: PASSWORD }, headers })
    expect(done.status).toBe(303)
    expect(await browser.hasSiteAccess()).toBe(true)
  })

  test('a password is only accepted if it was sent with a form', async () => {
    const browser = site.browse()
    const json = await browser.visit('/login', {
      body: JSON.stringify({ password: PASSWORD }),
      headers: { ...from(), 'content-type': 'application/json' },
    })
    expect(json.status).toBe(400)
    const inQuery = await browser.visit(`/login?password=${encodeURIComponent(PASSWORD)}`)
    expect(inQuery.status).toBe(200)
    const large = await browser.visit('/login', { form: { password: 'x'.repeat(17_000) } })
    expect(large.status).toBe(413)
    expect((await browser.visit('/login', { method: 'PUT' })).status).toBe(405)
    expect(tokenOf(browser)).toBeUndefined()
  })

  test('a network can send 20 wrong passwords per hour, and correct ones do not count', async () => {
    const own = await newReaderSite(service)
    await own.set({ mode: 'password', password: PASSWORD })
    const headers = from()
    const send = (password: string, more = headers) =>
      own.browse().visit('/login', { form: { password }, headers: more })
    for (let count = 0; count < 20; count += 1) {
      if (count % 5 === 0) expect((await send(PASSWORD)).status).toBe(303)
      expect((await send('wrong password')).status).toBe(403)
    }
    const refused = await send(PASSWORD)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
    expect((await send(PASSWORD, from())).status).toBe(303)
    const elsewhere = site.browse().visit('/login', { form: { password: PASSWORD }, headers })
    expect((await elsewhere).status).toBe(303)
  })

  test('signing in always starts a new session and ends the previous one', async () => {
    const [victim, mallory] = [site.browse(), site.browse()]
    await logIn(mallory)
    const planted = tokenOf(mallory) ?? ''
    victim.cookies.set(READER_COOKIE, planted)
    await logIn(victim)
    expect(tokenOf(victim)).not.toBe(planted)
    expect(await victim.hasSiteAccess()).toBe(true)
    await expect.poll(() => mallory.hasSiteAccess(), { timeout: 10_000 }).toBe(false)
  })

  test('a session cookie that is malformed or sent twice is rejected', async () => {
    const browser = site.browse()
    await logIn(browser)
    const token = tokenOf(browser) ?? ''
    const cookie = (value: string) =>
      openReaderBrowser(service.port, site.host).visit('/guide', { headers: { cookie: value } })
    expect((await cookie(`${READER_COOKIE}=${token}`)).status).toBe(200)
    for (const wrong of [
      `${READER_COOKIE}=${token}; ${READER_COOKIE}=${token}`,
      `${READER_COOKIE}=x; ${READER_COOKIE}=${token}`,
      `octavo-reader=${token}`,
      `${READER_COOKIE}=${token}x`,
      `${READER_COOKIE}=${token.slice(0, -1)}`,
      `${READER_COOKIE}=${token.toLowerCase()}`,
    ])
      expect((await cookie(wrong)).text).not.toContain('private words')
  })

  test('sign-in works below a base path and never redirects outside of it', async () => {
    const below = await newReaderSite(service, '/docs')
    await below.set({ mode: 'password', password: PASSWORD })
    const browser = below.browse()
    const form = await browser.visit('/docs/login?to=/docs/guide')
    expect(form.text).toContain('action="/docs/login?to=%2Fdocs%2Fguide"')
    const send = (to: string) =>
      browser.visit(`/docs/login?to=${to}`, { form: { password: PASSWORD }, headers: from() })
    expect((await send('/docs/guide')).location).toBe('/docs/guide')
    for (const to of ['/admin', '/docsx', '/docs/../admin', '/', '/docs/login'])
      expect((await send(to)).location).toBe('/docs/')
    expect(await browser.hasSiteAccess('/docs/guide')).toBe(true)
    expect((await browser.visit('/login', { form: { password: PASSWORD } })).status).not.toBe(303)
  })

  test('the start page of a private site redirects to sign-in, and other private pages get 404', async () => {
    const anonymous = site.browse()
    const start = await anonymous.visit('/')
    expect([start.status, start.location]).toEqual([302, '/login?to=%2F'])
    expect((await anonymous.visit('/news')).text).toContain('public words')
    expect((await anonymous.visit('/guide')).status).toBe(404)
  })

  test('a site only has pages for its own sign-in method, and a public site has none', async () => {
    const open = await newReaderSite(service)
    for (const path of ['/login/code?code=x', '/login/callback', '/login/jwt-callback', '/login/x'])
      expect([404, 302]).toContain((await site.browse().visit(path)).status)
    for (const path of ['/login', '/logout'])
      expect((await open.browse().visit(path)).status).toBe(404)
    expect((await open.browse().visit('/login', { form: { password: PASSWORD } })).status).toBe(405)
  })
})

describe('sign-out', () => {
  let site: ReaderSite
  beforeAll(async () => {
    site = await newReaderSite(service)
    await site.set({ mode: 'password', password: PASSWORD })
  })

  test("sign-out asks for confirmation, ends the session and clears the browser's cache", async () => {
    const browser = site.browse()
    await logIn(browser)
    const token = tokenOf(browser) ?? ''
    const confirmation = await browser.visit('/logout')
    expect(confirmation.text).toContain('Sign out?')
    expect(await browser.hasSiteAccess()).toBe(true)
    const done = await browser.visit('/logout', { form: {} })
    expectSafe(done)
    expect(done.headers['clear-site-data']).toBe('"cache"')
    expect(done.text).toContain('octavo-assistant')
    expect(tokenOf(browser)).toBeUndefined()
    browser.cookies.set(READER_COOKIE, token)
    expect(await browser.hasSiteAccess()).toBe(false)
    expect((await browser.visit('/logout', { form: {} })).status).toBe(200)
  })

  test('a sign-out form sent from another site is rejected', async () => {
    const browser = site.browse()
    await logIn(browser)
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.visit('/logout', { form: {}, headers })).status).toBe(403)
    expect(await browser.hasSiteAccess()).toBe(true)
  })
})
