/**
 * The GitHub App of this service. It signs in with its key and gets a token for one repository of one
 * installation, which GitHub takes for an hour: for the API, and for Git as the password of
 * `x-access-token`.
 */
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import type { GitFailure } from '../../platform/git/git.ts'
import { type ApiCall, type ApiFailure, callApi } from './call-api.ts'
import { type GitHubAuth, gitHubApiUrl, gitHubHeaders, type ProviderDeps } from './github.ts'
import type { ProviderFailure } from './provider.ts'
import { readRepositoryAddress, sameRepository } from './repository-address.ts'

export const PUBLIC_GITHUB_URL = 'https://github.com'

/** What the app asks for, and all that a token may do. */
export const APP_PERMISSIONS = {
  contents: 'read',
  metadata: 'read',
  checks: 'write',
  pull_requests: 'write',
} as const

/** The clock of GitHub may be behind ours. */
const CLOCK_SECONDS = 60
/** GitHub takes ten minutes at most. */
const JWT_SECONDS = 9 * 60
/** A token is replaced so long before it expires. */
const EARLY_MS = 5 * 60_000
const TOKENS_MAX = 10_000

/** With which people say on GitHub who they are; OAuth calls it a client. */
export type GitHubClient = { readonly id: string; readonly secret: string }

export type GitHubAppSettings = {
  readonly id: string
  /** PEM, as GitHub gives it. */
  readonly key: string
  /** Of GitHub, or GitHub Enterprise Server. */
  readonly url: string
  /** That deliveries are signed with. */
  readonly webhookSecret: string | undefined
  /** Without it repositories of the app are connected by the operator alone. */
  readonly client?: GitHubClient | undefined
}

export type GitHubApp = {
  readonly authOf: (installation: Installation) => GitHubAuth
  /** A token that Git takes as the password of `x-access-token`. */
  readonly gitToken: (
    connection: { readonly installationId: string | null; readonly url: string },
    signal: AbortSignal,
  ) => Promise<string | GitFailure>
  /** Whether only some people can see the repository, as GitHub said with the last token; nothing before. */
  readonly isPrivate: (connection: {
    readonly installationId: string | null
    readonly url: string
  }) => boolean | undefined
  readonly proveInstallation: (
    repositoryUrl: string,
    signal: AbortSignal,
  ) => Promise<{ readonly kind: 'proved'; readonly installationId: string } | ProviderFailure>
  /** Where somebody installs the app, or changes which repositories it may read. */
  readonly installUrl: (signal: AbortSignal) => Promise<string | ProviderFailure>
  /** The address that Git clones a repository from, by its name `owner/name`. */
  readonly cloneUrl: (name: string) => string
  /** `owner/name` of a repository on this GitHub; nothing for any other address. */
  readonly nameOf: (repositoryUrl: string) => string | undefined
}

type Installation = {
  readonly installationId: string
  /** Where Git clones from. */
  readonly repositoryUrl: string
}

