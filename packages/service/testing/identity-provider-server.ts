/**
 * A real OpenID provider on loopback. Tests define its accounts, and can make it respond
 * incorrectly: it then changes its ID tokens and signs them again with its own key, as a broken or
 * hostile provider would do.
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { Provider } from 'oidc-provider'

export type Account = {
  readonly email?: string
  readonly email_verified?: unknown
  readonly name?: unknown
  readonly groups?: unknown
}

export type IdentityProviderServer = {
  readonly issuer: string
  readonly publicKey: JWK
  readonly accounts: Map<string, Account>
  /** The paths of all received requests. */
  readonly asked: string[]
  /** The faults of the provider, which apply until the test resets them. */
  readonly faults: {
    claims: ((claims: JWTPayload) => JWTPayload) | undefined
    signature: 'right' | 'other-key' | 'none'
    isDown: boolean
    /** Returns the ID token to send, instead of signing the claims. */
    forge: ((claims: JWTPayload, publicKey: JWK) => Promise<string>) | undefined
    /** Responds to a request instead of the provider. Returns true if it did so. */
    answer: ((path: string, response: ServerResponse) => boolean) | undefined
  }
  /** Signs in with an account, as a browser would. Returns the URL of the final redirect. */
  readonly authorize: (address: string, account: string) => Promise<URL>
  /**
   * Returns the tokens that a program gets for an account. For a resource, the access token is a
   * JWT; otherwise it is opaque.
   */
  readonly tokensFor: (account: string, resource?: string) => Promise<IssuedTokens>
  /** Returns the token with changed contents and a new signature. */
  readonly signAgain: (token: string, change: TokenChange) => Promise<string>
  readonly stop: () => Promise<void>
}

type IssuedTokens = { readonly access: string; readonly id: string }

export type TokenChange = {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly header?: Partial<JWTHeaderParameters>
  readonly key?: 'own' | 'other'
}

export const CLIENT = { id: 'octavo', secret: 'a secret of the client, long enough' }

export async function startIdentityProvider(
  redirectUris: readonly string[],
): Promise<IdentityProviderServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const accounts = new Map<string, Account>()
  const asked: string[] = []
  const faults: IdentityProviderServer['faults'] = {
    claims: undefined,
    signature: 'right',
    isDown: false,
    forge: undefined,
    answer: undefined,
  }
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key for cookies of tests'] },
    claims: {
      openid: ['sub', 'groups'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    conformIdTokenClaims: false,
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: '',
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    extraTokenClaims: (_, token) => ({
      groups: 'accountId' in token ? accounts.get(String(token.accountId))?.groups : undefined,
    }),
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ ...accounts.get(id), sub: id }),
    }),
    // Grants consent without asking the user.
    loadExistingGrant: async (context) => {
      const { client, session, params, provider: own } = context.oidc
      const grant = new own.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      })
      grant.addOIDCScope(String(params?.scope))
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || body?.id_token === undefined) return
    const claims = decodeJwt(body.id_token)
    const changed = faults.claims?.(claims) ?? claims
    body.id_token = await (faults.forge?.(changed, publicJwk) ?? sign(changed))
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    asked.push(request.url ?? '')
    if (faults.isDown) request.socket.destroy()
    else if (faults.answer?.(request.url ?? '', response) !== true) callback(request, response)
  })

  async function sign(claims: JWTPayload): Promise<string> {
    if (faults.signature === 'none') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part(claims)}.`
    }
    const key = faults.signature === 'right' ? privateKey : other.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)
  }

  async function authorize(address: string, account: string): Promise<URL> {
    const jar = new Map<string, string>()
    let url = new URL(address)
    let form: URLSearchParams | undefined
    for (let count = 0; count < 10; count += 1) {
      if (url.origin !== issuer) return url
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form !== undefined && { method: 'POST', body: form }),
      })
      form = undefined
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        jar.set(name, value)
      }
      const location = response.headers.get('location')
      if (location !== null) url = new URL(location, url)
      else if (url.pathname.startsWith('/interaction/'))
        form = new URLSearchParams({ prompt: 'login', login: account, password: 'any' })
      else throw new Error(`The provider answered ${response.status}: ${await response.text()}`)
    }
    throw new Error('The provider sends its visitor round in circles.')
  }

  async function tokensFor(account: string, resource?: string): Promise<IssuedTokens> {
    const redirect = { redirect_uri: redirectUris[0] ?? '' }
    const named = resource === undefined ? {} : { resource }
    const verifier = randomBytes(32).toString('base64url')
    const address = new URLSearchParams({
      ...redirect,
      ...named,
      client_id: CLIENT.id,
      response_type: 'code',
      scope: 'openid',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const back = await authorize(`${issuer}/auth?${address}`, account)
    const code = back.searchParams.get('code') ?? ''
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(Object.values(CLIENT).map(encode).join(':'))}` },
      body: new URLSearchParams({
        ...redirect,
        ...named,
        code,
        grant_type: 'authorization_code',
        code_verifier: verifier,
      }),
    })
    const body = (await response.json()) as { access_token?: string; id_token?: string }
    if (body.access_token === undefined) throw new Error(JSON.stringify(body) + back.href)
    return { access: body.access_token, id: body.id_token ?? '' }
  }

  return {
    issuer,
    publicKey: publicJwk,
    accounts,
    asked,
    faults,
    authorize,
    tokensFor,
    signAgain: (token, { claims, header, key = 'own' }) =>
      new SignJWT({ ...decodeJwt(token), ...claims })
        .setProtectedHeader({ ...(decodeProtectedHeader(token) as JWTHeaderParameters), ...header })
        .sign(key === 'own' ? privateKey : other.privateKey),
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Encodes a part of `Basic` credentials as OAuth requires. */
const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
