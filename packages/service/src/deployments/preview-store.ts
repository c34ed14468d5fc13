import type { ProjectDatabase } from '../database/database.ts'

export type PreviewRow = {
  readonly name: string
  readonly branch: string
  readonly deployment_id: string
  readonly changed_at: Date
  readonly expires_at: Date
}

export type PreviewOutcome = 'published' | 'live' | 'older' | 'too-many' | 'not-ready' | 'suspended'

/** After the last deployment of its branch. */
const PREVIEW_DAYS = 14
export const PREVIEWS_MAX = 1_000

/** All SQL about the previews of one project. */
export function createPreviewStore(database: ProjectDatabase) {
  return {
    /** Those that are not over, the one that changed last first. */
    list(): Promise<readonly PreviewRow[]> {
      return database.query<PreviewRow>(
        `select name, branch, deployment_id, changed_at, expires_at from preview
          where project_id = current_project() and expires_at > now()
          order by changed_at desc, name limit $1`,
        [PREVIEWS_MAX],
      )
    },

    /** `name` is taken if the branch has none. */
    async publish(id: string, name: string): Promise<PreviewOutcome> {
      const [row] = await database.query<{ outcome: PreviewOutcome }>(
        'select publish_preview($1, $2, $3, $4) as outcome',
        [id, name, PREVIEW_DAYS, PREVIEWS_MAX],
      )
      if (row === undefined) throw new Error('nothing was published')
      return row.outcome
    },

    /** Gives whether there was one. Its row goes later, when hosts have seen that it is over. */
    async end(name: string): Promise<boolean> {
      const rows = await database.query(
        `update preview set expires_at = now()
          where project_id = current_project() and name = $1 and expires_at > now() returning name`,
        [name],
      )
      return rows.length > 0
    },
  }
}
export type PreviewStore = ReturnType<typeof createPreviewStore>
