/** The data that the service passes to the dashboard for each request. */

export type Person = {
  readonly id: string
  readonly name: string
  readonly email: string
  /** True if the person has a way to sign in again after this session. */
  readonly canSignInAgain: boolean
}

/** Paths of the stylesheet and the script. */
export type PageAssets = { readonly css: string; readonly script: string }

export type Visit = {
  /** The request. If it submits a form, the service has checked that it comes from this origin. */
  readonly request: Request
  readonly person: Person
  /** Included in every form as the field `token`; the service has checked it in `request`. */
  readonly formToken: string
  readonly assets: PageAssets
  /** Calls the API as this person, with their permissions. */
  readonly api: Api
  /** The repositories to connect, if the person returns from GitHub. */
  readonly gitHub?: GitHubChoice
}

/** The repositories that a person can choose from, with a grant that proves their access. */
export type GitHubChoice = {
  readonly grant: string
  readonly repositories: readonly { readonly name: string; readonly url: string }[]
  /** True if there are more repositories than can be listed. */
  readonly hasMore: boolean
}

export type Api = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  /** A path such as `/v1/projects/prj_5kbu4k41mpelzrqs/keys`. */
  path: string,
  options?: {
    readonly body?: object
    readonly accept?: string
    readonly idempotencyKey?: string
  },
) => Promise<Response>
