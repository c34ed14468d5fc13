/**
 * Implements the authorization code flow with an OpenID provider. A cookie stores the sealed
 * attempt while the browser is at the provider. The browser returns with a code, which is accepted
 * once and for this attempt only.
 */
import { randomBytes } from 'node:crypto'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { isSameText } from '../../platform/secrets/is-same-text.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import type { Claims, IdentityProvider } from './identity-provider.ts'
import { createSealer, type Sealer } from './sealed-value.ts'
import { spendOnce } from './spend-once.ts'

export type CodeFlowDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** The values of a sign-in attempt. `Own` names additional values, which the caller chooses. */
type Attempt<Own extends string> = Readonly<Record<Own | (typeof BINDING)[number], string>>
type Provider = Pick<IdentityProvider, 'authorizationUrl' | 'redeem'>

export type CodeOutcome =
  | { readonly kind: 'claims'; readonly claims: Claims }
  /**
   * The provider denied the sign-in. `error` may come from anyone who can craft a URL, so it is
   * untrusted.
   */
  | { readonly kind: 'denied'; readonly error: string }
  /** `wrong`: the provider's response is invalid. `away`: the provider did not respond. */
  | { readonly kind: 'wrong' | 'away' }

export const ATTEMPT_SECONDS = 10 * 60
const BINDING = ['state', 'nonce', 'verifier'] as const

export class CodeFlow<Own extends string> {
  readonly #purpose: 'sign-in oidc' | 'reader oidc'
  readonly #deps: CodeFlowDeps
  readonly #sealer: Sealer
  readonly #schema: z.ZodType

  constructor(purpose: 'sign-in oidc' | 'reader oidc', own: readonly Own[], deps: CodeFlowDeps) {
    this.#purpose = purpose
    this.#deps = deps
    this.#sealer = createSealer(purpose, deps)
    this.#schema = z.strictObject(
      Object.fromEntries([...own, ...BINDING].map((name) => [name, z.string()])),
    )
  }

  /**
   * Returns the URL to redirect to and the sealed attempt to store in a cookie. Undefined if the
   * provider does not respond.
   */
  async begin(
    provider: Provider,
    redirectUri: string,
    own: Readonly<Record<Own, string>>,
  ): Promise<{ readonly url: string; readonly sealed: string } | undefined> {
    const binding = { state: random(), nonce: random(), verifier: random() }
    try {
      const url = await provider.authorizationUrl(binding, redirectUri)
      return { url, sealed: this.#sealer.seal({ ...own, ...binding }, ATTEMPT_SECONDS) }
    } catch (error) {
      this.#deps.onError(error)
      return undefined
    }
  }

  /** Returns the attempt from the browser's cookie. */
  open(sealed: string | undefined): Attempt<Own> | undefined {
    const { data } = this.#schema.safeParse(this.#sealer.open(sealed))
    return data as Attempt<Own> | undefined
  }

  /** Returns true if the URL is the first response to this attempt. Marks the attempt as used. */
  async spend({ state }: Attempt<Own>, { searchParams }: URL): Promise<boolean> {
    if (!isSameText(searchParams.get('state') ?? '', state)) return false
    return spendOnce(this.#deps.database, `${this.#purpose} ${state}`, ATTEMPT_SECONDS)
  }

  async redeem(provider: Provider, callback: URL, attempt: Attempt<Own>): Promise<CodeOutcome> {
    try {
      return { kind: 'claims', claims: await provider.redeem(callback, attempt) }
    } catch (error) {
      if (error instanceof AuthorizationResponseError) return { kind: 'denied', error: error.error }
      this.#deps.onError(error)
      return { kind: isProviderResponse(error) ? 'wrong' : 'away' }
    }
  }
}

const random = () => randomBytes(32).toString('base64url')

/** Returns true if the provider sent an invalid response, false if it sent no response. */
function isProviderResponse(error: unknown): boolean {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return true
  return error instanceof ClientError && error.code !== 'OAUTH_TIMEOUT'
}
