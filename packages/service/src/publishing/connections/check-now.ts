/**
 * Checks the repository while a caller waits. A worker runs the check, as with all checks, because
 * the API process may have no Git.
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
 * Returns the time of the request, or undefined for a project without a repository. Throws a
 * problem if the repository could not be read. `branch` is the branch to build; the published one
 * by default.
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
    `Nothing was built: the connected repository could not be read. ${state.checkError} Try again when this is fixed.`,
  )
}

type Checked = { readonly askedAt: Date; readonly state: ConnectionState }

/** Waits for a check that began after now, whether it succeeds or fails. */
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
    jobSender.send('check', { organizationId, projectId, asked: branch ?? '' }, query),
  )
  const end = now() + WAIT_MS_MAX
  let failures = asked.checkFailures
  while (now() < end) {
    await sleep(POLL_MS)
    const state = await store.find()
    if (state === undefined) return undefined
    // Ignore a check that began earlier: the push may have come after it.
    const isRead = state.checkedAt !== null && state.checkedAt > asked.readAt
    if (isRead || state.checkFailures > failures) return { askedAt: asked.readAt, state }
    failures = state.checkFailures
  }
  throw new Problem(
    'unavailable',
    `The connected repository was not read within ${WAIT_MS_MAX / 1_000} seconds, so nothing was built. Try again later.`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  )
}
