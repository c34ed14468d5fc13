/** Operations on the builds of one project. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Build, BuildDiagnostics, BuildList } from '@octavo/contract'
import type { z } from 'zod'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'
import type { JobSender } from '../../platform/jobs/job-queue.ts'
import { Problem } from '../../platform/problem.ts'
import type { BuildState } from '../../projects/notifications/print-status.ts'
import { checkNow } from '../connections/check-now.ts'
import { ConnectionStore } from '../connections/store.ts'
import { createPreviewName } from '../deployments/preview-name.ts'
import { filesUrl } from '../providers/repository-address.ts'
import { type AcceptBuild, isOpen, type NewBuild } from './build.ts'
import type { BuildRow, BuildStore, LogLine } from './store.ts'

export type BuildServiceDeps = {
  readonly database: ProjectDatabase
  readonly store: BuildStore
  readonly accept: AcceptBuild
  readonly jobSender: Pick<JobSender, 'start' | 'send'>
  readonly previewUrlOf: (name: string) => string | undefined
  readonly now: () => number
}

const POLL_MS = 500
const LOG_PAGE = 500

export class BuildService {
  readonly #deps: BuildServiceDeps

  constructor(deps: BuildServiceDeps) {
    this.#deps = deps
  }

  async find(id: string): Promise<BuildRow> {
    const row = await this.#deps.store.find(id)
    if (row === undefined) throw new Problem('not-found', 'This build does not exist.')
    return row
  }

  /**
   * Builds the published branch and loads its hosted specifications again. Returns the build's id.
   */
  update(): Promise<string> {
    return this.#buildHead({ command: 'octavo deploy' }, async (_, statusId) => statusId)
  }

  preview(branch: string, slug: string): Promise<{ statusId: string; previewUrl: string }> {
    const { store, previewUrlOf } = this.#deps
    return this.#buildHead(
      { branch, command: 'octavo deploy --preview' },
      async (query, statusId) => {
        const name = await store.reservePreviewName(
          query,
          statusId,
          createPreviewName(slug, branch),
        )
        return { statusId, previewUrl: previewUrlOf(name) ?? '' }
      },
    )
  }

  async list(filter: {
    readonly cursor: string | undefined
    readonly ref: string | undefined
    readonly state: BuildState | undefined
    readonly limit: number
  }): Promise<z.input<typeof BuildList>> {
    const { cursor: before, ref, state, limit } = filter
    const rows = await this.#deps.store.list({ before, ref, state, limit: limit + 1 })
    const visible = rows.slice(0, limit)
    const nextCursor = rows.length > limit ? (visible.at(-1)?.id ?? null) : null
    return { builds: visible.map(showBuild), nextCursor }
  }

  /** Returns the build, after waiting up to `waitSeconds` for its state to change. */
  async get(id: string, waitSeconds: number): Promise<z.input<typeof Build>> {
    const { now } = this.#deps
    const end = now() + waitSeconds * 1_000
    const first = await this.find(id)
    let row = first
    while (row.state === first.state && isOpen(row.state) && now() < end) {
      await sleep(Math.min(POLL_MS, Math.max(1, end - now())))
      row = await this.find(id)
    }
    return showBuild(row)
  }

  async diagnostics(id: string): Promise<z.input<typeof BuildDiagnostics>> {
    const { error_count: error, warning_count: warning, commit_sha: commit } = await this.find(id)
    const diagnostics = (await this.#deps.store.diagnostics(id)) ?? []
    const connection = await new ConnectionStore(this.#deps.database).find()
    const files = connection && filesUrl(connection, commit)
    return {
      counts: { error, warning },
      ...(files !== undefined && { files }),
      diagnostics: diagnostics as z.input<typeof BuildDiagnostics>['diagnostics'],
    }
  }

  /**
   * Yields the log lines after a given line, a page at a time, until the build has ended or the
   * time is up.
   */
  async *log(id: string, after: number, untilMs: number): AsyncGenerator<readonly LogLine[]> {
    const { store, now } = this.#deps
    let last = after
    for (;;) {
      // Read the state before the lines. If the build has already ended, no lines can be missing
      // then.
      const isDone = !isOpen((await this.find(id)).state)
      const lines = await store.log(id, last, LOG_PAGE)
      if (lines.length > 0) yield lines
      last = lines.at(-1)?.line ?? last
      if (lines.length === LOG_PAGE) continue
      if (isDone || now() >= untilMs) return
      await sleep(POLL_MS)
    }
  }

  lastLines(id: string, limit: number): Promise<readonly string[]> {
    return this.#deps.store.lastLines(id, limit)
  }

  async cancel(id: string, by: string): Promise<z.input<typeof Build>> {
    await this.find(id)
    const { database, store } = this.#deps
    const reason = `Canceled by ${by}.`
    const state = await database.transaction((query) => store.cancel(query, id, reason))
    const row = await this.find(id)
    if (state === undefined)
      throw new Problem(
        'conflict',
        row.state === 'uploading'
          ? 'The build is being published and can no longer be canceled.'
          : `This build has already ended: ${row.state}.`,
      )
    return showBuild(row)
  }

  /** Builds the same commit again, as a new build. */
  async retry(id: string): Promise<z.input<typeof Build>> {
    const { database, store, accept, jobSender } = this.#deps
    const row = await this.find(id)
    if (isOpen(row.state))
      throw new Problem('conflict', `This build is ${row.state}. Cancel it to start again.`)
    if (await store.hasNewer(row))
      throw new Problem(
        'conflict',
        `A newer build of ${row.ref} exists. Retry the newer build. To go back to an older state, publish its deployment.`,
      )
    await jobSender.start()
    const { target, ref, commit_sha: commit, is_fork: isFork, pull_request } = row
    const pullRequest = pull_request ?? undefined
    const made = await database.transaction((query) =>
      accept(query, database.tenant, {
        target,
        ref,
        commit,
        pullRequest,
        isFork,
        trigger: 'retry',
      }),
    )
    return showBuild(await this.find(made))
  }

  /**
   * Builds the current head of a branch of the connected repository; the published branch by
   * default.
   */
  async #buildHead<Result>(
    { branch, command }: { readonly branch?: string; readonly command: string },
    then: (query: Query, id: string) => Promise<Result>,
  ): Promise<Result> {
    const { database, store, accept, jobSender, previewUrlOf, now } = this.#deps
    const askedAt = await checkNow({ database, jobSender, now }, branch)
    const source = await store.connectedRef(branch)
    if (askedAt === undefined || source === undefined)
      throw new Problem(
        'conflict',
        `This project has no connected Git repository, so there is nothing to build. Run \`${command}\` in the folder with the source, for example in CI.`,
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
    const input: NewBuild = { target, ref, commit, pullRequest, isFork, trigger: 'api' }
    return database.transaction(async (query) => {
      // If the commit is new, the repository check has already accepted a build of it.
      const id = await store.findRequested(query, input, askedAt)
      return then(query, id ?? (await accept(query, database.tenant, input)))
    })
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
