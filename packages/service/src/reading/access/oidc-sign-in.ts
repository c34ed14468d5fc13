/** Signs readers in with their account at the OpenID provider that the site's owner has chosen. */
import { LRUCache } from 'lru-cache'
import type { CustomFetch } from 'openid-client'
import { ATTEMPT_SECONDS, CodeFlow } from '../../people/identity/code-flow.ts'
import {
  type ClientSettings,
  createIdentityProvider,
  type IdentityProvider,
} from '../../people/identity/identity-provider.ts'
import { createOutboundFetch } from '../../people/identity/outbound-fetch.ts'
import type { SecretKey } from '../../platform/secrets/key-ring.ts'
import { type SessionDeps, startSession } from './begin-session.ts'
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

type Provider = IdentityProvider<ClientSettings>
type Loaded = { readonly settings: AccessSettings; readonly provider: Provider }

type Context = OidcSignInDeps & {
  readonly flow: CodeFlow<'host' | 'projectId' | 'to'>
  readonly fetch: CustomFetch
  /**
   * Stores only the latest provider of each project. Otherwise the cache could be flooded, because
   * owners can change their settings, and readers the port in `Host`, as often as they want.
   */
  readonly providers: LRUCache<string, { readonly key: string; readonly provider: Provider }>
}

const PROVIDERS_MAX = 300
const UNAVAILABLE = "This site's sign-in server is not responding. Try again in a moment."
/** The response for a site where agents cannot sign in with OAuth. */
const NO_METADATA: ReaderReply = {
  kind: 'json',
  status: 404,
  value: { error: 'Agents cannot sign in with OAuth here.' },
}
const WRONG = 'The response from the sign-in server is not valid. Sign in again.'

export function createOidcSignIn(deps: OidcSignInDeps) {
  const context: Context = {
    ...deps,
    flow: new CodeFlow('reader oidc', ['host', 'projectId', 'to'], deps),
    fetch: createOutboundFetch(deps.allowPrivateHosts),
    providers: new LRUCache({ max: PROVIDERS_MAX }),
  }
  return {
    begin: (exchange: ReaderExchange) => begin(context, exchange),
    finish: (exchange: ReaderExchange) => finish(context, exchange),
    describe: (exchange: ReaderExchange) => describe(deps, exchange),
  }
}

/** Starts a sign-in: redirects the browser to the provider. */
async function begin(context: Context, exchange: ReaderExchange): Promise<ReaderReply> {
  const { pointer, host, origin, basePath, to } = exchange
  const loaded = await load(context, exchange)
  if (loaded === undefined) return refusal(exchange, UNAVAILABLE, 502)
  const redirectUri = `${origin}${basePath}/login/callback`
  const own = { host, projectId: pointer.projectId, to }
  const begun = await context.flow.begin(loaded.provider, redirectUri, own)
  if (begun === undefined) return refusal(exchange, UNAVAILABLE, 502)
  const cookies = [attemptCookie(begun.sealed, ATTEMPT_SECONDS)]
  return { kind: 'redirect', url: begun.url, cookies }
}

/** Finishes a sign-in when the browser returns with a code. */
async function finish(context: Context, exchange: ReaderExchange): Promise<ReaderReply> {
  const { flow } = context
  const { pointer, host, url, origin } = exchange
  const attempt = flow.open(readReaderCookie(exchange, ATTEMPT_COOKIE))
  const isForHere = attempt?.host === host && attempt.projectId === pointer.projectId
  if (!isForHere || !(await flow.spend(attempt, url))) return refusal(exchange, STALE)
  const loaded = await load(context, exchange)
  if (loaded === undefined) return refusal(exchange, UNAVAILABLE, 502)
  const { settings, provider } = loaded
  const callback = new URL(url.pathname + url.search, origin)
  const outcome = await flow.redeem(provider, callback, attempt)
  switch (outcome.kind) {
    case 'denied':
      return refusal(exchange, 'The sign-in server did not sign you in.')
    case 'wrong':
      return refusal(exchange, WRONG)
    case 'away':
      return refusal(exchange, UNAVAILABLE, 502)
    case 'claims':
      return startSession(context, exchange, {
        way: 'oidc',
        groups: readReaderGroups(outcome.claims, settings.oidc?.groupsClaim ?? 'groups'),
        member: undefined,
        seconds: settings.sessionHours * 3_600,
        epoch: settings.epoch,
        to: attempt.to,
      })
  }
}

/** Returns the settings and the provider; undefined if the owner has removed the settings. */
async function load(
  { database, secretKeys, fetch, providers, now }: Context,
  { pointer }: ReaderExchange,
): Promise<Loaded | undefined> {
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

/** Describes which provider issues access tokens for the site's MCP server (RFC 9728). */
async function describe(
  { database }: OidcSignInDeps,
  { pointer, origin, basePath }: ReaderExchange,
): Promise<ReaderReply> {
  if (pointer.protection !== 'oidc') return NO_METADATA
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
}
