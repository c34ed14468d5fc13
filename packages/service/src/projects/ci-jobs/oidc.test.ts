/**
 * Tests exchanging CI jobs' identity tokens for deploy tokens, with a real issuer on this machine.
 */
import { createSign, generateKeyPairSync, type KeyLike } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decodeJwt,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  type JWK,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { TOKEN_MINUTES } from './routes.ts'

const MINUTE = 60_000
const AUDIENCE = 'https://octavo.example.com'

type SigningKey = Awaited<ReturnType<typeof newKey>>
async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' } as JWK }
}

let published: SigningKey[] = []
let reads = 0
let isAway = false
/** False responses that the issuer sends instead of its configuration or its keys. */
let falseResponses: { readonly about?: string; readonly keys?: string } = {}
const issuer = createServer((request, response) => {
  if (isAway) {
    response.writeHead(503).end()
    return
  }
  if (request.url === '/keys') {
    reads += 1
    response.end(falseResponses.keys ?? JSON.stringify({ keys: published.map(({ jwk }) => jwk) }))
  } else
    response.end(
      falseResponses.about ?? JSON.stringify({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` }),
    )
})
issuer.listen(0, '127.0.0.1')
await once(issuer, 'listening')
const ISSUER = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`

/** How many milliseconds the service's clock is ahead. */
let aheadMs = 0
const now = () => Date.now() + aheadMs
const folder = mkdtempSync(join(tmpdir(), 'octavo-oidc-'))
const service = await startTestService({
  now,
  blobStore: await openFolderStore(folder),
  url: AUDIENCE,
  allowPrivateHosts: ['127.0.0.1'],
  oidcIssuers: [{ name: 'work', url: ISSUER }],
})
const key = await newKey('first')
published = [key]
const project = await service.createProject()
await set(project, 'work:team/docs')

beforeEach(() => {
  isAway = false
  falseResponses = {}
})
afterAll(async () => {
  await service.stop()
  issuer.closeAllConnections()
  issuer.close()
  rmSync(folder, { recursive: true, force: true })
})

async function set({ publicId }: TestProject, ...trust: string[]): Promise<string[]> {
  const lines: string[] = []
  const options = trust.flatMap((one) => ['--trust', one])
  await runCommand(['project', 'set', publicId, ...options], {
    settings: service.settings,
    print: (line) => lines.push(line),
    now,
  })
  return lines
}

const GITLAB = { project_path: 'team/docs', ref: 'main', ref_type: 'branch' }
const GITHUB = { repository: 'team/docs', ref: 'refs/heads/main' }

type Claims = Readonly<Record<string, unknown>>

function sign(claims: Claims = {}, signer: SigningKey = key): Promise<string> {
  const seconds = Math.floor(now() / 1_000)
  const whole = {
    iss: ISSUER,
    aud: AUDIENCE,
    iat: seconds,
    nbf: seconds,
    exp: seconds + 300,
    ...GITLAB,
    ...claims,
  }
  return new SignJWT(whole)
    .setProtectedHeader({ alg: 'RS256', kid: signer.kid })
    .sign(signer.privateKey)
}

/** Signs a token with any headers, even if JWT libraries would refuse them. */
function signWith(secret: KeyLike, header: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createSign('sha256').update(text).sign(secret, 'base64url')}`
}

async function exchange(token: string, projectId = project.publicId) {
  const response = await fetch(`${service.url}/v1/oidc/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: 'octavo.example.com' },
    body: JSON.stringify({ projectId, token }),
  })
  const body = (await response.json()) as Record<string, string>
  return { status: response.status, body: { ...body, requestId: '' } as Record<string, string> }
}

describe('jobs of trusted repositories', () => {
  test('a trusted job gets a token that can only deploy, for 15 minutes', async () => {
    const { status, body } = await exchange(await sign())
    const { token = '', expiresAt = '' } = body
    expect(status).toBe(201)
    expect(token).toMatch(/^octavo_dep_/)
    const left = Date.parse(expiresAt) - now()
    expect(left).toBeGreaterThan((TOKEN_MINUTES - 1) * MINUTE)
    expect(left).toBeLessThanOrEqual(TOKEN_MINUTES * MINUTE)
    const client = clientOf(service.url, { ...project, token })
    const done = await client.deploy(siteOf({ 'index.html': 'Plants' }))
    expect(done.body.state).toBe('live')
    expect((await service.get({ ...project, token })).status).toBe(403)
    const other = await service.createProject()
    const foreign = clientOf(service.url, { ...other, token })
    expect((await foreign.call('GET', '')).status).toBe(404)
    aheadMs += (TOKEN_MINUTES + 1) * MINUTE
    expect((await client.call('GET', '')).status).toBe(401)
    const audit = await service.owner.query<{ actor: string }>(
      `select actor from audit_event where action = 'key.create' and actor like 'work:%'`,
      [],
    )
    expect(audit[0]).toEqual({ actor: 'work:team/docs@main' })
  })

  test("a trusted job is recognized by GitHub's claims, regardless of case", async () => {
    const claims = { project_path: undefined, ref_type: 'branch', ...GITHUB }
    expect((await exchange(await sign({ ...claims, repository: 'Team/Docs' }))).status).toBe(201)
  })

  test('the trust in a repository can be limited to a branch', async () => {
    const limited = await service.createProject()
    await set(limited, 'work:other/docs', 'work:team/docs@main')
    const statusOf = async (claims: Claims) =>
      (await exchange(await sign(claims), limited.publicId)).status
    expect(await statusOf({})).toBe(201)
    expect(await statusOf({ ref: 'next' })).toBe(403)
    expect(await statusOf({ ref: 'Main' })).toBe(403)
    expect(await statusOf({ ref_type: 'tag' })).toBe(403)
    expect(await statusOf({ ref: 'refs/heads/main' })).toBe(403)
    const github = { project_path: undefined, ...GITHUB }
    expect(await statusOf(github)).toBe(201)
    expect(await statusOf({ ...github, ref: 'refs/tags/main' })).toBe(403)
    expect(await statusOf({ ...github, ref: 'refs/pull/1/merge' })).toBe(403)
    expect(await statusOf({ ...github, ref: 'main' })).toBe(403)
    expect(await statusOf({ project_path: 'other/docs', ref: 'next' })).toBe(201)
  })

  test('deploy tokens of CI jobs are deleted a week after they expired, and other keys are kept', async () => {
    await service.owner.query(
      `update api_key set created_at = created_at - interval '30 days', expires_at = expires_at - interval '30 days'
        where name = 'work:team/docs@main'`,
      [],
    )
    await service.createKey(project, { kind: 'deploy', expiresAt: new Date(0) })
    const count = async () =>
      Number((await service.owner.query<{ n: string }>('select count(*) as n from api_key'))[0]?.n)
    const before = await count()
    const [row] = await service.service.database.query<{ count: number }>(
      'select forget_job_tokens() as count',
    )
    expect(row?.count).toBeGreaterThan(0)
    expect(await count()).toBe(before - Number(row?.count))
    expect((await service.get(project)).status).toBe(200)
  })
})

describe('rejected identity tokens', () => {
  const refusal = (reason: string) => ({
    status: 401,
    body: { detail: expect.stringContaining(reason) },
  })

  test.each([
    ['another audience', { aud: 'https://other.example' }, 'its audience is not the URL'],
    ['no audience', { aud: undefined }, 'its audience is not the URL'],
    ['an unknown issuer', { iss: 'https://issuer.example' }, 'its issuer is not one of'],
    [
      'an issuer that only starts like a known one',
      { iss: 'https://gitlab.com.example' },
      'its issuer is not',
    ],
    ['no repository', { project_path: undefined }, 'it does not name a repository'],
    ['no expiry', { exp: undefined }, 'its claim "exp" is not valid'],
    ['no time of issue', { iat: undefined }, 'its claim "iat" is not valid'],
  ])('a token with %s is rejected', async (_, claims, reason) => {
    expect(await exchange(await sign(claims))).toMatchObject(refusal(reason))
  })

  test('the times in a token are accepted within the clock tolerance and rejected outside of it', async () => {
    const seconds = Math.floor(now() / 1_000)
    const send = async (claims: Claims) => exchange(await sign(claims))
    // Clocks may differ by half a minute.
    expect((await send({ exp: seconds - 20 })).status).toBe(201)
    expect(await send({ exp: seconds - 40 })).toMatchObject(refusal('it has expired'))
    expect((await send({ nbf: seconds + 20 })).status).toBe(201)
    expect(await send({ nbf: seconds + 60 })).toMatchObject(refusal('its claim "nbf"'))
    expect(await send({ iat: seconds + 60 })).toMatchObject(refusal('its claim "iat"'))
    expect(await send({ iat: seconds - 90_000 })).toMatchObject({ status: 401 })
  })

  test('a token with a wrong signature, no signature or a shared secret is rejected', async () => {
    const foreignKey = await newKey('first')
    expect(await exchange(await sign({}, foreignKey))).toMatchObject(
      refusal('its signature is wrong'),
    )
    const seconds = Math.floor(now() / 1_000)
    const claims = { iss: ISSUER, aud: AUDIENCE, iat: seconds, exp: seconds + 300, ...GITLAB }
    expect((await exchange(new UnsecuredJWT(claims).encode())).status).toBe(401)
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(Buffer.from(JSON.stringify(key.jwk)))
    expect(await exchange(shared)).toMatchObject(refusal('its algorithm is not allowed'))
    for (const text of ['', 'plants', 'a.b.c'])
      expect(await exchange(text)).toMatchObject(refusal('it is not a signed token'))
  })

  test('a token that names or contains its own key is rejected', async () => {
    const foreignKey = await newKey('other')
    const secret = await exportPKCS8(foreignKey.privateKey)
    const payload = decodeJwt(await sign())
    const sent = [
      { jwk: foreignKey.jwk },
      { jwk: foreignKey.jwk, kid: 'first' },
      { jku: `${ISSUER}/keys`, kid: 'other' },
      { x5u: `${ISSUER}/keys`, kid: 'first' },
      { kid: '../keys' },
      { crit: ['exp'], exp: 1, kid: 'first' },
      { b64: false, crit: ['b64'], kid: 'first' },
    ]
    for (const more of sent) {
      const token = signWith(secret, { alg: 'RS256', ...more }, payload)
      expect((await exchange(token)).status, JSON.stringify(more)).toBe(401)
    }
  })

  test.each<[string, unknown]>([
    ['a text', 'soon'],
    ['a list', [9_999_999_999]],
    ['null', null],
    ['a negative number', -1e308],
  ])('a token with %s as its expiry or issue time is rejected', async (_, time) => {
    for (const name of ['exp', 'iat', 'nbf'])
      expect((await exchange(await sign({ [name]: time }))).status, name).toBe(
        name === 'nbf' && typeof time === 'number' ? 201 : 401,
      )
  })

  test('a request for a project without trust gets the same response as for a missing project', async () => {
    const untrusting = await service.createProject()
    const replies = await Promise.all(
      [untrusting.publicId, 'prj_0000000000000000', 'plants'].map(async (id) =>
        exchange(await sign(), id),
      ),
    )
    expect(replies[0]).toMatchObject({
      status: 403,
      body: { detail: 'The project does not exist or does not trust work:team/docs@main.' },
    })
    expect(replies[1]).toEqual(replies[0])
    expect(replies[2]).toEqual(replies[0])
    for (const path of ['team/docs2', 'team/doc', 'docs', 'team/docs/sub'])
      expect((await exchange(await sign({ project_path: path }))).status).toBe(403)
  })

  test('a repository with the same name at another issuer is rejected', async () => {
    const github = await service.createProject()
    await set(github, 'github:team/docs')
    const claims = { project_path: undefined, ...GITHUB }
    expect((await exchange(await sign(claims), github.publicId)).status).toBe(403)
  })

  test('a job is rejected after its trust was revoked', async () => {
    const other = await service.createProject()
    await set(other, 'work:team/docs')
    expect((await exchange(await sign(), other.publicId)).status).toBe(201)
    await set(other, 'off')
    expect((await exchange(await sign(), other.publicId)).status).toBe(403)
  })

  test.each(['team/docs', 'work:docs', 'work:team/docs@', 'nobody:team/docs'])(
    '`project set --trust` rejects %s',
    async (text) => {
      await expect(set(project, text)).rejects.toThrow('--trust')
    },
  )
})

describe("the issuer's keys", () => {
  test("the issuer's keys are cached, and read again if they are old or a key is unknown", async () => {
    aheadMs += 20 * MINUTE
    reads = 0
    for (let count = 0; count < 3; count += 1) await exchange(await sign())
    expect(reads).toBe(1)
    const fresh = await newKey('second')
    published = [fresh]
    aheadMs += MINUTE
    expect((await exchange(await sign({}, fresh))).status).toBe(201)
    expect(reads).toBe(2)
    // The old key is no longer valid.
    expect((await exchange(await sign())).status).toBe(401)
    // Unknown keys cannot overload the issuer: it is not asked again within ten seconds.
    for (let count = 0; count < 5; count += 1)
      expect((await exchange(await sign({}, await newKey('third')))).status).toBe(401)
    expect(reads).toBe(2)
    published = [key]
    aheadMs += MINUTE
    expect((await exchange(await sign())).status).toBe(201)
  })

  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const weakJwk = { ...weak.publicKey.export({ format: 'jwk' }), kid: 'first' }
  test.each<[string, typeof falseResponses]>([
    ['no configuration', { about: 'null' }],
    ['a list as configuration', { about: '[]' }],
    ['a configuration of another issuer', { about: '{"issuer":"https://evil.example"}' }],
    ['no keys', { keys: 'null' }],
    ['a list without valid keys', { keys: '{"keys":[null,1,"x"]}' }],
    ['a shared key', { keys: '{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"first"}]}' }],
    ['an empty key', { keys: '{"keys":[{"kty":"RSA","n":"","e":"","kid":"first"}]}' }],
    ['a key without numbers', { keys: '{"keys":[{"kty":"RSA","kid":"first"}]}' }],
    ['a key that is too short', { keys: JSON.stringify({ keys: [weakJwk] }) }],
    [
      'a response over the size limit',
      { keys: JSON.stringify({ keys: [], more: 'x'.repeat(300_000) }) },
    ],
  ])('an issuer that sends %s grants no access and causes no server error', async (_, sent) => {
    aheadMs += 20 * MINUTE
    falseResponses = sent
    const seconds = Math.floor(now() / 1_000)
    const claims = { iss: ISSUER, aud: AUDIENCE, iat: seconds, exp: seconds + 300, ...GITLAB }
    const tokens = [await sign(), signWith(weak.privateKey, { alg: 'RS256', kid: 'first' }, claims)]
    for (const token of tokens) expect([401, 502]).toContain((await exchange(token)).status)
    aheadMs += 20 * MINUTE
    falseResponses = {}
    expect((await exchange(await sign())).status).toBe(201)
  })

  test("the issuer's keys are read only once for simultaneous tokens", async () => {
    aheadMs += 20 * MINUTE
    reads = 0
    const tokens = await Promise.all(Array.from({ length: 20 }, () => sign()))
    await Promise.all(tokens.map((token) => exchange(token)))
    expect(reads).toBe(1)
  })

  test('if the issuer is unreachable, the response names that as the reason', async () => {
    aheadMs += 20 * MINUTE
    isAway = true
    expect(await exchange(await sign())).toMatchObject({
      status: 502,
      body: { detail: expect.stringContaining('the server responded with status 503') },
    })
  })
})
