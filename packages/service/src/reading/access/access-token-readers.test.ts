/**
 * Tests access tokens from the owner's OpenID provider at `/mcp`. The provider is real, runs on
 * loopback, and signs any token that a test needs.
 */
import { createSecretKey } from 'node:crypto'
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  type Reply,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { callerOf } from '../../../testing/call-project.ts'
import {
  CLIENT,
  type IdentityProviderServer,
  startIdentityProvider,
  type TokenChange,
} from '../../../testing/identity-provider-server.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import type { TestSite } from '../../../testing/test-deployment.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { READER_COOKIE } from './find-reader.ts'

const FILES = {
  ...GARDEN,
  'docs.json': JSON.stringify({
    name: 'Garden',
    navigation: { groups: [{ group: 'Care', pages: ['water', 'soil', 'secret', 'vault'] }] },
  }),
  'secret.mdx': '---\ntitle: Treasure\ngroups: [staff]\n---\nThe treasure is below the oak.\n',
  'vault.mdx': '---\ntitle: Vault\ngroups: [owners]\n---\nThe vault opens at midnight.\n',
}
const POLL = { interval: 50, timeout: 10_000 }
const PRIVATE = /hose|compost|treasure|oak|vault|midnight/i
const METADATA = '/.well-known/oauth-protected-resource'

let clockMs = 0
let service: TestService
let provider: IdentityProviderServer
let built: TestSite
let site: AssistantSite
/** A valid token for the site, whose user `ada` is in the groups `staff` and `plants`. */
let token: string

beforeAll(async () => {
  service = await startAssistantService({
    secretKeys: SECRET_KEYS,
    allowPrivateHosts: ['127.0.0.1'],
    now: () => Date.now() + clockMs,
  })
  provider = await startIdentityProvider(['https://agent.example/callback'])
  provider.accounts.set('ada', { groups: ['staff', 'plants'] })
  provider.accounts.set('bob', {})
  built = await builtSite(FILES)
  site = await newSite()
  token = await newToken(site)
})
afterEach(() => {
  clockMs = 0
  provider.faults.isDown = false
  provider.faults.answer = undefined
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

const oidc = () => ({ issuer: provider.issuer, clientId: CLIENT.id, scopes: [] })
const resourceOf = ({ host }: AssistantSite, base = '') => `http://${host}${base}/mcp`

async function set(of: AssistantSite, body: object): Promise<void> {
  const reply = await callerOf(service.url, of.project)('PUT', '/access', { body })
  expect(reply.status, reply.text).toBe(200)
}

/** Creates a site whose readers sign in at the provider. `access` overrides the access settings. */
async function newSite(access: object = {}, url?: string): Promise<AssistantSite> {
  const made = await newAssistantSite(service, url ? await builtSite(FILES, url) : built)
  await set(made, { mode: 'oidc', oidc: oidc(), ...access })
  return made
}

/**
 * Returns a token that the site accepts. Waits for the settings to take effect, because tokens that
 * were issued in the same second as the change are still rejected.
 */
async function newToken(of: AssistantSite, base = ''): Promise<string> {
  return vi.waitFor(async () => {
    const { access } = await provider.tokensFor('ada', resourceOf(of, base))
    expect((await ask(access, { of, base })).status).toBe(200)
    return access
  }, POLL)
}

type AskOptions = {
  readonly of?: AssistantSite
  readonly base?: string
  readonly tool?: string
  readonly input?: object
  readonly headers?: Readonly<Record<string, string>>
}

function ask(bearer: string | undefined, options: AskOptions = {}): Promise<Reply> {
  const { of = site, base = '', tool = 'list_pages', input = {}, headers = {} } = options
  const params = { name: tool, arguments: input }
  return of.call('POST', `${base}/mcp`, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  })
}

/** Checks that a token is rejected with the same response as all other invalid tokens. */
async function expectRefused(bearer: string, of = site): Promise<void> {
  const reply = await ask(bearer, { of })
  expect(reply.status).toBe(401)
  expect(reply.headers['www-authenticate']).toBe(
    `Bearer realm="docs", resource_metadata="http://${of.host}${METADATA}/mcp", error="invalid_token"`,
  )
  expect(reply.text).toMatch(/^The token in this request is not valid here: [^\n]+\n$/)
  expect(reply.text).not.toMatch(PRIVATE)
}

const change = (what: TokenChange) => provider.signAgain(token, what)
const nowSeconds = () => Math.floor(Date.now() / 1_000)

describe('protected resource metadata', () => {
  test('the resource metadata names the provider, and the official client finds it', async () => {
    const { status, headers, text } = await ask(undefined)
    expect(status).toBe(401)
    const challenge = `Bearer realm="docs", resource_metadata="http://${site.host}${METADATA}/mcp"`
    expect(headers['www-authenticate']).toBe(challenge)
    expect(text).not.toMatch(PRIVATE)
    const { resourceMetadataUrl } = extractWWWAuthenticateParams(
      new Response(null, { headers: { 'www-authenticate': challenge } }),
    )
    const found = await discoverOAuthProtectedResourceMetadata(
      resourceOf(site),
      { ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) },
      async (url) => new Response((await site.call('GET', new URL(url).pathname)).text),
    )
    expect(found).toEqual({
      resource: resourceOf(site),
      authorization_servers: [provider.issuer],
      bearer_methods_supported: ['header'],
    })
  })

  test('the resource metadata is available below the base path and at the root of the host', async () => {
    const below = await newSite(
      { oidc: { ...oidc(), scopes: ['profile'] } },
      'https://example.com/docs/',
    )
    for (const path of [METADATA, `/docs${METADATA}`, `${METADATA}/docs/mcp`]) {
      const reply = await below.call('GET', path)
      expect([reply.status, reply.headers['content-type']]).toEqual([
        200,
        'application/json; charset=utf-8',
      ])
      expect(JSON.parse(reply.text)).toMatchObject({
        resource: resourceOf(below, '/docs'),
        scopes_supported: ['profile'],
      })
    }
    expect((await below.call('GET', `${METADATA}/mcp`)).status).not.toBe(200)
    expect((await below.call('POST', `${METADATA}/docs/mcp`)).status).toBe(405)
    const own = await newToken(below, '/docs')
    expect((await ask(own, { of: below, base: '/docs' })).text).toContain('/docs/secret')
  })

  test.each([
    ['public', { mode: 'public' }],
    ['members', { mode: 'members' }],
    ['password', { mode: 'password', password: 'long enough' }],
  ])('a site with the access mode %s has no resource metadata', async (mode, access) => {
    const other = await newSite(access)
    for (const path of [METADATA, `${METADATA}/mcp`])
      await expect.poll(async () => (await other.call('GET', path)).status, POLL).toBe(404)
    const { headers } = await ask(undefined, { of: other })
    expect(headers['www-authenticate']).toBe(mode === 'public' ? undefined : 'Bearer realm="docs"')
  })
})

