/** Readers with an account at the OpenID provider that the owner of the site named. */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AuthorizationResponseError } from 'openid-client'
import { z } from 'zod'
import { createOutboundFetch } from '../../people/identity/outbound-fetch.ts'
import {
  createIdentityProvider,
  type IdentityProvider,
} from '../../people/sign-in/oidc/identity-provider.ts'
import { isAnswer } from '../../people/sign-in/oidc/oidc-pages.ts'
import { spendOnce } from '../../people/sign-in/people-store.ts'
import { createSealer } from '../../people/sign-in/sealed-value.ts'
import { isSameText } from '../../platform/secrets/is-same-text.ts'
import type { SecretKey } from '../../platform/secrets/key-ring.ts'
import { beginSession, type SessionDeps } from './begin-session.ts'
import { readClientSecret } from './change-access.ts'
import { STALE } from './members-sign-in.ts'
import { protectedResource } from './protected-resource.ts'
import {
  ATTEMPT_COOKIE,
  attemptCookie,
  type ReaderExchange,
  type ReaderReply,
  readReaderCookie,
  refusal,
} from './reader-exchange.ts'
import { readReaderGroups } from './reader-groups.ts'
import { type AccessSettings, createAccessStore } from './settings-store.ts'

export type OidcSignInDeps = SessionDeps & {
  readonly secretKeys: readonly SecretKey[]
  readonly allowPrivateHosts: readonly string[]
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

type Client = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
}
type Known = { readonly key: string; readonly provider: IdentityProvider<Client> }
type Loaded = { readonly settings: AccessSettings; readonly provider: IdentityProvider<Client> }

const ATTEMPT_SECONDS = 10 * 60
const PROVIDERS_MAX = 300
const AWAY = 'The sign-in server of this site does not answer. Try again in a moment.'
/** Of sites that agents cannot sign in to. */
export const NO_METADATA: ReaderReply = {
  kind: 'json',
  status: 404,
  value: { error: 'Agents cannot sign in with OAuth here.' },
}
const WRONG = 'The answer of the sign-in server was not accepted. Sign in again.'

const Attempt = z.strictObject({
  host: z.string(),
  projectId: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
})

export function createOidcSignIn(deps: OidcSignInDeps) {
  const { database, secretKeys, now } = deps
  const attempts = createSealer('reader oidc', deps)
  const fetch = createOutboundFetch(deps.allowPrivateHosts)
  /** One for each project: owners change settings, and readers the port of `Host`, as often as they like. */
  const providers = new LRUCache<string, Known>({ max: PROVIDERS_MAX })

  /** Nothing if the owner has taken the settings away. */
  async function load({ pointer }: ReaderExchange): Promise<Loaded | undefined> {
    const bound = database.forProject(pointer)
    const settings = await createAccessStore(bound).read()
    const { issuer, clientId, scopes = [], groupsClaim = '' } = settings.oidc ?? {}
    if (issuer === undefined || clientId === undefined) return undefined
    const clientSecret = await readClientSecret({ database: bound, secretKeys })
    const client = { issuer, clientId, clientSecret, scopes }
    const key = JSON.stringify([groupsClaim, client])
    const known = providers.get(pointer.projectId)
    if (known?.key === key) return { settings, provider: known.provider }
    const provider = createIdentityProvider(client, { fetch, neededClaim: groupsClaim, now })
    providers.set(pointer.projectId, { key, provider })
    return { settings, provider }
  }

  async function signInWithCode(exchange: ReaderExchange): Promise<ReaderReply> {
    const { pointer, host, url, origin } = exchange
    const sealed = attempts.open(readReaderCookie(exchange, ATTEMPT_COOKIE))
    const attempt = Attempt.safeParse(sealed).data
    const isForHere =
      attempt !== undefined &&
      attempt.host === host &&
      attempt.projectId === pointer.projectId &&
      isSameText(url.searchParams.get('state') ?? '', attempt.state)
    if (!isForHere) return refusal(exchange, STALE)
    if (!(await spendOnce(database, `reader oidc ${attempt.state}`, ATTEMPT_SECONDS)))
      return refusal(exchange, STALE)
    const loaded = await load(exchange)
    if (loaded === undefined) return refusal(exchange, AWAY, 502)
    const { settings, provider } = loaded
    let claims: Awaited<ReturnType<typeof provider.redeem>>
    try {
      claims = await provider.redeem(new URL(url.pathname + url.search, origin), attempt)
    } catch (error) {
      if (error instanceof AuthorizationResponseError)
        return refusal(exchange, 'The sign-in server did not sign you in.')
      deps.onError(error)
      return isAnswer(error) ? refusal(exchange, WRONG) : refusal(exchange, AWAY, 502)
    }
    return beginSession(deps, exchange, {
      way: 'oidc',
      groups: readReaderGroups(claims, settings.oidc?.groupsClaim ?? 'groups'),
      member: undefined,
      seconds: settings.sessionHours * 3_600,
      epoch: settings.epoch,
      to: attempt.to,
    })
  }

  return {
    /** Sends the browser to the provider. */
    async begin(exchange: ReaderExchange): Promise<ReaderReply> {
      const { pointer, host, origin, basePath, to } = exchange
      const loaded = await load(exchange)
      if (loaded === undefined) return refusal(exchange, AWAY, 502)
      const binding = { state: random(), nonce: random(), verifier: random() }
      try {
        const redirectUri = `${origin}${basePath}/login/callback`
        const url = await loaded.provider.authorizationUrl(binding, redirectUri)
        const attempt = { host, projectId: pointer.projectId, to, ...binding }
        const sealed = attempts.seal(attempt, ATTEMPT_SECONDS)
        return { kind: 'redirect', url, cookies: [attemptCookie(sealed, ATTEMPT_SECONDS)] }
      } catch (error) {
        deps.onError(error)
        return refusal(exchange, AWAY, 502)
      }
    },
    finish: signInWithCode,

    /** Tells agents which provider gives tokens for the MCP server of the site (RFC 9728). */
    async describe({ pointer, origin, basePath }: ReaderExchange): Promise<ReaderReply> {
      const { mode, oidc } = await createAccessStore(database.forProject(pointer)).read()
      const { issuer, scopes = [] } = oidc ?? {}
      if (mode !== 'oidc' || issuer === undefined) return NO_METADATA
      const value = {
        resource: protectedResource(origin, basePath).resource,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        ...(scopes.length > 0 && { scopes_supported: scopes }),
      }
      return { kind: 'json', status: 200, value }
    },
  }
}

const random = () => randomBytes(32).toString('base64url')
