/**
 * Checks the repository while a caller waits. A worker runs the check, like all checks, because Git
 * may not be installed where the API runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import { Problem } from '../../platform/problem.ts'
import { type ConnectionState, ConnectionStore } from './store.ts'

export type CheckNowDeps = {
  readonly database: ProjectDatabase
  readonly jobSender: Pick<JobSender, 'start' | 'send'>
  readonly now: () => number
}

const POLL_MS = 250
/** A check takes up to 30 seconds; the rest is time for a worker to start it. */
const WAIT_MS_MAX = 45_000
const RETRY_SECONDS = 30

/**
 * Checks the repository. Returns the time of the request, or undefined for a project without a
 * repository. Throws a problem if the repository could not be read. `branch` is the branch to
 * build; by default, it is the published branch.
 */
export async function checkNow(
  deps: CheckNowDeps,
  branch: string | undefined,
): Promise<Date | undefined> {
  const checked = await awaitCheck(deps, branch)
  if (checked === undefined) return undefined
  const { askedAt, state } = checked
  if (state.checkFailures === 0) return askedAt
  throw new Problem(
    'upstream-failed',
    `Nothing was built: the connected repository could not be read. ${state.checkError} Fix the problem, then try again.`,
  )
}

type Checked = { readonly askedAt: Date; readonly state: ConnectionState }

/** Requests a check and waits until it ends, even if it fails. */
export async function awaitCheck(
  { database, jobSender, now }: CheckNowDeps,
  branch: string | undefined,
): Promise<Checked | undefined> {
  const store = new ConnectionStore(database)
  const asked = await store.find()
  if (asked === undefined) return undefined
  await jobSender.start()
  const { organizationId, projectId } = database.tenant
  await database.transaction((query) =>
    jobSender.send('check', { organizationId, projectId, requestedBranch: branch ?? '' }, query),
  )
  const end = now() + WAIT_MS_MAX
  while (now() < end) {
    await sleep(POLL_MS)
    const state = await store.find()
    if (state === undefined) return undefined
    // Ignore a check that began before the request: it may have missed the last push.
    const { checkedAt, attemptedAt, checkFailures } = state
    const isRead = checkedAt !== null && checkedAt > asked.readAt
    const isFailed = checkFailures > 0 && attemptedAt !== null && attemptedAt > asked.readAt
    if (isRead || isFailed) return { askedAt: asked.readAt, state }
  }
  throw new Problem(
    'unavailable',
    `The service did not read the connected repository within ${WAIT_MS_MAX / 1_000} seconds, so nothing was built. Try again later.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )
}
