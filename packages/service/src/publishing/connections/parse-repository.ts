/** Validates what a user entered to connect a repository. */

import { PROVIDER_KINDS, type ProviderKind } from '@octavo/contract'
import { parseHostName } from '@octavo/outbound'
import type { Connection, CredentialKind } from '../providers/connection.ts'
import { isPullName } from './compare-refs.ts'
import { guessProvider } from './guess-provider.ts'
import { type CloneUrl, parseCloneUrl } from './parse-clone-url.ts'
import type { ConnectionSettings } from './store.ts'

const BRANCH_LENGTH_MAX = 250
const FOLDER_LENGTH_MAX = 500

export type RepositoryInput = {
  readonly url: string
  readonly provider?: string | undefined
  readonly credential: CredentialKind
  readonly branch?: string | undefined
  readonly folder?: string | undefined
}

export type Repository = Pick<Connection, 'url' | 'provider' | 'credential' | 'branch' | 'folder'>

/**
 * A problem with the input. For fields that do not fit together, its kind names what is needed
 * instead.
 */
export type RepositoryProblem =
  | {
      readonly kind: 'invalid'
      readonly field: 'url' | 'provider' | 'branch' | 'folder' | 'token'
      readonly reason: string
    }
  | { readonly kind: 'github-needed' | 'ssh-url-needed' | 'ssh-key-needed' | 'https-needed' }

export class InvalidRepository extends Error {
  readonly problem: RepositoryProblem

  constructor(problem: RepositoryProblem) {
    super(problem.kind)
    this.problem = problem
  }
}

/**
 * Parses a repository to connect. Throws InvalidRepository. `allowPrivateHosts` are hosts in the
 * operator's network.
 */
export function parseRepository(
  input: RepositoryInput,
  allowPrivateHosts: readonly string[],
): Repository {
  const url = parseCloneUrl(input.url)
  if (url.kind === 'invalid') throw invalid('url', url.reason)
  const provider = parseProvider(input.provider, url)
  const { credential } = input
  if (credential === 'github-app' && provider !== 'github') throw needs('github-needed')
  if (credential === 'ssh-key' && url.protocol !== 'ssh') throw needs('ssh-url-needed')
  if (credential !== 'ssh-key' && url.protocol === 'ssh') throw needs('ssh-key-needed')
  const isPrivate = allowPrivateHosts.some((host) => parseHostName(host) === url.host)
  if (url.protocol === 'http' && credential !== 'none' && !isPrivate) throw needs('https-needed')
  return {
    url: url.url,
    provider,
    credential,
    branch: parseBranch(input.branch),
    folder: parseFolder(input.folder),
  }
}

export type RepositoryChange = {
  readonly url?: string | undefined
  readonly provider?: string | undefined
  readonly branch?: string | null | undefined
  readonly folder?: string | undefined
  readonly previews?: boolean | undefined
  readonly forks?: boolean | undefined
}

/** A new token, or null to remove the saved token. Undefined keeps it. */
export type TokenChange = string | null | undefined

/**
 * Returns the changed settings of a connection. If a token is added to the connection of a public
 * repository, the repository is then read with this token; without its token, it is read as a public
 * one. Throws InvalidRepository.
 */
export function parseChange(
  before: Repository,
  change: RepositoryChange,
  options: { readonly token: TokenChange; readonly allowPrivateHosts: readonly string[] },
): Partial<ConnectionSettings> {
  const { branch, folder, previews, forks } = change
  return {
    ...parseMove(before, change, options),
    ...(branch !== undefined && { branch: parseBranch(branch ?? undefined) }),
    ...(folder !== undefined && { folder: parseFolder(folder) }),
    ...(previews !== undefined && { previews }),
    ...(forks !== undefined && { forks }),
  }
}

function parseMove(
  before: Repository,
  { url = before.url, provider }: RepositoryChange,
  {
    token,
    allowPrivateHosts,
  }: { readonly token: TokenChange; readonly allowPrivateHosts: readonly string[] },
): Pick<Repository, 'url' | 'provider' | 'credential'> {
  const credential = credentialAfter(before.credential, token)
  const isSameHost = originOf(url) === originOf(before.url)
  const wanted = provider ?? (isSameHost ? before.provider : undefined)
  const parsed = parseRepository({ url, credential, provider: wanted }, allowPrivateHosts)
  if (parsed.url !== before.url && credential === 'github-app')
    throw invalid(
      'url',
      'this repository is read with the GitHub App. Disconnect it, and choose the other one on GitHub.',
    )
  // Otherwise a user, who cannot read the saved token, could have it sent to a server of their own.
  if (!isSameHost && credential === 'token' && token === undefined)
    throw invalid('token', 'enter a token for the new host. The saved one is not sent to it.')
  return { url: parsed.url, provider: parsed.provider, credential }
}

function credentialAfter(before: CredentialKind, token: TokenChange): CredentialKind {
  if (token === undefined) return before
  if (before !== 'none' && before !== 'token')
    throw invalid(
      'token',
      'this repository is not read with a token. Disconnect it, and connect it again with one.',
    )
  return token === null ? 'none' : 'token'
}

/**
 * Returns the scheme, host and port of a URL. For an SSH URL without a scheme, returns its user and
 * host.
 */
const originOf = (url: string) => /^(?:[a-z]+:\/\/)?[^/:]*(?::\d+)?/i.exec(url)?.[0].toLowerCase()

const invalid = (field: 'url' | 'provider' | 'branch' | 'folder' | 'token', reason: string) =>
  new InvalidRepository({ kind: 'invalid', field, reason })

const needs = (kind: Exclude<RepositoryProblem['kind'], 'invalid'>) =>
  new InvalidRepository({ kind })

function parseProvider(text: string | undefined, { host }: CloneUrl): ProviderKind {
  if (text === undefined) return guessProvider(host)
  const provider = PROVIDER_KINDS.find((known) => known === text)
  if (provider !== undefined) return provider
  throw invalid('provider', `expected one of ${PROVIDER_KINDS.join(', ')}.`)
}

function parseBranch(branch: string | undefined): string | null {
  if (branch === undefined) return null
  const isName =
    branch.length <= BRANCH_LENGTH_MAX &&
    /^[^-\s~^:?*[\\\p{C}/][^\s~^:?*[\\\p{C}]*$/u.test(branch) &&
    !/\.\.|@\{|\/\/|\/$|\.lock$/.test(branch) &&
    !isPullName(branch)
  if (isName) return branch
  throw invalid('branch', 'expected the name of a branch, such as main.')
}

function parseFolder(text = ''): string {
  const folder = text.replace(/^\.?\/+|\/+$/g, '').replace(/^\.$/, '')
  const isPath =
    folder.length <= FOLDER_LENGTH_MAX &&
    !/[\\\p{C}]/u.test(folder) &&
    folder
      .split('/')
      .every(
        (part, _, parts) => (part !== '' || parts.length === 1) && !/^\.{1,2}$|^\.git$/i.test(part),
      )
  if (isPath) return folder
  throw invalid('folder', 'expected a path inside the repository, such as docs.')
}
