/**
 * Signs readers in with tokens from the owner's server, which redirects them to
 * `/login/jwt-callback#<token>`. The part after `#` does not appear in logs, and a script removes
 * it from the browser's history. A token can be used once, within seconds, and determines the
 * length of the session.
 */
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { PublicJwk } from '@octavo/contract'
import { renderJwtArrival } from '@octavo/dashboard'
import { errors, type JWTPayload } from 'jose'
import { spendOnce } from '../../people/identity/spend-once.ts'
import { verifyJwt } from '../../people/identity/verify-jwt.ts'
import { type SessionDeps, startSession } from './begin-session.ts'
import { type ReaderExchange, type ReaderReply, readOwnForm, refusal } from './reader-exchange.ts'
import { readReaderGroups } from './reader-groups.ts'
import { createAccessStore } from './settings-store.ts'

export type JwtSignInDeps = SessionDeps & { readonly now: () => number }

/**
 * The maximum time until a token expires, and the maximum difference between the clocks of both
 * servers.
 */
const EXPIRY_SECONDS_MAX = 10
const CLOCK_SECONDS = 5
/** How long used tokens are stored, which is longer than any token is valid. */
const SPENT_SECONDS = 120
const SESSION_SECONDS_MAX = 30 * 24 * 3_600
const NOT_SET_UP = 'Sign-in is not set up yet for this site. Contact its owner.'

export function createJwtSignIn(deps: JwtSignInDeps) {
  const { database, now } = deps

  return {
    /** Redirects the browser to the owner's server. */
    async begin(exchange: ReaderExchange): Promise<ReaderReply> {
      const settings = await createAccessStore(database.forProject(exchange.pointer)).read()
      if (settings.jwt?.loginUrl === undefined) return refusal(exchange, NOT_SET_UP, 502)
      const url = new URL(settings.jwt.loginUrl)
      url.searchParams.set('redirect', exchange.to)
      return { kind: 'redirect', url: url.href }
    },

    /** Serves the page that removes the token from the URL. */
    async arrive({ basePath: base, host, to }: ReaderExchange): Promise<ReaderReply> {
      const action = `${base}/login/jwt-callback?redirect=${encodeURIComponent(to)}`
      return { kind: 'page', status: 200, html: renderJwtArrival({ base, host, action }) }
    },

    async finish(exchange: ReaderExchange): Promise<ReaderReply> {
      const token = (await readOwnForm(exchange)).get('jwt') ?? ''
      const settings = await createAccessStore(database.forProject(exchange.pointer)).read()
      const nowSeconds = now() / 1_000
      const payload = await verify(token, settings.jwt?.keys ?? [], nowSeconds)
      const reason =
        payload === undefined ? SIGNATURE_INVALID : reasonAgainst(payload, exchange, nowSeconds)
      if (payload === undefined || reason !== undefined)
        return refusal(exchange, `The token was not accepted: ${reason}.`)
      // The signature is not included, because a token with an ECDSA signature has a second valid
      // signature.
      const signed = token.slice(0, token.lastIndexOf('.'))
      if (!(await spendOnce(database, `reader jwt ${signed}`, SPENT_SECONDS)))
        return refusal(exchange, 'The token was not accepted: it was used before.')
      const { expiresAt } = payload
      const seconds =
        typeof expiresAt === 'number'
          ? Math.floor(expiresAt - nowSeconds)
          : settings.sessionHours * 3_600
      return startSession(deps, exchange, {
        way: 'jwt',
        groups: readReaderGroups(payload, 'groups'),
        member: undefined,
        seconds: Math.min(seconds, SESSION_SECONDS_MAX),
        epoch: settings.epoch,
        to: exchange.to,
      })
    },
  }
}

const SIGNATURE_INVALID = 'it is not signed with a key of this site, or has expired'

/**
 * Verifies a token with each of the keys. Returns its payload, or undefined if no key has signed
 * it.
 */
async function verify(
  token: string,
  keys: readonly PublicJwk[],
  nowSeconds: number,
): Promise<JWTPayload | undefined> {
  for (const { kid: _, ...jwk } of keys) {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    try {
      return await verifyJwt(token, () => key, {
        // The algorithm is derived from the key, because the token is untrusted.
        algorithms: jwk.kty === 'EC' ? ['ES256'] : ['EdDSA', 'Ed25519'],
        requiredClaims: ['exp', 'host'],
        clockTolerance: CLOCK_SECONDS,
        nowMs: nowSeconds * 1_000,
      })
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
    }
  }
  return undefined
}

function reasonAgainst(
  payload: JWTPayload,
  { host }: ReaderExchange,
  nowSeconds: number,
): string | undefined {
  const { exp = 0, host: named, expiresAt } = payload
  if (exp > nowSeconds + EXPIRY_SECONDS_MAX + CLOCK_SECONDS)
    return `it must expire within ${EXPIRY_SECONDS_MAX} seconds`
  if (typeof named !== 'string' || named.toLowerCase() !== host) return 'it is for another host'
  if (expiresAt === undefined) return undefined
  if (typeof expiresAt !== 'number' || !Number.isFinite(expiresAt))
    return '`expiresAt` is not a time in seconds'
  return expiresAt < nowSeconds + 1 ? 'its session has already ended' : undefined
}
