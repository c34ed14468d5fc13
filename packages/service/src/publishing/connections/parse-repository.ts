/** Validates what a user entered about a repository. */

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

/** Fields that do not fit together are reported by what is needed instead. */
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

/** Throws InvalidRepository. `allowPrivateHosts` are hosts in the operator's network. */
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

/**
 * Returns the changed settings of a connection. A new token makes a public repository one that is
 * read with it. Throws InvalidRepository.
 */
export function parseChange(
  before: Repository,
  change: RepositoryChange,
  options: { readonly token: string | undefined; readonly allowPrivateHosts: readonly string[] },
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
  }: { readonly token: string | undefined; readonly allowPrivateHosts: readonly string[] },
): Pick<Repository, 'url' | 'provider' | 'credential'> {
  const credential =
    token !== undefined && before.credential === 'none' ? 'token' : before.credential
  if (token !== undefined && credential !== 'token')
    throw invalid(
      'token',
      'this repository is not read with a token. Disconnect it, and connect it again with one.',
    )
  const isSameHost = originOf(url) === originOf(before.url)
  const wanted = provider ?? (isSameHost ? before.provider : undefined)
  const parsed = parseRepository({ url, credential, provider: wanted }, allowPrivateHosts)
  if (parsed.url !== before.url && credential === 'github-app')
    throw invalid(
      'url',
      'this repository is read with the GitHub App. Disconnect it, and choose the other one on GitHub.',
    )
  // Otherwise a saved token, which no role may read, could be sent to a server of one's own.
  if (!isSameHost && credential === 'token' && token === undefined)
    throw invalid('token', 'enter a token for the new host. The saved one is not sent to it.')
  return { url: parsed.url, provider: parsed.provider, credential }
}

/** Returns the host with scheme and port; without a scheme, the user and host of an SSH URL. */
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
