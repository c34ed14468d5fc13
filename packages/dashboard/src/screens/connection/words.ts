/** Labels for the screens of a connection. */
import type { ConnectionReply } from '@octavo/contract'

export const CREDENTIAL_WORDS: Readonly<Record<ConnectionReply['credential'], string>> = {
  none: 'Without credentials: it is public',
  token: 'With a token',
  'ssh-key': 'With a deploy key',
  'github-app': 'With the GitHub App',
}

export const PROVIDER_WORDS: Readonly<Record<ConnectionReply['provider'], string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea or Forgejo',
  git: 'Another Git server',
}