describe('access tokens for the site', () => {
  test('an access token can read pages of its groups', async () => {
    const search = { tool: 'search_docs', input: { query: 'where is the treasure' } }
    expect((await ask(token, search)).text).toContain('below the oak')
    const page = (url: string) => ask(token, { tool: 'read_page', input: { url } })
    expect((await page('/secret')).text).toContain('below the oak')
    expect((await page('/water')).text).toContain('hose on')
    expect((await page('/vault')).text).not.toContain('midnight')
    const list = (await ask(token)).text
    expect([list.includes('/secret'), list.includes('/vault')]).toEqual([true, false])
  })

  test('an access token without groups can only read pages for all readers', async () => {
    const { access } = await provider.tokensFor('bob', resourceOf(site))
    const list = await ask(access)
    expect(list.text).toContain('/water')
    expect(list.text).not.toMatch(/secret|vault/)
    const search = { tool: 'search_docs', input: { query: 'where is the treasure' } }
    expect((await ask(access, search)).text).not.toContain('oak')
  })

  test('the groups of an access token come from the claim that the owner configured', async () => {
    const other = await newSite({ oidc: { ...oidc(), groupsClaim: 'team.names' } })
    const mine = await newToken(other)
    expect((await ask(mine, { of: other })).text).not.toContain('/secret')
    const named = await provider.signAgain(mine, { claims: { team: { names: ['owners'] } } })
    const { text } = await ask(named, { of: other })
    expect([text.includes('/vault'), text.includes('/secret')]).toEqual([true, false])
  })

  test('an access token with several audiences and the type JWT is accepted', async () => {
    const aud = ['https://other.example', resourceOf(site)]
    expect((await ask(await change({ claims: { aud }, header: { typ: 'JWT' } }))).status).toBe(200)
  })

  test('an access token cannot read pages outside of MCP and cannot be used as a cookie', async () => {
    for (const path of ['/water', '/water.md', '/llms.txt', '/mcp/', '/mcp/water']) {
      const reply = await site.call('GET', path, { headers: { authorization: `Bearer ${token}` } })
      expect([path, reply.status]).toEqual([path, 401])
      expect(reply.text).not.toMatch(PRIVATE)
    }
    const headers = { cookie: `${READER_COOKIE}=${token}` }
    expect((await ask(undefined, { headers })).status).toBe(401)
  })

  test('a reader token of a program still works at a site that accepts access tokens', async () => {
    const body = { name: 'Agent', groups: ['owners'] }
    const call = callerOf(service.url, site.project)
    const made = await call<{ token: string }>('POST', '/access/tokens', { body })
    const { text } = await ask(made.body.token)
    expect([text.includes('/vault'), text.includes('/secret')]).toEqual([true, false])
  })
})

