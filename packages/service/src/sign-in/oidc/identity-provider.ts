/** One OpenID provider: where a browser is sent, and what comes back. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client'
import type { ProviderSettings } from '../sign-in-settings.ts'

/** How far the clocks of provider and service may differ. */
const CLOCK_SECONDS = 30
const TIMEOUT_SECONDS = 10
/** Endpoints change now and then; keys are read anew when one is not known. */
const CONFIGURATION_MS = 60 * 60_000

/** What ties an answer of the provider to the request that it is for. */
type Binding = { readonly state: string; readonly nonce: string; readonly verifier: string }

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

export type IdentityProvider = {
  readonly settings: ProviderSettings
  readonly authorizationUrl: (binding: Binding) => Promise<string>
  /** Verifies issuer, audience, nonce, signature and times; throws what openid-client throws. */
  readonly redeem: (callback: URL, binding: Binding) => Promise<Claims>
}

export function createIdentityProvider(
  settings: ProviderSettings,
  { redirectUri, now }: { readonly redirectUri: string; readonly now: () => number },
): IdentityProvider {
  let cached: { readonly found: Promise<Configuration>; readonly readAt: number } | undefined

  function load(): Promise<Configuration> {
    if (cached !== undefined && now() - cached.readAt < CONFIGURATION_MS) return cached.found
    const found = discover(settings)
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
    async authorizationUrl({ state, nonce, verifier }) {
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
      if (typeof claims.email === 'string' || !hasUserInfo) return claims
      // Some providers tell the address there alone.
      return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
    },
  }
}

/** The address is the operator's own, so it may be on a private network. */
async function discover(settings: ProviderSettings): Promise<Configuration> {
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
      // Settings refuse http: anywhere but on this machine.
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
    },
  )
  // Signatures are checked although the token came over TLS.
  enableNonRepudiationChecks(configuration)
  return configuration
}
