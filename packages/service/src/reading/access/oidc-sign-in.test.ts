/**
 * Tests sign-in at the owner's OpenID provider. The provider is real, runs on loopback, and can
 * send wrong responses.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  CLIENT,
  type IdentityProviderServer,
  startIdentityProvider,
} from '../../../testing/identity-provider-server.ts'
import {
  expectSafe,
  newReaderSite,
  READER_NAMES,
  type ReaderBrowser,
  type ReaderSite,
  type ReaderVisit,
} from '../../../testing/reader-browser.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { READER_COOKIE } from './find-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-reader-oidc-'))
const ATTEMPT = '__Host-octavo-reader-attempt'
const STALE = 'started in another browser or has expired'
const NOT_ACCEPTED = 'is not valid'
let clockMs = 0
let service: TestService
let provider: IdentityProviderServer
let site: ReaderSite
const OIDC = () => ({
  issuer: provider.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
})
let second: ReaderSite

beforeAll(async () => {
  service = await startTestService({
    ...READER_NAMES,
    blobStore: await openFolderStore(folder),
    secretKeys: SECRET_KEYS,
    allowPrivateHosts: ['127.0.0.1'],
    now: () => Date.now() + clockMs,
  })
  site = await newReaderSite(service)
  second = await newReaderSite(service, '/docs')
  provider = await startIdentityProvider([
    `${site.origin}/login/callback`,
    `${second.origin}/docs/login/callback`,
  ])
  await site.set({ mode: 'oidc', oidc: { ...OIDC(), scopes: [] } })
  await second.set({ mode: 'oidc', oidc: { ...OIDC(), scopes: [] } })
  provider.accounts.set('ada', { groups: ['staff', 'plants'] })
  provider.accounts.set('bob', {})
})
afterEach(() => {
  provider.faults.claims = undefined
  provider.faults.signature = 'right'
  provider.faults.isDown = false
  provider.faults.answer = undefined
  clockMs = 0
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a sign-in until the provider redirects back. Returns the path of the redirect. */
async function authorize(
  browser: ReaderBrowser,
  account = 'ada',
  { host, basePath }: Pick<ReaderSite, 'host' | 'basePath'> = site,
): Promise<string> {
  const begun = await browser.visit(`${basePath}/login?to=${basePath}/guide`)
  expect(begun.status).toBe(303)
  expectSafe(begun)
  const back = await provider.authorize(begun.location, account)
  expect(back.host).toBe(host)
  return back.pathname + back.search
}

function expectRefused(reply: ReaderVisit, browser: ReaderBrowser, text: string): void {
  expect(reply.text).toContain(text)
  expect([403, 502]).toContain(reply.status)
  expectSafe(reply)
  expect(browser.cookies.has(READER_COOKIE)).toBe(false)
}

describe('readers with an account at the provider', () => {
  test('a reader gets access and the groups that the provider sends', async () => {
    const browser = site.browse()
    const done = await browser.visit(await authorize(browser))
    expect([done.status, done.location]).toEqual([303, '/guide'])
    expectSafe(done)
    expect(browser.cookies.has(ATTEMPT)).toBe(false)
    expect(await browser.hasSiteAccess()).toBe(true)
    expect((await browser.visit('/staff')).text).toContain('words for staff')
    expect((await browser.visit('/owners')).status).toBe(404)
  })

  test('a reader without groups can only read pages for all readers', async () => {
    const browser = site.browse()
    await browser.visit(await authorize(browser, 'bob'))
    expect(await browser.hasSiteAccess()).toBe(true)
    expect((await browser.visit('/staff')).status).toBe(404)
  })

  test('a reader can sign in to a site with a base path', async () => {
    const browser = second.browse()
    const done = await browser.visit(await authorize(browser, 'ada', second))
    expect(done.location).toBe('/docs/guide')
    expect(await browser.hasSiteAccess('/docs/guide')).toBe(true)
  })

  test('the groups of a reader come from the claim that the owner configured', async () => {
    await site.set({ oidc: { groupsClaim: 'team.names' } })
    provider.faults.claims = (claims) => ({ ...claims, team: { names: ['staff'] } })
    const browser = site.browse()
    await browser.visit(await authorize(browser, 'bob'))
    expect((await browser.visit('/staff')).text).toContain('words for staff')
    await site.set({ oidc: { groupsClaim: 'groups' } })
  })
})

