/** A deployment that cannot go on, with what to tell. Anything else thrown is a mistake of ours. */
export class DeployError extends Error {
  /** Everything that is wrong with the site, where the service named it. */
  readonly errors: readonly { readonly path: string; readonly reason: string }[]

  constructor(message: string, errors: DeployError['errors'] = []) {
    super(message)
    this.name = 'DeployError'
    this.errors = errors
  }
}
