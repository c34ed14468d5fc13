/** Checks the final state: each branch must show its newest commit, and no build may be stuck. */
import type { QueryDatabase } from './ask-database.ts'
import type { Line, Push } from './pushes.ts'

type BuildRow = {
  readonly slug: string
  readonly ref: string
  readonly commit: string
  readonly state: string
  readonly reason: string | null
  readonly trigger: string
}

const OPEN_STATES = ['queued', 'fetching', 'building', 'uploading']

const listBuilds = (ask: QueryDatabase) =>
  ask<BuildRow>(
    `select p.slug, b.ref, b.commit_sha as commit, b.state, b.reason, b.trigger
       from build b join project p on p.id = b.project_id order by b.project_id, b.number`,
  )

/** Returns the remaining work; an empty list when everything is done. */
export async function findUnfinished(
  ask: QueryDatabase,
  lines: readonly Line[],
  shownBy: (line: Line) => Promise<number | undefined>,
): Promise<readonly string[]> {
  const builds = await listBuilds(ask)
  const unfinished = builds
    .filter(({ state }) => OPEN_STATES.includes(state))
    .map(({ slug, ref, state }) => `${slug} ${ref}: a build is ${state}`)
  for (const line of lines) {
    if (line.branch !== 'main' && line.commits.length === 0) continue
    const shown = await shownBy(line)
    if (shown !== line.newest)
      unfinished.push(
        `${line.project.name} ${line.branch} shows commit ${shown ?? 'none'}, and ${line.newest} is its newest${describeLast(builds, line)}`,
      )
  }
  return unfinished
}

function describeLast(builds: readonly BuildRow[], { project, branch }: Line): string {
  const last = builds.findLast(({ slug, ref }) => slug === project.name && ref === branch)
  return last === undefined ? '; it has no build' : `; ${last.state}: ${last.reason}`
}

export type BuildsCheck = {
  readonly states: ReadonlyMap<string, number>
  readonly reasons: ReadonlyMap<string, number>
  readonly foundByCheck: number
  /** The number of commits that were replaced by a newer one before the service saw them. */
  readonly neverSeen: number
  readonly wrong: readonly string[]
}

export async function checkBuilds(
  ask: QueryDatabase,
  pushes: readonly Push[],
): Promise<BuildsCheck> {
  const builds = await listBuilds(ask)
  const wrong: string[] = []
  const states = countBy(builds.map(({ state }) => state))
  const failed = builds.filter(({ state }) => state === 'failed')
  for (const { slug, state, reason } of builds) {
    if (OPEN_STATES.includes(state)) wrong.push(`${slug}: a build is stuck as ${state}`)
    if (state === 'cancelled') wrong.push(`${slug}: a build was canceled unexpectedly`)
    if (state !== 'finished' && reason === null) wrong.push(`${slug}: ${state} without a reason`)
  }
  const byCommit = Map.groupBy(builds, ({ slug, commit }) => `${slug} ${commit}`)
  let neverSeen = 0
  for (const { line, commit, kind, number } of pushes) {
    const own = byCommit.get(`${line.project.name} ${commit}`) ?? []
    if (own.length === 0 && line.commits.at(-1) === commit)
      wrong.push(`push ${number} was never built, and nothing came after it`)
    if (own.length === 0) neverSeen += 1
    if (kind === 'broken' && own.some(({ state }) => state === 'finished' || state === 'skipped'))
      wrong.push(`push ${number} is broken, and its build did not say so`)
  }
  return {
    states,
    reasons: countBy(failed.map(({ reason }) => reason ?? '')),
    foundByCheck: builds.filter(({ trigger }) => trigger === 'check').length,
    neverSeen,
    wrong,
  }
}

/**
 * Returns build jobs that wait or run although there is nothing left to build. Other jobs are
 * normal.
 */
export async function findLeftJobs(ask: QueryDatabase): Promise<readonly string[]> {
  const rows = await ask<{ name: string; state: string; count: number }>(
    `select name, state::text, count(*)::integer as count from jobs.job
      where name = 'build' and state in ('created', 'retry', 'active') group by 1, 2`,
  )
  return rows.map(({ name, state, count }) => `${count} jobs of ${name} are left as ${state}`)
}

export function countBy(items: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(items, (item) => item)].map(([item, all]) => [item, all.length]))
}

export function printDelays(pushes: readonly Push[], webhook: Push['webhook']): string {
  const delays = pushes
    .filter((one) => one.webhook === webhook && one.liveMs !== undefined)
    .map(({ atMs, liveMs = 0 }) => (liveMs - atMs) / 1_000)
    .toSorted((a, b) => a - b)
  const median = delays[Math.floor(delays.length / 2)]
  return median === undefined
    ? 'none'
    : `longest ${delays.at(-1)?.toFixed(0)} s, median ${median.toFixed(0)} s (${delays.length})`
}
