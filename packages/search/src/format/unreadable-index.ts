/**
 * Thrown when a deployment's file is not what a build writes: malformed, inconsistent or beyond a
 * limit. Deployments are untrusted input, so this is a problem with one site, not a bug in the
 * service.
 */
export class UnreadableIndex extends Error {
  override readonly name = 'UnreadableIndex'
}
