/** Imports the organization of a project and its people, matched by e-mail address. */
import type { Query } from '../../platform/database/database.ts'
import { UnusableExport } from './export-manifest.ts'
import { insertLines, readTableShape } from './project-tables.ts'
import { type Archive, type Row, readRows } from './read-archive.ts'

/** User ids in the other cell → user ids in this cell. */
export type PeopleIds = ReadonlyMap<string, string>

/** The maximum number of people, whose ids are all in memory during the import. */
const PEOPLE_MAX = 1_000_000

/** Inserts the project row, and its organization and people if they do not exist yet. */
export async function addPeople(query: Query, archive: Archive): Promise<PeopleIds> {
  const { project, files } = archive.manifest
  const insert = async (table: string, rows: readonly Row[], rest = '') =>
    query(`${insertLines(await readTableShape(query, table))} ${rest}`, [
      rows.map((row) => JSON.stringify(row)),
    ])
  const organization = await readOnly(archive, 'organization', { id: project.organizationId })
  await insert('organization', [organization], 'on conflict (id) do nothing')
  await query(
    'update organization set deleted_at = null where id = $1 and deleted_at is not null',
    [project.organizationId],
  )
  const row = await readOnly(archive, 'project', {
    organization_id: project.organizationId,
    id: project.id,
    public_id: project.publicId,
    slug: project.slug,
  })
  await insert('project', [{ ...row, moving_since: null }])
  if ((files.app_user?.rows ?? 0) > PEOPLE_MAX)
    throw new UnusableExport(`app_user: an export can have ${PEOPLE_MAX} people.`)
  const people = new Map<string, string>()
  for await (const person of readRows(archive, 'app_user'))
    people.set(person.id ?? '', await addPerson(query, person))
  for await (const membership of readRows(archive, 'organization_membership')) {
    checkValues(membership, 'organization_membership', {
      organization_id: project.organizationId,
      project_id: null,
    })
    await insert('membership', [withIds(membership, people)], 'on conflict do nothing')
  }
  return people
}

/**
 * Adds the user unless one with this e-mail address exists, and returns the user's id in this cell.
 * Copies only these columns, since another cell cannot prove that an e-mail address is verified.
 */
async function addPerson(query: Query, person: Row): Promise<string> {
  const { id, public_id, email, name, created_at, disabled_at } = person
  await query(
    `insert into app_user (id, public_id, email, name, created_at, disabled_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (email) do nothing`,
    [id, public_id, email, name, created_at, disabled_at],
  )
  const [row] = await query<{ id: string }>('select id from app_user where email = $1', [email])
  if (row === undefined) throw new Error('the person was not inserted')
  return row.id
}

/** Returns the only row of a file. Throws unless there is exactly one, with these values. */
async function readOnly(archive: Archive, name: string, values: Row): Promise<Row> {
  let only: Row | undefined
  for await (const row of readRows(archive, name)) {
    if (only !== undefined) throw new UnusableExport(`${name}: expected one row.`)
    checkValues(row, name, values)
    only = row
  }
  if (only === undefined) throw new UnusableExport(`${name}: expected one row.`)
  return only
}

/** Throws if a row's project or organization differs from the one that the manifest names. */
export function checkValues(row: Row, table: string, values: Row): void {
  for (const [column, value] of Object.entries(values))
    if (row[column] !== value)
      throw new UnusableExport(
        `${table}: a row has the ${column} ${row[column] ?? 'null'}, but the manifest says ${value ?? 'null'}. Nothing was changed.`,
      )
}

/** Replaces the row's user id with the user's id in this cell. */
export function withIds(row: Row, people: PeopleIds): Row {
  if (row.user_id === undefined || row.user_id === null) return row
  const id = people.get(row.user_id)
  if (id === undefined)
    throw new UnusableExport(
      'The export refers to a person whose data it does not contain. Export it again.',
    )
  return { ...row, user_id: id }
}
