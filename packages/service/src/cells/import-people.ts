/** The organisation of an imported project, and people, who are known by their e-mail address. */
import { readLines } from '../commands/read-conversations.ts'
import type { Query } from '../database/database.ts'
import { type Manifest, rowsPath, UnusableExport } from './export-manifest.ts'
import { insertLines, readShape } from './project-tables.ts'

/** Ids that people had in the other cell → those that they have here. */
export type PeopleIds = ReadonlyMap<string, string>

type Person = { readonly id: string; readonly public_id: string; readonly email: string }

/** Adds the organisation, its people and the row of the project itself, as far as they are not here. */
export async function addPeople(
  query: Query,
  { folder, manifest }: { readonly folder: string; readonly manifest: Manifest },
): Promise<PeopleIds> {
  const linesOf = async (name: string) => {
    const lines: string[] = []
    // Limits of an organisation keep these few.
    for await (const line of readLines(rowsPath(folder, name))) if (line !== '') lines.push(line)
    return lines
  }
  const insert = async (table: string, lines: readonly string[], rest = '') =>
    query(`${insertLines(await readShape(query, table))} ${rest}`, [lines])
  const { organisationId } = manifest.project
  await insert('organisation', await linesOf('organisation'), 'on conflict (id) do nothing')
  await query(
    'update organisation set deleted_at = null where id = $1 and deleted_at is not null',
    [organisationId],
  )
  const [project = ''] = await linesOf('project')
  await insert('project', [JSON.stringify({ ...JSON.parse(project), moving_since: null })])
  const people = new Map<string, string>()
  for (const line of await linesOf('app_user')) {
    const { id, email } = JSON.parse(line) as Person
    await insert('app_user', [line], 'on conflict (email) do nothing')
    const [row] = await query<{ id: string }>('select id from app_user where email = $1', [email])
    people.set(id, row?.id ?? id)
  }
  const memberships = await linesOf('organisation_membership')
  const changed = memberships.map((line) => withIds(line, people))
  await insert('membership', changed, 'on conflict do nothing')
  return people
}

/** The same row, of the person as they are known here. */
export function withIds(line: string, people: PeopleIds): string {
  const row = JSON.parse(line) as { readonly user_id?: string | null }
  if (row.user_id === undefined || row.user_id === null) return line
  const id = people.get(row.user_id)
  if (id === undefined)
    throw new UnusableExport(
      'The export names a person that it does not describe. Export it again.',
    )
  return JSON.stringify({ ...row, user_id: id })
}