describe('rejected sign-ins', () => {
  test('a callback is rejected if its attempt cookie is missing, altered or from another browser', async () => {
    const browser = site.browse()
    const path = await authorize(browser)
    const sealed = browser.cookies.get(ATTEMPT) ?? ''
    const anonymous = site.browse()
    expectRefused(await anonymous.visit(path), anonymous, STALE)
    const other = site.browse()
    await authorize(other, 'bob')
    expectRefused(await other.visit(path), other, STALE)
    for (const wrong of [`x${sealed}`, `${sealed}x`, sealed.split('.')[0] ?? '', '']) {
      browser.cookies.set(ATTEMPT, wrong)
      expectRefused(await browser.visit(path), browser, STALE)
    }
  })

  test('a callback is rejected if it is repeated or later than ten minutes', async () => {
    const browser = site.browse()
    const path = await authorize(browser)
    const sealed = browser.cookies.get(ATTEMPT) ?? ''
    expect((await browser.visit(path)).status).toBe(303)
    const again = site.browse()
    again.cookies.set(ATTEMPT, sealed)
    expectRefused(await again.visit(path), again, STALE)
    const late = site.browse()
    const latePath = await authorize(late)
    clockMs = 601_000
    expectRefused(await late.visit(latePath), late, STALE)
  })

  test('a callback with a missing, empty or wrong state is rejected', async () => {
    for (const change of [
      (search: URLSearchParams) => search.delete('state'),
      (search: URLSearchParams) => search.set('state', ''),
      (search: URLSearchParams) => search.set('state', 'x'.repeat(43)),
    ]) {
      const browser = site.browse()
      const url = new URL(await authorize(browser), site.origin)
      change(url.searchParams)
      expectRefused(await browser.visit(url.pathname + url.search), browser, STALE)
    }
  })

  test('a callback is rejected if its code is missing, wrong or from another browser', async () => {
    const foreign = new URL(await authorize(site.browse(), 'bob'), site.origin)
    for (const code of [undefined, 'x', foreign.searchParams.get('code') ?? '']) {
      const browser = site.browse()
      const url = new URL(await authorize(browser), site.origin)
      if (code === undefined) url.searchParams.delete('code')
      else url.searchParams.set('code', code)
      expectRefused(await browser.visit(url.pathname + url.search), browser, NOT_ACCEPTED)
    }
  })

  test('a callback with the attempt cookie of another site is rejected', async () => {
    const browser = site.browse()
    const path = await authorize(browser)
    const other = second.browse()
    other.cookies.set(ATTEMPT, browser.cookies.get(ATTEMPT) ?? '')
    expectRefused(await other.visit(`/docs${path}`), other, STALE)
  })

  test.each<[string, (now: number) => Record<string, unknown>]>([
    ['another nonce', () => ({ nonce: 'x' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another audience', () => ({ aud: 'other' })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['an expiry in the past', (now) => ({ exp: now - 3_600, iat: now - 7_200 })],
    ['no expiry', () => ({ exp: undefined })],
    ['no subject', () => ({ sub: undefined })],
  ])('an ID token with %s is rejected', async (_, change) => {
    provider.faults.claims = (claims) => ({ ...claims, ...change(Math.floor(Date.now() / 1_000)) })
    const browser = site.browse()
    expectRefused(await browser.visit(await authorize(browser)), browser, NOT_ACCEPTED)
  })

  test.each(['none', 'other-key'] as const)(
    'an ID token with an invalid signature is rejected: %s',
    async (kind) => {
      provider.faults.signature = kind
      const browser = site.browse()
      expectRefused(await browser.visit(await authorize(browser)), browser, NOT_ACCEPTED)
    },
  )

  test("a sign-in that the provider denied is rejected without showing the provider's message", async () => {
    const browser = site.browse()
    const url = new URL(await authorize(browser), site.origin)
    const state = url.searchParams.get('state') ?? ''
    const search = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: '<evil>',
    })
    search.set('iss', provider.issuer)
    const reply = await browser.visit(`/login/callback?${search}`)
    expectRefused(reply, browser, 'did not sign you in')
    expect(reply.text).not.toContain('evil')
  })

  test('a sign-in is rejected while the provider is unavailable', async () => {
    const browser = site.browse()
    const path = await authorize(browser)
    provider.faults.isDown = true
    expectRefused(await browser.visit(path), browser, 'is not responding')
  })
})

describe('malicious providers', () => {
  const answerAt = (path: string, text: () => string) => {
    provider.faults.answer = (requestedPath, response) => {
      if (!requestedPath.startsWith(path)) return false
      response.setHeader('content-type', 'application/json').end(text())
      return true
    }
  }
  const configuration = (change: object) => () =>
    JSON.stringify({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/auth`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/jwks`,
      response_types_supported: ['code'],
      ...change,
    })
  const INSIDE = '/inside'
  // The URL of a host that the operator does not allow.
  const inside = () => provider.issuer.replace('127.0.0.1', 'localhost') + INSIDE
  let later = 0

  test.each<[string, string, () => () => string]>([
    ['another issuer', '/.well-known/', () => configuration({ issuer: 'https://evil.example' })],
    ['a large configuration', '/.well-known/', () => configuration({ x: 'x'.repeat(70_000) })],
    [
      'a token endpoint in the internal network',
      '/.well-known/',
      () => configuration({ token_endpoint: inside() }),
    ],
    [
      'a key URL in the internal network',
      '/.well-known/',
      () => configuration({ jwks_uri: inside() }),
    ],
    ['many keys', '/jwks', () => () => JSON.stringify({ keys: Array(30_000).fill({}) })],
    ['a large token', '/token', () => () => JSON.stringify({ access_token: 'x'.repeat(600_000) })],
  ])(
    'a provider that sends %s is rejected without a request to an internal host',
    async (_, path, text) => {
      // Late enough that the configuration is fetched again.
      later += 2 * 3_600_000
      clockMs = later
      answerAt(path, text())
      const browser = site.browse()
      const begun = await browser.visit('/login')
      const before = provider.asked.length
      if (begun.status === 303) {
        const back = await provider.authorize(begun.location, 'ada')
        expectRefused(await browser.visit(back.pathname + back.search), browser, 'sign')
      } else expectRefused(begun, browser, 'is not responding')
      expect(provider.asked.slice(before)).not.toContain(INSIDE)
    },
  )

  test("the provider's configuration is fetched once, even if readers use several ports in the host", async () => {
    const own = await newReaderSite(service)
    await own.set({ mode: 'oidc', oidc: { ...OIDC(), scopes: [] } })
    const before = provider.asked.length
    for (let port = 1; port <= 5; port += 1) {
      const host = `${own.slug}.sites.localhost:${port}`
      const { location } = await own.browse().visit('/login', { host })
      const { searchParams } = new URL(location)
      expect(searchParams.get('redirect_uri')).toBe(`http://${host}/login/callback`)
    }
    const paths = provider.asked.slice(before)
    expect(paths.filter((path) => path.startsWith('/.well-known/'))).toHaveLength(1)
  })
})

describe('issuers that owners entered', () => {
  test.each([
    'https://127.0.0.1:1',
    'https://localhost',
    'https://169.254.169.254',
    'https://[::1]',
    'https://10.0.0.1',
  ])(
    "no request is sent to the issuer %s, because it is in the service's network",
    async (issuer) => {
      const strict = await newReaderSite(strictService)
      await strict.set({ mode: 'oidc', oidc: { issuer, clientId: 'x' } })
      const reply = await strict.browse().visit('/login')
      expect(reply.status).toBe(502)
      expect(reply.text).toContain('is not responding')
    },
  )

  test('no request is sent to a local issuer unless the operator allows its host', async () => {
    const strict = await newReaderSite(strictService)
    await strict.set({ mode: 'oidc', oidc: { issuer: provider.issuer, clientId: CLIENT.id } })
    expect((await strict.browse().visit('/login')).status).toBe(502)
  })

  let strictService: TestService
  beforeAll(async () => {
    strictService = await startTestService({
      ...READER_NAMES,
      blobStore: await openFolderStore(folder),
    })
  })
  afterAll(() => strictService.stop())
})
