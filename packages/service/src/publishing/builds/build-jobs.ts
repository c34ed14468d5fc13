/**
 * Runs builds as jobs. A job means "run a build of this project": it takes the next open build,
 * even one that a dead worker abandoned, and queues another job if more builds are open.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { insertAudit } from '../../platform/audit/store.ts'
import type { Database, Query, Tenant } from '../../platform/database/database.ts'
import {
  type JobHandler,
  type JobSender,
  renewFairPriorities,
} from '../../platform/jobs/job-queue.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { recordDocsJson } from '../connections/store.ts'
import { BUILD_QUEUE } from './accept-build.ts'
import type { OnBuildChanged } from './build.ts'
import { createBuildLog } from './build-log.ts'
import { BuildInterrupted, BuildStopped, type RunningBuild } from './run-build.ts'
import { type BuildEnd, type BuildRow, BuildStore } from './store.ts'

export type BuildJobsDeps = {
  readonly database: Database
  readonly jobSender: Pick<JobSender, 'start' | 'send'>
  readonly onBuildChanged: OnBuildChanged
  readonly run: (running: RunningBuild) => Promise<BuildEnd>
  readonly log: Log
}

/** The interval at which a running build checks whether it was canceled or superseded. */
const WATCH_MS = 1_000
const REASON_LENGTH_MAX = 2_000
const IDLE_MAX = 1_000

type Outcome = BuildEnd | Error | 'put-back' | 'stopped'

export class BuildJobs {
  readonly #deps: BuildJobsDeps
  readonly #stopping = new AbortController()

  constructor(deps: BuildJobsDeps) {
    this.#deps = deps
  }

  /** Stops running builds and puts them back in the queue. */
  stop(): void {
    this.#stopping.abort()
  }

  async handle({ data, signal, finish, recordPart }: Parameters<JobHandler>[0]): Promise<void> {
    const { database, jobSender, onBuildChanged, log } = this.#deps
    const { organizationId = '', projectId = '' } = data
    const tenant: Tenant = { organizationId, projectId }
    const store = new BuildStore(database.forProject(tenant), onBuildChanged)
    await jobSender.start()
    const queueNext = async (query: Query) => {
      if (await store.hasOpen(query)) await jobSender.send(BUILD_QUEUE, { ...tenant }, query)
    }
    if (this.#stopping.signal.aborted) return finish(queueNext)
    const build = await store.take()
    if (build === undefined) return finish(queueNext)
    const buildLog = createBuildLog(store, build, log)
    const started = performance.now()
    const outcome = await this.#run({ tenant, build, store, log: buildLog, signal })
    const state = stateOf(outcome)
    recordPart?.({
      name: 'build',
      ms: performance.now() - started,
      isError: state === 'failed' || state === 'interrupted',
      attributes: { 'octavo.build_id': build.id, 'octavo.build_state': state },
    })
    const line = lastLineOf(outcome)
    if (line !== undefined) buildLog.write(line)
    if (outcome instanceof Error) {
      const reason = reasonOf(outcome).slice(0, REASON_LENGTH_MAX)
      await store.recordInterruption(build, reason).catch(() => {})
    }
    await buildLog.flush()
    // The queue retries the job, which restarts the build.
    if (outcome instanceof Error) throw outcome
    await finish(async (query) => {
      if (outcome === 'put-back') await store.putBack(query, build)
      else if (outcome !== 'stopped') await endBuild(store, query, { build, outcome })
      else await store.end(query, build, { state: await store.stoppedState(query, build) })
      await queueNext(query)
    })
  }

  /** Runs a build until it ends or has to stop. */
  async #run(running: RunningBuild): Promise<Outcome> {
    const { store, build, signal } = running
    const stopping = this.#stopping.signal
    const unwanted = new AbortController()
    const watching = watch(() => store.isWanted(build), unwanted)
    return this.#deps
      .run({ ...running, signal: AbortSignal.any([signal, stopping, unwanted.signal]) })
      .catch((error: unknown) => {
        if (!(error instanceof BuildStopped)) return error as Error
        return stopping.aborted || signal.aborted ? 'put-back' : 'stopped'
      })
      .finally(watching.stop)
  }
}

type EndedBuild = { readonly build: BuildRow; readonly outcome: BuildEnd }

async function endBuild(store: BuildStore, query: Query, { build, outcome }: EndedBuild) {
  await store.end(query, build, outcome)
  if (outcome.deployment !== undefined) {
    const { id, ...after } = outcome.deployment
    const { commit_sha: commit, author } = build
    await insertAudit(query, {
      actor: 'git',
      action: 'deployment.finish',
      object: `deployment ${id}`,
      after: { ...after, commit, author },
    })
  }
  if (outcome.hasDocsJson !== undefined && build.target === 'production')
    await recordDocsJson(query, outcome.hasDocsJson)
}

function lastLineOf(outcome: Outcome): string | undefined {
  if (outcome instanceof Error) return `Interrupted: ${reasonOf(outcome)}`
  if (outcome === 'put-back')
    return 'The worker is stopping. Another worker will restart the build.'
  if (outcome === 'stopped' || outcome.state !== 'failed') return undefined
  return `Failed. ${outcome.reason ?? ''}`
}

const reasonOf = (error: Error) =>
  error instanceof BuildInterrupted
    ? error.message
    : 'A part of the service could not be reached. Try again later.'

function stateOf(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome
  return outcome instanceof Error ? 'interrupted' : outcome.state
}

/**
 * Checks regularly whether the build is still wanted, and aborts it if not. Ignores failed checks.
 */
function watch(isWanted: () => Promise<boolean>, unwanted: AbortController) {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await sleep(WATCH_MS, undefined, { signal })
      if ((await isWanted().catch(() => true)) === false) return unwanted.abort()
    }
  }
  run().catch(() => {})
  return { stop: () => stopping.abort() }
}

/**
 * Queues jobs for open builds that have no job, and raises the priority of jobs that have waited
 * for a long time.
 */
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
