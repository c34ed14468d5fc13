/** Options of `connection add`. */
import { readFile } from 'node:fs/promises'
import {
  InvalidRepository,
  parseRepository,
  type RepositoryProblem,
} from '../../publishing/connections/parse-repository.ts'
import type { Connection, CredentialKind } from '../../publishing/providers/connection.ts'
import { type CommandInput, required, UsageError } from './arguments.ts'

const TOKEN_LENGTH_MAX = 4_000
const REFRESH = { min: 5, max: 44_640 }

export function parseConnection(input: CommandInput): Omit<Connection, 'hookId'> {
  const { options, settings } = input
  const { provider, branch, folder } = options
  const url = required(options.url, '--url')
  const minutes = parseNumber('refresh', options.refresh, REFRESH)
  try {
    const wish = { url, provider, branch, folder, credential: credentialOf(input) }
    return {
      ...parseRepository(wish, settings.allowPrivateHosts),
      previews: options['no-previews'] !== true,
      forks: options['no-forks'] !== true,
      // What the operator expects; `connection add` asks GitHub which one it is.
      installationId: parseNumber('installation', options.installation, {
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
      }),
      refreshMinutes: minutes === null ? null : Number(minutes),
    }
  } catch (error) {
    if (error instanceof InvalidRepository) throw new UsageError(printProblem(error.problem))
    throw error
  }
}

function printProblem(problem: RepositoryProblem): string {
  switch (problem.kind) {
    case 'invalid':
      return `Invalid --${problem.field}${problem.field === 'url' ? '.' : ':'} ${problem.reason}`
    case 'github-needed':
      return 'A GitHub App reads repositories on GitHub only. Add --provider github.'
    case 'ssh-url-needed':
      return '--ssh-key needs the SSH URL of the repository, such as git@github.com:owner/name.git.'
    case 'ssh-key-needed':
      return 'An SSH URL needs --ssh-key. Use the https URL of the repository for a token or without one.'
    case 'https-needed':
      return 'A token is not sent over http. Use the https URL of the repository.'
  }
}

const usesApp = (options: CommandInput['options']) =>
  options['github-app'] === true || options.installation !== undefined

function credentialOf({ options }: CommandInput): CredentialKind {
  const chosen: readonly CredentialKind[] = [
    ...(options['token-file'] === undefined ? [] : (['token'] as const)),
    ...(options['ssh-key'] === true ? (['ssh-key'] as const) : []),
    ...(usesApp(options) ? (['github-app'] as const) : []),
  ]
  if (chosen.length > 1)
    throw new UsageError('Use only one of --token-file, --ssh-key and --github-app.')
  return chosen[0] ?? 'none'
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
