/** What the service gives to the dashboard for each request. */

export type Person = {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Whether they can sign in again when this session is over. */
  readonly hasWayBack: boolean
}

/** Paths of the stylesheet and of the script. */
export type PageAssets = { readonly css: string; readonly script: string }

export type Visit = {
  /** Its form, if it has one, came from a page of this origin. */
  readonly request: Request
  readonly person: Person
  /** Goes into every form, as the field `token`; the service has checked it in `request`. */
  readonly formToken: string
  readonly assets: PageAssets
  /** The API, as this person and within what they may do. */
  readonly api: Api
  /** Somebody comes back from GitHub with what they may connect. */
  readonly gitHub?: GitHubChoice
}

/** What GitHub lets a person choose from, and the proof of it. */
export type GitHubChoice = {
  readonly grant: string
  readonly repositories: readonly { readonly name: string; readonly url: string }[]
  /** There are more than can be listed. */
  readonly hasMore: boolean
}

export type Api = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  /** Such as `/v1/projects/prj_5kbu4k41mpelzrqs/keys`. */
  path: string,
  options?: {
    readonly body?: object
    readonly accept?: string
    readonly idempotencyKey?: string
  },
) => Promise<Response>
