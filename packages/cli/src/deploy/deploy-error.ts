/** An expected failure with a message for the user. Any other error is a bug. */
export class DeployError extends Error {
  /** All problems that the service reported for the site. */
  readonly errors: readonly { readonly path: string; readonly reason: string }[]

  /** The status of the service's response, if there was one. */
  readonly status: number | undefined

  constructor(message: string, errors: DeployError['errors'] = [], status?: number) {
    super(message)
    this.name = 'DeployError'
    this.errors = errors
    this.status = status
  }
}
