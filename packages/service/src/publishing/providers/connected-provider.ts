import type { Database, Tenant } from '../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { GIT_TOKEN_SECRET } from './connection.ts'
import type { ProviderDeps } from './git-host-client.ts'
import type { GitHubApp } from './github-app.ts'
import { NotifyStore } from './notify-store.ts'
import { openProvider } from './open-provider.ts'
import type { Provider } from './provider.ts'

export type ConnectedProviderDeps = ProviderDeps & {
  readonly database: Database
  readonly secretKeys: readonly SecretKey[]
  readonly gitHubApp: GitHubApp | undefined
}

/**
 * Creates a function that opens the API of a project's Git host. It returns undefined if the host
 * has no supported API, or if there is no token for it.
 */
export function createProviderLookup(deps: ConnectedProviderDeps) {
  return async (tenant: Tenant): Promise<Provider | undefined> => {
    const bound = deps.database.forProject(tenant)
    const connection = await new NotifyStore(bound).connection()
    if (connection === undefined) return undefined
    const token =
      connection.credential === 'token'
        ? await createSecretStore(bound, createKeyRing(deps.secretKeys)).read(GIT_TOKEN_SECRET)
        : undefined
    return openProvider(connection, token, deps)
  }
}
