import type { AnswerForecast } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { BuildState } from '../../projects/notifications/print-status.ts'
import type { Comparison } from '../deployments/comparison-store.ts'
import type { ProviderConnection } from './open-provider.ts'

export type ConnectionFacts = ProviderConnection & { readonly folder: string }

export type NotifiedProject = {
  readonly publicId: string
  readonly name: string
  readonly slug: string
}

export type UnreportedBuild = {
  readonly id: string
  readonly target: 'production' | 'preview'
  readonly commit: string
  readonly state: BuildState
  readonly reportedState: BuildState | null
  readonly reason: string | null
  readonly errorCount: number
  readonly warningCount: number
  /** The first error as it is stored, or null. */
  readonly firstError: unknown
  readonly isLive: boolean
  readonly lockReason: string | null
  /** The name of the preview of the branch; null if it has none. */
  readonly previewName: string | null
  /** True if there is a newer build of the same commit. */
  readonly isOutdated: boolean
  /** The number of seconds since the state last changed. */
  readonly ageSeconds: number
}

export type DueComment = {
  readonly ref: string
  readonly pullRequest: number
  readonly isFork: boolean
  readonly isApproved: boolean
  /**
   * `<pull request>/<id>`. The number prevents editing a comment on an earlier pull request of the
   * branch.
   */
  readonly commentId: string | null
  readonly key: string
  readonly commit: string
  readonly state: 'finished' | 'failed' | 'skipped'
  readonly reason: string | null
  readonly errorCount: number
  readonly warningCount: number
  readonly diagnostics: unknown
  readonly finishedAt: Date | null
  readonly deploymentId: string | null
  readonly previewName: string | null
  /** How the change affects gaps; null if this is not known yet, or if there are no gaps. */
  readonly gaps: CommentGaps | null
  /** How the change affects the answers to the author's questions; null like `gaps`. */
  readonly answers: AnswerForecast | null
  readonly readerAnswers: AnswerForecast | null
  /** How the change affects the API; null if this is not known yet, or if it does not. */
  readonly api: Comparison | null
  readonly ageSeconds: number
}

/** Contains only numbers, since readers' questions are never sent to a repository. */
export type CommentGaps = { readonly open: number; readonly likely: number; readonly lost: number }

const BUILDS_MAX = 200
const COMMENTS_MAX = 50

