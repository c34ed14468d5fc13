/**
 * Finds the repositories that a person can use through the GitHub App. An installation id in a URL
 * proves nothing, since anyone can enter the id of another account's installation. So GitHub is
 * asked on behalf of the person, with a token that is not stored.
 */
import { z } from 'zod'
import { type ApiCall, type ApiFailure, callApi } from './call-api.ts'
import type { ProviderDeps } from './git-host-client.ts'
import { gitHubApiUrl, gitHubHeaders } from './github.ts'
import type { GitHubAppSettings, GitHubClient } from './github-app.ts'
import type { ProviderFailure } from './provider.ts'

const PAGE_SIZE = 100
const PAGES_MAX = 20
const INSTALLATIONS_MAX = 20
/**
 * The maximum number of repositories to choose from. If there are more, people can limit the
 * installation to fewer repositories.
 */
const REPOSITORIES_MAX = 500

/** A repository that the person can push to and the app can read. */
export type UserRepository = {
  readonly installationId: string
  /** The name with its owner, such as `owner/name`. */
  readonly name: string
}

type UserRepositories =
  | {
      readonly kind: 'repositories'
      readonly repositories: readonly UserRepository[]
      readonly hasMore: boolean
    }
  /** Access is refused because the code is invalid or the person cannot use the installation. */
  | { readonly kind: 'refused'; readonly reason: 'code' | 'installation' }
  | ProviderFailure

type UserToken = { readonly token: string; readonly signal: AbortSignal }

/** The response to a token request. GitHub sends status 200 even for an error. */
const TokenReply = z.union([
  z.object({ access_token: z.string().min(1) }),
  z.object({ error: z.string() }),
])
const BAD_CODE = 'bad_verification_code'
const NOT_SET_UP: ProviderFailure = {
  kind: 'failed',
  message:
    'GitHub does not accept the client credentials of the app. The operator has to check OCTAVO_GITHUB_APP_CLIENT_ID, OCTAVO_GITHUB_APP_CLIENT_SECRET and the callback URL of the app.',
  retryAfterSeconds: undefined,
}
const Installations = z.object({
  installations: z.array(
    z.object({ id: z.int(), app_id: z.int(), suspended_at: z.string().nullish() }),
  ),
})
const Repositories = z.object({
  repositories: z.array(
    z.object({
      full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
      permissions: z.object({ push: z.boolean() }),
    }),
  ),
})

export class GitHubUsers {
  readonly #app: GitHubAppSettings & { readonly client: GitHubClient }
  readonly #deps: ProviderDeps
  readonly #redirectUri: string
  readonly #origin: string

  constructor(
    app: GitHubAppSettings & { readonly client: GitHubClient },
    { redirectUri, ...deps }: ProviderDeps & { readonly redirectUri: string },
  ) {
    this.#app = app
    this.#deps = deps
    this.#redirectUri = redirectUri
    this.#origin = new URL(app.url).origin
  }

  /** Returns the URL of the page where a person authorizes the app. */
  authorizeUrl(state: string): string {
    const query = new URLSearchParams({
      client_id: this.#app.client.id,
      redirect_uri: this.#redirectUri,
      state,
    })
    return `${this.#origin}/login/oauth/authorize?${query}`
  }

  /**
   * Lists the repositories of one installation, or of all installations that the person can use.
   */
  async listRepositories(
    {
      code,
      installationId,
    }: { readonly code: string; readonly installationId: string | undefined },
    signal: AbortSignal,
  ): Promise<UserRepositories> {
    const token = await this.#redeem(code, signal)
    if (token === undefined) return { kind: 'refused', reason: 'code' }
    if (typeof token !== 'string') return token
    const user = { token, signal }
    const installations = await this.#listInstallations(user)
    if ('kind' in installations) return installations
    if (installationId !== undefined && !installations.includes(installationId))
      return { kind: 'refused', reason: 'installation' }
    const candidates = installationId === undefined ? installations : [installationId]
    const repositories: UserRepository[] = []
    let hasMore = candidates.length > INSTALLATIONS_MAX
    for (const id of candidates.slice(0, INSTALLATIONS_MAX)) {
      const outcome = await this.#addRepositories(user, id, repositories)
      if (typeof outcome === 'object') return outcome
      if (outcome === 'more') hasMore = true
    }
    return {
      kind: 'repositories',
      repositories: repositories.slice(0, REPOSITORIES_MAX),
      hasMore: hasMore || repositories.length > REPOSITORIES_MAX,
    }
  }

  /**
   * Exchanges the code for the person's token. Returns undefined if the code is wrong, expired or
   * already used.
   */
  async #redeem(code: string, signal: AbortSignal): Promise<string | undefined | ProviderFailure> {
    const { id: client_id, secret: client_secret } = this.#app.client
    const reply = await callApi(
      {
        ...this.#deps,
        method: 'POST',
        url: `${this.#origin}/login/oauth/access_token`,
        headers: {},
        body: { client_id, client_secret, code, redirect_uri: this.#redirectUri },
        secret: client_secret,
        signal,
      },
      TokenReply,
    )
    if (reply.kind === 'failed') return reply
    if ('access_token' in reply.data) return reply.data.access_token
    return reply.data.error === BAD_CODE ? undefined : NOT_SET_UP
  }

  async #listInstallations(user: UserToken): Promise<readonly string[] | ApiFailure> {
    const path = `/user/installations?per_page=${PAGE_SIZE}`
    const reply = await this.#get(user, path, Installations)
    if (reply.kind === 'failed') return reply
    return reply.data.installations
      .filter(({ app_id, suspended_at }) => String(app_id) === this.#app.id && !suspended_at)
      .map(({ id }) => String(id))
  }

  /** Adds the repositories of one installation to the list, until it is full. */
  async #addRepositories(
    user: UserToken,
    installationId: string,
    repositories: UserRepository[],
  ): Promise<'all' | 'more' | ApiFailure> {
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const path = `/user/installations/${installationId}/repositories?per_page=${PAGE_SIZE}&page=${page}`
      const reply = await this.#get(user, path, Repositories)
      if (reply.kind === 'failed') return reply
      // Skip repositories that the person can only read, since connecting one makes the app comment
      // on it.
      for (const { full_name, permissions } of reply.data.repositories)
        if (permissions.push) repositories.push({ installationId, name: full_name })
      if (!reply.hasNext) return 'all'
      if (repositories.length >= REPOSITORIES_MAX) return 'more'
    }
    return 'more'
  }

  #get<Data>({ token, signal }: UserToken, path: string, schema: z.ZodType<Data>) {
    const call: ApiCall = {
      ...this.#deps,
      method: 'GET',
      url: `${gitHubApiUrl(this.#origin)}${path}`,
      headers: gitHubHeaders(token),
      secret: token,
      signal,
    }
    return callApi(call, schema)
  }
}
