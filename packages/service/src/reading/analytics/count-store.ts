import type { ProjectDatabase } from '../../platform/database/database.ts'
import type { PageAfter } from './feedback-store.ts'

/** A period in days. `to` is exclusive. */
export type Period = { readonly from: string; readonly to: string }
export type CountPage = {
  readonly after: PageAfter | undefined
  readonly offset: number
  readonly limit: number
}

type AudienceCounts = { readonly human: number; readonly ai: number; readonly bots: number }
export type SubjectCounts = AudienceCounts & {
  readonly subject: string
  readonly total: number
  readonly last_at: Date
}
export type ReadCounts = {
  readonly key: string
  readonly event: 'view' | 'file' | 'mcp'
  readonly subject: string
  readonly total: number
  readonly before: number
}
export type SearchCounts = {
  readonly subject: string
  readonly total: number
  readonly empty: number
  readonly clicks: number
  /** The value by which the list is sorted. */
  readonly rank: number
  readonly top_clicked: string | null
  readonly last_at: Date
}
export type DayCounts = AudienceCounts & {
  readonly day: string
  readonly ai_files: number
  readonly ai_calls: number
  readonly visitors: number
  readonly searches: number
  readonly empty_searches: number
  readonly not_found: number
}

const IN_PERIOD = 'project_id = current_project() and day >= $1::date and day < $2::date'
const BY_AUDIENCE = `coalesce(sum(count) filter (where detail = 'people'), 0)::float8 as human,
  coalesce(sum(count) filter (where detail = 'agents'), 0)::float8 as ai,
  coalesce(sum(count) filter (where detail = 'bots'), 0)::float8 as bots`

