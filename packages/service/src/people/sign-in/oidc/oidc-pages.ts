/** Signing in with an account at an OpenID provider: there, and back again. */
import { randomBytes } from 'node:crypto'
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { z } from 'zod'
import { addressPrefix } from '../../../platform/audit/store.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { PepperRing } from '../../../platform/secrets/pepper-ring.ts'
import { admissionOf, type SignInSettings } from '../../sign-in-settings.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { safePath } from '../forms.ts'
import { type Exchange, redirect, type SignInPage } from '../page.ts'
import {
  applyGroupRoles,
  type IdentityOutcome,
  signInByIdentity,
  spendOnce,
} from '../people-store.ts'
import { createSealer } from '../sealed-value.ts'
import type { ShowSignIn } from '../ways.ts'
import { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'
import { isAllowedDomain, isSubject, readName, readVerifiedEmail, rolesOf } from './read-claims.ts'

export type OidcDeps = {
  readonly database: Database
  readonly settings: SignInSettings
  readonly pepper: PepperRing
  /** The origin of the service. */
  readonly origin: string
  readonly showSignIn: ShowSignIn
  readonly onError: (error: unknown) => void
  readonly now: () => number
}

/** What the browser keeps while somebody is at the provider. */
const COOKIE = '__Host-octavo-oidc'
const ATTEMPT_SECONDS = 10 * 60
const NEXT_LENGTH_MAX = 1_000
const Attempt = z.strictObject({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
})

export function oidcPages(deps: OidcDeps): readonly SignInPage[] {
  const { database, settings, origin, showSignIn } = deps
  const sealer = createSealer('sign-in oidc', deps)
  const providers = new Map(
    settings.providers.map((provider) => [
      provider.id,
      createIdentityProvider(provider, { neededClaim: 'email', now: deps.now }),
    ]),
  )

  /** Sends the browser to the provider. */
  async function begin({ url, part, gate }: Exchange): Promise<Response> {
    const asked = safePath(url.searchParams.get('next'))
    const next = asked.length > NEXT_LENGTH_MAX ? '/' : asked
    const provider = providers.get(part)
    if (provider === undefined) return showSignIn({ gate, next, error: UNKNOWN, status: 404 })
    const binding = { state: random(), nonce: random(), verifier: random() }
    try {
      const redirectUri = `${origin}/sign-in/oidc/${part}/callback`
      const address = await provider.authorizationUrl(binding, redirectUri)
      const sealed = sealer.seal({ provider: part, next, ...binding }, ATTEMPT_SECONDS)
      return redirect(address, { 'set-cookie': setCookie(COOKIE, sealed, ATTEMPT_SECONDS) })
    } catch (error) {
      deps.onError(error)
      return showSignIn({ gate, next, error: awayText(provider), status: 502 })
    }
  }

  /** The browser comes back with a code. Whatever becomes of it, the attempt is over. */
  async function finish(exchange: Exchange): Promise<Response> {
    const response = await signInWithCode(exchange)
    response.headers.append('set-cookie', setCookie(COOKIE, '', 0))
    return response
  }

  async function signInWithCode(exchange: Exchange): Promise<Response> {
    const { request, url, part, gate } = exchange
    const attempt = Attempt.safeParse(sealer.open(readCookie(request, COOKIE))).data
    const next = attempt?.next ?? '/'
    const refuse = (error: string, status = 403) => showSignIn({ gate, next, error, status })
    const provider = providers.get(part)
    if (provider === undefined) return refuse(UNKNOWN, 404)
    // The provider that was asked has to be the one that answers.
    if (attempt?.provider !== part || url.searchParams.get('state') !== attempt.state)
      return refuse(STALE)
    if (!(await spendOnce(database, `sign-in oidc ${attempt.state}`, ATTEMPT_SECONDS)))
      return refuse(STALE)
    let claims: Awaited<ReturnType<IdentityProvider['redeem']>>
    try {
      claims = await provider.redeem(new URL(url.pathname + url.search, origin), attempt)
    } catch (error) {
      if (error instanceof AuthorizationResponseError) return refuse(deniedText(provider, error))
      deps.onError(error)
      return isAnswer(error) ? refuse(wrongText(provider)) : refuse(awayText(provider), 502)
    }
    if (!isSubject(claims.sub)) return refuse(wrongText(provider))
    const email = readVerifiedEmail(claims, provider.settings)
    if (!isAllowedDomain(email, provider.settings))
      return refuse(`${provider.settings.name} accounts of this address are not let in here.`)
    const admission = admissionOf(settings.signUp, email ?? '')
    const mayJoin =
      admission.mayJoin || (provider.settings.newPeople && settings.signUp.kind !== 'closed')
    const { issuer } = provider.settings
    const identity = { issuer, subject: claims.sub, email, name: readName(claims) }
    const found = await signInByIdentity(database, identity, { ...admission, mayJoin })
    if (found.userId === null) return refuse(refusalOf(found.outcome, provider))
    await applyGroupRoles(database, found.userId, {
      issuer,
      roles: rolesOf(claims, provider.settings),
      actor: `provider ${provider.settings.id}`,
      addressPrefix: addressPrefix(exchange.clientAddress),
    })
    return exchange.signIn({ userId: found.userId, isVerified: true }, next)
  }

  return [
    { pattern: /^\/sign-in\/oidc\/([a-z\d-]+)$/, answer: begin },
    { pattern: /^\/sign-in\/oidc\/([a-z\d-]+)\/callback$/, answer: finish },
  ]
}

const UNKNOWN = 'There is no such way to sign in.'
const STALE = 'This sign-in was begun elsewhere, or a while ago. Sign in again.'

const random = () => randomBytes(32).toString('base64url')

/** Did the provider answer, but wrongly? Otherwise nothing came from it. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError)
    return true
  return error instanceof ClientError && error.code !== 'OAUTH_TIMEOUT'
}

const wrongText = ({ settings: { name } }: IdentityProvider) =>
  `The answer of ${name} was not accepted. Sign in again.`

function awayText({ settings: { name } }: IdentityProvider): string {
  return `${name} does not answer. Try again in a moment; if it stays away, the operator of the service can make a link for you.`
}

/** The description is the provider's, or anybody's: only a code of the standard is shown. */
function deniedText(
  { settings: { name } }: IdentityProvider,
  { error }: AuthorizationResponseError,
): string {
  const code = /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''
  return `${name} did not sign you in${code}.`
}

function refusalOf(outcome: IdentityOutcome, { settings: { name } }: IdentityProvider): string {
  if (outcome === 'disabled') return 'This account is disabled. Ask an owner.'
  if (outcome === 'unverified')
    return `${name} does not say that your e-mail address was verified, so it cannot be told who you are. Verify it there and sign in again.`
  if (outcome === 'other-account')
    return `Somebody with this address signs in with another account at ${name}. Ask the operator of the service.`
  if (outcome === 'not-set-up')
    return 'This service has no owner yet: open the link that is in its log.'
  return 'You have no account here. Ask an owner for an invitation.'
}
