/** Labels for the screens of a connection. */
import type { ConnectionReply } from '@octavo/contract'

export const CREDENTIAL_WORDS: Readonly<Record<ConnectionReply['credential'], string>> = {
  none: 'public, read without credentials',
  token: 'read with a token',
  'ssh-key': 'read with a deploy key',
  'github-app': 'read with the GitHub App',
}

export const PROVIDER_WORDS: Readonly<Record<ConnectionReply['provider'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  git: 'Another Git server',
}
