import type { GitFailure } from '../../platform/git/git.ts'
import type { Connection } from '../providers/connection.ts'

/**
 * Explains to the owner why a repository cannot be read. Hints for operators are in `connection
 * test`.
 */
export function explainFailure(connection: Connection, { code, message }: GitFailure): string {
  const hint = hintOf(connection, code)
  return `${connection.url} cannot be read: ${message}${hint === undefined ? '' : ` ${hint}`}`
}

function hintOf({ credential }: Connection, code: GitFailure['code']): string | undefined {
  if (code === 'refused') return 'The service connects only to public addresses.'
  if (code === 'unreachable' || code === 'timeout') return 'Check the host in the URL.'
  if (code === 'empty') return 'Push a first commit.'
  if (code === 'credentials' || code === 'not-found') return CREDENTIAL_HINTS[credential]
  return undefined
}

const CREDENTIAL_HINTS: Readonly<Record<Connection['credential'], string>> = {
  none: 'Check the URL. If the repository is private, connect it with a token or a deploy key.',
  token: 'Check the URL, and that the token is valid and may read this repository.',
  'ssh-key': 'Check the URL, and that the deploy key was added to this repository.',
  'github-app': 'Check that the GitHub App is installed for this repository.',
}
