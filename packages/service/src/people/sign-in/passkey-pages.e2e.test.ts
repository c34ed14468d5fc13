/** Tests passkeys in Chromium with its virtual authenticator, at http://localhost. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { CreatedInvitation } from '@octavo/contract'
import { build } from 'esbuild'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningPostgres, startPostgres } from '../../../testing/start-postgres.ts'
import { createTemplate } from '../../../testing/test-database.ts'
import { createPerson, type TestPerson } from '../../../testing/test-people.ts'
import {
  PEPPER,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { createSessions } from '../sessions/sessions.ts'
import { addLoginLink } from '../users/operator-store.ts'
import { formTokenOf } from './forms.ts'

const SCRIPT = join(import.meta.dirname, '../../../../browser/src/dashboard/passkey.ts')
const WAIT = { timeout: 15_000 }

let postgres: RunningPostgres
let service: TestService
let project: TestProject
let browser: Browser
let script: string
let origin: string
const door = createServer((socket) => {
  const inner = connect(service.port, '127.0.0.1')
  socket.pipe(inner).pipe(socket)
  socket.on('error', () => inner.destroy())
  inner.on('error', () => socket.destroy())
})
beforeAll(async () => {
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  origin = `http://localhost:${(door.address() as AddressInfo).port}`
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  await createTemplate(postgres.url)
  service = await startTestService({ url: origin, serverUrl: postgres.url })
  project = await service.createProject()
  await createPerson(service, project, 'owner')
  const bundle = await build({
    stdin: {
      contents: `import { startPasskeys } from ${JSON.stringify(SCRIPT)}; startPasskeys()`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'esm',
  })
  script = bundle.outputFiles[0]?.text ?? ''
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}, 60_000)
afterAll(async () => {
  await browser.close()
  door.close()
  await service.stop()
  await postgres.stop()
})

type Device = {
  readonly page: Page
  readonly context: BrowserContext
  readonly credentials: () => Promise<number>
  readonly setVerified: (isVerified: boolean) => Promise<void>
}

/**
 * Opens a browser with its own authenticator. Serves `script` instead of the dashboard's script.
 */
