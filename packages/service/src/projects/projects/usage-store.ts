import type { BoundDatabase, ProjectDatabase } from '../../platform/database/database.ts'

/** A range of days such as `2026-01-31`; `to` is not included. */
export type Days = { readonly from: string; readonly to: string }

/** PostgreSQL sends large integers as text. */
export type UsageRow = Readonly<
  Record<
    'requests' | 'sent' | 'deployments' | 'builds' | 'build_seconds' | 'questions' | 'tokens',
    string
  >
>
type StorageRow = { readonly stored: string; readonly stored_max: string | null }
type OrganizationRow = UsageRow & {
  readonly id: string
  readonly name: string
  readonly stored: string
}

export async function readUsage(database: ProjectDatabase, days: Days): Promise<UsageRow> {
  const [row] = await database.query<UsageRow>('select * from count_usage($1, $2)', [
    days.from,
    days.to,
  ])
  if (row === undefined) throw new Error('the usage was not read')
  return row
}

export async function readStorage(database: BoundDatabase) {
  const [row] = await database.query<StorageRow>('select * from read_storage()')
  const { stored = '0', stored_max = null } = row ?? {}
  return { bytes: Number(stored), bytesMax: stored_max === null ? null : Number(stored_max) }
}

/** Returns the usage of every project of the organization, the largest first. */
export const readOrganizationUsage = (database: BoundDatabase, { from, to }: Days) =>
  database.query<OrganizationRow>(
    'select * from read_organization_usage($1, $2) order by stored desc, name, id',
    [from, to],
  )
