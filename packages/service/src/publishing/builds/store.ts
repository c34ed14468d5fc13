import type { Diagnostic } from '@octavo/model'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'
import type { BuildState } from '../../projects/notifications/print-status.ts'
import type { BuildTrigger, DoneDeployment, NewBuild, OnBuildChanged } from './build.ts'

export type BuildRow = {
  readonly id: string
  readonly number: string
  readonly target: 'production' | 'preview'
  readonly ref: string
  readonly commit_sha: string
  readonly message: string | null
  readonly author: string | null
  readonly pull_request: number | null
  readonly is_fork: boolean
  readonly trigger: BuildTrigger
  readonly state: BuildState
  readonly reason: string | null
  readonly attempts: number
  readonly is_cancel_requested: boolean
  readonly deployment_id: string | null
  readonly error_count: number
  readonly warning_count: number
  readonly created_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
  /** The reason why the Git host could not be notified. */
  readonly report_error: string | null
}

/** The newest commit of a connected branch; `name` is null for an unknown branch. */
export type ConnectedRef = {
  readonly name: string | null
  readonly commit: string | null
  readonly pull_request: number | null
  readonly is_fork: boolean
}

export type LogLine = { readonly line: number; readonly at: Date; readonly text: string }

/** The commit that a push is compared with, and the files that its build did not read. */
export type EarlierBuild = { readonly commit: string; readonly unread: Buffer }

export type BuildEnd = {
  readonly state: Exclude<BuildState, 'queued' | 'fetching' | 'building' | 'uploading'>
  readonly reason?: string | undefined
  /** True if the folder has a docs.json; undefined if the build did not check. */
  readonly hasDocsJson?: boolean
  /** The deployment that the build created. */
  readonly deployment?: DoneDeployment
}

export type BuildFindings = {
  readonly errors: number
  readonly warnings: number
  /** The diagnostics as a JSON array. */
  readonly diagnostics: string
  readonly unread: Buffer | undefined
}

/** A build fails after this many attempts. */
const ATTEMPTS_MAX = 3
const LOG_LINE_LENGTH_MAX = 4_000
const LIST_COLUMNS = `b.id, b.number, b.target, b.ref, b.commit_sha, b.message, b.author, b.pull_request, b.is_fork, b.trigger,
         b.state, b.reason, b.attempts, b.is_cancel_requested, b.deployment_id, b.error_count, b.warning_count, b.created_at,
         b.started_at, b.finished_at, b.report_error`
const FIND = `select ${LIST_COLUMNS} from build b where b.project_id = current_project() and b.id = $1`

/** All SQL about a project's builds. `onChanged` runs in the transaction of each state change. */
export class BuildStore {
  readonly #database: ProjectDatabase
  readonly #onChanged: OnBuildChanged

  constructor(database: ProjectDatabase, onChanged: OnBuildChanged) {
    this.#database = database
    this.#onChanged = onChanged
  }

  async accept(query: Query, input: NewBuild): Promise<{ id: string; isNew: boolean }> {
    const [row] = await query<{ id: string; is_new: boolean; superseded: string[] }>(
      'select * from accept_build($1, $2, $3, $4, $5, $6)',
      [
        input.target,
        input.ref,
        input.commit,
        input.pullRequest ?? null,
        input.isFork,
        input.trigger,
      ],
    )
    if (row === undefined) throw new Error('the build was not written')
    const { id, is_new: isNew, superseded } = row
    for (const ended of superseded) {
      await appendLog(query, ended, ['Superseded by a newer commit.'])
      await this.#onChanged(query, this.#database.tenant, ended)
    }
    if (isNew) {
      await appendLog(query, id, [`Queued: ${input.ref} at ${input.commit.slice(0, 7)}.`])
      await this.#onChanged(query, this.#database.tenant, id)
    }
    return { id, isNew }
  }

