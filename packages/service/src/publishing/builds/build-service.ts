/** What can be done with the builds of one project. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Build, BuildDiagnostics, BuildList } from '@octavo/contract'
import type { z } from 'zod'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import { Problem } from '../../platform/problem.ts'
import { checkNow } from '../connections/check-now.ts'
import { createConnectionStore } from '../connections/store.ts'
import { createPreviewName } from '../deployments/preview-name.ts'
import { filesUrl } from '../providers/repository-address.ts'
import { type AcceptBuild, type BuildState, isOpen, type NewBuild } from './build.ts'
import type { BuildRow, BuildStore, LogLine } from './store.ts'

export type BuildServiceDeps = {
  readonly database: ProjectDatabase
  readonly store: BuildStore
  readonly accept: AcceptBuild
  readonly jobSender: Pick<JobSender, 'start' | 'send'>
  readonly previewUrlOf: (name: string) => string | undefined
  readonly now: () => number
}

export type BuildService = ReturnType<typeof createBuildService>

const POLL_MS = 500
const LOG_PAGE = 500

export function createBuildService(deps: BuildServiceDeps) {
  const { database, store, accept, jobSender, previewUrlOf, now } = deps
  const { tenant } = database

  async function find(id: string): Promise<BuildRow> {
    const row = await store.find(id)
    if (row === undefined) throw new Problem('not-found', 'This build does not exist.')
    return row
  }

  /** Builds the head of a branch of the connected repository, as it is now; of the published one without a name. */
  async function buildHead<Result>(
    { branch, command }: { readonly branch?: string; readonly command: string },
    then: (query: Query, id: string) => Promise<Result>,
  ): Promise<Result> {
    const askedAt = await checkNow({ database, jobSender, now }, branch)
    const source = await store.connectedRef(branch)
    if (askedAt === undefined || source === undefined)
      throw new Problem(
        'conflict',
        `This project has no connected Git repository, so there is nothing to build. Run \`${command}\` where the source is, for example in CI.`,
      )
    if (branch !== undefined && previewUrlOf('x') === undefined)
      throw new Problem(
        'conflict',
        'This service has no previews: OCTAVO_PREVIEWS_DOMAIN is not set.',
      )
    const { name: ref, commit, pull_request, is_fork: isFork } = source
    if (ref === null || commit === null)
      throw new Problem(
        'conflict',
        `${branch === undefined ? 'The published branch' : `The branch "${branch}"`} does not exist in the connected repository. Push it, then try again.`,
      )
    const target = branch === undefined ? 'production' : 'preview'
    const pullRequest = pull_request ?? undefined
    const wish: NewBuild = { target, ref, commit, pullRequest, isFork, trigger: 'api' }
    return database.transaction(async (query) => {
      // The check has accepted one if the commit is new.
      const id = await store.findAsked(query, wish, askedAt)
      return then(query, id ?? (await accept(query, tenant, wish)))
    })
  }

  return {
    find,

    /** Builds what is published, with hosted specifications as they are now. Gives the id of the build. */
    update: (): Promise<string> =>
      buildHead({ command: 'octavo deploy' }, async (_, statusId) => statusId),

    async preview(branch: string, slug: string): Promise<{ statusId: string; previewUrl: string }> {
      return buildHead({ branch, command: 'octavo deploy --preview' }, async (query, statusId) => {
        const name = await store.promisePreview(query, statusId, createPreviewName(slug, branch))
        return { statusId, previewUrl: previewUrlOf(name) ?? '' }
      })
    },

    async list(filter: {
      readonly cursor: string | undefined
      readonly ref: string | undefined
      readonly state: BuildState | undefined
      readonly limit: number
    }): Promise<z.input<typeof BuildList>> {
      const { cursor: before, ref, state, limit } = filter
      const rows = await store.list({ before, ref, state, limit: limit + 1 })
      const visible = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? (visible.at(-1)?.id ?? null) : null
      return { builds: visible.map(showBuild), nextCursor }
    },

    /** Waits for a change of its state, for so many seconds at most. */
    async get(id: string, waitSeconds: number): Promise<z.input<typeof Build>> {
      const end = now() + waitSeconds * 1_000
      const first = await find(id)
      let row = first
      while (row.state === first.state && isOpen(row.state) && now() < end) {
        await sleep(Math.min(POLL_MS, Math.max(1, end - now())))
        row = await find(id)
      }
      return showBuild(row)
    },

    async diagnostics(id: string): Promise<z.input<typeof BuildDiagnostics>> {
      const { error_count: error, warning_count: warning, commit_sha: commit } = await find(id)
      const diagnostics = (await store.diagnostics(id)) ?? []
      const connection = await createConnectionStore(database).find()
      const files = connection && filesUrl(connection, commit)
      return {
        counts: { error, warning },
        ...(files !== undefined && { files }),
        diagnostics: diagnostics as z.input<typeof BuildDiagnostics>['diagnostics'],
      }
    },

    /** Lines after one, a page at a time, until the build has ended or the time is up. */
    async *log(id: string, after: number, untilMs: number): AsyncGenerator<readonly LogLine[]> {
      let last = after
      for (;;) {
        // Asked before the lines: one that has ended by then writes none afterwards.
        const isDone = !isOpen((await find(id)).state)
        const lines = await store.log(id, last, LOG_PAGE)
        if (lines.length > 0) yield lines
        last = lines.at(-1)?.line ?? last
        if (lines.length === LOG_PAGE) continue
        if (isDone || now() >= untilMs) return
        await sleep(POLL_MS)
      }
    },

    lastLines: (id: string, limit: number) => store.lastLines(id, limit),

    async cancel(id: string, by: string): Promise<z.input<typeof Build>> {
      await find(id)
      const reason = `Cancelled by ${by}.`
      const state = await database.transaction((query) => store.cancel(query, id, reason))
      const row = await find(id)
      if (state === undefined)
        throw new Problem(
          'conflict',
          row.state === 'uploading'
            ? 'The build is being published and cannot be cancelled any more.'
            : `This build is ${row.state} already.`,
        )
      return showBuild(row)
    },

    /** The same commit once more, as a new build. */
    async retry(id: string): Promise<z.input<typeof Build>> {
      const row = await find(id)
      if (isOpen(row.state))
        throw new Problem('conflict', `This build is ${row.state}. Cancel it to start again.`)
      if (await store.hasNewer(row))
        throw new Problem(
          'conflict',
          `A newer build of ${row.ref} exists. Retry that one; to go back to an older state, publish its deployment.`,
        )
      await jobSender.start()
      const { target, ref, commit_sha: commit, is_fork: isFork, pull_request } = row
      const pullRequest = pull_request ?? undefined
      const made = await database.transaction((query) =>
        accept(query, tenant, { target, ref, commit, pullRequest, isFork, trigger: 'retry' }),
      )
      return showBuild(await find(made))
    },
  }
}

function showBuild(row: BuildRow): z.input<typeof Build> {
  return {
    id: row.id,
    number: Number(row.number),
    state: row.state,
    target: row.target,
    ref: row.ref,
    commit: row.commit_sha,
    ...(row.message !== null && { message: row.message }),
    ...(row.author !== null && { author: row.author }),
    ...(row.pull_request !== null && { pullRequest: row.pull_request }),
    fork: row.is_fork,
    trigger: row.trigger,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.report_error !== null && { notifyError: row.report_error }),
    errors: row.error_count,
    warnings: row.warning_count,
    ...(row.deployment_id !== null && { deployment: row.deployment_id }),
    createdAt: row.created_at.toISOString(),
    ...(row.started_at !== null && { startedAt: row.started_at.toISOString() }),
    ...(row.finished_at !== null && { finishedAt: row.finished_at.toISOString() }),
  }
}
