/**
 * Thrown when a file of a deployment is not what a build writes: malformed, inconsistent, or beyond a
 * limit. Deployments are untrusted input, so this is a problem of one site and never a defect of ours.
 */
export class UnreadableIndex extends Error {
  override readonly name = 'UnreadableIndex'
}
