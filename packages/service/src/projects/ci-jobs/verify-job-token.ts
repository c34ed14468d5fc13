/**
 * Verifies the identity token of a CI job. Only the keys of configured issuers are fetched: the
 * issuer in the token itself is not trusted.
 */
import { decodeJwt, errors, type JWTPayload } from 'jose'
import { IssuerError, IssuerKeys } from '../../people/identity/issuer-keys.ts'
import { SIGNATURE_ALGORITHMS } from '../../people/identity/verify-jwt.ts'
import { Problem } from '../../platform/problem.ts'
import type { JobIdentity } from './trust.ts'

export type Issuer = { readonly name: string; readonly url: string }

export const PUBLIC_ISSUERS: readonly Issuer[] = [
  { name: 'github', url: 'https://token.actions.githubusercontent.com' },
  { name: 'gitlab', url: 'https://gitlab.com' },
]

const KEY_RULES = { isExact: true, bytesMax: 200_000, unknownKeyMs: 10_000, failureMs: 0 }
const TOKEN_RULES = {
  algorithms: SIGNATURE_ALGORITHMS,
  requiredClaims: ['exp', 'iat'],
  maxTokenAge: '24h',
  clockTolerance: 30,
}

/**
 * Creates the function that verifies tokens. Returns undefined for a service without a URL, which
 * is the required audience of tokens.
 */
export function openJobTokenVerifier(
  {
    url,
    oidcIssuers,
    allowPrivateHosts,
  }: {
    readonly url: string | undefined
    readonly oidcIssuers: readonly Issuer[]
    readonly allowPrivateHosts: readonly string[]
  },
  now: () => number,
) {
  if (url === undefined) return undefined
  const audience = new URL(url).origin
  const issuers = [...PUBLIC_ISSUERS, ...oidcIssuers]
  // Errors are not logged, since the response reports them to the job.
  const keys = new IssuerKeys({ ...KEY_RULES, allowPrivateHosts, onError: () => {}, now })

  return async function verify(token: string): Promise<JobIdentity> {
    try {
      const { iss } = decodeJwt(token)
      const issuer = issuers.find((one) => one.url === iss)
      if (issuer === undefined)
        throw refused(`its issuer is not one of ${issuers.map((one) => one.url).join(', ')}`)
      const rules = { ...TOKEN_RULES, audience }
      return identityOf(issuer.name, await keys.verify(token, issuer.url, rules))
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused(reasonOf(error))
      if (error instanceof IssuerError) throw new Problem('upstream-failed', error.message)
      throw error
    }
  }
}
/**
 * GitHub sends `repository` and `refs/heads/main`, GitLab `project_path` and `main` with type
 * `branch`.
 */
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
  throw refused('it does not name a repository')
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