  /** Starts the next build of the project. Returns undefined if no build is open. */
  take(): Promise<BuildRow | undefined> {
    return this.#database.transaction(async (query) => {
      const taken = await query<{ id: string; state: BuildState }>('select * from take_build($1)', [
        ATTEMPTS_MAX,
      ])
      for (const { id } of taken) await this.#onChanged(query, this.#database.tenant, id)
      const next = taken.find(({ state }) => state === 'fetching')
      if (next === undefined) return undefined
      const [row] = await query<BuildRow>(FIND, [next.id])
      return row
    })
  }

  /** Returns false if the build was canceled, superseded or taken over by another worker. */
  async isWanted({ id, attempts }: BuildRow): Promise<boolean> {
    const rows = await this.#database.query(
      `select from build b where b.project_id = current_project() and b.id = $1 and b.attempts = $2
          and (not b.is_cancel_requested or b.state = 'uploading') and b.state in ('fetching', 'building', 'uploading')`,
      [id, attempts],
    )
    return rows.length > 0
  }

  /** Changes the state of a running build. Returns false if the build is no longer wanted. */
  advance(build: BuildRow, state: 'building' | 'uploading'): Promise<boolean> {
    return this.#database.transaction((query) =>
      this.#change(query, build, { state, unlessStopped: true }),
    )
  }

  async recordCommit({ id }: BuildRow, message: string, author: string): Promise<void> {
    await this.#database.query(
      'update build set message = $2, author = $3 where project_id = current_project() and id = $1',
      [id, message, author],
    )
  }

  async recordFindings({ id }: BuildRow, findings: BuildFindings): Promise<void> {
    const { errors, warnings, diagnostics, unread } = findings
    await this.#database.query(
      `update build set error_count = $2, warning_count = $3, diagnostics = $4::jsonb, unread_files = $5
        where project_id = current_project() and id = $1`,
      [id, errors, warnings, diagnostics, unread ?? null],
    )
  }

  /** Adds an error that the service found, not the builder. */
  async addError({ id }: BuildRow, diagnostic: Diagnostic): Promise<void> {
    await this.#database.query(
      `update build set error_count = error_count + 1, diagnostics = $2::jsonb || diagnostics
        where project_id = current_project() and id = $1`,
      [id, JSON.stringify([diagnostic])],
    )
  }

  /** Stores why an attempt failed. After the last attempt, this is why the build failed. */
  async recordInterruption({ id, attempts }: BuildRow, reason: string): Promise<void> {
    await this.#database.query(
      `update build set reason = $3 where project_id = current_project() and id = $1 and attempts = $2
          and not is_cancel_requested and state in ('fetching', 'building', 'uploading')`,
      [id, attempts, reason],
    )
  }

  /** Ends the build. If it was not canceled or superseded, records that its commit was built. */
  async end(query: Query, build: BuildRow, { state, reason }: BuildEnd): Promise<void> {
    const isEnded = await this.#change(query, build, { state, reason })
    if (!isEnded) throw new Error('another worker has taken over this build')
    if (state === 'finished' || state === 'failed' || state === 'skipped')
      await query(
        'update git_ref set built_sha = $2 where project_id = current_project() and name = $1',
        [build.ref, build.commit_sha],
      )
  }

  /** Returns the final state of a build that was canceled or superseded. */
  async stoppedState(query: Query, { id }: BuildRow): Promise<'superseded' | 'cancelled'> {
    const [row] = await query<{ state: 'superseded' | 'cancelled' }>(
      'select ended_state(b) as state from build b where b.project_id = current_project() and b.id = $1',
      [id],
    )
    return row?.state ?? 'cancelled'
  }

  /** Puts the build back in the queue because its worker stops. This attempt does not count. */
  putBack(query: Query, build: BuildRow): Promise<boolean> {
    return this.#change(query, build, { state: 'queued' })
  }

  /** Changes a build only if this attempt is the current one: another worker may have it now. */
  async #change(
    query: Query,
    { id, attempts }: Pick<BuildRow, 'id' | 'attempts'>,
    input: {
      readonly state: BuildState
      readonly reason?: string | undefined
      readonly unlessStopped?: boolean
    },
  ): Promise<boolean> {
    const { state, reason, unlessStopped = false } = input
    const rows = await query(
      `update build set state = $3, reason = coalesce($4, reason),
          attempts = case when $3 = 'queued' then attempts - 1 else attempts end,
          started_at = case when $3 = 'queued' then null else started_at end,
          finished_at = case when $3 in ('queued', 'building', 'uploading') then null else now() end
        where project_id = current_project() and id = $1 and attempts = $2
          and state in ('fetching', 'building', 'uploading') and not ($5 and is_cancel_requested) returning id`,
      [id, attempts, state, reason ?? null, unlessStopped],
    )
    if (rows.length > 0) await this.#onChanged(query, this.#database.tenant, id)
    return rows.length > 0
  }

  async hasOpen(query: Query): Promise<boolean> {
    const rows = await query(
      `select from build b where b.project_id = current_project()
          and b.state in ('queued', 'fetching', 'building', 'uploading') limit 1`,
    )
    return rows.length > 0
  }

  /** Cancels a build. Returns its new state, or undefined if the build cannot be canceled. */
  async cancel(query: Query, id: string, reason: string): Promise<BuildState | undefined> {
    const [row] = await query<{ state: BuildState | null }>(
      'select cancel_build($1, $2) as state',
      [id, reason],
    )
    const state = row?.state ?? undefined
    if (state === 'cancelled') {
      await appendLog(query, id, [reason])
      await this.#onChanged(query, this.#database.tenant, id)
    }
    return state
  }

  async cancelRefs(query: Query, refs: readonly string[]): Promise<void> {
    const rows = await query<{ id: string }>(
      `select id from build where project_id = current_project() and ref = any($1)
          and state in ('queued', 'fetching', 'building', 'uploading')`,
      [refs],
    )
    for (const { id } of rows)
      await this.cancel(query, id, 'The branch or the pull request is gone.')
  }

  async find(id: string): Promise<BuildRow | undefined> {
    const [row] = await this.#database.query<BuildRow>(FIND, [id])
    return row
  }

  /** Returns builds that are older than a given id, newest first. */
  list(filter: {
    before: string | undefined
    ref: string | undefined
    state: BuildState | undefined
    limit: number
  }): Promise<readonly BuildRow[]> {
    return this.#database.query<BuildRow>(
      `select ${LIST_COLUMNS} from build b
        where b.project_id = current_project() and ($1::text is null or b.id < $1)
          and ($2::text is null or b.ref = $2) and ($3::text is null or b.state = $3)
        order by b.id desc limit $4`,
      [filter.before ?? null, filter.ref ?? null, filter.state ?? null, filter.limit],
    )
  }

  /** Returns the last known commit of a branch; of the published branch by default. */
  async connectedRef(branch: string | undefined): Promise<ConnectedRef | undefined> {
    const [row] = await this.#database.query<ConnectedRef>(
      `select r.name, r.commit_sha as commit, r.pull_request, coalesce(r.is_fork, false) as is_fork
         from connection c left join git_ref r on r.project_id = current_project() and r.name = coalesce($1, c.branch, (
                select p.name from git_ref p where p.project_id = current_project() and p.is_production
                 order by p.name limit 1))
        where c.project_id = current_project()`,
      [branch ?? null],
    )
    return row
  }

  /** Finds a build of this commit that was requested after a given time. */
  async findRequested(
    query: Query,
    { target, ref, commit }: Pick<NewBuild, 'target' | 'ref' | 'commit'>,
    since: Date,
  ): Promise<string | undefined> {
    const [row] = await query<{ id: string }>(
      `select b.id from build b
        where b.project_id = current_project() and b.target = $1 and b.ref = $2 and b.commit_sha = $3
          and b.trigger = 'api' and b.created_at >= $4
        order by b.number desc limit 1`,
      [target, ref, commit, since],
    )
    return row?.id
  }

  async reservePreviewName(query: Query, id: string, name: string): Promise<string> {
    const [row] = await query<{ name: string }>(
      `update build b set preview_name = coalesce((
           select v.name from preview v where v.project_id = current_project() and v.branch = b.ref and v.expires_at > now()
          ), b.preview_name, $2)
        where b.project_id = current_project() and b.id = $1 returning b.preview_name as name`,
      [id, name],
    )
    return row?.name ?? name
  }

  async hasNewer({ ref, target, number }: BuildRow): Promise<boolean> {
    const rows = await this.#database.query(
      `select from build b where b.project_id = current_project() and b.ref = $1 and b.target = $2
          and b.number > $3 limit 1`,
      [ref, target, number],
    )
    return rows.length > 0
  }

  /**
   * Returns the build to compare a push with: the newest finished build of the same branch if its
   * result is still visible; for a new branch, the live build.
   */
  async earlier({ ref, target, number }: BuildRow): Promise<EarlierBuild | undefined> {
    const [row] = await this.#database.query<{ commit: string; unread: Buffer | null }>(
      `select b.commit_sha as commit, b.unread_files as unread from build b
        where b.project_id = current_project() and b.state = 'finished' and b.number < $3
          and ((b.ref = $1 and b.target = $2) or b.deployment_id = (
            select p.deployment_id from publication p where p.project_id = current_project()))
          and ($2 = 'production' or b.target = 'production' or exists (
            select from preview v where v.project_id = current_project() and v.branch = $1 and v.expires_at > now()))
        order by (b.ref = $1 and b.target = $2) desc, b.number desc limit 1`,
      [ref, target, number],
    )
    return row?.unread ? { commit: row.commit, unread: row.unread } : undefined
  }

  async diagnostics(id: string): Promise<readonly unknown[] | undefined> {
    const [row] = await this.#database.query<{ diagnostics: readonly unknown[] }>(
      'select b.diagnostics from build b where b.project_id = current_project() and b.id = $1',
      [id],
    )
    return row?.diagnostics
  }

  appendLog(id: string, texts: readonly string[]): Promise<void> {
    return this.#database.transaction((query) => appendLog(query, id, texts))
  }

  log(id: string, after: number, limit: number): Promise<readonly LogLine[]> {
    return this.#database.query<LogLine>(
      `select line, at, text from build_log
        where project_id = current_project() and build_id = $1 and line > $2 order by line limit $3`,
      [id, after, limit],
    )
  }

  async lastLines(id: string, limit: number): Promise<readonly string[]> {
    const rows = await this.#database.query<{ text: string }>(
      `select text from build_log where project_id = current_project() and build_id = $1
        order by line desc limit $2`,
      [id, limit],
    )
    return rows.map(({ text }) => text).toReversed()
  }

  async liveRoot(): Promise<string | undefined> {
    const [row] = await this.#database.query<{ root: Buffer }>(
      `select d.root from publication p join deployment d on d.project_id = p.project_id and d.id = p.deployment_id
        where p.project_id = current_project() and d.state = 'ready'`,
    )
    return row?.root.toString('hex')
  }

  async cache(): Promise<{ readonly sha256: string; readonly size: number } | undefined> {
    const [row] = await this.#database.query<{ sha256: Buffer; size: string }>(
      'select sha256, size from build_cache where project_id = current_project()',
    )
    return row && { sha256: row.sha256.toString('hex'), size: Number(row.size) }
  }

  async setCache({ sha256, size }: { sha256: string; size: number }): Promise<void> {
    await this.#database.query(
      `insert into build_cache (project_id, sha256, size) values (current_project(), $1, $2)
       on conflict (project_id) do update set sha256 = excluded.sha256, size = excluded.size, saved_at = now()`,
      [Buffer.from(sha256, 'hex'), size],
    )
  }
}
async function appendLog(query: Query, id: string, texts: readonly string[]): Promise<void> {
  await query(
    `insert into build_log (project_id, build_id, line, text)
     select current_project(), $1, l.last + t.place, t.text
       from unnest($2::text[]) with ordinality as t (text, place),
            (select coalesce(max(line), 0) as last from build_log
              where project_id = current_project() and build_id = $1) l`,
    [id, texts.map((text) => text.slice(0, LOG_LINE_LENGTH_MAX))],
  )
}