/** Contains all SQL about reports to a project's Git host. */
export class NotifyStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async project(): Promise<NotifiedProject | undefined> {
    const [row] = await this.#database.query<NotifiedProject>(
      `select public_id as "publicId", name, slug from project
        where organization_id = current_organization() and id = current_project()`,
    )
    return row
  }

  /** Returns true if the owner has not yet been notified of some failed or superseded builds. */
  async hasPendingNotifications(): Promise<boolean> {
    const rows = await this.#database.query(
      `select from build where project_id = current_project() and not is_announced
          and state in ('failed', 'superseded') and created_at > now() - interval '7 days' limit 1`,
    )
    return rows.length > 0
  }

  async connection(): Promise<ConnectionFacts | undefined> {
    const [row] = await this.#database.query<ConnectionFacts>(
      `select provider, url, credential, installation_id as "installationId", folder
         from connection where project_id = current_project()`,
    )
    return row
  }

  /** Returns builds whose state has not been reported yet, oldest first. */
  unreportedBuilds(): Promise<readonly UnreportedBuild[]> {
    return this.#database.query<UnreportedBuild>(
      `select b.id, b.target, b.commit_sha as commit, b.state, b.reported_state as "reportedState", b.reason,
              b.error_count as "errorCount", b.warning_count as "warningCount",
              jsonb_path_query_first(b.diagnostics, '$[*] ? (@.severity == "error")') as "firstError",
              coalesce(u.deployment_id = b.deployment_id, false) as "isLive",
              u.lock_reason as "lockReason", v.name as "previewName",
              exists (select from build n
                       where n.project_id = current_project() and n.commit_sha = b.commit_sha
                         and n.target = b.target and n.number > b.number) as "isOutdated",
              extract(epoch from now() - greatest(b.created_at, b.started_at, b.finished_at))::float
                as "ageSeconds"
         from build b
         left join publication u on u.project_id = b.project_id
         left join preview v on v.project_id = b.project_id and v.branch = b.ref
          and v.expires_at > now() and b.target = 'preview'
        where b.project_id = current_project() and b.state is distinct from b.reported_state
        order by b.number limit $1`,
      [BUILDS_MAX],
    )
  }

  /**
   * Records that a state was reported. Returns false if another worker has reported a state in the
   * meantime.
   */
  async markReported(
    { id, state, reportedState }: Pick<UnreportedBuild, 'id' | 'state' | 'reportedState'>,
    error: string | null,
  ): Promise<boolean> {
    const rows = await this.#database.query(
      `update build set reported_state = $2, report_error = $4
        where project_id = current_project() and id = $1 and reported_state is not distinct from $3
        returning id`,
      [id, state, reportedState, error],
    )
    return rows.length > 0
  }

  /** Makes sure that the state is reported again, since the Git host may show an old state. */
  async clearReported(id: string): Promise<void> {
    await this.#database.query(
      'update build set reported_state = null where project_id = current_project() and id = $1',
      [id],
    )
  }

  /** Returns pull requests whose comment does not describe the newest build that has ended. */
  dueComments(): Promise<readonly DueComment[]> {
    return this.#database.query<DueComment>(
      `select r.name as ref, r.pull_request as "pullRequest", r.is_fork as "isFork",
              coalesce(v.runs_scripts, false) as "isApproved", r.comment_id as "commentId", k.key,
              b.commit_sha as commit, b.state, b.reason, b.error_count as "errorCount",
              b.warning_count as "warningCount", b.diagnostics, b.finished_at as "finishedAt",
              b.deployment_id as "deploymentId", v.name as "previewName", f.counts as gaps, f.answers,
              f.reader_answers as "readerAnswers", c.api,
              extract(epoch from now() - coalesce(b.finished_at, b.created_at))::float as "ageSeconds"
         from git_ref r
         cross join lateral (
           select * from build n
            where n.project_id = current_project() and n.ref = r.name and n.target = 'preview'
              and n.state in ('finished', 'failed', 'skipped')
            order by n.number desc limit 1) b
         left join preview v on v.project_id = r.project_id and v.branch = r.name and v.expires_at > now()
         left join lateral (
           select case when g.open_count > 0 or cardinality(g.lost_ids) > 0
                       then json_build_object('open', g.open_count, 'likely', cardinality(g.likely_ids),
                              'lost', cardinality(g.lost_ids)) end as counts, g.answers, g.reader_answers
             from gap_forecast g
            where g.project_id = r.project_id and g.deployment_id = b.deployment_id) f on true
         left join lateral (
           select a.result as api from api_comparison a
            where a.project_id = r.project_id and a.deployment_id = b.deployment_id
              and (a.result ? 'problem' or a.result -> 'specifications' <> '[]')) c on true
         cross join lateral (
           select concat_ws('/', r.pull_request, b.id, case when r.is_fork and v.runs_scripts then 'approved' end,
                    case when f.counts is not null then 'gaps' end,
                    case when f.answers is not null then 'answers' end,
                    case when f.reader_answers is not null then 'readers' end,
                    case when c.api is not null then 'api' end) as key) k
        where r.project_id = current_project() and r.pull_request is not null
          and r.comment_key is distinct from k.key
        order by r.name limit $1`,
      [COMMENTS_MAX],
    )
  }

  async markCommented(
    { ref, key }: Pick<DueComment, 'ref' | 'key'>,
    commentId: string | null,
  ): Promise<void> {
    await this.#database.query(
      `update git_ref set comment_key = $2, comment_id = $3
        where project_id = current_project() and name = $1`,
      [ref, key, commentId],
    )
  }

  /** Returns the stored diagnostics of the live build. */
  async liveDiagnostics(): Promise<unknown> {
    const [row] = await this.#database.query<{ diagnostics: unknown }>(
      `select b.diagnostics from publication u
         join build b on b.project_id = u.project_id and b.deployment_id = u.deployment_id
        where u.project_id = current_project()`,
    )
    return row?.diagnostics
  }
}
