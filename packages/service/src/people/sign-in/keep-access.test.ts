/**
 * Tests that a person whose account was created by a link has to add a sign-in method, in a browser
 * and on the command line.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreatedInvitation } from '@octavo/contract'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSoftwarePasskey } from '../../../testing/software-passkey.ts'
import { ORIGIN, openTestBrowser, type TestBrowser } from '../../../testing/test-browser.ts'
import { createPerson } from '../../../testing/test-people.ts'
import { PEPPER, startTestService, type TestService } from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createSessions } from '../sessions/sessions.ts'
import { NO_SIGN_IN, type ProviderSettings, type SignInSettings } from '../sign-in-settings.ts'

const EMAIL = 'amara@example.com'
const FIELDS = { name: 'Amara', email: EMAIL, organization: 'Greenhouse', project: 'Sensors' }
const folder = mkdtempSync(join(tmpdir(), 'octavo-keep-access-'))
const blobStore = await openFolderStore(folder)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const CODE = /\b(?:[A-Z\d]{4}-){3}[A-Z\d]{4}\b/g

type Owner = { readonly browser: TestBrowser; readonly project: string }

/** Submits the setup form, and returns the browser of the first owner. */
async function setUp(service: TestService): Promise<Owner> {
  const browser = openTestBrowser(service)
  const { pathname } = new URL((await service.service.createSetupLink()) ?? '')
  return { browser, project: (await browser.visit(pathname, { form: FIELDS })).location }
}

const tokenOf = async (browser: TestBrowser) =>
  /name="token" value="([^"]+)"/.exec((await browser.visit('/keep-access')).text)?.[1] ?? ''

/** Shows new codes without confirming that they are saved. */
async function showCodes(browser: TestBrowser): Promise<readonly string[]> {
  const form = { token: await tokenOf(browser), next: '/' }
  return (await browser.visit('/keep-access/codes', { form })).text.match(CODE) ?? []
}

const uniqueOf = (codes: readonly string[]) => [...new Set(codes)]

async function sendSaved(browser: TestBrowser, form: Record<string, string>) {
  return browser.visit('/keep-access/saved', {
    form: { token: await tokenOf(browser), next: '/', ...form },
  })
}

async function signInWithCode(service: TestService, code: string, email = EMAIL) {
  const browser = openTestBrowser(service)
  const { status } = await browser.visit('/sign-in/recovery', { form: { email, code } })
  return { browser, status }
}

