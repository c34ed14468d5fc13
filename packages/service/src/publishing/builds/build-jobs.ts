/**
 * Builds as jobs. A job is "build something of this project": it takes the next open build, also one
 * that a dead worker left, and queues another job if more are open.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Query, Tenant } from '../../platform/database/database.ts'
import {
  type JobHandler,
  type JobSender,
  renewFairPriorities,
} from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { BUILD_QUEUE } from './accept-build.ts'
import type { OnBuildChanged } from './build.ts'
import { createBuildLog } from './build-log.ts'
import { BuildInterrupted, BuildStopped, type RunningBuild } from './run-build.ts'
import { type BuildEnd, type BuildRow, createBuildStore } from './store.ts'

export type BuildJobsDeps = {
  readonly database: Database
  readonly jobSender: Pick<JobSender, 'start' | 'send'>
  readonly onBuildChanged: OnBuildChanged
  readonly run: (running: RunningBuild) => Promise<BuildEnd>
  readonly log: Log
}

export type BuildJobs = {
  readonly handle: JobHandler
  /** Ends builds that run: they go back to the queue. */
  readonly stop: () => void
}

/** How often a running build asks whether it is still wanted. */
const WATCH_MS = 1_000
const REASON_LENGTH_MAX = 2_000
const IDLE_MAX = 1_000

export function createBuildJobs(deps: BuildJobsDeps): BuildJobs {
  const { database, jobSender, onBuildChanged, log } = deps
  const stopping = new AbortController()

  const handle: JobHandler = async ({ data, signal, finish, recordPart }) => {
    const { organizationId = '', projectId = '' } = data
    const tenant: Tenant = { organizationId, projectId }
    const store = createBuildStore(database.forProject(tenant), onBuildChanged)
    await jobSender.start()
    const queueNext = async (query: Query) => {
      if (await store.hasOpen(query)) await jobSender.send(BUILD_QUEUE, { ...tenant }, query)
    }
    if (stopping.signal.aborted) return finish(queueNext)
    const build = await store.take()
    if (build === undefined) return finish(queueNext)
    const buildLog = createBuildLog(store, build, log)
    const unwanted = new AbortController()
    const watching = watch(() => store.isWanted(build), unwanted)
    const started = performance.now()
    const outcome = await deps
      .run({
        tenant,
        build,
        store,
        log: buildLog,
        signal: AbortSignal.any([signal, stopping.signal, unwanted.signal]),
      })
      .catch((error: unknown) => {
        if (!(error instanceof BuildStopped)) return error as Error
        return stopping.signal.aborted || signal.aborted ? 'put-back' : 'stopped'
      })
      .finally(watching.stop)
    const state = stateOf(outcome)
    recordPart?.({
      name: 'build',
      ms: performance.now() - started,
      isError: state === 'failed' || state === 'interrupted',
      attributes: { 'octavo.build_id': build.id, 'octavo.build_state': state },
    })
    if (outcome instanceof Error) {
      await interrupt(build, outcome)
      await buildLog.flush()
      // The queue runs the job again, and the build is begun again.
      throw outcome
    }
    if (outcome === 'put-back')
      buildLog.write('The worker stops. Another one starts the build again.')
    if (outcome !== 'put-back' && outcome !== 'stopped' && outcome.state === 'failed')
      buildLog.write(`Failed. ${outcome.reason ?? ''}`)
    await buildLog.flush()
    await finish(async (query) => {
      if (outcome === 'put-back') await store.putBack(query, build)
      else await store.end(query, build, await endOf(query, build, outcome))
      await queueNext(query)
    })

    async function endOf(query: Query, row: BuildRow, ended: BuildEnd | 'stopped') {
      return ended === 'stopped' ? { state: await store.stoppedState(query, row) } : ended
    }

    async function interrupt(row: BuildRow, error: Error): Promise<void> {
      const reason =
        error instanceof BuildInterrupted
          ? error.message
          : 'A part of the service could not be reached. Try again later.'
      buildLog.write(`Interrupted: ${reason}`)
      await store.noteInterruption(row, reason.slice(0, REASON_LENGTH_MAX)).catch(() => {})
    }
  }

  return { handle, stop: () => stopping.abort() }
}

function stateOf(outcome: BuildEnd | Error | 'put-back' | 'stopped'): string {
  if (typeof outcome === 'string') return outcome
  return outcome instanceof Error ? 'interrupted' : outcome.state
}

/** Aborts when the answer is no. A question that fails is asked again. */
function watch(isWanted: () => Promise<boolean>, unwanted: AbortController) {
  const over = new AbortController()
  const { signal } = over
  const run = async () => {
    while (!signal.aborted) {
      await sleep(WATCH_MS, undefined, { signal })
      if ((await isWanted().catch(() => true)) === false) return unwanted.abort()
    }
  }
  run().catch(() => {})
  return { stop: () => over.abort() }
}

/** Queues jobs for open builds that have none, and lets those that waited long move up. */
export async function queueIdleBuilds({
  database,
  jobSender,
}: Pick<BuildJobsDeps, 'database' | 'jobSender'>): Promise<number> {
  await jobSender.start()
  const idle = await database.query<{ organization_id: string; project_id: string }>(
    'select * from find_idle_builds($1)',
    [IDLE_MAX],
  )
  for (const { organization_id: organizationId, project_id: projectId } of idle)
    await database.transaction((query) =>
      jobSender.send(BUILD_QUEUE, { organizationId, projectId }, query),
    )
  await database.transaction((query) => renewFairPriorities(query, BUILD_QUEUE))
  return idle.length
}
