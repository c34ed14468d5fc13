/** Finds the clone URL of a project's repository and the credentials for it. */

import type { ProviderKind } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { GitCredential, GitFailure, GitRemote } from '../../platform/git/git.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { type Connection, GIT_SSH_KEY_SECRET, GIT_TOKEN_SECRET } from '../providers/connection.ts'
import type { GitHubApp } from '../providers/github-app.ts'

export type RemoteDeps = {
  readonly secretKeys: readonly SecretKey[]
  /**
   * Gets tokens for installations of the GitHub App. Without it, connections through the app cannot
   * be read.
   */
  readonly gitHubApp?: Pick<GitHubApp, 'gitToken'> | undefined
}

/** User names for Git over HTTPS. The token is sent as the password. */
const USER_NAMES: Readonly<Record<ProviderKind, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'oauth2',
  git: 'git',
}

export async function readRemote(
  deps: RemoteDeps,
  database: ProjectDatabase,
  connection: Connection,
  signal: AbortSignal,
): Promise<GitRemote | GitFailure> {
  const secret = await readGitSecret(deps, database, connection)
  return openRemote(deps, { ...connection, secret }, signal)
}

/** Returns the saved token or private key of a connection. */
export async function readGitSecret(
  { secretKeys }: Pick<RemoteDeps, 'secretKeys'>,
  database: ProjectDatabase,
  { credential }: Pick<Connection, 'credential'>,
): Promise<string | undefined> {
  const name = SECRETS[credential]
  if (name === undefined) return undefined
  return createSecretStore(database, createKeyRing(secretKeys)).read(name)
}

const SECRETS: Readonly<Partial<Record<Connection['credential'], string>>> = {
  token: GIT_TOKEN_SECRET,
  'ssh-key': GIT_SSH_KEY_SECRET,
}

/**
 * Returns the clone URL and the credentials of a repository. Its token or key may not be saved yet.
 */
export async function openRemote(
  { gitHubApp }: Pick<RemoteDeps, 'gitHubApp'>,
  connection: Pick<Connection, 'url' | 'provider' | 'credential' | 'installationId'> & {
    readonly secret: string | undefined
  },
  signal: AbortSignal,
): Promise<GitRemote | GitFailure> {
  const { url, provider, credential, secret } = connection
  if (credential === 'none') return { url, credential: { kind: 'none' } }
  if (credential === 'github-app') {
    if (gitHubApp === undefined)
      return failed('This service has no GitHub App. Run `octavo-service github-app create`.')
    const token = await gitHubApp.gitToken(connection, signal)
    return typeof token === 'string'
      ? { url, credential: { kind: 'token', username: USER_NAMES.github, token } }
      : token
  }
  if (secret === undefined)
    return failed(
      'The credentials of this connection are missing. Remove the connection and add it again.',
    )
  return {
    url,
    credential:
      credential === 'token'
        ? tokenCredential(provider, secret)
        : { kind: 'ssh-key', privateKey: secret },
  }
}

/** Splits `name:token` for unknown Git hosts, which may need a user name. */
function tokenCredential(provider: ProviderKind, secret: string): GitCredential {
  const [, name, rest] = /^([^:]+):(.+)$/.exec(secret) ?? []
  return provider === 'git' && name !== undefined && rest !== undefined
    ? { kind: 'token', username: name, token: rest }
    : { kind: 'token', username: USER_NAMES[provider], token: secret }
}

const failed = (message: string): GitFailure => ({
  kind: 'failed',
  code: 'credentials',
  message,
  isFinal: true,
})
