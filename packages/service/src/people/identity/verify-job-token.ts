/**
 * Verifies the identity token of a CI job. Only issuers that are known by name are asked for their
 * keys: the token itself says who has signed it, and anybody can write that.
 */
import { fetchOutbound, printOutboundFailure } from '@octavo/outbound'
import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import type { Settings } from '../../app/settings/env.ts'
import { Problem } from '../../platform/problem.ts'
import type { JobIdentity } from '../../projects/ci-jobs/trust.ts'

export type Issuer = { readonly name: string; readonly url: string }

export const PUBLIC_ISSUERS: readonly Issuer[] = [
  { name: 'github', url: 'https://token.actions.githubusercontent.com' },
  { name: 'gitlab', url: 'https://gitlab.com' },
]

/** Never `none`, and nothing where the key is shared. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']
const KEYS_MS = 10 * 60_000
/** An unknown key may be a new one: asked for again, but not for every token. */
const UNKNOWN_KEY_MS = 10_000
const CLOCK_SECONDS = 30
const TOKEN_AGE_MAX = '24h'
const LIMITS = { totalMsMax: 10_000, bytesMax: 200_000, redirectsMax: 0 }

type VerifierDeps = {
  /** Those of the operator, beside the public ones. */
  readonly issuers: readonly Issuer[]
  /** What a token has to be made for: the address of this service. */
  readonly audience: string
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
}

/** Tokens that arrive together wait for one reading. */
type KnownKeys = { readonly keys: Promise<JSONWebKeySet>; readonly readAt: number }

/** Nothing for a service without a URL: tokens have to be made for it. */
export function openJobTokenVerifier(
  {
    url,
    oidcIssuers: issuers,
    allowPrivateHosts,
  }: Pick<Settings, 'url' | 'oidcIssuers' | 'allowPrivateHosts'>,
  now: () => number,
) {
  if (url === undefined) return undefined
  return createJobTokenVerifier({
    issuers,
    audience: new URL(url).origin,
    allowPrivateHosts,
    now,
  })
}

function createJobTokenVerifier(deps: VerifierDeps) {
  const issuers = [...PUBLIC_ISSUERS, ...deps.issuers]
  const known = new Map<string, KnownKeys>()

  async function load(url: string): Promise<unknown> {
    const { allowPrivateHosts } = deps
    const outcome = await fetchOutbound({ url, allowPrivateHosts, limits: LIMITS })
    if (outcome.kind === 'loaded') {
      try {
        return JSON.parse(Buffer.from(outcome.bytes).toString('utf8'))
      } catch {
        throw unreachable(url, 'the response is not JSON')
      }
    }
    const reason =
      outcome.kind === 'not-modified' ? 'nothing was sent' : printOutboundFailure(outcome, url)
    throw unreachable(url, reason)
  }

  async function readKeys(url: string): Promise<JSONWebKeySet> {
    const about = (await load(`${url}/.well-known/openid-configuration`)) as {
      readonly issuer?: unknown
      readonly jwks_uri?: unknown
    } | null
    const address = URL.parse(String(about?.jwks_uri))
    // The keys of an issuer come from the issuer.
    if (about?.issuer !== url || address?.origin !== new URL(url).origin)
      throw unreachable(url, 'its configuration is not valid')
    return (await load(address.href)) as JSONWebKeySet
  }

  function keysOf({ url }: Issuer, ageMsMax: number): Promise<JSONWebKeySet> {
    const cached = known.get(url)
    if (cached !== undefined && deps.now() - cached.readAt < ageMsMax) return cached.keys
    const read = { keys: readKeys(url), readAt: deps.now() }
    known.set(url, read)
    read.keys.catch(() => {
      if (known.get(url) === read) known.delete(url)
    })
    return read.keys
  }

  async function verifyWith(token: string, issuer: Issuer, ageMsMax: number): Promise<JWTPayload> {
    const keys = createLocalJWKSet(await keysOf(issuer, ageMsMax))
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuer.url,
      audience: deps.audience,
      algorithms: SIGNATURE_ALGORITHMS,
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: TOKEN_AGE_MAX,
      clockTolerance: CLOCK_SECONDS,
      currentDate: new Date(deps.now()),
    }).catch((error: unknown) => {
      // What is not about the token is about the key: too short, or none at all.
      throw error instanceof errors.JOSEError
        ? error
        : unreachable(issuer.url, 'its key cannot be used')
    })
    return payload
  }

  return async function verify(token: string): Promise<JobIdentity> {
    try {
      const { iss } = decodeJwt(token)
      const issuer = issuers.find(({ url }) => url === iss)
      if (issuer === undefined)
        throw refused(`its issuer is not one of ${issuers.map(({ url }) => url).join(', ')}`)
      const payload = await verifyWith(token, issuer, KEYS_MS).catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey)
          return verifyWith(token, issuer, UNKNOWN_KEY_MS)
        throw error
      })
      return identityOf(issuer.name, payload)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused(reasonOf(error))
      throw error
    }
  }
}

/** GitHub says `repository` and `refs/heads/main`, GitLab `project_path` and `main` of type `branch`. */
function identityOf(issuer: string, payload: JWTPayload): JobIdentity {
  const { repository, project_path, ref, ref_type } = payload
  const text = typeof ref === 'string' ? ref : ''
  if (typeof project_path === 'string') {
    const branch = ref_type === 'branch' ? text : undefined
    return { issuer, repository: project_path, branch }
  }
  if (typeof repository === 'string') {
    const branch = text.startsWith('refs/heads/') ? text.slice('refs/heads/'.length) : undefined
    return { issuer, repository, branch }
  }
  throw refused('it names no repository')
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'aud'
      ? 'its audience is not the URL of this service'
      : `its claim "${error.claim}" is not valid`
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not allowed'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its issuer does not have its key'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong'
  return 'it is not a signed token'
}

function refused(reason: string): Problem {
  return new Problem('unauthorized', `The identity token is not accepted: ${reason}.`, {
    param: 'token',
  })
}

function unreachable(url: string, reason: string): Problem {
  return new Problem(
    'upstream-failed',
    `The keys of the issuer cannot be read from ${url}: ${reason}.`,
  )
}
