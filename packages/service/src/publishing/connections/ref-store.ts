/** Contains all SQL of a repository check. Each function runs in the check's transaction. */
import type { Query } from '../../platform/database/database.ts'
import type { GitRefRow } from './store.ts'

const ERROR_LENGTH_MAX = 2_000

/**
 * Locks the connection, so that concurrent checks do not find the same push. Returns false if the
 * project was suspended or connected to another repository since the check began.
 */
export async function lockConnection(query: Query, url: string): Promise<boolean> {
  const rows = await query(
    `select url from connection
      where project_id = current_project() and url = $1 and not is_suspended() for update`,
    [url],
  )
  return rows.length > 0
}

export function listGitRefs(query: Query): Promise<readonly GitRefRow[]> {
  return query<GitRefRow>(
    `select name, commit_sha as commit, is_production as "isProduction", pull_request as "pullRequest",
            pull_url as "pullUrl", is_fork as "isFork"
       from git_ref where project_id = current_project() order by name`,
  )
}

/**
 * Limits for retrying a commit whose builds were all interrupted: the maximum number of builds, and
 * how many minutes are added to the wait after each of them.
 */
const GIVEN_UP_MAX = 5
const GIVEN_UP_MINUTES = 10

/**
 * Returns refs whose newest commit has only builds that were interrupted, such as by an outage, and
 * that can be retried now. Excludes commits with a build that ended with a result or was canceled.
 */
export async function listAbandonedRefs(query: Query): Promise<ReadonlySet<string>> {
  const rows = await query<{ name: string }>(
    `select r.name from git_ref r
      cross join lateral (
        select count(*) as builds, max(b.finished_at) as ended_at,
               (array_agg(b.state order by b.number desc))[1] as state
          from build b
         where b.project_id = current_project() and b.ref = r.name and b.commit_sha = r.commit_sha) t
      where r.project_id = current_project() and r.built_sha is distinct from r.commit_sha
        and t.state = 'failed' and t.builds <= $1
        and t.ended_at <= now() - (t.builds - 1) * $2 * interval '1 minute'`,
    [GIVEN_UP_MAX, GIVEN_UP_MINUTES],
  )
  return new Set(rows.map(({ name }) => name))
}

/**
 * Returns refs that webhooks named since the given time. Includes `null` if a webhook named no ref.
 */
export async function listHintedRefs(
  query: Query,
  since: Date | null,
): Promise<ReadonlySet<string | null>> {
  const rows = await query<{ ref: string | null }>(
    `select distinct ref from webhook_delivery
      where project_id = current_project() and status = 202
        and received_at > coalesce($1, '-infinity'::timestamptz)`,
    [since],
  )
  return new Set(rows.map(({ ref }) => ref))
}

/** Records refs as seen. Those without `isBuilt` are recorded as built once their build ends. */
export async function saveGitRefs(
  query: Query,
  refs: readonly (GitRefRow & { readonly isBuilt: boolean })[],
): Promise<void> {
  if (refs.length === 0) return
  // The id of a comment is removed if the branch now has another pull request.
  await query(
    `insert into git_ref as g (project_id, name, commit_sha, built_sha, is_production, pull_request, pull_url, is_fork)
     select current_project(), r.name, r.commit, case when r."isBuilt" then r.commit end,
            r."isProduction", r."pullRequest", r."pullUrl", r."isFork"
       from jsonb_to_recordset($1) as r (name text, commit text, "isBuilt" boolean, "isProduction" boolean,
                                         "pullRequest" integer, "pullUrl" text, "isFork" boolean)
     on conflict (project_id, name) do update set
       commit_sha = excluded.commit_sha, built_sha = coalesce(excluded.built_sha, g.built_sha),
       is_production = excluded.is_production, is_fork = excluded.is_fork,
       pull_request = excluded.pull_request, pull_url = excluded.pull_url,
       comment_id = case when g.pull_request = excluded.pull_request then g.comment_id end,
       seen_at = now()`,
    [JSON.stringify(refs)],
  )
}

export async function deleteGitRefs(query: Query, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await query('delete from git_ref where project_id = current_project() and name = any ($1)', [
    names,
  ])
}

export type CheckResult = {
  /** The time at which reading the repository began. */
  readonly at: Date
  /** A message for the owner, who sees it even though the check succeeded. */
  readonly notice: string | undefined
  /** True if the branch to publish does not exist. */
  readonly isBranchMissing: boolean
  readonly hasListedPulls: boolean
  /**
   * True if a build of the production branch was accepted, which also updates hosted
   * specifications.
   */
  readonly hasRefreshed: boolean
  /**
   * True if the check did not handle all changes, which means that the next one should follow
   * immediately.
   */
  readonly hasMore: boolean
}

/**
 * Stores whether the repository is private. If that changed, hosts reload who can read previews.
 */
export async function savePrivacy(query: Query, isPrivate: boolean | undefined): Promise<void> {
  if (isPrivate === undefined) return
  const changed = await query(
    `update connection set is_private = $1
      where project_id = current_project() and is_private is distinct from $1 returning is_private`,
    [isPrivate],
  )
  if (changed.length > 0) await query('select announce_project()')
}

export async function finishCheck(query: Query, result: CheckResult): Promise<void> {
  const { at, notice, isBranchMissing, hasListedPulls, hasRefreshed, hasMore } = result
  await query(
    `update connection set checked_at = $1, check_error = $2, check_failures = 0, attempted_at = $1,
            failed_step = case when $6 then 'branch' end, git_said = null,
            failed_since = case when $6 then coalesce(failed_since, now()) end,
            pulls_listed_at = case when $3 then coalesce(pulls_listed_at, $1) else pulls_listed_at end,
            refreshed_at = case when $4 then now() else refreshed_at end,
            next_check_at = case when $5 then now() else least(
              now() + check_pause(0),
              greatest(now(), case when $4 then now() else coalesce(refreshed_at, created_at) end
                + refresh_minutes * interval '1 minute')) end
      where project_id = current_project()`,
    [
      at,
      notice?.slice(0, ERROR_LENGTH_MAX) ?? null,
      hasListedPulls,
      hasRefreshed,
      hasMore,
      isBranchMissing,
    ],
  )
}
