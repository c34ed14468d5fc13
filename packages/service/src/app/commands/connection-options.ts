/** Parses the options of `connection add`. */
import {
  InvalidRepository,
  parseRepository,
  type RepositoryProblem,
} from '../../publishing/connections/parse-repository.ts'
import type { Connection, CredentialKind } from '../../publishing/providers/connection.ts'
import { type CommandInput, numberIn, readSecretFile, required, UsageError } from './arguments.ts'

const REFRESH = { min: 5, max: 44_640 }
const INSTALLATION = { min: 1, max: Number.MAX_SAFE_INTEGER }

export function parseConnection(input: CommandInput): Omit<Connection, 'hookId'> {
  const { options, settings } = input
  const { provider, branch, folder } = options
  const url = required(options.url, '--url')
  const refreshMinutes = parseNumber('refresh', options.refresh, REFRESH)
  try {
    const candidate = { url, provider, branch, folder, credential: credentialOf(input) }
    const repository = parseRepository(candidate, settings.allowPrivateHosts)
    const installation = parseNumber('installation', options.installation, INSTALLATION)
    return {
      ...repository,
      previews: options['no-previews'] !== true,
      forks: options['no-forks'] !== true,
      // The installation that the operator expects; `connection add` asks GitHub for the actual
      // one.
      installationId: installation === null ? null : String(installation),
      refreshMinutes,
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
      return 'An SSH URL needs --ssh-key. Otherwise, use the https URL of the repository, with or without a token.'
    case 'https-needed':
      return 'A token is not sent over http. Use the https URL of the repository.'
  }
}

function credentialOf({ options }: CommandInput): CredentialKind {
  const usesApp = options['github-app'] === true || options.installation !== undefined
  const chosen: readonly CredentialKind[] = [
    ...(options['token-file'] === undefined ? [] : (['token'] as const)),
    ...(options['ssh-key'] === true ? (['ssh-key'] as const) : []),
    ...(usesApp ? (['github-app'] as const) : []),
  ]
  if (chosen.length > 1)
    throw new UsageError('Use only one of --token-file, --ssh-key and --github-app.')
  return chosen[0] ?? 'none'
}

function parseNumber(
  option: string,
  text: string | undefined,
  range: { readonly min: number; readonly max: number },
): number | null {
  const complaint = `Invalid --${option}: expected a number from ${range.min} to ${range.max}.`
  return text === undefined ? null : numberIn(range, text, complaint)
}

export async function readToken({ options, readInput }: CommandInput): Promise<string> {
  const file = required(options['token-file'], '--token-file')
  if (file === '-' && readInput === undefined)
    throw new UsageError('There is no standard input to read the token from.')
  const { isRead, secret } = await readSecretFile(file, readInput)
  if (!isRead) throw new UsageError(`--token-file: ${file} cannot be read.`)
  if (secret === undefined)
    throw new UsageError('--token-file: expected one token and nothing else.')
  return secret
}