type KeptToken = {
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

export function createGitHubApp(app: GitHubAppSettings, deps: ProviderDeps): GitHubApp {
  const api = gitHubApiUrl(new URL(app.url).origin)
  const tokens = new Map<string, KeptToken>()
  let installUrl: string | undefined
  const keyOf = ({ installationId, repositoryUrl }: Installation) =>
    `${installationId} ${repositoryUrl}`

  async function call<Data>(
    wish: Pick<ApiCall, 'method' | 'url' | 'body' | 'signal'>,
    schema: z.ZodType<Data>,
  ) {
    const jwt = await signIn(app, deps.now())
    return callApi({ ...wish, ...deps, headers: gitHubHeaders(jwt), secret: jwt }, schema)
  }

  /** `owner` and `name` of a repository on the GitHub that the app is on. */
  function repositoryOf(url: string): readonly [owner: string, name: string] | undefined {
    const address = readRepositoryAddress(url)
    if (address === undefined || address.segments.length !== 2) return undefined
    if (gitHubApiUrl(address.origin) !== api) return undefined
    const [owner = '', name = ''] = address.segments
    return [owner, name]
  }

  async function tokenOf(
    installation: Installation,
    signal: AbortSignal,
  ): Promise<string | ProviderFailure> {
    const kept = tokens.get(keyOf(installation))
    if (kept !== undefined && deps.now() < kept.expiresMs - EARLY_MS) return kept.token
    const repository = repositoryOf(installation.repositoryUrl)
    if (repository === undefined) return notOnHost(app)
    const id = encodeURIComponent(installation.installationId)
    const reply = await call(
      {
        method: 'POST',
        url: `${api}/app/installations/${id}/access_tokens`,
        body: { repositories: [repository[1]], permissions: APP_PERMISSIONS },
        signal,
      },
      TokenReply,
    )
    if (reply.kind === 'failed') return explainToken(reply)
    const { token, expires_at, repositories } = reply.data
    // Repositories are named without their owner, so the installation of another one may have such a name too.
    const isRight = repositories.every(({ full_name }) =>
      sameRepository(full_name, repository.join('/')),
    )
    if (!isRight)
      return {
        kind: 'failed',
        message: `Installation ${installation.installationId} of the GitHub App is not that of ${repository.join('/')}. Connect the repository again.`,
        retryAfterSeconds: undefined,
      }
    if (tokens.size >= TOKENS_MAX) tokens.clear()
    const isPrivate = repositories[0]?.private
    tokens.set(keyOf(installation), { token, expiresMs: Date.parse(expires_at), isPrivate })
    return token
  }

  return {
    authOf: (installation) => ({
      kind: 'app',
      token: (signal) => tokenOf(installation, signal),
      forget: () => tokens.delete(keyOf(installation)),
      appId: app.id,
    }),
    gitToken: async ({ installationId, url }, signal) => {
      const token =
        installationId === null
          ? notConnected
          : await tokenOf({ installationId, repositoryUrl: url }, signal)
      if (typeof token === 'string') return token
      const isFinal = token.retryAfterSeconds === undefined
      const code = isFinal ? 'credentials' : 'unreachable'
      return { kind: 'failed', code, message: token.message, isFinal }
    },
    isPrivate: ({ installationId, url }) =>
      installationId === null
        ? undefined
        : tokens.get(keyOf({ installationId, repositoryUrl: url }))?.isPrivate,
    installUrl: async (signal) => {
      if (installUrl !== undefined) return installUrl
      const reply = await call({ method: 'GET', url: `${api}/app`, signal }, AppReply)
      if (reply.kind === 'failed') return explainToken(reply)
      const { origin, pathname } = new URL(reply.data.html_url)
      if (origin !== new URL(app.url).origin) return notOnHost(app)
      installUrl = `${origin}${pathname}/installations/new`
      return installUrl
    },
    cloneUrl: (name) => `${new URL(app.url).origin}/${name}.git`,
    nameOf: (repositoryUrl) => repositoryOf(repositoryUrl)?.join('/'),
    /** The app says itself which installation a repository is in: nobody can name that of another. */
    proveInstallation: async (repositoryUrl, signal) => {
      const repository = repositoryOf(repositoryUrl)
      if (repository === undefined) return notOnHost(app)
      const path = repository.map(encodeURIComponent).join('/')
      const reply = await call(
        { method: 'GET', url: `${api}/repos/${path}/installation`, signal },
        InstallationReply,
      )
      if (reply.kind === 'reply') {
        const { id, suspended_at } = reply.data
        if ((suspended_at ?? null) === null) return { kind: 'proved', installationId: String(id) }
        return {
          kind: 'failed',
          message: `The GitHub App is suspended for ${repository.join('/')}. Resume it in the settings of the account, under "GitHub Apps".`,
          retryAfterSeconds: undefined,
        }
      }
      if (reply.status !== 404) return explainToken(reply)
      return {
        kind: 'failed',
        message: `The GitHub App is not installed on ${repository.join('/')}. Install it there, or add the repository to the installation.`,
        retryAfterSeconds: undefined,
      }
    },
  }
}

/** Why a key cannot be used; nothing if it can. */
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

const notConnected: ProviderFailure = {
  kind: 'failed',
  message: 'The connection has no installation of the GitHub App. Add it again.',
  retryAfterSeconds: undefined,
}

function notOnHost({ url }: GitHubAppSettings): ProviderFailure {
  return {
    kind: 'failed',
    message: `The URL of the connection is not a repository on ${url}, where the GitHub App is.`,
    retryAfterSeconds: undefined,
  }
}

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
