/** Options of `connection add`. */
import { readFile } from 'node:fs/promises'
import { parseHostName } from '@octavo/outbound'
import { isPullName } from '../connections/compare-refs.ts'
import {
  type Connection,
  type CredentialKind,
  PROVIDER_KINDS,
  type ProviderKind,
} from '../connections/connection.ts'
import { guessProvider } from '../connections/guess-provider.ts'
import { type CloneUrl, parseCloneUrl } from '../connections/parse-clone-url.ts'
import { type CommandInput, required, UsageError } from './arguments.ts'

const BRANCH_LENGTH_MAX = 250
const FOLDER_LENGTH_MAX = 500
const TOKEN_LENGTH_MAX = 4_000
const REFRESH = { min: 5, max: 44_640 }

export function parseConnection(input: CommandInput): Omit<Connection, 'hookId'> {
  const { options } = input
  const url = parseCloneUrl(required(options.url, '--url'))
  if (url.kind === 'invalid') throw new UsageError(`Invalid --url. ${url.reason}`)
  const provider = parseProvider(options.provider, url)
  const minutes = parseNumber('refresh', options.refresh, REFRESH)
  if (usesApp(options) && provider !== 'github')
    throw new UsageError('A GitHub App reads repositories on GitHub only. Add --provider github.')
  return {
    provider,
    url: url.url,
    credential: credentialOf(input, url),
    branch: parseBranch(options.branch),
    folder: parseFolder(options.folder),
    previews: options['no-previews'] !== true,
    forks: options['no-forks'] !== true,
    // What the operator expects; `connection add` asks GitHub which one it is.
    installationId: parseNumber('installation', options.installation, {
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
    }),
    refreshMinutes: minutes === null ? null : Number(minutes),
  }
}

const usesApp = (options: CommandInput['options']) =>
  options['github-app'] === true || options.installation !== undefined

function parseProvider(text: string | undefined, { host }: CloneUrl): ProviderKind {
  if (text === undefined) return guessProvider(host)
  const provider = PROVIDER_KINDS.find((known) => known === text)
  if (provider !== undefined) return provider
  throw new UsageError(`Invalid --provider: expected one of ${PROVIDER_KINDS.join(', ')}.`)
}

function credentialOf({ options, settings }: CommandInput, url: CloneUrl): CredentialKind {
  const chosen: readonly CredentialKind[] = [
    ...(options['token-file'] === undefined ? [] : (['token'] as const)),
    ...(options['ssh-key'] === true ? (['ssh-key'] as const) : []),
    ...(usesApp(options) ? (['github-app'] as const) : []),
  ]
  if (chosen.length > 1)
    throw new UsageError('Use only one of --token-file, --ssh-key and --github-app.')
  const [credential = 'none'] = chosen
  if ((credential === 'ssh-key') !== (url.protocol === 'ssh'))
    throw new UsageError(
      credential === 'ssh-key'
        ? '--ssh-key needs the SSH URL of the repository, such as git@github.com:owner/name.git.'
        : 'An SSH URL needs --ssh-key. Use the https URL of the repository for a token or without one.',
    )
  const isPrivate = settings.allowPrivateHosts.some((host) => parseHostName(host) === url.host)
  if (url.protocol === 'http' && credential !== 'none' && !isPrivate)
    throw new UsageError('A token is not sent over http. Use the https URL of the repository.')
  return credential
}

function parseBranch(branch: string | undefined): string | null {
  if (branch === undefined) return null
  const isName =
    branch.length <= BRANCH_LENGTH_MAX &&
    /^[^-\s~^:?*[\\\p{C}/][^\s~^:?*[\\\p{C}]*$/u.test(branch) &&
    !/\.\.|@\{|\/\/|\/$|\.lock$/.test(branch) &&
    !isPullName(branch)
  if (isName) return branch
  throw new UsageError('Invalid --branch: expected the name of a branch, such as main.')
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
  throw new UsageError('Invalid --folder: expected a path inside the repository, such as docs.')
}

function parseNumber(
  option: string,
  text: string | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): string | null {
  if (text === undefined) return null
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return String(number)
  throw new UsageError(`Invalid --${option}: expected a number from ${min} to ${max}.`)
}

/** Never an argument: those are in the process list and in the history of the shell. */
export async function readToken({ options, readInput }: CommandInput): Promise<string> {
  const file = required(options['token-file'], '--token-file')
  if (file === '-' && readInput === undefined)
    throw new UsageError('There is no standard input to read the token from.')
  const text = await (file === '-' ? readInput?.() : readFile(file, 'utf8').catch(() => undefined))
  if (text === undefined) throw new UsageError(`--token-file: ${file} cannot be read.`)
  const token = text.trim()
  if (/^[\x21-\x7e]+$/.test(token) && token.length <= TOKEN_LENGTH_MAX) return token
  throw new UsageError('--token-file: expected one token and nothing else.')
}
