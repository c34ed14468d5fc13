import type { GAP_SORTS, GAP_STATES, GapAction } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { ulidFloor } from '../../platform/ulid.ts'

type GapState = (typeof GAP_STATES)[number]

/** The section of a deployment that answers a question. */
export type DecidingSection = { readonly url: string; readonly sha256: string }

/** The mutable facts of a gap. They contain no reader's text. */
export type GapFacts = {
  readonly state: GapState
  /** The page that answers the gap according to the owner. */
  readonly linkedPage: string | null
  /** The last deployment without an answer. */
  readonly openIn: string | null
  /** The last live deployment in which the gap was checked. */
  readonly checkedIn: string | null
  /** The deployment that made the gap likely or verified. */
  readonly closedIn: string | null
  readonly sectionUrl: string | null
  readonly sectionSha256: string | null
  readonly verifiedBy: 'model' | 'owner' | null
  /** The deployment in which a model was asked. */
  readonly modelAskedIn: string | null
}

/** A gap with data from its current conversations. */
export type Gap = GapFacts & {
  readonly id: string
  readonly changedAt: string
  readonly count: number
  readonly firstAskedAt: string
  readonly lastAskedAt: string
  /** The nearest pages when the question was last asked. */
  readonly nearest: readonly { readonly title: string; readonly url: string }[]
  /** The newest questions. */
  readonly examples: readonly string[]
  /** The position in the order of the list. */
  readonly sortKey: string
}

/** A change by an owner. */
export type GapChange = {
  readonly id: string
  readonly action: GapAction
  readonly at: Date
  readonly isUndone: boolean
  readonly gapIds: readonly string[]
}

/** How many gaps have each state, and how many are noise, which no state counts. */
export type GapCounts = {
  readonly states: Readonly<Partial<Record<GapState, number>>>
  readonly noise: number
  readonly questions: number
}

export type UnsortedQuestion = {
  readonly id: string
  readonly query: string
  readonly deploymentId: string | null
}

/** The effect that a preview deployment would have on the gaps. */
export type GapForecast = {
  readonly openCount: number
  readonly likelyIds: readonly string[]
  readonly lostIds: readonly string[]
}

export type GapSelection = {
  readonly states?: readonly GapState[] | undefined
  /** Selects only single questions without a real word, or only the others. */
  readonly isNoise?: boolean | undefined
  /** Selects only gaps with this many questions. */
  readonly countMin?: number | undefined
  /** Selects only gaps that were asked since this time. */
  readonly askedSinceMs?: number | undefined
  /** The newest gap first by default. */
  readonly sort?: (typeof GAP_SORTS)[number] | undefined
  /** Selects only gaps after this position in the order. */
  readonly after?: string | undefined
  readonly limit: number
}

const NEWEST_FIRST = '-id'

