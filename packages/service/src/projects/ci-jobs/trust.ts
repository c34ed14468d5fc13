/** Which jobs of which repository may deploy a project, as an operator writes it. */

export type Trust = {
  /** The name of an issuer: `github`, `gitlab`, or one of the operator's own. */
  readonly issuer: string
  /** `owner/name`. */
  readonly repository: string
  /** Every branch and tag without one. */
  readonly branch: string | undefined
}

/** What an issuer says about a job. */
export type JobIdentity = {
  readonly issuer: string
  readonly repository: string
  /** Nothing for a tag or a pull request. */
  readonly branch: string | undefined
}

/** `github:owner/name`, `gitlab:group/name@main`. */
const TRUST = /^([a-z][\w-]{0,31}):([\w.-]+(?:\/[\w.-]+)+)(?:@(\S{1,250}))?$/i

/** Nothing for a text that is none. */
export function parseTrust(text: string): Trust | undefined {
  const [, issuer, repository, branch] = TRUST.exec(text) ?? []
  if (issuer === undefined || repository === undefined) return undefined
  return { issuer, repository, branch }
}

/** Returns what is wrong with an entry; undefined if it can be stored. */
export function findTrustProblem(text: string, issuers: readonly string[]): string | undefined {
  const parsed = parseTrust(text)
  if (parsed === undefined)
    return `Invalid repository "${text}": expected github:owner/name[@branch].`
  if (!issuers.includes(parsed.issuer))
    return `Unknown issuer "${parsed.issuer}". Available: ${issuers.join(', ')}.`
  return undefined
}

/** The names of repositories do not differ by case alone; those of branches may. */
export function isTrusted(job: JobIdentity, trusts: readonly Trust[]): boolean {
  return trusts.some(
    ({ issuer, repository, branch }) =>
      issuer === job.issuer &&
      repository.toLowerCase() === job.repository.toLowerCase() &&
      (branch === undefined || branch === job.branch),
  )
}
