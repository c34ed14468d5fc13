/**
 * A real OpenID provider on loopback. Tests choose who its people are, and can make it answer wrongly:
 * its ID tokens are changed and signed anew with its own key, as a broken or hostile provider would.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

export type Account = {
  readonly email?: string
  readonly email_verified?: unknown
  readonly name?: unknown
  readonly groups?: unknown
}

export type IdentityProviderServer = {
  readonly issuer: string
  readonly accounts: Map<string, Account>
  /** Changes what the next ID tokens say; set back to nothing. */
  readonly faults: {
    claims: ((claims: JWTPayload) => JWTPayload) | undefined
    signature: 'right' | 'other-key' | 'none'
    isDown: boolean
  }
  /** Signs somebody in there, as their browser would; gives the address that it sends them to. */
  readonly authorize: (address: string, account: string) => Promise<URL>
  readonly stop: () => Promise<void>
}

export const CLIENT = { id: 'octavo', secret: 'a secret of the client, long enough' }

export async function startIdentityProvider(
  redirectUris: readonly string[],
): Promise<IdentityProviderServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  const accounts = new Map<string, Account>()
  const faults: IdentityProviderServer['faults'] = {
    claims: undefined,
    signature: 'right',
    isDown: false,
  }

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
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ ...accounts.get(id), sub: id }),
    }),
    // Nobody is asked for consent.
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
    body.id_token = await sign(faults.claims?.(claims) ?? claims)
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (faults.isDown) request.socket.destroy()
    else callback(request, response)
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

  return {
    issuer,
    accounts,
    faults,
    authorize,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
