/**
 * The GitHub App of this service. It signs in with its private key and requests a token for one
 * repository of one installation. The token is valid for an hour. It is used for the API, and as
 * the password of the user `x-access-token` in Git.
 */
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import type { GitFailure } from '../../platform/git/git.ts'
import { type ApiCall, type ApiFailure, callApi } from './call-api.ts'
import type { GitHostAuth, ProviderDeps } from './git-host-client.ts'
import { gitHubApiUrl, gitHubHeaders } from './github.ts'
import type { ProviderFailure } from './provider.ts'
import { readRepositoryAddress, sameRepository } from './repository-address.ts'

export const PUBLIC_GITHUB_URL = 'https://github.com'

/** The permissions that the app asks for, and that each token has. */
export const APP_PERMISSIONS = {
  contents: 'read',
  metadata: 'read',
  checks: 'write',
  pull_requests: 'write',
} as const

/** Tokens are backdated by this time, since GitHub's clock may be behind ours. */
const CLOCK_SECONDS = 60
/** How long a signed request is valid. GitHub allows ten minutes at most. */
const JWT_SECONDS = 9 * 60
/** A token is replaced this long before it expires. */
const EARLY_MS = 5 * 60_000
const TOKENS_MAX = 10_000

/** The OAuth client with which people authorize the app on GitHub. */
export type GitHubClient = { readonly id: string; readonly secret: string }

export type GitHubAppSettings = {
  readonly id: string
  /** The private key in PEM format. */
  readonly key: string
  /** The URL of GitHub, or of GitHub Enterprise Server. */
  readonly url: string
  /** The secret that GitHub signs deliveries with; undefined if the app has no webhook. */
  readonly webhookSecret: string | undefined
  /** Without it, only operators can connect repositories through the app. */
  readonly client?: GitHubClient | undefined
}

type Installation = {
  readonly installationId: string
  /** The clone URL. */
  readonly repositoryUrl: string
}

/** The fields of a connection that identify an installation. */
type ConnectedInstallation = { readonly installationId: string | null; readonly url: string }

type CachedToken = {
  readonly token: string
  readonly expiresMs: number
  readonly isPrivate: boolean | undefined
}

const TokenReply = z.object({
  token: z.string().min(1),
  expires_at: z.iso.datetime({ offset: true }),
  repositories: z
    .array(z.object({ full_name: z.string(), private: z.boolean().optional() }))
    .nonempty(),
})
const AppReply = z.object({ html_url: z.url() })
const InstallationReply = z.object({ id: z.int(), suspended_at: z.string().nullish() })

export class GitHubApp {
  readonly #app: GitHubAppSettings
  readonly #deps: ProviderDeps
  readonly #origin: string
  readonly #api: string
  readonly #tokens = new Map<string, CachedToken>()
  #installUrl: string | undefined

  constructor(app: GitHubAppSettings, deps: ProviderDeps) {
    this.#app = app
    this.#deps = deps
    this.#origin = new URL(app.url).origin
    this.#api = gitHubApiUrl(this.#origin)
  }

  authOf(installation: Installation): GitHostAuth {
    return {
      token: (signal) => this.#tokenOf(installation, signal),
      forget: () => this.#tokens.delete(keyOf(installation)),
      appId: this.#app.id,
    }
  }

  /** Returns a token that Git can use as the password of the user `x-access-token`. */
  async gitToken(
    { installationId, url }: ConnectedInstallation,
    signal: AbortSignal,
  ): Promise<string | GitFailure> {
    const token =
      installationId === null
        ? notConnected
        : await this.#tokenOf({ installationId, repositoryUrl: url }, signal)
    if (typeof token === 'string') return token
    const isFinal = token.retryAfterSeconds === undefined
    const code = isFinal ? 'credentials' : 'unreachable'
    return { kind: 'failed', code, message: token.message, isFinal }
  }

  /**
   * Returns true if the repository is private, as GitHub reported with the last token; undefined if
   * there is no token yet.
   */
  isPrivate({ installationId, url }: ConnectedInstallation): boolean | undefined {
    if (installationId === null) return undefined
    return this.#tokens.get(keyOf({ installationId, repositoryUrl: url }))?.isPrivate
  }

