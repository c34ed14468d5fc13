/**
 * Compares a repository with what was built, and accepts builds for changes. These checks, not
 * webhooks, turn pushes into deployments: a webhook only triggers a check earlier.
 */

import type { Database, Query, Tenant } from '../../platform/database/database.ts'
import type { Git, GitRefs } from '../../platform/git/git.ts'
import type { JobHandler, JobQueue } from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { AcceptBuild } from '../builds/build.ts'
import {
  endBranchPreviews,
  listPreviewedBranches,
  PREVIEWS_MAX,
} from '../deployments/preview-store.ts'
import type { Connection } from '../providers/connection.ts'
import type { Provider, PullRequest } from '../providers/provider.ts'
import { compareRefs, type FoundBuild } from './compare-refs.ts'
import { failedCheck } from './explain-failure.ts'
import { type RemoteDeps, readRemote } from './read-remote.ts'
import {
  deleteGitRefs,
  finishCheck,
  listAbandonedRefs,
  listGitRefs,
  listHintedRefs,
  lockConnection,
  saveGitRefs,
  savePrivacy,
} from './ref-store.ts'
import { type CheckFailure, type ConnectionState, ConnectionStore, takeDueChecks } from './store.ts'

export type CheckDeps = RemoteDeps & {
  readonly database: Database
  readonly git: Pick<Git, 'listRefs'>
  /** Queues a build in the transaction that records the push as seen. */
  readonly acceptBuild: (...args: Parameters<AcceptBuild>) => Promise<unknown>
  /** Cancels open builds of deleted branches. */
  readonly cancelBuilds?:
    | ((query: Query, tenant: Tenant, refs: readonly string[]) => Promise<void>)
    | undefined
  /** Returns the Git host's API; undefined if there is no API or no token for it. */
  readonly providerOf?:
    | ((
        tenant: Tenant,
        connection: Connection,
        signal: AbortSignal,
      ) => Promise<Provider | undefined>)
    | undefined
  /** Returns true if the repository is private; undefined if its host has not said so. */
  readonly isPrivate?: ((connection: Connection) => boolean | undefined) | undefined
  /** The branch to build for a caller who waits for the check; empty for the published one. */
  readonly asked?: string | undefined
  /** True if this service has a domain for previews. */
  readonly servesPreviews: boolean
  readonly log: Log
}

/** The maximum per round; the next round is a minute later. */
const DUE_MAX = 2_000
/** Unresponsive servers must not block other checks for long. */
const CHECK_MS_MAX = 30_000
export const CHECKS_AT_A_TIME = 8

export async function queueDueChecks(
  database: Database,
  jobs: Pick<JobQueue, 'send'>,
): Promise<number> {
  const due = await takeDueChecks(database, DUE_MAX)
  for (const tenant of due) await jobs.send('check', tenant)
  return due.length
}

