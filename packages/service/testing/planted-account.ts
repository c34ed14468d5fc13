/** Creates every kind of credential with which a person can sign in again later. */
import type { DeviceReply, DeviceTokenReply, Me } from '@octavo/contract'
import { createSoftwarePasskey, type SoftwarePasskey } from './software-passkey.ts'
import { ORIGIN, openTestBrowser, type TestBrowser, type Visit } from './test-browser.ts'
import type { TestService } from './test-service.ts'

type At = Pick<TestService, 'url'>

export type Credentials = {
  readonly browser: TestBrowser
  readonly passkey: SoftwarePasskey
  readonly recoveryCodes: readonly string[]
  readonly commandLine: string
  /** The code of a command-line sign-in that was approved but has not fetched its token yet. */
  readonly deviceCode: string
}

/** Creates one credential of each kind through the pages and the API. */
export async function makeCredentials(at: At, browser: TestBrowser): Promise<Credentials> {
  const first = await browser.visit('/account')
  const account = first.status === 200 ? first : await browser.visit('/keep-access')
  const token = /name="token" value="([^"]+)"/.exec(account.text)?.[1] ?? ''
  const codes = await browser.visit('/account/recovery-codes', { form: { token } })
  const passkey = createSoftwarePasskey(ORIGIN)
  const options = await browser.visit('/account/passkeys/options', { form: { token } })
  const credential = JSON.stringify(passkey.register(JSON.parse(options.text)))
  const added = await browser.visit('/account/passkeys', { form: { token, credential } })
  if (added.location !== '/account') throw new Error(`the passkey was not added: ${added.text}`)

  async function allowDevice(): Promise<string> {
    const { deviceCode, userCode } = await beginDevice(at)
    const form = { token, code: userCode, answer: 'allow' }
    await browser.visit('/device', { form })
    return deviceCode
  }
  const polled = await pollDevice(at, await allowDevice())
  return {
    browser,
    passkey,
    recoveryCodes: codes.text.match(/\b(?:[A-Z\d]{4}-){3}[A-Z\d]{4}\b/g) ?? [],
    commandLine: polled.token ?? '',
    deviceCode: await allowDevice(),
  }
}

/** Returns the credentials that can still sign in to the account with this e-mail address. */
export async function findValidCredentials(
  at: At,
  email: string,
  made: Credentials,
): Promise<readonly string[]> {
  const session = openTestBrowser(at)
  for (const [name, value] of made.browser.cookies) session.cookies.set(name, value)
  const works = {
    session: await session.isSignedIn(),
    passkey: await signInWithPasskey(at, made.passkey),
    'recovery code': await signInWithCode(at, email, made.recoveryCodes[0] ?? ''),
    'command line': (await meOf(at, made.commandLine))?.email === email,
    'allowed device': (await pollDevice(at, made.deviceCode)).state === 'allowed',
  }
  return Object.entries(works).flatMap(([name, isWorking]) => (isWorking ? [name] : []))
}

async function signInWithPasskey(at: At, passkey: SoftwarePasskey): Promise<boolean> {
  const browser = openTestBrowser(at)
  await sendPasskey(browser, passkey)
  return browser.isSignedIn()
}

export async function sendPasskey(browser: TestBrowser, passkey: SoftwarePasskey): Promise<Visit> {
  const options = await browser.visit('/sign-in/passkey/options', { form: {} })
  const credential = JSON.stringify(passkey.authenticate(JSON.parse(options.text)))
  return browser.visit('/sign-in/passkey', { form: { credential, next: '/' } })
}

async function signInWithCode(at: At, email: string, code: string): Promise<boolean> {
  const browser = openTestBrowser(at)
  await browser.visit('/sign-in/recovery', { form: { email, code } })
  return browser.isSignedIn()
}

export async function meOf({ url }: At, token: string): Promise<Me | undefined> {
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return response.ok ? ((await response.json()) as Me) : undefined
}

export const beginDevice = (at: At) => post<DeviceReply>(at, '/v1/device', { name: 'laptop' })

const pollDevice = (at: At, deviceCode: string) =>
  post<DeviceTokenReply>(at, '/v1/device/token', { deviceCode })

async function post<Reply>({ url }: At, path: string, body: object): Promise<Reply> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Reply
}
