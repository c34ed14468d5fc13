/** Reads a project's repository URL with the credentials for it. */

import type { ProviderKind } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { GitCredential, GitFailure, GitRemote } from '../../platform/git/git.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { type Connection, GIT_SSH_KEY_SECRET, GIT_TOKEN_SECRET } from '../providers/connection.ts'
import type { GitHubApp } from '../providers/github-app.ts'

export type RemoteDeps = {
  readonly secretKeys: readonly SecretKey[]
  /** Gets tokens for installations; without it, connections of the app cannot be read. */
  readonly gitHubApp?: Pick<GitHubApp, 'gitToken'> | undefined
}

/** User names for tokens. Git hosts accept the token as the password. */
const USER_NAMES: Readonly<Record<ProviderKind, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'oauth2',
  git: 'git',
}

export async function readRemote(
  { secretKeys, gitHubApp }: RemoteDeps,
  database: ProjectDatabase,
  connection: Connection,
  signal: AbortSignal,
): Promise<GitRemote | GitFailure> {
  const { url } = connection
  if (connection.credential === 'none') return { url, credential: { kind: 'none' } }
  if (connection.credential === 'github-app') {
    if (gitHubApp === undefined)
      return failed('This service has no GitHub App. Run `octavo-service github-app create`.')
    const token = await gitHubApp.gitToken(connection, signal)
    return typeof token === 'string'
      ? { url, credential: { kind: 'token', username: USER_NAMES.github, token } }
      : token
  }
  const name = connection.credential === 'token' ? GIT_TOKEN_SECRET : GIT_SSH_KEY_SECRET
  const secret = await createSecretStore(database, createKeyRing(secretKeys)).read(name)
  if (secret === undefined)
    return failed(
      'The credentials of this connection are missing. Remove the connection and add it again.',
    )
  const credential: GitCredential =
    connection.credential === 'token'
      ? tokenCredential(connection.provider, secret)
      : { kind: 'ssh-key', privateKey: secret }
  return { url, credential }
}

/** Unknown hosts may need a user name: `name:token`. */
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