/** Contains all SQL that reads the counts of a project. */
export class CountStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Returns paths, sorted by the number of people and agents, highest first. */
  subjects(
    event: 'view' | 'visitor' | 'not-found',
    { from, to }: Period,
    { after, offset, limit }: CountPage,
  ): Promise<readonly SubjectCounts[]> {
    return this.#database.query<SubjectCounts>(
      `select subject, human, ai, bots, human + ai as total, last_at from (
         select subject, ${BY_AUDIENCE}, max(last_at) as last_at from event_day
          where ${IN_PERIOD} and event = $3 and subject <> '' group by subject) counted
        where human + ai + bots > 0
          and ($4::float8 is null or human + ai < $4 or (human + ai = $4 and subject > $5))
        order by human + ai desc, subject offset $6 limit $7`,
      [from, to, event, after?.total ?? null, after?.subject ?? null, offset, limit],
    )
  }

  /**
   * Returns what people or agents read most, with the counts of the preceding period of the same
   * length. `key` is the position in the list: event and subject as one string.
   */
  reads(
    by: 'people' | 'agents',
    { from, to }: Period,
    { after, limit }: Omit<CountPage, 'offset'>,
  ): Promise<readonly ReadCounts[]> {
    return this.#database.query<ReadCounts>(
      `select * from (
         select event || ' ' || subject as key, event, subject,
                coalesce(sum(count) filter (where day >= $1::date), 0)::float8 as total,
                coalesce(sum(count) filter (where day < $1::date), 0)::float8 as before
           from event_day
          where project_id = current_project() and day >= $1::date - ($2::date - $1::date) and day < $2::date
            and ((event in ('view', 'file') and detail = $3) or (event = 'mcp' and $3 = 'agents'))
            and ($3 = 'agents' or event = 'view')
          group by 2, 3) counted
        where total > 0 and ($4::float8 is null or total < $4 or (total = $4 and key > $5))
        order by total desc, key limit $6`,
      [from, to, by, after?.total ?? null, after?.subject ?? null, limit],
    )
  }

  /** Returns the number of reads by each agent, and of calls to the MCP server. */
  agents({
    from,
    to,
  }: Period): Promise<readonly { readonly name: string; readonly count: number }[]> {
    return this.#database.query(
      `select case event when 'mcp' then 'MCP' else subject end as name, sum(count)::float8 as count
         from event_day where ${IN_PERIOD} and event in ('agent', 'mcp') group by 1 order by 2 desc, 1`,
      [from, to],
    )
  }

  /** Returns the total of all pages. Each visitor of the site is counted only once. */
  async totals(event: 'view' | 'visitor', { from, to }: Period): Promise<AudienceCounts> {
    const [row] = await this.#database.query<AudienceCounts>(
      `select ${BY_AUDIENCE} from event_day
        where ${IN_PERIOD} and event = $3 and (subject = '') = (event = 'visitor')`,
      [from, to, event],
    )
    return row ?? { human: 0, ai: 0, bots: 0 }
  }

  /** Returns the counts of every day in the period, oldest first. */
  days({ from, to }: Period): Promise<readonly DayCounts[]> {
    return this.#database.query<DayCounts>(
      `with counted as (
         select day, event, detail, subject, count from event_day
          where ${IN_PERIOD} and event in ('view', 'file', 'mcp', 'visitor', 'search', 'not-found'))
       select d::date::text as day,
              coalesce(sum(c.count) filter (where event = 'view' and detail = 'people'), 0)::float8 as human,
              coalesce(sum(c.count) filter (where event = 'view' and detail = 'agents'), 0)::float8 as ai,
              coalesce(sum(c.count) filter (where event = 'file' and detail = 'agents'), 0)::float8 as ai_files,
              coalesce(sum(c.count) filter (where event = 'mcp'), 0)::float8 as ai_calls,
              coalesce(sum(c.count) filter (where event = 'view' and detail = 'bots'), 0)::float8 as bots,
              coalesce(sum(c.count) filter (where event = 'visitor' and subject = '' and detail = 'people'), 0)::float8
                as visitors,
              coalesce(sum(c.count) filter (where event = 'search'), 0)::float8 as searches,
              coalesce(sum(c.count) filter (where event = 'search' and detail = 'empty'), 0)::float8 as empty_searches,
              coalesce(sum(c.count) filter (where event = 'not-found' and detail <> 'bots'), 0)::float8 as not_found
         from generate_series($1::date, $2::date - 1, interval '1 day') d left join counted c on c.day = d::date
        group by d order by d`,
      [from, to],
    )
  }

  /** Returns the most frequent searches, or those that most often had no results. */
  searches(
    { from, to }: Period,
    { after, limit }: Omit<CountPage, 'offset'>,
    isEmptyOnly: boolean,
  ): Promise<readonly SearchCounts[]> {
    return this.#database.query<SearchCounts>(
      `with clicked as (
         select subject, detail, sum(count) as count from event_day
          where ${IN_PERIOD} and event = 'search-click' group by 1, 2),
       searched as (
         select subject, sum(count)::float8 as total,
                coalesce(sum(count) filter (where detail = 'empty'), 0)::float8 as empty, max(last_at) as last_at
           from event_day where ${IN_PERIOD} and event = 'search' group by subject)
       select s.subject, s.total, s.empty, s.last_at, s.rank,
              coalesce((select sum(c.count) from clicked c where c.subject = s.subject), 0)::float8 as clicks,
              (select c.detail from clicked c where c.subject = s.subject
                order by c.count desc, c.detail limit 1) as top_clicked
         from (select *, case when $5 then empty else total end as rank from searched) s
        where s.rank > 0 and ($3::float8 is null or s.rank < $3 or (s.rank = $3 and s.subject > $4))
        order by s.rank desc, s.subject limit $6`,
      [from, to, after?.total ?? null, after?.subject ?? null, isEmptyOnly, limit],
    )
  }

  async totalSearches({ from, to }: Period): Promise<number> {
    const [row] = await this.#database.query<{ total: number }>(
      `select coalesce(sum(count), 0)::float8 as total from event_day where ${IN_PERIOD} and event = 'search'`,
      [from, to],
    )
    return row?.total ?? 0
  }

  referrers(
    { from, to }: Period,
    { after, limit }: Omit<CountPage, 'offset'>,
  ): Promise<readonly { readonly subject: string; readonly total: number }[]> {
    return this.#database.query(
      `select * from (
         select subject, sum(count)::float8 as total from event_day
          where ${IN_PERIOD} and event = 'referrer' group by subject) counted
        where $3::float8 is null or total < $3 or (total = $3 and subject > $4)
        order by total desc, subject limit $5`,
      [from, to, after?.total ?? null, after?.subject ?? null, limit],
    )
  }

  /**
   * Returns uses by agents and playgrounds. `key` is the position in the list: event, subject and
   * detail as one string.
   */
  uses(
    { from, to }: Period,
    { after, limit }: Omit<CountPage, 'offset'>,
  ): Promise<
    readonly {
      readonly key: string
      readonly event: 'file' | 'mcp' | 'playground'
      readonly subject: string
      readonly detail: string
      readonly total: number
    }[]
  > {
    return this.#database.query(
      `select * from (
         select event || ' ' || subject || ' ' || detail as key, event, subject, detail, sum(count)::float8 as total
           from event_day where ${IN_PERIOD} and event in ('file', 'mcp', 'playground') group by 2, 3, 4) counted
        where $3::float8 is null or total < $3 or (total = $3 and key > $4)
        order by total desc, key limit $5`,
      [from, to, after?.total ?? null, after?.subject ?? null, limit],
    )
  }

  /** Returns which of the paths were viewed by people or agents. */
  async viewed({ from, to }: Period, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#database.query<{ subject: string }>(
      `select distinct subject from event_day
        where ${IN_PERIOD} and event = 'view' and detail <> 'bots' and subject = any ($3)`,
      [from, to, paths],
    )
    return new Set(rows.map(({ subject }) => subject))
  }
}
