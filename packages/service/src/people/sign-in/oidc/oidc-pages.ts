/** Sign-in with an account at an OpenID provider: the redirect there, and the callback. */
import { addressPrefix } from '../../../platform/audit/store.ts'
import { ATTEMPT_SECONDS, CodeFlow } from '../../identity/code-flow.ts'
import {
  type Claims,
  createIdentityProvider,
  type IdentityProvider,
} from '../../identity/identity-provider.ts'
import {
  isAllowedDomain,
  isSubject,
  readName,
  readVerifiedEmail,
  rolesOf,
} from '../../identity/read-claims.ts'
import { admissionOf, type ProviderSettings } from '../../sign-in-settings.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { safePath } from '../forms.ts'
import { type Exchange, pagesWith, redirect, type SignInDeps, type WebPage } from '../page.ts'
import { applyGroupRoles, type IdentityOutcome, signInByIdentity } from '../people-store.ts'
import { logRefusedPerson } from '../refused-sign-ins.ts'

/** Holds the sealed attempt while the person is at the provider. */
const COOKIE = '__Host-octavo-oidc'
const NEXT_LENGTH_MAX = 1_000

export const oidcPages = (deps: SignInDeps): readonly WebPage[] =>
  pagesWith(new OidcPages(deps), [
    ['/sign-in/oidc/:id', (pages, exchange) => pages.begin(exchange)],
    ['/sign-in/oidc/:id/callback', (pages, exchange) => pages.finish(exchange)],
  ])

class OidcPages {
  readonly #deps: SignInDeps
  readonly #flow: CodeFlow<'provider' | 'next'>
  readonly #providers: ReadonlyMap<string, IdentityProvider>

  constructor(deps: SignInDeps) {
    this.#deps = deps
    this.#flow = new CodeFlow('sign-in oidc', ['provider', 'next'], deps)
    this.#providers = new Map(
      deps.settings.providers.map((provider) => [
        provider.id,
        createIdentityProvider(provider, { neededClaim: 'email', now: deps.now }),
      ]),
    )
  }

  async begin({ url, params: { id = '' }, gate }: Exchange): Promise<Response> {
    const { origin, showSignIn } = this.#deps
    const target = safePath(url.searchParams.get('next'))
    const next = target.length > NEXT_LENGTH_MAX ? '/' : target
    const provider = this.#providers.get(id)
    if (provider === undefined) return showSignIn({ gate, next, error: UNKNOWN, status: 404 })
    const redirectUri = `${origin}/sign-in/oidc/${id}/callback`
    const begun = await this.#flow.begin(provider, redirectUri, { provider: id, next })
    if (begun === undefined)
      return showSignIn({ gate, next, error: awayText(provider.settings), status: 502 })
    return redirect(begun.url, { 'set-cookie': setCookie(COOKIE, begun.sealed, ATTEMPT_SECONDS) })
  }

  /** Handles the callback with a code. The attempt is over, whatever the result. */
  async finish(exchange: Exchange): Promise<Response> {
    const response = await this.#signInWithCode(exchange)
    response.headers.append('set-cookie', setCookie(COOKIE, '', 0))
    return response
  }

  async #signInWithCode(exchange: Exchange): Promise<Response> {
    const { request, url, params, gate } = exchange
    const { id = '' } = params
    const { origin, showSignIn } = this.#deps
    const attempt = this.#flow.open(readCookie(request, COOKIE))
    const next = attempt?.next ?? '/'
    const refuse = (error: string, status = 403) => showSignIn({ gate, next, error, status })
    const provider = this.#providers.get(id)
    if (provider === undefined) return refuse(UNKNOWN, 404)
    // The callback must belong to the provider of the attempt.
    if (attempt?.provider !== id || !(await this.#flow.spend(attempt, url))) return refuse(STALE)
    const callback = new URL(url.pathname + url.search, origin)
    const outcome = await this.#flow.redeem(provider, callback, attempt)
    switch (outcome.kind) {
      case 'denied':
        return refuse(deniedText(provider.settings, outcome.error))
      case 'wrong':
        return refuse(wrongText(provider.settings))
      case 'away':
        return refuse(awayText(provider.settings), 502)
      case 'claims': {
        const found = await this.#admit(outcome.claims, provider.settings, exchange)
        if ('refusal' in found) return refuse(found.refusal)
        return exchange.signIn(
          { userId: found.userId, isVerified: true },
          { next, method: `provider ${id}` },
        )
      }
    }
  }

  /**
   * Finds or creates the account of a person who signed in at the provider, and applies the roles
   * that their groups grant.
   */
  async #admit(
    claims: Claims,
    provider: ProviderSettings,
    { clientAddress }: Exchange,
  ): Promise<Admitted> {
    const { database, settings } = this.#deps
    const { issuer, newPeople } = provider
    if (!isSubject(claims.sub)) return { refusal: wrongText(provider) }
    const email = readVerifiedEmail(claims, provider)
    if (!isAllowedDomain(email, provider))
      return { refusal: `${provider.name} accounts with this address cannot sign in here.` }
    const admission = admissionOf(settings.signUp, email ?? '')
    const mayJoin = admission.mayJoin || (newPeople && settings.signUp.kind !== 'closed')
    const network = addressPrefix(clientAddress)
    const identity = {
      issuer,
      subject: claims.sub,
      email,
      name: readName(claims),
      addressPrefix: network,
    }
    const found = await signInByIdentity(database, identity, { ...admission, mayJoin })
    const { userId, outcome } = found
    if (userId === null) return { refusal: refusalOf(outcome, provider) }
    const actor = `provider ${provider.id}`
    if (outcome === 'disabled' || outcome === 'other-account') {
      await logRefusedPerson(this.#deps, userId, { method: actor, reason: outcome, network })
      return { refusal: refusalOf(outcome, provider) }
    }
    await applyGroupRoles(database, userId, {
      issuer,
      roles: rolesOf(claims, provider),
      actor,
      addressPrefix: network,
    })
    return { userId }
  }
}

type Admitted = { readonly userId: string } | { readonly refusal: string }

const UNKNOWN = 'This sign-in method does not exist.'
const STALE = 'This sign-in was started in another browser or has expired. Sign in again.'

const wrongText = ({ name }: ProviderSettings) =>
  `The response from ${name} was not accepted. Sign in again.`

function awayText({ name }: ProviderSettings): string {
  return `${name} does not respond. Try again in a moment. If the problem persists, ask the operator of the service for a login link.`
}

/**
 * Returns the message about a denied sign-in. Anyone can craft the callback URL, so the message
 * contains the error code only if it consists of safe characters.
 */
function deniedText({ name }: ProviderSettings, error: string): string {
  const code = /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''
  return `${name} did not sign you in${code}.`
}

function refusalOf(outcome: IdentityOutcome, { name }: ProviderSettings): string {
  if (outcome === 'disabled') return 'This account is disabled. Ask an owner.'
  if (outcome === 'unverified')
    return `${name} does not confirm that your e-mail address is verified. Verify it there and sign in again.`
  if (outcome === 'other-account')
    return `This address already belongs to another account at ${name}. Ask the operator of the service.`
  if (outcome === 'not-set-up')
    return 'This service has no owner yet: open the link that is in its log.'
  return 'You have no account here. Ask an owner for an invitation.'
}
