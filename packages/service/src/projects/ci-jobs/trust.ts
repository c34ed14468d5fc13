/** Rules about which repositories' jobs may deploy a project. Owners and operators write them. */

export type Trust = {
  /** The issuer's name: `github`, `gitlab`, or one that the operator configured. */
  readonly issuer: string
  /** The repository as `owner/name`. */
  readonly repository: string
  /** Undefined to trust every branch and tag. */
  readonly branch: string | undefined
}

/** The identity of a job according to its issuer. */
export type JobIdentity = {
  readonly issuer: string
  readonly repository: string
  /** Undefined for a tag or a pull request. */
  readonly branch: string | undefined
}

/** Matches `github:owner/name` and `gitlab:group/name@main`. */
const TRUST = /^([a-z][\w-]{0,31}):([\w.-]+(?:\/[\w.-]+)+)(?:@(\S{1,250}))?$/i

/** Parses a rule. Returns undefined if it is malformed. */
export function parseTrust(text: string): Trust | undefined {
  const [, issuer, repository, branch] = TRUST.exec(text) ?? []
  if (issuer === undefined || repository === undefined) return undefined
  return { issuer, repository, branch }
}

/** Returns what is wrong with a rule; undefined if it can be stored. */
export function findTrustProblem(text: string, issuers: readonly string[]): string | undefined {
  const parsed = parseTrust(text)
  if (parsed === undefined)
    return `Invalid repository "${text}": expected github:owner/name[@branch].`
  if (!issuers.includes(parsed.issuer))
    return `Unknown issuer "${parsed.issuer}". Available: ${issuers.join(', ')}.`
  return undefined
}

/**
 * Returns true if a rule matches the job. Repository names are case-insensitive, branch names are
 * not.
 */
export function isTrusted(job: JobIdentity, trusts: readonly Trust[]): boolean {
  return trusts.some(
    ({ issuer, repository, branch }) =>
      issuer === job.issuer &&
      repository.toLowerCase() === job.repository.toLowerCase() &&
      (branch === undefined || branch === job.branch),
  )
}