export function createRepositoryCheck(deps: CheckDeps): JobHandler {
  return async ({ data: { organizationId, projectId, asked }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const late = AbortSignal.timeout(CHECK_MS_MAX)
    const tenant = { organizationId, projectId }
    try {
      await checkRepository({ ...deps, asked }, tenant, AbortSignal.any([signal, late]))
    } catch (error) {
      // If the worker is stopping, another one takes over the job.
      if (!late.aborted || signal.aborted) throw error
      const store = new ConnectionStore(deps.database.forProject(tenant))
      const message = `The Git server did not respond within ${CHECK_MS_MAX / 1_000} seconds.`
      await store.recordFailure({ step: 'reachable', message })
    }
  }
}

export async function checkRepository(
  deps: CheckDeps,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const database = deps.database.forProject(tenant)
  const store = new ConnectionStore(database)
  const connection = await store.find()
  if (connection === undefined) return
  const refs = await loadRefs(deps, tenant, connection, signal)
  if ('step' in refs) {
    // Only ids and numbers are logged, since the message may contain an owner's text.
    deps.log.info('repository not checked', { project: tenant.projectId })
    await store.recordFailure(refs)
    return
  }
  const { pulls, problem } = await loadPulls(deps, tenant, connection, signal)
  await database.transaction(async (query) => {
    if (!(await lockConnection(query, connection.url))) return
    await savePrivacy(query, deps.isPrivate?.(connection))
    await applyCheck(deps, { query, tenant, connection, refs, pulls, problem })
  })
}

/** Returns the branches, or why they cannot be read. */
async function loadRefs(
  deps: CheckDeps,
  tenant: Tenant,
  connection: Connection,
  signal: AbortSignal,
): Promise<GitRefs | CheckFailure> {
  const database = deps.database.forProject(tenant)
  const remote = await readRemote(deps, database, connection, signal)
  const refs = 'kind' in remote ? remote : await deps.git.listRefs(remote, signal)
  if (refs.kind === 'failed') return failedCheck(connection, refs)
  // A server that hides all branches must not delete what we know.
  if (refs.branches.size > 0) return refs
  return { step: 'branch', message: 'The repository has no branches yet. Push a first commit.' }
}

type LoadedPulls = {
  readonly pulls: readonly PullRequest[] | undefined
  readonly problem?: string
}

/** A failing API must not prevent builds of branches. */
async function loadPulls(
  { providerOf, log }: CheckDeps,
  tenant: Tenant,
  connection: Connection,
  signal: AbortSignal,
): Promise<LoadedPulls> {
  if (!connection.previews) return { pulls: undefined }
  try {
    const provider = await providerOf?.(tenant, connection, signal)
    if (provider === undefined) return { pulls: undefined }
    const pulls = await provider.openPullRequests(signal)
    if (!('kind' in pulls)) return { pulls }
    return { pulls: undefined, problem: `Pull requests could not be listed: ${pulls.message}` }
  } catch (error) {
    log.error('pull requests were not listed', { project: tenant.projectId, error })
    return { pulls: undefined, problem: 'Pull requests could not be listed.' }
  }
}

type CheckInput = {
  readonly query: Query
  readonly tenant: Tenant
  readonly connection: ConnectionState
  readonly refs: GitRefs
  readonly pulls: readonly PullRequest[] | undefined
  readonly problem: string | undefined
}

async function applyCheck(deps: CheckDeps, input: CheckInput): Promise<void> {
  const { query, tenant, connection, refs, pulls, problem } = input
  const compared = compareRefs({
    refs,
    pulls,
    seen: await listGitRefs(query),
    givenUp: await listAbandonedRefs(query),
    branch: connection.branch,
    buildsPreviews: connection.previews && deps.servesPreviews,
    buildsForks: connection.forks,
    previewed: await listPreviewedBranches(query),
    previewsMax: PREVIEWS_MAX,
    isFirstCheck: connection.checkedAt === null,
    isFirstPullList: connection.pullsListedAt === null,
  })
  const { builds, changed, gone, endedPreviews, production, notice, hasMore } = compared
  const hintedRefs = await listHintedRefs(query, connection.checkedAt)
  // Git hosts that name the changed ref also send other events, which are not hints.
  const hintsAtAllRefs = connection.provider === 'git' && hintedRefs.has(null)
  const hints = { hintedRefs, hintsAtAllRefs }
  await saveGitRefs(query, changed)
  await deleteGitRefs(query, gone)
  await endBranchPreviews(query, endedPreviews)
  if (gone.length > 0) await deps.cancelBuilds?.(query, tenant, gone)
  for (const build of builds) {
    const isAsked = deps.asked === (build.target === 'production' ? '' : build.ref)
    const trigger = isAsked ? 'api' : triggerOf(build, hints)
    await deps.acceptBuild(query, tenant, { ...build, trigger })
  }
  const isBuilt = builds.some(({ target }) => target === 'production')
  const isRefresh = connection.isRefreshDue && !isBuilt && production !== undefined
  if (isRefresh)
    await deps.acceptBuild(query, tenant, {
      target: 'production',
      ref: production.name,
      commit: production.commit,
      pullRequest: undefined,
      isFork: false,
      trigger: 'schedule',
    })
  await finishCheck(query, {
    at: connection.readAt,
    notice: notice ?? problem,
    isBranchMissing: production === undefined,
    hasListedPulls: pulls !== undefined,
    hasRefreshed: isBuilt || isRefresh,
    hasMore,
  })
}

type Hints = { readonly hintedRefs: ReadonlySet<string | null>; readonly hintsAtAllRefs: boolean }

/** `check` shows the owner that a webhook did not arrive. */
function triggerOf(
  { ref, pullRequest }: FoundBuild,
  { hintedRefs, hintsAtAllRefs }: Hints,
): 'webhook' | 'check' {
  const isOfPull = pullRequest !== undefined && hintedRefs.has(`pull/${pullRequest}`)
  return hintsAtAllRefs || isOfPull || hintedRefs.has(ref) ? 'webhook' : 'check'
}
