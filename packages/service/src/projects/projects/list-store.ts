/** SQL for the list of a person's projects. The database decides the order, so a page is one query. */
import { PROJECT_STATES, type ProjectList, type Protection, type Role } from '@octavo/contract'
import type { Database } from '../../platform/database/database.ts'

type ProjectState = (typeof PROJECT_STATES)[number]
export type ProjectSort = 'attention' | 'name' | 'deployed' | 'gaps'

export type ListFilter = {
  /** Text that the name, the slug or the custom domain has to contain. */
  readonly text?: string | undefined
  readonly state?: ProjectState | undefined
  readonly access?: Protection | undefined
  /** The public id of an organization. */
  readonly organization?: string | undefined
  readonly hasGaps: boolean
}

/** The sort key of the last project of a page. */
export type ListPlace = readonly [group: number, value: number, name: string, id: string]

type LiveFacts = {
  readonly id: string
  readonly number: number
  readonly message: string | null
  readonly author: string | null
  readonly publishedAt: string
}

export type BuildFacts = {
  readonly id: string
  readonly number: number
  readonly branch: string
  readonly message: string | null
  readonly author: string | null
  readonly errors: number
  readonly finishedAt: string
}

export type ListedRow = {
  readonly organization: string
  readonly organization_name: string
  readonly role: Role
  readonly access: Protection
  readonly state: ProjectState
  readonly open_gaps: number
  readonly place: ListPlace
  readonly position: number
  readonly facts: {
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly isBuilding: boolean
    readonly live: LiveFacts | null
    readonly failedBuild: BuildFacts | null
    readonly domain: string | null
  }
}

export type ListPage = {
  readonly rows: readonly ListedRow[]
  readonly total: number
  readonly counts: ProjectList['counts']
}

/**
 * The SQL expressions that each order sorts by: a group, then a value within the group. Equal
 * projects are sorted by name.
 */
const ORDERS: Readonly<Record<ProjectSort, readonly [group: string, value: string]>> = {
  attention: [`array_position(array['${PROJECT_STATES.join("','")}'], l.state)`, newest()],
  name: ['0', '0'],
  deployed: ['0', newest()],
  gaps: ['0', '-l.open_gaps'],
}

function newest(): string {
  return "-extract(epoch from coalesce(l.deployed_at, 'epoch'))"
}

export async function listProjects(
  database: Database,
  userId: string,
  wanted: {
    readonly filter: ListFilter
    readonly sort: ProjectSort
    readonly after: ListPlace | undefined
    readonly limit: number
  },
): Promise<ListPage> {
  const { filter, sort, after, limit } = wanted
  const [group, value] = ORDERS[sort]
  const [row] = await database.query<{
    rows: ListPage['rows']
    total: number
    counts: ListPage['counts']
  }>(
    `with listed as materialized (select * from list_projects($1)),
      matching as (
        select l.*, ${group} as k1, (${value})::float8 as k2, lower(l.facts ->> 'name') as k3, l.facts ->> 'id' as k4
          from listed l
         where ($2::text is null or strpos(lower(concat_ws(' ', l.facts ->> 'name', l.facts ->> 'slug', l.facts ->> 'domain')), lower($2)) > 0)
           and ($3::text is null or l.state = $3) and ($4::text is null or l.access = $4)
           and ($5::text is null or l.organization = $5) and (not $6::boolean or l.open_gaps > 0)),
      placed as (
        select m.*, row_number() over (order by k1, k2, k3, k4) as position from matching m),
      page as (
        select p.* from placed p
         where $7::integer is null or (k1, k2, k3, k4) > ($7, $8::float8, $9::text, $10::text)
         order by p.position limit $11)
     select (select coalesce(json_agg(json_build_object(
                 'organization', organization, 'organization_name', organization_name, 'role', role, 'access', access,
                 'state', state, 'open_gaps', open_gaps, 'position', position, 'facts', facts,
                 'place', json_build_array(k1, k2, k3, k4)) order by position), '[]') from page) as rows,
            (select count(*)::integer from matching) as total,
            (select json_build_object('all', count(*), 'openGaps', count(*) filter (where open_gaps > 0),
                 ${PROJECT_STATES.map((state) => `'${state}', count(*) filter (where state = '${state}')`).join(', ')})
               from listed) as counts`,
    [
      userId,
      filter.text ?? null,
      filter.state ?? null,
      filter.access ?? null,
      filter.organization ?? null,
      filter.hasGaps,
      ...(after ?? [null, null, null, null]),
      limit,
    ],
  )
  if (row === undefined) throw new Error('the projects were not listed')
  return row
}
