/** Types and constants of this folder that other folders also use. */
import type { ProviderKind } from '@octavo/contract'

export type CredentialKind = 'none' | 'token' | 'ssh-key' | 'github-app'

/** The connection of a project to a repository, without its secrets. */
export type Connection = {
  readonly provider: ProviderKind
  /** The clone URL, without credentials. */
  readonly url: string
  readonly credential: CredentialKind
  /** The branch that is published; `null` for the repository's default branch. */
  readonly branch: string | null
  /** The documentation folder; empty for the repository's root. */
  readonly folder: string
  readonly previews: boolean
  readonly forks: boolean
  readonly hookId: string
  readonly installationId: string | null
  readonly refreshMinutes: number | null
}

/** Names under which a connection's secrets are stored. */
export const GIT_TOKEN_SECRET = 'git-token'
export const GIT_SSH_KEY_SECRET = 'git-ssh-key'
export const HOOK_SECRET = 'hook'
export const CONNECTION_SECRETS = [GIT_TOKEN_SECRET, GIT_SSH_KEY_SECRET, HOOK_SECRET] as const
