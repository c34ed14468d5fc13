import type { ProviderKind } from '@octavo/contract'

const HOSTS: ReadonlyMap<string, ProviderKind> = new Map([
  ['github.com', 'github'],
  ['ssh.github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['altssh.gitlab.com', 'gitlab'],
  ['codeberg.org', 'gitea'],
])

/** Guesses the provider from the host of a clone URL. Returns `git` if it cannot. */
export function guessProvider(host: string): ProviderKind {
  const known = HOSTS.get(host)
  if (known !== undefined) return known
  if (/gitea|forgejo/.test(host)) return 'gitea'
  if (/^gitlab\./.test(host)) return 'gitlab'
  return 'git'
}
