import type { ProjectDatabase, Query } from '../../platform/database/database.ts'

export type PreviewRow = {
  readonly name: string
  readonly branch: string
  readonly deployment_id: string
  readonly number: string
  readonly changed_at: Date
  readonly expires_at: Date
  readonly runs_scripts: boolean
}

export type PreviewOutcome = 'published' | 'live' | 'older' | 'too-many' | 'not-ready' | 'suspended'

/** A preview expires this many days after the last deployment of its branch. */
const PREVIEW_DAYS = 14
export const PREVIEWS_MAX = 1_000

/** Contains all SQL about the previews of one project. */
export class PreviewStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Returns previews that have not expired, the most recently changed one first. */
  list(): Promise<readonly PreviewRow[]> {
    return this.#database.query<PreviewRow>(
      `select v.name, v.branch, v.deployment_id, d.number, v.changed_at, v.expires_at, v.runs_scripts
         from preview v join deployment d on d.project_id = v.project_id and d.id = v.deployment_id
        where v.project_id = current_project() and v.expires_at > now()
        order by v.changed_at desc, v.name limit $1`,
      [PREVIEWS_MAX],
    )
  }

  /**
   * Shows a deployment as the preview of its branch. `name` is used if the branch has no preview
   * yet. A deployment with questions is compared with the live one, even in a project without gaps.
   */
  async publish(id: string, name: string, hasQuestions = false): Promise<PreviewOutcome> {
    const [row] = await this.#database.query<{ outcome: PreviewOutcome }>(
      'select publish_preview($1, $2, $3, $4) as outcome, case when $5 then note_gap_work() end',
      [id, name, PREVIEW_DAYS, PREVIEWS_MAX, hasQuestions],
    )
    if (row === undefined) throw new Error('nothing was published')
    return row.outcome
  }

  /**
   * Allows the scripts of a fork to run. The caller names the deployment that was reviewed. Returns
   * false if the preview now shows a different one.
   */
  async approve(name: string, deploymentId: string): Promise<boolean> {
    const rows = await this.#database.query(
      `update preview set runs_scripts = true, changed_at = clock_timestamp()
        where project_id = current_project() and name = $1 and deployment_id = $2
          and expires_at > now() returning name`,
      [name, deploymentId],
    )
    return rows.length > 0
  }

  /**
   * Ends a preview, so that hosts stop serving it. Its row is deleted later. Returns false if there
   * was no such preview.
   */
  async end(name: string): Promise<boolean> {
    const rows = await this.#database.query(
      `update preview set expires_at = now()
        where project_id = current_project() and name = $1 and expires_at > now() returning name`,
      [name],
    )
    return rows.length > 0
  }
}
/** Ends the previews of deleted branches, in the caller's transaction. */
export async function endBranchPreviews(query: Query, branches: readonly string[]): Promise<void> {
  if (branches.length === 0) return
  await query(
    `update preview set expires_at = now()
      where project_id = current_project() and branch = any ($1) and expires_at > now()`,
    [branches],
  )
}

export async function listPreviewedBranches(query: Query): Promise<ReadonlySet<string>> {
  const rows = await query<{ branch: string }>(
    'select distinct branch from preview where project_id = current_project() and expires_at > now()',
  )
  return new Set(rows.map(({ branch }) => branch))
}
