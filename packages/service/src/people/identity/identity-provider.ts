/** A client for one OpenID provider: builds authorization URLs and redeems codes for claims. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client'
import type { ProviderSettings } from '../sign-in-settings.ts'

/** The allowed difference between the provider's clock and ours. */
const CLOCK_SECONDS = 30
const TIMEOUT_SECONDS = 10
const RESPONSE_BYTES_MAX = 500_000
/**
 * How long a provider's configuration is cached. Endpoints change rarely, and signing keys are
 * refetched separately when a key is unknown.
 */
const CONFIGURATION_MS = 60 * 60_000

/** Ties the provider's response to our request. */
type Binding = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** Our client registration at a provider. */
export type ClientSettings = Pick<
  ProviderSettings,
  'issuer' | 'clientId' | 'clientSecret' | 'scopes'
>

export type IdentityProvider<Settings extends ClientSettings = ProviderSettings> = {
  readonly settings: Settings
  readonly authorizationUrl: (binding: Binding, redirectUri: string) => Promise<string>
  /**
   * Redeems the code, and verifies issuer, audience, nonce, signature and times of the ID token.
   * Throws the errors of openid-client.
   */
  readonly redeem: (callback: URL, binding: Binding) => Promise<Claims>
}

export type IdentityProviderDeps = {
  /**
   * Sends requests. The default can connect to private networks, so it is only for URLs that the
   * operator configured.
   */
  readonly fetch?: CustomFetch | undefined
  /** A claim that is requested from the userinfo endpoint if the ID token lacks it. */
  readonly neededClaim: string
  readonly now: () => number
}

export function createIdentityProvider<Settings extends ClientSettings>(
  settings: Settings,
  { fetch = fetchLimited, neededClaim, now }: IdentityProviderDeps,
): IdentityProvider<Settings> {
  let cached: { readonly found: Promise<Configuration>; readonly readAt: number } | undefined

  function load(): Promise<Configuration> {
    if (cached !== undefined && now() - cached.readAt < CONFIGURATION_MS) return cached.found
    const found = discover(settings, fetch)
    const read = { found, readAt: now() }
    cached = read
    // Do not cache a failure: the provider may respond to the next request.
    found.catch(() => {
      if (cached === read) cached = undefined
    })
    return found
  }

  return {
    settings,
    async authorizationUrl({ state, nonce, verifier }, redirectUri) {
      const parameters = {
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      return buildAuthorizationUrl(await load(), parameters).href
    },
    async redeem(callback, { state, nonce, verifier }) {
      const configuration = await load()
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('the response has no ID token')
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      if (claims[neededClaim] !== undefined || !hasUserInfo) return claims
      // Some providers return the e-mail address or groups only from the userinfo endpoint.
      return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
    },
  }
}

/** Fetches with a limit on the response size. */
const fetchLimited: CustomFetch = async (url, options) => {
  const response = await globalThis.fetch(url, options as RequestInit)
  let left = RESPONSE_BYTES_MAX
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      left -= piece.length
      if (left < 0) controller.error(new TypeError(`The response from ${url} is too large.`))
      else controller.enqueue(piece)
    },
  })
  return response.body === null
    ? response
    : new Response(response.body.pipeThrough(limit), response)
}

/**
 * Reads the configuration of a provider. An issuer that the operator set may be on a private
 * network. For issuers that owners set, `fetch` blocks private addresses.
 */
async function discover(settings: ClientSettings, fetch: CustomFetch): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const configuration = await discovery(
    new URL(issuer),
    clientId,
    {
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      [clockTolerance]: CLOCK_SECONDS,
    },
    clientSecret === undefined ? None() : undefined,
    {
      timeout: TIMEOUT_SECONDS,
      [customFetch]: fetch,
      // The settings allow issuers with `http:` only on this machine.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    },
  )
  // Verify signatures even though the token came over TLS.
  enableNonRepudiationChecks(configuration)
  return configuration
}