async function openDevice(): Promise<Device> {
  const context = await browser.newContext()
  await context.route('**/_octavo/dashboard/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    page,
    context,
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    setVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

async function formTokenIn(context: BrowserContext): Promise<string> {
  const cookies = await context.cookies(origin)
  const cookie = cookies.find(({ name }) => name === '__Host-octavo')?.value ?? ''
  const person = await createSessions(service.service.database, PEPPER).find(cookie)
  if (person === undefined) throw new Error('nobody is signed in')
  return formTokenOf(person, PEPPER)
}

/** Signs in with an operator's login link. */
async function signInByLink({ page }: Device, { id }: TestPerson): Promise<void> {
  const token = createToken('link')
  await addLoginLink(service.owner, {
    userId: id,
    hash: PEPPER.hash('sign-in link', token),
    minutes: 5,
  })
  await page.goto(`${origin}/login/${token}`)
  await page.click('button')
  await page.waitForURL(`${origin}/`, WAIT)
}

/** Adds a passkey with the form of the account page. */
async function register({ page, context }: Device, name = 'Laptop'): Promise<void> {
  const token = await formTokenIn(context)
  await page.goto(`${origin}/sign-in?again`)
  const fields = { token, name }
  await page.evaluate(`{
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '/account/passkeys'
    form.dataset.passkeyRegister = ''
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      const field = document.createElement('input')
      form.append(Object.assign(field, { name, value }))
    }
    form.append(Object.assign(document.createElement('button'), { id: 'add' }))
    document.body.append(form)
  }`)
  await page.click('#add')
}

async function signInWithPasskey({ page }: Device, next = '/'): Promise<void> {
  await page.goto(`${origin}/sign-in?again&next=${encodeURIComponent(next)}`)
  await page.click('[data-passkey]')
}

const passkeysOf = ({ id }: TestPerson) =>
  service.owner.query<{ name: string; counter: string; used: boolean }>(
    'select name, counter::text, last_used_at is not null as used from passkey where user_id = $1',
    [id],
  )

async function signedInEmail({ context }: Device): Promise<string | undefined> {
  const cookies = await context.cookies(origin)
  const cookie = cookies.find(({ name }) => name === '__Host-octavo')?.value ?? ''
  return (await createSessions(service.service.database, PEPPER).find(cookie))?.email
}

async function addPasskey(): Promise<{ readonly device: Device; readonly person: TestPerson }> {
  const person = await createPerson(service, project, 'editor')
  const device = await openDevice()
  await signInByLink(device, person)
  await register(device)
  await device.page.waitForURL(`${origin}/account`, WAIT)
  return { device, person }
}

describe('passkeys', () => {
  test('a person can add a passkey on the account page and sign in with it without entering a name', async () => {
    const { device, person } = await addPasskey()
    expect(await passkeysOf(person)).toMatchObject([{ name: 'Laptop', used: false }])
    expect(await device.credentials()).toBe(1)
    await device.context.clearCookies()
    await signInWithPasskey(device, '/projects/x')
    await device.page.waitForURL(`${origin}/projects/x`, WAIT)
    expect(await signedInEmail(device)).toBe(person.email)
    expect(await passkeysOf(person)).toMatchObject([{ used: true }])
    await device.context.close()
  })

  test("a passkey confirms the person's identity for dangerous actions", async () => {
    const { device, person } = await addPasskey()
    await service.owner.query(
      `update user_session set authenticated_at = now() - interval '1 hour' where user_id = $1`,
      [person.id],
    )
    await register(device, 'Second')
    await device.page.waitForSelector('[data-passkey-error]', WAIT)
    expect(await device.page.textContent('[data-passkey-error]')).toContain('Sign in again')
    await signInWithPasskey(device, '/account')
    await device.page.waitForURL(`${origin}/account`, WAIT)
    const reply = await device.page.evaluate(
      async (token) => {
        const body = new URLSearchParams({ token })
        return (await fetch('/account/recovery-codes', { method: 'POST', body })).status
      },
      await formTokenIn(device.context),
    )
    expect(reply).toBe(200)
    await device.context.close()
  })

  test('signing in with a deleted passkey fails', async () => {
    const { device, person } = await addPasskey()
    await service.owner.query('delete from passkey where user_id = $1', [person.id])
    await device.context.clearCookies()
    await signInWithPasskey(device)
    await device.page.waitForSelector('text=not registered with this service', WAIT)
    expect(await signedInEmail(device)).toBeUndefined()
    await device.context.close()
  })

  test('signing in with a passkey of a disabled person fails', async () => {
    const { device, person } = await addPasskey()
    await service.owner.query('update app_user set disabled_at = now() where id = $1', [person.id])
    await device.context.clearCookies()
    await signInWithPasskey(device)
    await device.page.waitForSelector('text=not registered with this service', WAIT)
    await device.context.close()
  })

  test('signing in with a passkey fails without a fingerprint or PIN', async () => {
    const { device } = await addPasskey()
    await device.context.clearCookies()
    await device.setVerified(false)
    await signInWithPasskey(device)
    await device.page.waitForSelector('text=No passkey was used.', WAIT)
    expect(await signedInEmail(device)).toBeUndefined()
    await device.context.close()
  })

  test('a passkey works once per challenge, and only in the browser that requested it', async () => {
    const { device, person } = await addPasskey()
    await device.context.clearCookies()
    await device.page.goto(`${origin}/sign-in`)
    const credential = await device.page.evaluate<string>(`(async () => {
      const options = await (await fetch('/sign-in/passkey/options', { method: 'POST' })).json()
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
      return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON())
    })()`)
    const cookies = await device.context.cookies(origin)
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const send = async (headers: Record<string, string>) => {
      const response = await fetch(`${service.url}/sign-in/passkey`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ credential, next: '/' }).toString(),
      })
      return response.status
    }
    expect(await send({})).toBe(403)
    const other = await fetch(`${service.url}/sign-in/passkey/options`, {
      method: 'POST',
      headers: { origin },
    })
    const otherCookie = other.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await send({ cookie: otherCookie })).toBe(403)
    expect(await send({ cookie, origin: 'https://evil.example' })).toBe(403)
    expect(await send({ cookie })).toBe(303)
    expect(await send({ cookie })).toBe(403)
    expect(await passkeysOf(person)).toHaveLength(1)
    await device.context.close()
  })
})

