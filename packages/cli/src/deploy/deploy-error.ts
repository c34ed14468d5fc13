/** A deployment that cannot go on, with what to tell. Anything else thrown is a mistake of ours. */
export class DeployError extends Error {
  /** Everything that is wrong with the site, where the service named it. */
  readonly errors: readonly { readonly path: string; readonly reason: string }[]

  /** Of the response of the service, if there was one. */
  readonly status: number | undefined

  constructor(message: string, errors: DeployError['errors'] = [], status?: number) {
    super(message)
    this.name = 'DeployError'
    this.errors = errors
    this.status = status
  }
}