describe('the first owner', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startTestService({ url: ORIGIN, blobStore })
    return () => service.stop()
  })

  test('the first owner must add a sign-in method before opening any other page', async () => {
    const { browser, project } = await setUp(service)
    const paths = ['/', project, `${project}/keys`, '/account', '/device', '/organizations/org_x']
    for (const path of paths) {
      const { status, location } = await browser.visit(path)
      const next = path === '/' ? '' : `?next=${encodeURIComponent(path)}`
      expect([status, location]).toEqual([303, `/keep-access${next}`])
    }
    const token = await tokenOf(browser)
    const created = await browser.visit('/', { form: { token, name: 'Another' } })
    expect(created.location).toBe('/keep-access')
    expect(await service.owner.query('select from project')).toHaveLength(1)
    for (let count = 0; count < 3; count += 1) {
      const page = await browser.visit('/keep-access')
      expect(page.status).toBe(200)
      expect(page.text).toContain('Add a passkey')
      expect(page.text).toContain('Show recovery codes')
    }
  })

  test('the API rejects command line requests of the first owner until there is a sign-in method', async () => {
    const { project } = await setUp(service)
    const [person] = await service.owner.query<{ id: string }>('select id::text from app_user')
    const sessions = createSessions(service.service.database, PEPPER)
    const token = await sessions.begin(
      { userId: person?.id ?? '', isVerified: true },
      {
        method: 'command-line',
        kind: 'command-line',
        userAgent: 'test',
        clientAddress: undefined,
      },
    )
    const call = (path: string) =>
      fetch(`${service.url}/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
    const refused = await call(project)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('Open /keep-access'),
    })
    expect((await call('/me')).status).toBe(200)
    const { browser } = await signInWithCode(service, '')
    expect(await browser.isSignedIn()).toBe(false)
  })

  test('the first owner adds a passkey, continues to the project, and signs in with it', async () => {
    const { browser, project } = await setUp(service)
    const token = await tokenOf(browser)
    const passkey = createSoftwarePasskey(ORIGIN)
    const options = await browser.visit('/account/passkeys/options', { form: { token } })
    const credential = JSON.stringify(passkey.register(JSON.parse(options.text)))
    const form = { token, credential, next: project, name: 'Chrome on Linux' }
    expect((await browser.visit('/account/passkeys', { form })).location).toBe(project)
    expect((await browser.visit(project)).status).toBe(200)
    expect((await browser.visit('/keep-access')).location).toBe('/')

    const later = openTestBrowser(service)
    const loginOptions = await later.visit('/sign-in/passkey/options', { form: {} })
    const answer = JSON.stringify(passkey.authenticate(JSON.parse(loginOptions.text)))
    await later.visit('/sign-in/passkey', { form: { credential: answer, next: project } })
    expect((await later.visit(project)).status).toBe(200)
  })

  test('the first owner saves recovery codes and signs in with each of them once', async () => {
    const { browser, project } = await setUp(service)
    const codes = uniqueOf(await showCodes(browser))
    expect(codes).toHaveLength(10)
    const saved = await sendSaved(browser, { code: codes[0] ?? '', saved: 'yes', next: project })
    expect([saved.status, saved.location]).toEqual([303, project])
    expect((await browser.visit(project)).status).toBe(200)

    const later = await signInWithCode(service, codes[3]?.toLowerCase() ?? '')
    expect(later.status).toBe(303)
    expect((await later.browser.visit(project)).status).toBe(200)
    expect((await signInWithCode(service, codes[3] ?? '')).status).toBe(403)
    expect((await signInWithCode(service, 'AAAA-AAAA-AAAA-AAAA')).status).toBe(403)
    expect((await signInWithCode(service, codes[4] ?? '', 'other@example.com')).status).toBe(403)
    expect((await signInWithCode(service, codes[4] ?? '')).status).toBe(303)
  })

  test('recovery codes that were shown but not confirmed as saved do not open the dashboard', async () => {
    const { browser, project } = await setUp(service)
    const [code = ''] = await showCodes(browser)
    expect((await browser.visit(project)).status).toBe(303)
    const unticked = await sendSaved(browser, { code })
    expect(unticked.status).toBe(422)
    expect(unticked.text).toContain('Confirm that you saved the codes')
    const guessed = await sendSaved(browser, { code: 'AAAA-AAAA-AAAA-AAAA', saved: 'yes' })
    expect(guessed.status).toBe(409)
    expect((await browser.visit(project)).status).toBe(303)
  })

  test('new recovery codes replace codes that were not confirmed as saved', async () => {
    const { browser, project } = await setUp(service)
    const [old = ''] = await showCodes(browser)
    const [fresh = ''] = await showCodes(browser)
    expect((await signInWithCode(service, old)).status).toBe(403)
    const refused = await sendSaved(browser, { code: old, saved: 'yes' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('These codes were replaced')
    expect((await browser.visit(project)).status).toBe(303)
    expect((await sendSaved(browser, { code: fresh, saved: 'yes' })).status).toBe(303)
    expect((await browser.visit(project)).status).toBe(200)
  })

  test('using a recovery code marks all codes as saved, and using the last one requires a new method', async () => {
    const { browser, project } = await setUp(service)
    const codes = uniqueOf(await showCodes(browser))
    const last = codes.pop() ?? ''
    for (const code of codes) {
      await service.owner.query('delete from sign_in_count')
      const later = await signInWithCode(service, code)
      expect((await later.browser.visit(project)).status).toBe(200)
    }
    await service.owner.query('delete from sign_in_count')
    const later = await signInWithCode(service, last)
    expect((await later.browser.visit(project)).status).toBe(303)
    expect((await later.browser.visit('/keep-access')).status).toBe(200)
  })

  test('only the first sign-in method can be added without a recent sign-in', async () => {
    const { browser } = await setUp(service)
    const age = () =>
      service.owner.query(`update user_session set authenticated_at = now() - interval '3 hours'`)
    await age()
    const [code = ''] = await showCodes(browser)
    expect((await sendSaved(browser, { code, saved: 'yes' })).status).toBe(303)
    const account = await browser.visit('/account')
    const token = /name="token" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
    const again = await browser.visit('/account/recovery-codes', { form: { token } })
    expect(again.status).toBe(403)
    expect(again.text).not.toMatch(CODE)
  })

  test("forms without the session's token are rejected", async () => {
    const { browser } = await setUp(service)
    const [code = ''] = await showCodes(browser)
    for (const path of ['/keep-access/codes', '/keep-access/saved'])
      expect((await browser.visit(path, { form: { code, saved: 'yes' } })).status).toBe(403)
    const stranger = openTestBrowser(service)
    expect((await stranger.visit('/keep-access/codes', { form: {} })).status).toBe(401)
    expect((await stranger.visit('/keep-access')).location).toBe('/sign-in?next=%2Fkeep-access')
  })
})

describe('people who signed in with a link', () => {
  const service = startTestService({ url: ORIGIN, blobStore })
  afterAll(async () => (await service).stop())

  test('an invited person can continue after saving recovery codes if the service sends no e-mail', async () => {
    const at = await service
    const project = await at.createProject()
    const admin = await createPerson(at, project, 'owner')
    const invited = await fetch(`${at.url}/v1/projects/${project.publicId}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'mei@example.com', role: 'viewer' }),
    })
    const { url } = (await invited.json()) as CreatedInvitation
    const browser = openTestBrowser(at)
    await browser.visit(new URL(url ?? '').pathname, { form: {} })
    expect((await browser.visit('/')).location).toBe('/keep-access')
    const [code = ''] = await showCodes(browser)
    await sendSaved(browser, { code, saved: 'yes' })
    expect((await browser.visit('/')).status).toBe(200)
    expect((await signInWithCode(at, code, 'mei@example.com')).status).toBe(303)
  })

  test('after a login link, pages offer to add a sign-in method until there is one', async () => {
    const at = await service
    const project = await at.createProject()
    const { email } = await createPerson(at, project, 'owner')
    const lines: string[] = []
    const print = (line: string) => lines.push(line)
    await runCommand(['login-link', email], { settings: at.settings, print, now: Date.now })
    const browser = openTestBrowser(at)
    await browser.visit(new URL(lines.at(-1) ?? '').pathname, { form: {} })
    const paths = ['/', '/account', `/projects/${project.publicId}`]
    for (const path of paths) {
      const { status, text } = await browser.visit(path)
      expect([path, status, text.includes('href="/keep-access')]).toEqual([path, 200, true])
    }
    expect((await browser.visit('/keep-access')).text).toContain('Not now')
    const [code = ''] = await showCodes(browser)
    await sendSaved(browser, { code, saved: 'yes' })
    for (const path of paths) expect((await browser.visit(path)).text).not.toContain('keep-access')
  })
})

