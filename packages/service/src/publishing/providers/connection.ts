/** Words of this folder that others need too. */
import type { ProviderKind } from '@octavo/contract'

export type CredentialKind = 'none' | 'token' | 'ssh-key' | 'github-app'

/** The repository of a project, without its secrets. */
export type Connection = {
  readonly provider: ProviderKind
  /** Where Git clones from, without credentials. */
  readonly url: string
  readonly credential: CredentialKind
  /** The branch that is published; `null` for the default branch of the repository. */
  readonly branch: string | null
  /** The documentation folder; empty for the root of the repository. */
  readonly folder: string
  readonly previews: boolean
  readonly forks: boolean
  readonly hookId: string
  readonly installationId: string | null
  readonly refreshMinutes: number | null
}

/** The names that secrets of a connection are kept under. */
export const GIT_TOKEN_SECRET = 'git-token'
export const GIT_SSH_KEY_SECRET = 'git-ssh-key'
export const HOOK_SECRET = 'hook'
export const CONNECTION_SECRETS = [GIT_TOKEN_SECRET, GIT_SSH_KEY_SECRET, HOOK_SECRET] as const