describe('rejected access tokens', () => {
  test.each<[string, () => TokenChange]>([
    ['for another server', () => ({ claims: { aud: 'https://other.example/mcp' } })],
    ['for the host', () => ({ claims: { aud: `http://${site.host}` } })],
    ['for the URL with a slash', () => ({ claims: { aud: `${resourceOf(site)}/` } })],
    ['for https', () => ({ claims: { aud: `https://${site.host}/mcp` } })],
    ['without an audience', () => ({ claims: { aud: undefined } })],
    ['for the client', () => ({ claims: { aud: CLIENT.id } })],
    ['of another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['of the issuer with a slash', () => ({ claims: { iss: `${provider.issuer}/` } })],
    ['without an issuer', () => ({ claims: { iss: undefined } })],
    ['without a subject', () => ({ claims: { sub: undefined } })],
    ['that has just expired', () => ({ claims: { exp: nowSeconds() } })],
    ['that never expires', () => ({ claims: { exp: undefined } })],
    ['that is not yet valid', () => ({ claims: { nbf: nowSeconds() + 120 } })],
    ['without an issue time', () => ({ claims: { iat: undefined } })],
    ['with an issue time in the future', () => ({ claims: { iat: nowSeconds() + 120 } })],
    ['signed by another key', () => ({ key: 'other' })],
    ['signed by a key that the issuer does not have', () => ({ header: { kid: 'two' } })],
    ['without a type', () => ({ header: { typ: undefined } as never })],
    ['of another type', () => ({ header: { typ: 'logout+jwt' } })],
  ])('an access token %s is rejected', async (_, what) => {
    await expectRefused(await change(what()))
  })

  test("an access token signed with the issuer's public keys or the client secret is rejected", async () => {
    const keys = await (await fetch(`${provider.issuer}/jwks`)).text()
    for (const secret of [keys, JSON.parse(keys).keys[0].n, CLIENT.secret])
      for (const kid of ['one', undefined])
        await expectRefused(
          await new SignJWT(decodeJwt(token))
            .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...(kid && { kid }) })
            .sign(createSecretKey(Buffer.from(secret))),
        )
  })

  test('an access token without a signature or with the signature of another is rejected', async () => {
    await expectRefused(new UnsecuredJWT(decodeJwt(token)).encode())
    const [header, payload, signature] = token.split('.')
    const none = encoded({ alg: 'none', typ: 'at+jwt', kid: 'one' })
    await expectRefused(`${none}.${payload}.${signature}`)
    await expectRefused(`${none}.${payload}.`)
    const more = encoded({ ...decodeJwt(token), groups: ['owners'] })
    await expectRefused(`${header}.${more}.${signature}`)
    await expectRefused(`${header}.${payload}.x`)
  })

  test('an opaque or malformed access token is rejected', async () => {
    const { access } = await provider.tokensFor('ada')
    expect(access).not.toContain('.')
    for (const text of [access, 'x', 'a.b.c', `${token}.${token}`, 'x'.repeat(9_000)])
      await expectRefused(text)
  })

  test('an ID token is rejected', async () => {
    const { id } = await provider.tokensFor('ada', resourceOf(site))
    expect(decodeJwt(id).aud).toBe(CLIENT.id)
    await expectRefused(id)
    await expectRefused(await provider.signAgain(id, { header: { typ: 'JWT' } }))
    // If the client's id equals the resource, access tokens and ID tokens cannot be distinguished,
    // so neither is accepted.
    const other = await newSite()
    const mine = await newToken(other)
    const later = await provider.signAgain(mine, { claims: { iat: nowSeconds() + 20 } })
    expect((await ask(later, { of: other })).status).toBe(200)
    await set(other, { oidc: { clientId: resourceOf(other) } })
    await expect.poll(async () => (await ask(later, { of: other })).status, POLL).toBe(401)
  })

  test('an access token for another site with the same provider is rejected', async () => {
    const other = await newSite()
    const mine = await newToken(other)
    await expectRefused(mine)
    await expectRefused(token, other)
  })

  test('an access token is rejected if the site does not use the provider', async () => {
    const other = await newSite()
    const mine = await newToken(other)
    await set(other, { mode: 'password', password: 'long enough' })
    await expect.poll(async () => (await ask(mine, { of: other })).status, POLL).toBe(401)
    await expect
      .poll(async () => (await ask(mine, { of: other })).headers['www-authenticate'], POLL)
      .toBe('Bearer realm="docs", error="invalid_token"')
    await set(other, { mode: 'public' })
    await expect.poll(async () => (await ask(mine, { of: other })).status, POLL).toBe(200)
    expect((await ask(mine, { of: other })).text).not.toMatch(/secret|vault/)
  })

  test('an invalid access token is rejected even by a site that also has public pages', async () => {
    const files = {
      ...FILES,
      'water.mdx': FILES['water.mdx'].replace('---\n', '---\npublic: true\n'),
    }
    const mixed = await newAssistantSite(service, await builtSite(files))
    await set(mixed, { mode: 'oidc', oidc: oidc() })
    await expect.poll(async () => (await ask('x.y.z', { of: mixed })).status, POLL).toBe(401)
    await expectRefused(token, mixed)
    const open = await ask(undefined, { of: mixed })
    expect([open.status, open.text.includes('/water')]).toEqual([200, true])
    expect(open.text).not.toMatch(/soil|secret|vault/)
  })
})

