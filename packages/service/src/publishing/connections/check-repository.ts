/**
 * Compares a repository with what was built, and accepts builds of what has changed. Pushes become
 * deployments through these checks: a webhook only makes a check run earlier.
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
  /** Queues a build in the same transaction that records the push as seen. */
  readonly acceptBuild: (...args: Parameters<AcceptBuild>) => Promise<unknown>
  /** Cancels open builds of deleted branches. */
  readonly cancelBuilds?:
    | ((query: Query, tenant: Tenant, refs: readonly string[]) => Promise<void>)
    | undefined
  /** Returns the API of the Git host; undefined if there is no API or no token for it. */
  readonly providerOf?:
    | ((
        tenant: Tenant,
        connection: Connection,
        signal: AbortSignal,
      ) => Promise<Provider | undefined>)
    | undefined
  /** Returns true if the repository is private; undefined if the Git host has not reported it. */
  readonly isPrivate?: ((connection: Connection) => boolean | undefined) | undefined
  /** The branch that a waiting caller wants to build; empty for the published branch. */
  readonly requestedBranch?: string | undefined
  /** True if this service has a domain for previews. */
  readonly servesPreviews: boolean
  readonly log: Log
}

/** The maximum number of checks that are queued at once. More are queued a minute later. */
const DUE_MAX = 2_000
/** The time limit of a check, so that unresponsive servers do not block other checks for long. */
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
  return async ({ data: { organizationId, projectId, requestedBranch }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    await checkRepository({ ...deps, requestedBranch }, { organizationId, projectId }, signal)
  }
}

export async function checkRepository(
  deps: CheckDeps,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const store = new ConnectionStore(deps.database.forProject(tenant))
  const connection = await store.find()
  if (connection === undefined) return
  const late = AbortSignal.timeout(CHECK_MS_MAX)
  try {
    await readRepository(deps, { tenant, store, connection }, AbortSignal.any([signal, late]))
  } catch (error) {
    // The worker is stopping, so another worker takes over the job.
    if (!late.aborted || signal.aborted) throw error
    const message = `The Git server did not respond within ${CHECK_MS_MAX / 1_000} seconds.`
    await store.recordFailure({ step: 'reachable', message }, connection.readAt)
  }
}

type Checked = {
  readonly tenant: Tenant
  readonly store: ConnectionStore
  readonly connection: ConnectionState
}

async function readRepository(
  deps: CheckDeps,
  { tenant, store, connection }: Checked,
  signal: AbortSignal,
): Promise<void> {
  const refs = await loadRefs(deps, tenant, connection, signal)
  if ('step' in refs) {
    // Log only the project, since the message may contain the owner's text.
    deps.log.info('repository not checked', { project: tenant.projectId })
    await store.recordFailure(refs, connection.readAt)
    return
  }
  const { pulls, problem } = await loadPulls(deps, tenant, connection, signal)
  await deps.database.forProject(tenant).transaction(async (query) => {
    if (!(await lockConnection(query, connection.url))) return
    await savePrivacy(query, deps.isPrivate?.(connection))
    await applyCheck(deps, { query, tenant, connection, refs, pulls, problem })
  })
}

/** Returns the branches, or the reason why they cannot be read. */
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
  // A server that suddenly lists no branches must not cause all previews to be deleted.
  if (refs.branches.size > 0) return refs
  return { step: 'branch', message: 'The repository has no branches yet. Push a first commit.' }
}

type LoadedPulls = {
  readonly pulls: readonly PullRequest[] | undefined
  readonly problem?: string
}

/** Lists open pull requests. Does not throw: a failing API must not prevent builds of branches. */
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
  // For generic Git, an event without a ref hints at all refs. Git hosts always name the changed
  // ref, so their events without a ref are about something else.
  const hintsAtAllRefs = connection.provider === 'git' && hintedRefs.has(null)
  const hints = { hintedRefs, hintsAtAllRefs }
  await saveGitRefs(query, changed)
  await deleteGitRefs(query, gone)
  await endBranchPreviews(query, endedPreviews)
  if (gone.length > 0) await deps.cancelBuilds?.(query, tenant, gone)
  for (const build of builds) {
    const isAsked = deps.requestedBranch === (build.target === 'production' ? '' : build.ref)
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

/** Returns what triggered the build. With `check`, the owner sees that a webhook did not arrive. */
function triggerOf(
  { ref, pullRequest }: FoundBuild,
  { hintedRefs, hintsAtAllRefs }: Hints,
): 'webhook' | 'check' {
  const isOfPull = pullRequest !== undefined && hintedRefs.has(`pull/${pullRequest}`)
  return hintsAtAllRefs || isOfPull || hintedRefs.has(ref) ? 'webhook' : 'check'
}
