/** Tests passkeys with hostile browsers and authenticators. A test in `sign-in/` uses real ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSoftwarePasskey,
  type PasskeyForgery,
  type SoftwarePasskey,
} from '../../../../testing/software-passkey.ts'
import {
  ORIGIN,
  openTestBrowser,
  type TestBrowser,
  type Visit,
} from '../../../../testing/test-browser.ts'
import { createPerson, type TestPerson } from '../../../../testing/test-people.ts'
import { startTestService, type TestProject } from '../../../../testing/test-service.ts'

let clockMs = 0
const service = await startTestService({ url: ORIGIN, now: () => Date.now() + clockMs })
let project: TestProject
beforeAll(async () => {
  project = await service.createProject()
})
afterAll(() => service.stop())

type Options = { readonly challenge: string }
type Account = {
  readonly person: TestPerson
  readonly browser: TestBrowser
  readonly token: string
}

async function createAccount(): Promise<Account> {
  const person = await createPerson(service, project, 'viewer')
  const browser = openTestBrowser(service)
  browser.cookies.set('__Host-octavo', person.cookie.replace(/^[^=]+=/, ''))
  const { text } = await browser.visit('/account')
  return { person, browser, token: /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

const optionsFor = async ({ browser, token }: Account): Promise<Options> =>
  JSON.parse((await browser.visit('/account/passkeys/options', { form: { token } })).text)

async function send({ browser, token }: Account, credential: unknown, name = 'Key') {
  const form = { token, name, credential: JSON.stringify(credential) }
  return browser.visit('/account/passkeys', { form })
}

async function add(
  account: Account,
  passkey: SoftwarePasskey,
  forgery?: PasskeyForgery,
): Promise<Visit> {
  return send(account, passkey.register(await optionsFor(account), forgery))
}

const signInOptions = async (browser: TestBrowser): Promise<Options> =>
  JSON.parse((await browser.visit('/sign-in/passkey/options', { form: {} })).text)

const signIn = (browser: TestBrowser, credential: unknown) =>
  browser.visit('/sign-in/passkey', { form: { credential: JSON.stringify(credential), next: '/' } })

const countOf = async ({ person }: Account) =>
  (await service.owner.query('select from passkey where user_id = $1', [person.id])).length

const FORGERIES: readonly [string, PasskeyForgery][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ["an origin that starts with the service's origin", { origin: `${ORIGIN}.evil.example` }],
  ['the origin of a site', { origin: 'http://docs.sites.localhost:8080' }],
  ["the service's origin in capitals", { origin: ORIGIN.toUpperCase() }],
  ["the service's origin with a slash", { origin: `${ORIGIN}/` }],
  ['no origin', { origin: 'null' }],
  ['another host name', { host: 'sites.localhost' }],
  ['an empty host name', { host: '' }],
  ['no user presence', { flags: 0x44 }],
  ['no user verification', { flags: 0x41 }],
  ['no flags', { flags: 0 }],
  ['an unknown ceremony type', { type: 'webauthn.other' }],
]

describe('rejected sign-ins with a passkey', () => {
  let account: Account
  const passkey = createSoftwarePasskey(ORIGIN)
  beforeAll(async () => {
    account = await createAccount()
    expect((await add(account, passkey)).location).toBe('/account')
  })

  async function expectRefused(make: (options: Options) => unknown): Promise<void> {
    const browser = openTestBrowser(service)
    const reply = await signIn(browser, make(await signInOptions(browser)))
    expect([reply.status, await browser.isSignedIn()]).toEqual([403, false])
  }

  test.each([
    ...FORGERIES,
    ['the ceremony type of a registration', { type: 'webauthn.create' }] as const,
  ])('a passkey sign-in with %s is rejected', (_, forgery) =>
    expectRefused((options) => passkey.authenticate(options, forgery)),
  )

  test("another person's passkey is rejected, by id and by user handle", async () => {
    const other = await createAccount()
    const foreign = createSoftwarePasskey(ORIGIN)
    await add(other, foreign)
    const { id } = foreign.authenticate({ challenge: '' }) as { readonly id: string }
    const credentialId = Buffer.from(id, 'base64url')
    await expectRefused((options) => passkey.authenticate(options, { credentialId }))
    const userHandle = Buffer.from(other.person.public_id).toString('base64url')
    await expectRefused((options) => passkey.authenticate(options, { more: { userHandle } }))
    await expectRefused((options) => createSoftwarePasskey(ORIGIN).authenticate(options))
  })

  test('a passkey sign-in with a used, foreign, registration, expired or forged challenge is rejected', async () => {
    const browser = openTestBrowser(service)
    const options = await signInOptions(browser)
    const credential = passkey.authenticate(options)
    expect((await signIn(browser, credential)).status).toBe(303)
    const kept = openTestBrowser(service)
    const replay = await signInOptions(kept)
    for (const { challenge } of [
      options,
      await signInOptions(openTestBrowser(service)),
      await optionsFor(account),
      { challenge: '' },
      { challenge: Buffer.from('{}.x').toString('base64url') },
    ])
      await expectRefused(() => passkey.authenticate({ challenge }))
    clockMs = 6 * 60_000
    expect((await signIn(kept, passkey.authenticate(replay))).status).toBe(403)
    clockMs = 0
  })

  test('a passkey sign-in is rejected if the signature counter does not increase', async () => {
    const use = async (counter: number) => {
      const browser = openTestBrowser(service)
      const options = await signInOptions(browser)
      return (await signIn(browser, passkey.authenticate(options, { counter }))).status
    }
    expect([await use(10), await use(9), await use(10), await use(0), await use(11)]).toEqual([
      303, 403, 403, 403, 303,
    ])
  })

  const wrong: readonly unknown[] = [
    null,
    1,
    'x',
    [],
    {},
    { id: {} },
    { id: '' },
    { id: 'x'.repeat(5_000) },
    { id: '__proto__', response: null },
  ]
  test.each(wrong.map((credential) => ({ credential })))(
    'a passkey sign-in with the credential %j is rejected',
    ({ credential }) => expectRefused(() => credential),
  )

  test.each(['signature', 'clientDataJSON', 'authenticatorData'])(
    'a passkey sign-in with an invalid %s is rejected',
    async (field) => {
      for (const value of ['', 'x', 'AAAA', 7, null, {}, 'A'.repeat(8_000)])
        await expectRefused((options) =>
          passkey.authenticate(options, { more: { [field]: value }, counter: 50 }),
        )
    },
  )
})

describe('rejected registrations of a passkey', () => {
  async function expectRefused(forgery: PasskeyForgery): Promise<void> {
    const account = await createAccount()
    const reply = await add(account, createSoftwarePasskey(ORIGIN), forgery)
    expect([reply.status, await countOf(account)]).toEqual([400, 0])
  }

  const attestationOf = (name: string) =>
    Buffer.concat([
      Buffer.from('a363666d74', 'hex'),
      Buffer.from([0x60 + name.length]),
      Buffer.from(name),
      Buffer.from('6761747453746d74a0686175746844617461', 'hex'),
    ])
  test.each<readonly [string, PasskeyForgery]>([
    ...FORGERIES,
    ['the ceremony type of a sign-in', { type: 'webauthn.get' }],
    ['an empty id', { credentialId: Buffer.alloc(0) }],
    ['an id of 1,024 bytes', { credentialId: Buffer.alloc(1_024, 1) }],
    ['no key', { coseKey: Buffer.alloc(0) }],
    ['an invalid key', { coseKey: Buffer.from('a0', 'hex') }],
    ['a key that claims 4 GB', { coseKey: Buffer.from('a1015affffffff', 'hex') }],
    ['a deeply nested key', { coseKey: Buffer.alloc(4_000, 0x81) }],
    ['a key with trailing bytes', { coseKey: Buffer.alloc(4_000, 0xa0) }],
    ['an attestation of the device', { attestation: attestationOf('packed') }],
    ['an unknown attestation', { attestation: attestationOf('hostile') }],
    ['an invalid attestation', { attestation: Buffer.from('ff', 'hex') }],
  ])('a passkey registration with %s is rejected', (_, forgery) => expectRefused(forgery))

  test('a passkey registration with an existing id is rejected', async () => {
    const [one, two] = [await createAccount(), await createAccount()]
    const credentialId = Buffer.from('the same for both of them')
    expect((await add(one, createSoftwarePasskey(ORIGIN), { credentialId })).status).toBe(303)
    for (const account of [one, two]) {
      const reply = await add(account, createSoftwarePasskey(ORIGIN), { credentialId })
      expect([reply.status, await countOf(account)]).toEqual([400, account === one ? 1 : 0])
    }
  })

  test('a passkey registration with a used, foreign or sign-in challenge is rejected', async () => {
    const [one, two] = [await createAccount(), await createAccount()]
    const options = await optionsFor(one)
    const first = createSoftwarePasskey(ORIGIN)
    expect((await send(two, first.register(options))).status).toBe(400)
    expect((await send(one, first.register(options))).status).toBe(303)
    for (const challenge of [options.challenge, (await signInOptions(two.browser)).challenge, ''])
      expect((await send(two, first.register({ challenge }))).status).toBe(400)
    expect(await countOf(two)).toBe(0)
  })

  test.each(['a\0b', 'a\u001bb', 'x'.repeat(101)])(
    'a passkey with the name %j is rejected',
    async (name) => {
      const account = await createAccount()
      const passkey = createSoftwarePasskey(ORIGIN).register(await optionsFor(account))
      expect((await send(account, passkey, name)).status).toBe(400)
    },
  )
})

const REACHED = [['usb'], 'usb', {}, [{}], [1, null], ['a\0'], Array(999).fill('x'), null]
test.each(REACHED.map((transports) => ({ transports })))(
  'a passkey is stored with known transports only: %j',
  async (more) => {
    const account = await createAccount()
    expect((await add(account, createSoftwarePasskey(ORIGIN), { more })).status).toBe(303)
    const [row] = await service.owner.query<{ transports: readonly string[] }>(
      'select transports from passkey where user_id = $1',
      [account.person.id],
    )
    expect(row?.transports).toEqual([more.transports].flat().includes('usb') ? ['usb'] : [])
  },
)

test("a person cannot delete another person's passkey", async () => {
  const [one, two] = [await createAccount(), await createAccount()]
  await add(one, createSoftwarePasskey(ORIGIN))
  const [row] = await service.owner.query<{ id: string }>(
    'select id::text from passkey where user_id = $1',
    [one.person.id],
  )
  const { location, status } = await two.browser.visit(`/account/passkeys/${row?.id}/delete`, {
    form: { token: two.token },
  })
  expect([await countOf(one), status, location]).toEqual([1, 404, ''])
})