describe('accepted access tokens', () => {
  test('an access token is rejected after it expires', async () => {
    const made = await change({ claims: { exp: nowSeconds() + 100 } })
    expect((await ask(made)).status).toBe(200)
    clockMs = 60_000
    expect((await ask(made)).status).toBe(200)
    clockMs = 101_000
    await expectRefused(made)
  })

  test('ending all sessions invalidates existing access tokens, but not new ones', async () => {
    const other = await newSite()
    const mine = await newToken(other)
    const ended = await callerOf(service.url, other.project)('POST', '/access/end-sessions')
    expect(ended.status).toBeLessThan(300)
    const started = performance.now()
    await expect.poll(async () => (await ask(mine, { of: other })).status, POLL).toBe(401)
    expect(performance.now() - started).toBeQuick(1_000)
    await newToken(other)
    // Other settings do not make the token valid again.
    await set(other, { sessionHours: 5, oidc: { scopes: ['email'] } })
    clockMs = 1_000
    await expectRefused(mine, other)
    await newToken(other)
  })

  test('changing the access mode invalidates access tokens, even if it is changed back', async () => {
    const other = await newSite()
    const mine = await newToken(other)
    await set(other, { mode: 'members' })
    await expect.poll(async () => (await ask(mine, { of: other })).status, POLL).toBe(401)
    await set(other, { mode: 'oidc' })
    await newToken(other)
    await expectRefused(mine, other)
  })
})

describe('the OpenID provider', () => {
  let later = 40 * 60_000
  test("the provider's keys are not fetched again for each token with an unknown key", async () => {
    const countKeys = () => provider.asked.filter((path) => path === '/jwks').length
    clockMs = 20 * 60_000
    const claims = { exp: nowSeconds() + 7_200 }
    expect((await ask(await change({ claims }))).status).toBe(200)
    const before = countKeys()
    const unknown = await change({ claims, header: { kid: 'two' } })
    for (let count = 0; count < 5; count += 1) await expectRefused(unknown)
    expect(countKeys()).toBe(before)
    clockMs += 31_000
    for (let count = 0; count < 5; count += 1) await expectRefused(unknown)
    expect(countKeys()).toBe(before + 1)
  })

  test.each<[string, string, boolean]>([
    ['no keys', 'null', false],
    ['a list without valid keys', '{"keys":[null,1,"x",[],{}]}', false],
    ['a shared key', '{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"one"}]}', false],
    ['a key for other uses', '+{"key_ops":["encrypt"]}', false],
    ['a key with additional fields', '+{"key_ops":["verify"],"x5c":["x"],"more":{"a":[[]]}}', true],
    ['a key with 70 KB of other data', `+{"more":"${'x'.repeat(70_000)}"}`, false],
  ])('the service remains secure if the provider sends %s', async (_, sent, isAccepted) => {
    later += 20 * 60_000
    clockMs = later
    provider.faults.answer = (path, response) => {
      if (path !== '/jwks') return false
      const more = sent.startsWith('+') ? JSON.parse(sent.slice(1)) : undefined
      response.end(more ? JSON.stringify({ keys: [{ ...provider.publicKey, ...more }] }) : sent)
      return true
    }
    const made = await change({ claims: { exp: nowSeconds() + 36_000 } })
    if (isAccepted) expect((await ask(made)).status).toBe(200)
    else await expectRefused(made)
  })

  test('access tokens are rejected while the provider is unavailable, which is checked again later', async () => {
    clockMs = later + 40 * 60_000
    provider.faults.isDown = true
    const made = await change({ claims: { exp: nowSeconds() + 36_000 } })
    await expectRefused(made)
    const before = provider.asked.length
    await expectRefused(made)
    expect(provider.asked.length).toBe(before)
    provider.faults.isDown = false
    clockMs += 31_000
    expect((await ask(made)).status).toBe(200)
  })
})

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