  /** Returns the URL of the page for installing the app or changing its repositories. */
  async installUrl(signal: AbortSignal): Promise<string | ProviderFailure> {
    if (this.#installUrl !== undefined) return this.#installUrl
    const reply = await this.#call({ method: 'GET', url: `${this.#api}/app`, signal }, AppReply)
    if (reply.kind === 'failed') return explainToken(reply)
    const { origin, pathname } = new URL(reply.data.html_url)
    if (origin !== this.#origin) return notOnHost(this.#app)
    this.#installUrl = `${origin}${pathname}/installations/new`
    return this.#installUrl
  }

  /** Returns the clone URL of a repository `owner/name`. */
  cloneUrl(name: string): string {
    return `${this.#origin}/${name}.git`
  }

  /**
   * Returns the `owner/name` of a repository on this GitHub server; undefined for any other URL.
   */
  nameOf(repositoryUrl: string): string | undefined {
    return this.#repositoryOf(repositoryUrl)?.join('/')
  }

  /**
   * Asks GitHub which installation of the app contains a repository, so that a project cannot use
   * an installation of another account.
   */
  async proveInstallation(
    repositoryUrl: string,
    signal: AbortSignal,
  ): Promise<{ readonly kind: 'proved'; readonly installationId: string } | ProviderFailure> {
    const repository = this.#repositoryOf(repositoryUrl)
    if (repository === undefined) return notOnHost(this.#app)
    const path = repository.map(encodeURIComponent).join('/')
    const url = `${this.#api}/repos/${path}/installation`
    const reply = await this.#call({ method: 'GET', url, signal }, InstallationReply)
    const name = repository.join('/')
    if (reply.kind === 'reply') {
      const { id, suspended_at } = reply.data
      if ((suspended_at ?? null) === null) return { kind: 'proved', installationId: String(id) }
      return failed(
        `The GitHub App is suspended for ${name}. Resume it in the settings of the account, under "GitHub Apps".`,
      )
    }
    if (reply.status !== 404) return explainToken(reply)
    return failed(
      `The GitHub App is not installed on ${name}. Install it there, or add the repository to the installation.`,
    )
  }

  async #tokenOf(
    installation: Installation,
    signal: AbortSignal,
  ): Promise<string | ProviderFailure> {
    const kept = this.#tokens.get(keyOf(installation))
    if (kept !== undefined && this.#deps.now() < kept.expiresMs - EARLY_MS) return kept.token
    const repository = this.#repositoryOf(installation.repositoryUrl)
    if (repository === undefined) return notOnHost(this.#app)
    const id = encodeURIComponent(installation.installationId)
    const url = `${this.#api}/app/installations/${id}/access_tokens`
    const body = { repositories: [repository[1]], permissions: APP_PERMISSIONS }
    const reply = await this.#call({ method: 'POST', url, body, signal }, TokenReply)
    if (reply.kind === 'failed') return explainToken(reply)
    const { token, expires_at, repositories } = reply.data
    // A request names repositories without their owner, so the installation of another account may
    // have one with the same name.
    const name = repository.join('/')
    if (!repositories.every(({ full_name }) => sameRepository(full_name, name)))
      return failed(
        `Installation ${installation.installationId} of the GitHub App does not belong to ${name}. Connect the repository again.`,
      )
    if (this.#tokens.size >= TOKENS_MAX) this.#tokens.clear()
    const isPrivate = repositories[0]?.private
    this.#tokens.set(keyOf(installation), { token, expiresMs: Date.parse(expires_at), isPrivate })
    return token
  }

  /**
   * Returns the owner and the name of a repository; undefined if it is not on the app's GitHub
   * server.
   */
  #repositoryOf(url: string): readonly [owner: string, name: string] | undefined {
    const address = readRepositoryAddress(url)
    if (address === undefined || address.segments.length !== 2) return undefined
    if (gitHubApiUrl(address.origin) !== this.#api) return undefined
    const [owner = '', name = ''] = address.segments
    return [owner, name]
  }

  async #call<Data>(
    request: Pick<ApiCall, 'method' | 'url' | 'body' | 'signal'>,
    schema: z.ZodType<Data>,
  ) {
    const jwt = await signIn(this.#app, this.#deps.now())
    const headers = gitHubHeaders(jwt)
    return callApi({ ...request, ...this.#deps, headers, secret: jwt }, schema)
  }
}

const keyOf = ({ installationId, repositoryUrl }: Installation) =>
  `${installationId} ${repositoryUrl}`

/** Returns why a private key cannot be used; undefined if it can. */
export function findKeyProblem(pem: string): string | undefined {
  try {
    const { asymmetricKeyType } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' ? undefined : 'it is not an RSA key'
  } catch {
    return 'it is not a private key in PEM format'
  }
}

function signIn({ id, key }: GitHubAppSettings, nowMs: number): Promise<string> {
  const nowSeconds = Math.floor(nowMs / 1_000)
  return new SignJWT({})
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(id)
    .setIssuedAt(nowSeconds - CLOCK_SECONDS)
    .setExpirationTime(nowSeconds + JWT_SECONDS)
    .sign(createPrivateKey(key))
}

/** Creates a permanent failure, which is not retried. */
const failed = (message: string): ProviderFailure => ({
  kind: 'failed',
  message,
  retryAfterSeconds: undefined,
})

const notConnected = failed('The connection has no GitHub App installation. Add it again.')

const notOnHost = ({ url }: GitHubAppSettings) =>
  failed(`The connection's URL is not a repository on ${url}, the host of the GitHub App.`)

function explainToken(failure: ApiFailure): ProviderFailure {
  const { status, message, retryAfterSeconds } = failure
  const hints: Readonly<Record<number, string>> = {
    401: 'Check OCTAVO_GITHUB_APP_ID, OCTAVO_GITHUB_APP_KEY and the clock of this machine.',
    403: 'The installation may be suspended.',
    404: 'The GitHub App was uninstalled. Install it again and connect the repository again.',
    422: 'The repository is not part of the installation, or new permissions of the app were not accepted.',
  }
  const hint = status === undefined || retryAfterSeconds !== undefined ? undefined : hints[status]
  return {
    kind: 'failed',
    message: hint === undefined ? message : `${message} ${hint}`,
    retryAfterSeconds,
  }
}
