/** Opens the API of the Git host that a project is connected to. */
import { GitHostClient, type ProviderDeps } from './git-host-client.ts'
import { GITEA } from './gitea.ts'
import { GITHUB, GITHUB_APP_HOST } from './github.ts'
import type { GitHubApp } from './github-app.ts'
import { GITLAB } from './gitlab.ts'
import type { Provider } from './provider.ts'
import { readRepositoryAddress } from './repository-address.ts'

const HOSTS = { github: GITHUB, gitlab: GITLAB, gitea: GITEA } as const

export type ProviderConnection = {
  readonly provider: 'github' | 'gitlab' | 'gitea' | 'git'
  readonly url: string
  readonly credential: 'none' | 'token' | 'ssh-key' | 'github-app'
  readonly installationId: string | null
}

/** Returns undefined for plain Git, or if there is no token for the API. */
export function openProvider(
  connection: ProviderConnection,
  /** The token of the connection; undefined if it has none. */
  token: string | undefined,
  deps: ProviderDeps & { readonly gitHubApp: GitHubApp | undefined },
): Provider | undefined {
  const { provider, url, credential, installationId } = connection
  const address = readRepositoryAddress(url)
  if (address === undefined || provider === 'git') return undefined
  if (credential === 'github-app') {
    if (deps.gitHubApp === undefined || installationId === null) return undefined
    const auth = deps.gitHubApp.authOf({ installationId, repositoryUrl: url })
    return new GitHostClient(GITHUB_APP_HOST, { address, auth }, deps)
  }
  if (token === undefined) return undefined
  const auth = { token: async () => token, forget: () => {}, appId: undefined }
  return new GitHostClient(HOSTS[provider], { address, auth }, deps)
}
