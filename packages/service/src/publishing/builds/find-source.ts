import type { Database } from '../../platform/database/database.ts'
import { type RemoteDeps, readRemote } from '../connections/read-remote.ts'
import { ConnectionStore } from '../connections/store.ts'
import { pullRef } from '../providers/pull-ref.ts'
import type { RunBuildDeps } from './run-build.ts'

/** Finds the source of a build from its project's current connection. */
export function createFindSource(
  deps: RemoteDeps & { readonly database: Database },
): RunBuildDeps['sourceOf'] {
  return async (tenant, build, signal) => {
    const bound = deps.database.forProject(tenant)
    const store = new ConnectionStore(bound)
    const connection = await store.find()
    if (connection === undefined) return undefined
    const remote = await readRemote(deps, bound, connection, signal)
    if ('kind' in remote) return remote
    return {
      kind: 'source',
      remote,
      gitRef:
        build.is_fork && build.pull_request !== null
          ? pullRef(connection.provider, build.pull_request)
          : `refs/heads/${build.ref}`,
      folder: connection.folder,
      // Edit links lead to the published branch, even in previews.
      editBranch: (await store.productionBranch()) ?? connection.branch ?? build.ref,
    }
  }
}