describe('sign-in settings of the operator', () => {
  const PROVIDER: ProviderSettings = {
    id: 'work',
    name: 'Work',
    issuer: 'https://id.example.com',
    clientId: 'octavo',
    clientSecret: undefined,
    scopes: [],
    allowedDomains: [],
    emailVerifiedClaim: 'email_verified',
    groupsClaim: 'groups',
    roles: [],
    newPeople: false,
  }
  const MAIL = { smtpUrl: 'smtp://127.0.0.1:1', from: 'octavo@example.com' }

  async function open(settings: Partial<SignInSettings>, url = ORIGIN) {
    const service = await startTestService({
      url,
      blobStore,
      signIn: { ...NO_SIGN_IN, ...settings },
    })
    try {
      const { browser, project } = await setUp(service)
      return {
        signIn: (await openTestBrowser(service).visit('/sign-in')).text,
        first: await browser.visit(project),
        page: (await browser.visit('/keep-access')).text,
      }
    } finally {
      await service.stop()
    }
  }

  test('if the service sends e-mail, the address itself is a sign-in method', async () => {
    const { first, signIn } = await open({ mail: MAIL })
    expect(first.status).toBe(200)
    expect(signIn).toContain('Send me a code')
    expect(signIn).toContain('href="/sign-in/recovery"')
  })

  test('the page for adding a sign-in method offers providers, passkeys and recovery codes', async () => {
    const { first, page, signIn } = await open({ providers: [PROVIDER] })
    expect(first.status).toBe(303)
    for (const text of ['Continue with Work', 'Add a passkey', 'Show recovery codes'])
      expect(page).toContain(text)
    expect(signIn).toContain('Continue with Work')
    expect(signIn).not.toContain('Send me a code')
  })

  test('with OIDC only, the pages offer only identity providers', async () => {
    const { page, signIn } = await open({ providers: [PROVIDER], isOidcOnly: true, mail: MAIL })
    expect(page).toContain('Continue with Work')
    expect(page).not.toMatch(/passkey|recovery codes/i)
    expect(signIn).not.toMatch(/passkey|recovery|Send me a code/i)
  })

  test('if the service has an IP address as host, sign-in explains why passkeys are not available', async () => {
    const service = await startTestService({ url: 'http://127.0.0.1:8080' })
    const reply = await fetch(`${service.url}/sign-in`, { headers: { host: '127.0.0.1:8080' } })
    const signIn = await reply.text()
    await service.stop()
    expect(signIn).toContain('Passkeys need a host name, such as octavo.localhost.')
    expect(signIn).not.toContain('data-passkey')
    expect(signIn).toContain('Use a recovery code')
  })
})
