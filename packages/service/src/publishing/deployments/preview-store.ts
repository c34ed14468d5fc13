import type { ProjectDatabase, Query } from '../../platform/database/database.ts'

export type PreviewRow = {
  readonly name: string
  readonly branch: string
  readonly deployment_id: string
  readonly changed_at: Date
  readonly expires_at: Date
  readonly runs_scripts: boolean
}

export type PreviewOutcome = 'published' | 'live' | 'older' | 'too-many' | 'not-ready' | 'suspended'

/** After the last deployment of its branch. */
const PREVIEW_DAYS = 14
export const PREVIEWS_MAX = 1_000

/** All SQL about the previews of one project. */
export class PreviewStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Those that are not over, the one that changed last first. */
  list(): Promise<readonly PreviewRow[]> {
    return this.#database.query<PreviewRow>(
      `select name, branch, deployment_id, changed_at, expires_at, runs_scripts from preview
        where project_id = current_project() and expires_at > now()
        order by changed_at desc, name limit $1`,
      [PREVIEWS_MAX],
    )
  }

  /** `name` is taken if the branch has none. */
  async publish(id: string, name: string): Promise<PreviewOutcome> {
    const [row] = await this.#database.query<{ outcome: PreviewOutcome }>(
      'select publish_preview($1, $2, $3, $4) as outcome',
      [id, name, PREVIEW_DAYS, PREVIEWS_MAX],
    )
    if (row === undefined) throw new Error('nothing was published')
    return row.outcome
  }

  /**
   * Lets the scripts of a fork run. The deployment is named: one that was pushed meanwhile is not
   * approved. Gives whether it is the one that is shown.
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

  /** Gives whether there was one. Its row goes later, when hosts have seen that it is over. */
  async end(name: string): Promise<boolean> {
    const rows = await this.#database.query(
      `update preview set expires_at = now()
        where project_id = current_project() and name = $1 and expires_at > now() returning name`,
      [name],
    )
    return rows.length > 0
  }
}
/** Ends the previews of branches that are gone, in the caller's transaction. */
export async function endBranchPreviews(query: Query, branches: readonly string[]): Promise<void> {
  if (branches.length === 0) return
  await query(
    `update preview set expires_at = now()
      where project_id = current_project() and branch = any ($1) and expires_at > now()`,
    [branches],
  )
}

/** Branches that have a preview now. */
export async function listPreviewedBranches(query: Query): Promise<ReadonlySet<string>> {
  const rows = await query<{ branch: string }>(
    'select distinct branch from preview where project_id = current_project() and expires_at > now()',
  )
  return new Set(rows.map(({ branch }) => branch))
}
