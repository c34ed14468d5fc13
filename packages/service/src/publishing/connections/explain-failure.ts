import type { GitFailure } from '../../platform/git/git.ts'
import type { Connection } from '../providers/connection.ts'
import type { CheckFailure, FailedStep } from './store.ts'

/**
 * Explains to the owner why a repository cannot be read. Operators see other hints in `connection
 * test`.
 */
export function failedCheck(
  connection: Pick<Connection, 'credential'>,
  failure: GitFailure,
): CheckFailure {
  const { code, message, said } = failure
  const hint = hintOf(connection, code)
  const text = hint === undefined ? message : `${message} ${hint}`
  return { step: STEPS[code], message: text, said }
}

/**
 * The step that a failure belongs to. A host that denies access is reachable, so the failed step is
 * `access`.
 */
const STEPS: Readonly<Record<GitFailure['code'], FailedStep>> = {
  refused: 'reachable',
  unreachable: 'reachable',
  timeout: 'reachable',
  other: 'reachable',
  credentials: 'access',
  'not-found': 'access',
  empty: 'branch',
  'no-such-ref': 'branch',
  'no-such-folder': 'branch',
  'too-large': 'branch',
  'too-many-files': 'branch',
}

function hintOf(
  { credential }: Pick<Connection, 'credential'>,
  code: GitFailure['code'],
): string | undefined {
  if (code === 'unreachable' || code === 'timeout') return 'Check the host in the URL.'
  if (code === 'not-found') return HINTS[credential]
  if (code === 'credentials' && credential === 'token') return 'Enter a new token.'
  return undefined
}

const HINTS: Readonly<Record<Connection['credential'], string>> = {
  none: 'Check the URL. If the repository is private, enter a token or use a deploy key.',
  token: 'Check the URL, and that the token is valid and may read this repository.',
  'ssh-key': 'Check the URL, and that the deploy key was added to this repository.',
  'github-app': 'Check that the GitHub App is installed for this repository.',
}
