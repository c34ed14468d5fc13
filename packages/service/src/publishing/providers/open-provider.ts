/** The API of the host of a connection, ready to use. */
import { createGitea } from './gitea.ts'
import { createGitHub, type ProviderDeps } from './github.ts'
import type { GitHubApp } from './github-app.ts'
import { createGitLab } from './gitlab.ts'
import type { Provider } from './provider.ts'
import { readRepositoryAddress } from './repository-address.ts'

export type ProviderConnection = {
  readonly provider: 'github' | 'gitlab' | 'gitea' | 'git'
  readonly url: string
  readonly credential: 'none' | 'token' | 'ssh-key' | 'github-app'
  readonly installationId: string | null
}

/** Nothing for plain Git, and where there is no token to call an API with. */
export function openProvider(
  connection: ProviderConnection,
  /** The token of the connection, if that is how it signs in. */
  token: string | undefined,
  deps: ProviderDeps & { readonly gitHubApp: GitHubApp | undefined },
): Provider | undefined {
  const { provider, url, credential, installationId } = connection
  const address = readRepositoryAddress(url)
  if (address === undefined || provider === 'git') return undefined
  if (credential === 'github-app') {
    if (deps.gitHubApp === undefined || installationId === null) return undefined
    const auth = deps.gitHubApp.authOf({ installationId, repositoryUrl: url })
    return createGitHub(address, auth, deps)
  }
  if (token === undefined) return undefined
  switch (provider) {
    case 'github':
      return createGitHub(
        address,
        { kind: 'token', token: async () => token, forget: () => {}, appId: undefined },
        deps,
      )
    case 'gitlab':
      return createGitLab(address, token, deps)
    case 'gitea':
      return createGitea(address, token, deps)
  }
}