test('an invited person must add a passkey first, and signs in with it later', async () => {
  const admin = await createPerson(service, project, 'owner')
  const email = 'mei@example.com'
  const invited = await fetch(`${service.url}/v1/projects/${project.publicId}/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, role: 'viewer' }),
  })
  const { url = '' } = (await invited.json()) as CreatedInvitation
  const device = await openDevice()
  const { page } = device
  await page.goto(url)
  await page.getByLabel('Your name').fill('Mei Tanaka')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'Choose how to sign in next time' }).waitFor(WAIT)
  expect(await page.getByText('This browser does not support passkeys').isVisible()).toBe(false)

  // At first, the authenticator refuses. The page must not show the browser's raw error.
  await device.setVerified(false)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForSelector('[data-passkey-error]', WAIT)
  expect(await page.textContent('[data-passkey-error]')).toBe('No passkey was used.')
  await page.goto(`${origin}/account`)
  expect(new URL(page.url()).pathname).toBe('/keep-access')

  await device.setVerified(true)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.waitForURL(`${origin}/account`, WAIT)
  expect(await device.credentials()).toBe(1)
  await device.context.clearCookies()
  await signInWithPasskey(device, '/account')
  await page.waitForURL(`${origin}/account`, WAIT)
  expect(await signedInEmail(device)).toBe(email)
  await device.context.close()
})

describe('recovery codes', () => {
  async function createCodes(person: TestPerson): Promise<readonly string[]> {
    const found = await createSessions(service.service.database, PEPPER).find(
      person.cookie.replace(/^[^=]+=/, ''),
    )
    if (found === undefined) throw new Error('nobody is signed in')
    const token = formTokenOf(found, PEPPER)
    const page = await fetch(`${service.url}/account/recovery-codes`, {
      method: 'POST',
      headers: {
        origin,
        cookie: person.cookie,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token }).toString(),
    })
    return (await page.text()).match(/(?:[A-Z\d]{4}-){3}[A-Z\d]{4}/g) ?? []
  }

  async function recover(email: string, code: string): Promise<number> {
    const reply = await fetch(`${service.url}/sign-in/recovery`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email, code }).toString(),
    })
    return reply.status
  }

  test('ten recovery codes work once each, and new ones replace them', async () => {
    const person = await createPerson(service, project, 'viewer')
    const other = await createPerson(service, project, 'viewer')
    const codes = await createCodes(person)
    expect(new Set(codes).size).toBe(10)
    const [first = '', second = '', third = ''] = codes
    expect(await recover(other.email, first)).toBe(403)
    expect(await recover(person.email, ` ${first.toLowerCase().replaceAll('-', ' ')}`)).toBe(303)
    expect(await recover(person.email, first)).toBe(403)
    expect(await recover(person.email, second)).toBe(303)
    await createCodes(person)
    expect(await recover(person.email, third)).toBe(403)
    const rows = JSON.stringify(await service.owner.query('select * from recovery_code'))
    for (const code of codes) expect(rows).not.toContain(code)
  })

  test('recovery codes can be tried at most ten times per hour', async () => {
    const person = await createPerson(service, project, 'viewer')
    const replies: number[] = []
    for (let count = 0; count < 11; count += 1) replies.push(await recover(person.email, 'x'))
    expect(replies).toEqual([...Array(10).fill(403), 429])
  })
})

test('a command line session cannot add a passkey, and an anonymous caller cannot list passkeys', async () => {
  const person = await createPerson(service, project, 'owner')
  const call = (path: string, method: string, token?: string) =>
    fetch(service.url + path, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  expect((await call('/v1/me/passkeys', 'GET', person.token)).status).toBe(200)
  expect((await call('/v1/me/passkeys/options', 'POST', person.token)).status).toBe(403)
  expect((await call('/v1/me/recovery-codes', 'POST', person.token)).status).toBe(403)
  expect((await call('/v1/me/passkeys', 'GET')).status).toBe(401)
})
