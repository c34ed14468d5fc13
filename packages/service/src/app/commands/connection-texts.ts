/** Messages about connections for operators. */

import type { GitFailure } from '../../platform/git/git.ts'
import { WEBHOOK_STEPS } from '../../publishing/connections/webhook-steps.ts'
import type { Connection } from '../../publishing/providers/connection.ts'

/** Explains how to set up the webhook; the caller prints the secret after it. */
export function printHookSetup(
  { provider, hookId }: Pick<Connection, 'provider' | 'hookId'>,
  serviceUrl: string | undefined,
): readonly string[] {
  const path = `/v1/hooks/${hookId}`
  const address =
    serviceUrl === undefined
      ? `${path} (OCTAVO_URL is not set, so its host is not known)`
      : new URL(path, serviceUrl).href
  return [
    'Webhook (optional, so that pushes are built immediately):',
    ...WEBHOOK_STEPS[provider].map((line) => `  ${line}`),
    `  URL: ${address}`,
    '  Secret (shown only once):',
  ]
}

/** Explains why a repository cannot be read and what to do. */
export function printFailure(connection: Connection, { code, message }: GitFailure): string {
  const hint = hintOf(connection, code)
  return `${connection.url} cannot be read: ${message}${hint === undefined ? '' : `\nHint: ${hint}`}`
}

function hintOf(
  { credential, provider }: Connection,
  code: GitFailure['code'],
): string | undefined {
  switch (code) {
    case 'refused':
      return 'Private addresses are reached only if their host is in OCTAVO_ALLOW_PRIVATE_HOSTS.'
    case 'unreachable':
    case 'timeout':
      return 'Check the host in the URL, and that this machine can reach it.'
    case 'credentials':
      return CREDENTIAL_HINTS[credential]
    case 'not-found':
      return credential === 'none'
        ? 'Check the URL. If the repository is private, connect it again with --token-file or --ssh-key.'
        : `Check the URL, and that the ${credential === 'ssh-key' ? 'deploy key was added to this repository' : 'token may read this repository'}.`
    case 'empty':
      return 'Push a first commit.'
    case 'no-such-ref':
    case 'no-such-folder':
      return 'Check --branch and --folder.'
    case 'too-large':
    case 'too-many-files':
    case 'other':
      return provider === 'git' ? 'Check that this is the URL of a Git repository.' : undefined
  }
}

const CREDENTIAL_HINTS: Readonly<Record<Connection['credential'], string>> = {
  none: 'The repository is private. Connect it again with --token-file or --ssh-key.',
  token:
    'The token is wrong, expired, or may not read this repository. Connect it again with a new one.',
  'ssh-key':
    'Add the deploy key that `connection add` printed to the repository. It may have been removed.',
  'github-app': 'Check that the GitHub App is installed for this repository.',
}
