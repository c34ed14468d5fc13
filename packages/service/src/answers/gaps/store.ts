import type { GAP_STATES } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'

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
  /** Selects only gaps older than this id. */
  readonly before?: string | undefined
  readonly limit: number
}

/** All SQL for the gaps of one project. */
export class GapStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Returns the newest gaps first. */
  list(selection: GapSelection): Promise<readonly Gap[]> {
    return this.#read(undefined, selection)
  }

  async find(id: string): Promise<Gap | undefined> {
    const [gap] = await this.#read(id, { limit: 1 })
    return gap
  }

  async #read(
    id: string | undefined,
    { states, before, limit }: GapSelection,
  ): Promise<readonly Gap[]> {
    const rows = await this.#database.query<{ gap: Gap }>(
      'select gap from read_gaps($1, $2, $3, $4)',
      [id ?? null, states ?? null, before ?? null, limit],
    )
    const asInstant = (text: string) => new Date(text).toISOString()
    return rows.map(({ gap }) => ({
      ...gap,
      changedAt: asInstant(gap.changedAt),
      firstAskedAt: asInstant(gap.firstAskedAt),
      lastAskedAt: asInstant(gap.lastAskedAt),
    }))
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
  ): Promise<string | undefined> {
    const [row] = await this.#database.query<{ id: string | null }>(
      'select add_to_gap($1, $2, $3) as id',
      [gapId ?? null, id, deploymentId],
    )
    return row?.id ?? undefined
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
