/** Compares the exported rows with the acknowledged ones and with the tables of the last leader. */
import type { Database } from '../../../packages/service/src/platform/database/database.ts'
import type { Exporter } from '../no-loss/readers.ts'
import type { Acknowledged } from './write-roles.ts'

export type ExportCheck = {
  /** The number of rows in the table. */
  readonly stored: number
  readonly acknowledged: number
  /** Acknowledged conversations that are not in the table. */
  readonly lost: readonly string[]
  /** Rows of the table that the export skipped. */
  readonly skipped: readonly string[]
  /** Rows that were exported twice or out of order, or that are not in the table. */
  readonly misplaced: readonly string[]
}

export async function checkExport(
  owner: Database,
  publicId: string,
  { exporter, acknowledged }: { readonly exporter: Exporter; readonly acknowledged: Acknowledged },
): Promise<ExportCheck> {
  const rows = await owner.query<{ id: string; query: string }>(
    `select c.id, c.query from conversation c join project p on p.id = c.project_id
      where p.public_id = $1 order by c.id`,
    [publicId],
  )
  const stored = new Map(rows.map(({ id, query }) => [id, query]))
  return {
    stored: stored.size,
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter(([id, text]) => stored.get(id) !== text).map(([id]) => id),
    skipped: [...stored.keys()].filter((id) => !exporter.seen.has(id)),
    misplaced: exporter.rows
      .filter(({ id, questionId }, place) => {
        const before = exporter.rows[place - 1]
        return (before !== undefined && before.id >= id) || stored.get(id) !== questionId
      })
      .map(({ id }) => id),
  }
}
