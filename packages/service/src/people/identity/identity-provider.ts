/** One OpenID provider: where a browser is sent, and what comes back. */
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

/** How far the clocks of provider and service may differ. */
const CLOCK_SECONDS = 30
const TIMEOUT_SECONDS = 10
const RESPONSE_BYTES_MAX = 500_000
/** Endpoints change now and then; keys are read anew when one is not known. */
const CONFIGURATION_MS = 60 * 60_000

/** What ties an answer of the provider to the request that it is for. */
type Binding = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

/** What a provider knows us by. */
export type ClientSettings = Pick<
  ProviderSettings,
  'issuer' | 'clientId' | 'clientSecret' | 'scopes'
>

export type IdentityProvider<Settings extends ClientSettings = ProviderSettings> = {
  readonly settings: Settings
  readonly authorizationUrl: (binding: Binding, redirectUri: string) => Promise<string>
  /** Verifies issuer, audience, nonce, signature and times; throws what openid-client throws. */
  readonly redeem: (callback: URL, binding: Binding) => Promise<Claims>
}

export type IdentityProviderDeps = {
  /** How requests are sent; without it, as to an address that the operator named. */
  readonly fetch?: CustomFetch | undefined
  /** The claim that the endpoint for claims is asked for, if the ID token does not have it. */
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
    // Do not cache a failure: the provider may be back by the next request.
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
      if (claims === undefined) throw new Error('an answer without an ID token')
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      if (claims[neededClaim] !== undefined || !hasUserInfo) return claims
      // Some providers tell the address, or groups, there alone.
      return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
    },
  }
}

/** Reads no more of a response than this. */
const fetchLimited: CustomFetch = async (url, options) => {
  const response = await globalThis.fetch(url, options as RequestInit)
  let left = RESPONSE_BYTES_MAX
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      left -= piece.length
      if (left < 0) controller.error(new TypeError(`The response of ${url} is too large.`))
      else controller.enqueue(piece)
    },
  })
  return response.body === null
    ? response
    : new Response(response.body.pipeThrough(limit), response)
}

/** The address of an operator may be on a private network; that of an owner has a `fetch` which sees to it. */
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
      // Settings refuse http: anywhere but on this machine.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    },
  )
  // Signatures are checked although the token came over TLS.
  enableNonRepudiationChecks(configuration)
  return configuration
}
