/** Tests sign-in with JWTs from the owner's server, with valid tokens and many forged ones. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  expectSafe,
  newReaderSite,
  OPEN_REDIRECTS,
  READER_NAMES,
  type ReaderBrowser,
  type ReaderSite,
  type ReaderVisit,
} from '../../../testing/reader-browser.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { READER_COOKIE } from './find-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-jwt-'))
const LOGIN_URL = 'https://app.example.com/docs-login?team=1'
const ed = await generateKeyPair('EdDSA', { extractable: true })
const ec = await generateKeyPair('ES256', { extractable: true })
const other = await generateKeyPair('EdDSA', { extractable: true })
let clockMs = 0
const now = () => Date.now() + clockMs
const seconds = () => Math.floor(now() / 1_000)
let service: TestService
let site: ReaderSite
beforeAll(async () => {
  service = await startTestService({
    ...READER_NAMES,
    blobStore: await openFolderStore(folder),
    now,
  })
  site = await newReaderSite(service)
  const keys = [await exportSPKI(ed.publicKey), await exportJWK(ec.publicKey)]
  await site.set({ mode: 'jwt', jwt: { loginUrl: LOGIN_URL, keys } })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  clockMs = 0
})

let count = 0
/** Returns the claims of a reader. They are different for each token. */
const claimsOf = (change: Readonly<Record<string, unknown>> = {}): JWTPayload => {
  count += 1
  return {
    host: site.host,
    exp: seconds() + 8,
    expiresAt: seconds() + 3_600,
    groups: ['staff'],
    jti: String(count),
    ...change,
  }
}

const sign = (
  claims: JWTPayload,
  { key = ed.privateKey, alg = 'EdDSA', header = {} }: SignOptions = {},
) => new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(key)
type SignOptions = {
  readonly key?: Parameters<SignJWT['sign']>[0]
  readonly alg?: string
  readonly header?: Readonly<Record<string, unknown>>
}

const send = (browser: ReaderBrowser, jwt: string, search = '') =>
  browser.visit(`/login/jwt-callback${search}`, { form: { jwt } })

function expectRefused(reply: ReaderVisit, browser: ReaderBrowser): void {
  expect(reply.status).toBe(403)
  expect(reply.text).toContain('The token was not accepted')
  expectSafe(reply)
  expect(browser.cookies.has(READER_COOKIE)).toBe(false)
}