/** All SQL for the gaps of one project. */
export class GapStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  list(selection: GapSelection): Promise<readonly Gap[]> {
    return this.#read(null, selection)
  }

  findAll(ids: readonly string[]): Promise<readonly Gap[]> {
    return this.#read(ids, { limit: ids.length })
  }

  async find(id: string): Promise<Gap | undefined> {
    const [gap] = await this.findAll([id])
    return gap
  }

  async #read(ids: readonly string[] | null, selection: GapSelection): Promise<readonly Gap[]> {
    const { states, isNoise, countMin = 0, sort = NEWEST_FIRST, after, limit } = selection
    const askedFrom = ulidFloor(selection.askedSinceMs ?? 0)
    const rows = await this.#database.query<{ gap: Gap }>(
      'select gap from read_gaps($1, $2, $3, $4, $5, $6, $7, $8)',
      [ids, states ?? null, isNoise ?? null, countMin, askedFrom, sort, after ?? null, limit],
    )
    const asInstant = (text: string) => new Date(text).toISOString()
    return rows.map(({ gap }) => ({
      ...gap,
      changedAt: asInstant(gap.changedAt),
      firstAskedAt: asInstant(gap.firstAskedAt),
      lastAskedAt: asInstant(gap.lastAskedAt),
    }))
  }

  async counts(): Promise<GapCounts> {
    const rows = await this.#database.query<{
      state: GapState
      count: number
      noise: number
      questions: number
    }>(
      `select state, (count(*) filter (where not is_noise(g)))::integer as count,
              (count(*) filter (where is_noise(g)))::integer as noise,
              coalesce(sum(question_count) filter (where state <> 'dismissed' and not is_noise(g)), 0)::integer as questions
         from gap g where project_id = current_project() group by 1`,
    )
    return {
      states: Object.fromEntries(rows.map(({ state, count }) => [state, count])),
      noise: rows.reduce((sum, { noise }) => sum + noise, 0),
      questions: rows.reduce((sum, { questions }) => sum + questions, 0),
    }
  }

  /** Returns how often gaps were asked in each of the last 12 weeks, the oldest week first. */
  async weeks(ids: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const rows = await this.#database.query<{ id: string; weeks: readonly number[] }>(
      'select id, weeks from count_gap_weeks($1)',
      [ids],
    )
    return new Map(rows.map(({ id, weeks }) => [id, weeks]))
  }

  /** Returns the id of a conversation's deployment; undefined if the conversation does not exist. */
  async conversation(id: string): Promise<UnsortedQuestion | undefined> {
    const [row] = await this.#database.query<UnsortedQuestion>(
      `select c.id, c.query, d.deployment_id as "deploymentId" from conversation c
         left join conversation_detail d on d.project_id = c.project_id and d.id = c.id
        where c.project_id = current_project() and c.id = $1`,
      [id],
    )
    return row
  }

  /** Returns the time of the last event that requires work on the gaps. */
  async workSince(): Promise<string | undefined> {
    const [row] = await this.#database.query<{ since: string }>(
      'select since::text from gap_work where project_id = current_project()',
    )
    return row?.since
  }

  /** Marks the work as done unless a newer event occurred. */
  async endWork(since: string): Promise<void> {
    await this.#database.query(
      'delete from gap_work where project_id = current_project() and since <= $1',
      [since],
    )
  }

  /** Returns unanswered questions without a gap, oldest first. */
  unsorted(limit: number): Promise<readonly UnsortedQuestion[]> {
    return this.#database.query<UnsortedQuestion>(
      'select id, query, deployment_id as "deploymentId" from find_unsorted_questions($1)',
      [limit],
    )
  }

  /** Returns the id of the gap, which is created if no id is passed. */
  async add(
    { id, deploymentId }: Pick<UnsortedQuestion, 'id' | 'deploymentId'>,
    gapId: string | undefined,
    hasWords = true,
  ): Promise<string | undefined> {
    const [row] = await this.#database.query<{ id: string | null }>(
      'select add_to_gap($1, $2, $3, $4) as id',
      [gapId ?? null, id, deploymentId, hasWords],
    )
    return row?.id ?? undefined
  }

  /**
   * Changes gaps as an owner and returns the id of the change; undefined if all of them are gone or
   * were changed concurrently.
   */
  async changeAll(
    action: GapAction,
    changes: readonly { readonly gap: Gap; readonly facts: GapFacts }[],
  ): Promise<string | undefined> {
    const rows = changes.map(({ gap, facts }) => ({ ...facts, id: gap.id, was: gap.state }))
    const [row] = await this.#database.query<{ id: string | null }>(
      'select change_id as id from change_gaps($1, $2)',
      [action, JSON.stringify(rows)],
    )
    return row?.id ?? undefined
  }

  async findChange(id: string): Promise<GapChange | undefined> {
    const [row] = await this.#database.query<GapChange>(
      `select id, action, at, undone_at is not null as "isUndone",
              array(select jsonb_array_elements(before)->>'id') as "gapIds"
         from gap_change where project_id = current_project() and id = $1`,
      [id],
    )
    return row
  }

  /** Returns how many gaps are again what they were; undefined if the change was undone already. */
  async undo(id: string): Promise<number | undefined> {
    const [row] = await this.#database.query<{ count: number | null }>(
      'select undo_gap_change($1) as count',
      [id],
    )
    return row?.count ?? undefined
  }

  /** Returns false if the gap is gone or its state was changed concurrently. */
  async change({ id, state }: Pick<Gap, 'id' | 'state'>, facts: GapFacts): Promise<boolean> {
    const rows = await this.#database.query(
      `update gap set state = $3, linked_page = $4, open_deployment_id = $5, checked_deployment_id = $6, closed_deployment_id = $7,
              section_url = $8, section_sha256 = $9, verified_by = $10, model_deployment_id = $11,
              changed_at = case when state = $3 then changed_at else now() end
        where project_id = current_project() and id = $1 and state = $2 returning id`,
      [
        id,
        state,
        facts.state,
        facts.linkedPage,
        facts.openIn,
        facts.checkedIn,
        facts.closedIn,
        facts.sectionUrl,
        facts.sectionSha256,
        facts.verifiedBy,
        facts.modelAskedIn,
      ],
    )
    return rows.length > 0
  }

  async forecast(deploymentId: string): Promise<GapForecast | undefined> {
    const [row] = await this.#database.query<GapForecast>(
      `select open_count as "openCount", likely_ids as "likelyIds", lost_ids as "lostIds"
         from gap_forecast where project_id = current_project() and deployment_id = $1`,
      [deploymentId],
    )
    return row
  }

  async saveForecast(deploymentId: string, forecast: GapForecast): Promise<void> {
    await this.#database.query(
      `insert into gap_forecast (project_id, deployment_id, open_count, likely_ids, lost_ids)
       values (current_project(), $1, $2, $3, $4)
       on conflict (project_id, deployment_id) do update
         set at = now(), open_count = excluded.open_count, likely_ids = excluded.likely_ids,
             lost_ids = excluded.lost_ids`,
      [deploymentId, forecast.openCount, forecast.likelyIds, forecast.lostIds],
    )
  }
}