describe('sign-in with a JWT', () => {
  test("a reader is redirected to the owner's server with the path of the requested page", async () => {
    const { status, location } = await site.browse().visit('/login?to=/guide')
    expect(status).toBe(303)
    expect(location).toBe(`${LOGIN_URL}&redirect=%2Fguide`)
    const evil = await site.browse().visit('/login?to=//evil.example')
    expect(evil.location).toBe(`${LOGIN_URL}&redirect=%2F`)
  })

  test('the callback page removes the JWT from the URL and allows no other scripts', async () => {
    const page = await site.browse().visit('/login/jwt-callback?redirect=/guide')
    expectSafe(page)
    expect(page.text).toContain('action="/login/jwt-callback?redirect=%2Fguide"')
    expect(page.text).toContain('history.replaceState')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/script-src 'sha256-[^']+' 'sha256-[^']+';/)
    expect(policy).not.toContain('unsafe')
  })

  test.each<[string, () => Promise<string>]>([
    ['EdDSA', () => sign(claimsOf())],
    ['ES256', () => sign(claimsOf(), { key: ec.privateKey, alg: 'ES256' })],
    ['a host in capitals', () => sign(claimsOf({ host: site.host.toUpperCase() }))],
    ['an expiry 10 seconds ahead', () => sign(claimsOf({ exp: seconds() + 10 }))],
    ['an unknown key id', () => sign(claimsOf(), { header: { kid: 'new' } })],
    [
      'no groups and no session expiry',
      () => sign({ host: site.host, exp: seconds() + 8, jti: 'bare' }),
    ],
  ])('a reader gets access with a JWT that has %s', async (_, make) => {
    const browser = site.browse()
    const done = await send(browser, await make(), '?redirect=/guide')
    expect([done.status, done.location]).toEqual([303, '/guide'])
    expectSafe(done)
    expect(await browser.hasSiteAccess()).toBe(true)
  })

  test('a reader can access the pages of their groups until the time in `expiresAt`', async () => {
    const browser = site.browse()
    const done = await send(browser, await sign(claimsOf({ expiresAt: seconds() + 100 })))
    expect(done.cookies[0]).toMatch(/; Max-Age=(?:9\d|100)$/)
    expect((await browser.visit('/staff')).text).toContain('words for staff')
    expect((await browser.visit('/owners')).status).toBe(404)
    clockMs = 101_000
    expect(await browser.hasSiteAccess()).toBe(false)
  })

  test('a session lasts as long as `expiresAt` or the settings say, but at most 30 days', async () => {
    const long = await send(site.browse(), await sign(claimsOf({ expiresAt: seconds() + 1e9 })))
    expect(long.cookies[0]).toContain('; Max-Age=2592000')
    const usual = await send(site.browse(), await sign(claimsOf({ expiresAt: undefined })))
    expect(usual.cookies[0]).toContain('; Max-Age=604800')
  })
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('rejected JWTs', () => {
  test.each<[string, () => Promise<string> | string]>([
    ['an empty text', () => ''],
    ['no token', () => 'x'],
    ['two dots', () => '..'],
    ['no algorithm', () => `${part({ alg: 'none' })}.${part(claimsOf())}.`],
    ['NoNe', () => `${part({ alg: 'NoNe' })}.${part(claimsOf())}.`],
    ['no signature', async () => (await sign(claimsOf())).replace(/[^.]*$/, '')],
    ['the key of another server', () => sign(claimsOf(), { key: other.privateKey })],
    [
      'the key of another server in the header',
      async () => {
        const jwk = await exportJWK(other.publicKey)
        return sign(claimsOf(), { key: other.privateKey, header: { jwk } })
      },
    ],
    ['HS256 with the public key as PEM', async () => hmac(await exportSPKI(ed.publicKey))],
    [
      'HS256 with the public key as its bytes',
      async () => hmac(Buffer.from((await exportJWK(ed.publicKey)).x ?? '', 'base64url')),
    ],
    ['HS256 with an empty key', () => hmac('')],
    [
      'EdDSA in the header, signed with P-256',
      async () => {
        const token = await sign(claimsOf(), { key: ec.privateKey, alg: 'ES256' })
        return token.replace(/^[^.]*/, part({ alg: 'EdDSA' }))
      },
    ],
    [
      'an unknown critical header',
      () => sign(claimsOf(), { header: { crit: ['x'], x: 1 } }).catch(() => ''),
    ],
    [
      'other claims under the same signature',
      async () => {
        const [head, , signature] = (await sign(claimsOf({ groups: [] }))).split('.')
        return `${head}.${part(claimsOf({ groups: ['owner'] }))}.${signature}`
      },
    ],
    ['no expiry', () => sign(claimsOf({ exp: undefined }))],
    ['an expiry in the past', () => sign(claimsOf({ exp: seconds() - 6 }))],
    ['an expiry of a minute', () => sign(claimsOf({ exp: seconds() + 60 }))],
    ['an expiry 17 seconds ahead', () => sign(claimsOf({ exp: seconds() + 17 }))],
    ['a start time in the future', () => sign(claimsOf({ nbf: seconds() + 60 }))],
    ['no host', () => sign(claimsOf({ host: undefined }))],
    ['another host', () => sign(claimsOf({ host: 'other.example' }))],
    ['the parent domain as its host', () => sign(claimsOf({ host: 'sites.localhost:8080' }))],
    ['a subdomain as its host', () => sign(claimsOf({ host: `x.${site.host}` }))],
    ['a host with a dot', () => sign(claimsOf({ host: `${site.host}.` }))],
    ['hosts in a list', () => sign(claimsOf({ host: [site.host] }))],
    ['an expired session', () => sign(claimsOf({ expiresAt: seconds() - 1 }))],
    ['a session expiry that is not a number', () => sign(claimsOf({ expiresAt: 'tomorrow' }))],
  ])('a JWT with %s is rejected', async (_, make) => {
    const browser = site.browse()
    expectRefused(await send(browser, await make()), browser)
  })

  function hmac(secret: string | Buffer): string {
    const text = `${part({ alg: 'HS256' })}.${part(claimsOf())}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }

  test('a used JWT is rejected, even with the second valid ECDSA signature', async () => {
    const token = await sign(claimsOf(), { key: ec.privateKey, alg: 'ES256' })
    expect((await send(site.browse(), token)).status).toBe(303)
    const browser = site.browse()
    const again = await send(browser, token)
    expectRefused(again, browser)
    expect(again.text).toContain('it was used before')
    const [head, body, signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const turned = (order - s).toString(16).padStart(64, '0')
    const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(turned, 'hex')])
    const reply = await send(browser, `${head}.${body}.${twin.toString('base64url')}`)
    expectRefused(reply, browser)
    expect(reply.text).toContain('it was used before')
  })

  test('a JWT sent by ten browsers at the same time signs in only one of them', async () => {
    const token = await sign(claimsOf())
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(site.browse(), token)))
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  test('a JWT with the host or the key of another project is rejected', async () => {
    const second = await newReaderSite(service)
    const keys = [await exportJWK(other.publicKey)]
    await second.set({ mode: 'jwt', jwt: { loginUrl: LOGIN_URL, keys } })
    const [here, there] = [site.browse(), second.browse()]
    expectRefused(await send(here, await sign(claimsOf(), { key: other.privateKey })), here)
    expectRefused(await send(there, await sign(claimsOf({ host: second.host }))), there)
    const forOther = await sign(claimsOf({ host: second.host }), { key: other.privateKey })
    expectRefused(await send(here, forOther), here)
    expect((await send(there, forOther)).status).toBe(303)
  })

  test('a JWT signed with a key that was removed is rejected', async () => {
    const own = await newReaderSite(service)
    await own.set({
      mode: 'jwt',
      jwt: { loginUrl: LOGIN_URL, keys: [await exportSPKI(ed.publicKey)] },
    })
    const browser = own.browse()
    expect((await send(browser, await sign(claimsOf({ host: own.host })))).status).toBe(303)
    expect(await browser.hasSiteAccess()).toBe(true)
    await own.set({ jwt: { keys: [await exportSPKI(other.publicKey)] } })
    await expect.poll(() => browser.hasSiteAccess(), { timeout: 10_000 }).toBe(false)
    const late = own.browse()
    expectRefused(await send(late, await sign(claimsOf({ host: own.host }))), late)
  })

  test('a JWT is rejected in the query, in a header, as JSON, and from another site', async () => {
    const browser = site.browse()
    const jwt = await sign(claimsOf())
    expect((await browser.visit(`/login/jwt-callback?jwt=${jwt}`)).status).toBe(200)
    const path = '/login/jwt-callback'
    const json = { 'content-type': 'application/json' }
    const body = JSON.stringify({ jwt })
    expect((await browser.visit(path, { body, headers: json })).status).toBe(400)
    const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.visit(path, { form: { jwt }, headers: cross })).status).toBe(403)
    const bearer = { authorization: `Bearer ${jwt}` }
    expect((await browser.visit('/guide', { headers: bearer })).text).not.toContain('private')
    expect(browser.cookies.has(READER_COOKIE)).toBe(false)
    // The token can still be used, because none of these requests was accepted.
    expect((await send(browser, jwt)).status).toBe(303)
  })

  test.each(OPEN_REDIRECTS)('the callback never redirects to %j', async (to) => {
    const search = `?redirect=${encodeURIComponent(to)}`
    expect((await send(site.browse(), await sign(claimsOf()), search)).location).toBe('/')
    const page = await site.browse().visit(`/login/jwt-callback${search}`)
    expect(page.text).toContain('redirect=%2F"')
  })

  test('groups in a JWT are ignored if they have the wrong type', async () => {
    for (const groups of [{ staff: true }, 7, [['staff']], [null, 'x\0', 'y'.repeat(300)]]) {
      const browser = site.browse()
      expect((await send(browser, await sign(claimsOf({ groups })))).status).toBe(303)
      expect((await browser.visit('/staff')).status).toBe(404)
      expect(await browser.hasSiteAccess()).toBe(true)
    }
  })
})
