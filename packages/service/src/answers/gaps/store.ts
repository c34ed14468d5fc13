import type { AnswerForecast, GAP_SORTS, GAP_STATES, GapAction } from '@octavo/contract'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { ulidFloor } from '../../platform/ulid.ts'

type GapState = (typeof GAP_STATES)[number]

/** A section that answers a question, and the digest of its text. */
export type DecidingSection = { readonly url: string; readonly sha256: string }

/** The facts of a gap that can change. They contain no text from readers. */
export type GapFacts = {
  readonly state: GapState
  /** The page that answers the question, as the owner has specified. */
  readonly linkedPage: string | null
  /** The last deployment in which the question was not answered. */
  readonly openIn: string | null
  /** The last live deployment in which the questions were asked again. */
  readonly checkedIn: string | null
  /** The deployment in which the state became `likely` or `verified`. */
  readonly closedIn: string | null
  readonly sectionUrl: string | null
  readonly sectionSha256: string | null
  readonly verifiedBy: 'model' | 'owner' | null
  /** The deployment for which a model was asked to verify the gap. */
  readonly modelAskedIn: string | null
}

/** A gap with its facts and with data from its current conversations. */
export type Gap = GapFacts & {
  readonly id: string
  readonly changedAt: string
  readonly count: number
  readonly firstAskedAt: string
  readonly lastAskedAt: string
  /** The nearest pages when the question was last asked. */
  readonly nearest: readonly { readonly title: string; readonly url: string }[]
  /** The newest questions of the gap. */
  readonly examples: readonly string[]
  /** The position of the gap in the selected order. */
  readonly sortKey: string
}

/** A change that an owner made to one or more gaps. */
export type GapChange = {
  readonly id: string
  readonly action: GapAction
  readonly at: Date
  readonly isUndone: boolean
  readonly gapIds: readonly string[]
}

/** The number of gaps in each state, excluding noise, and the number of gaps that are noise. */
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

/** A question of a reader that was answered, and the pages that its answer refers to. */
export type AnsweredQuestion = {
  readonly id: string
  readonly query: string
  readonly sources: readonly { readonly url: string }[]
}

/** How a preview deployment would affect the gaps. */
export type GapForecast = {
  readonly openCount: number
  readonly likelyIds: readonly string[]
  readonly lostIds: readonly string[]
  /** Undefined or null without questions of the author, or without a live deployment. */
  readonly answers?: AnswerForecast | null | undefined
  /**
   * Undefined or null without answered questions of readers, without a live deployment, or if the
   * owner does not want them to be asked.
   */
  readonly readerAnswers?: AnswerForecast | null | undefined
}

export type GapSelection = {
  readonly states?: readonly GapState[] | undefined
  /**
   * If true, selects only gaps of a single question without a real word. If false, all other gaps.
   */
  readonly isNoise?: boolean | undefined
  /** Selects only gaps with at least this many questions. */
  readonly countMin?: number | undefined
  /** Selects only gaps whose question was asked again since this time. */
  readonly askedSinceMs?: number | undefined
  /** Selects only gaps with a question that contains this text. */
  readonly text?: string | undefined
  /** The order of the gaps. By default, the newest gap is first. */
  readonly sort?: (typeof GAP_SORTS)[number] | undefined
  /** Selects only gaps after this position in the selected order. */
  readonly after?: string | undefined
  readonly limit: number
}

const NEWEST_FIRST = '-id'
/** The maximum number of questions that a search reads, since texts have no index. */
export const SEARCHED_MAX = 10_000

/** The maximum number of conversations that are searched for answered questions. */
const ANSWERED_CONVERSATIONS_MAX = 2_000
/** The maximum number of readers' questions that are asked in each preview. */
const ANSWERED_QUESTIONS_MAX = 100

/** Contains all SQL about the gaps of one project. */
export class GapStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async list(selection: GapSelection): Promise<readonly Gap[]> {
    const { text } = selection
    return this.#read(text === undefined ? null : await this.#search(text), selection)
  }

  /** Returns the ids of gaps with a question that contains the text. */
  async #search(text: string): Promise<readonly string[]> {
    const rows = await this.#database.query<{ id: string }>(
      `select distinct asked.gap_id as id from (
         select m.gap_id, c.query from gap_conversation m
           join conversation c on c.project_id = m.project_id and c.id = m.conversation_id
          where m.project_id = current_project() order by m.conversation_id desc limit ${SEARCHED_MAX}) asked
        where strpos(lower(asked.query), lower($1)) > 0`,
      [text],
    )
    return rows.map(({ id }) => id)
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

  /** Returns the number of open gaps, which have an index of their own. */
  async countOpen(): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
      `select count(*)::integer as count from gap g
        where g.project_id = current_project() and g.state = 'open' and not is_noise(g)`,
    )
    return row?.count ?? 0
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

  /**
   * Returns how often the questions of gaps were asked in each of the last 12 weeks, oldest week
   * first.
   */
  async weeks(ids: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const rows = await this.#database.query<{ id: string; weeks: readonly number[] }>(
      'select id, weeks from count_gap_weeks($1)',
      [ids],
    )
    return new Map(rows.map(({ id, weeks }) => [id, weeks]))
  }

  /**
   * Returns the question of a conversation and its deployment; undefined if the conversation does
   * not exist.
   */
  async conversation(id: string): Promise<UnsortedQuestion | undefined> {
    const [row] = await this.#database.query<UnsortedQuestion>(
      `select c.id, c.query, d.deployment_id as "deploymentId" from conversation c
         left join conversation_detail d on d.project_id = c.project_id and d.id = c.id
        where c.project_id = current_project() and c.id = $1`,
      [id],
    )
    return row
  }

  /**
   * Returns when the last event happened that requires work on the gaps; undefined if there is no
   * work.
   */
  async workSince(): Promise<string | undefined> {
    const [row] = await this.#database.query<{ since: string }>(
      'select since::text from gap_work where project_id = current_project()',
    )
    return row?.since
  }

  /** Records that the work is done, unless there was a newer event. */
  async endWork(since: string): Promise<void> {
    await this.#database.query(
      'delete from gap_work where project_id = current_project() and since <= $1',
      [since],
    )
  }

  /** Returns unanswered questions that are not in a gap yet, oldest first. */
  unsorted(limit: number): Promise<readonly UnsortedQuestion[]> {
    return this.#database.query<UnsortedQuestion>(
      'select id, query, deployment_id as "deploymentId" from find_unsorted_questions($1)',
      [limit],
    )
  }

  /**
   * Returns the newest answered questions of readers; empty unless the owner wants them to be asked
   * in previews.
   */
  answeredQuestions(): Promise<readonly AnsweredQuestion[]> {
    return this.#database.query<AnsweredQuestion>(
      'select id, query, sources from find_answered_questions($1, $2)',
      [ANSWERED_CONVERSATIONS_MAX, ANSWERED_QUESTIONS_MAX],
    )
  }

  /**
   * Adds a question to a gap. Creates the gap if no id is given. Returns the id of the gap;
   * undefined if the conversation no longer exists.
   */
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
   * Changes gaps for an owner. Returns the id of the change, or undefined if all gaps were deleted
   * or changed concurrently.
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

  /**
   * Undoes a change. Returns how many gaps were restored, or undefined if the change was already
   * undone.
   */
  async undo(id: string): Promise<number | undefined> {
    const [row] = await this.#database.query<{ count: number | null }>(
      'select undo_gap_change($1) as count',
      [id],
    )
    return row?.count ?? undefined
  }

  /** Changes a gap. Returns false if it was deleted or its state was changed concurrently. */
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
      `select open_count as "openCount", likely_ids as "likelyIds", lost_ids as "lostIds", answers,
              reader_answers as "readerAnswers"
         from gap_forecast where project_id = current_project() and deployment_id = $1`,
      [deploymentId],
    )
    return row
  }

  async saveForecast(deploymentId: string, forecast: GapForecast): Promise<void> {
    await this.#database.query(
      `insert into gap_forecast (project_id, deployment_id, open_count, likely_ids, lost_ids, answers, reader_answers)
       values (current_project(), $1, $2, $3, $4, $5, $6)
       on conflict (project_id, deployment_id) do update
         set at = now(), open_count = excluded.open_count, likely_ids = excluded.likely_ids,
             lost_ids = excluded.lost_ids, answers = excluded.answers, reader_answers = excluded.reader_answers`,
      [
        deploymentId,
        forecast.openCount,
        forecast.likelyIds,
        forecast.lostIds,
        forecast.answers ? JSON.stringify(forecast.answers) : null,
        forecast.readerAnswers ? JSON.stringify(forecast.readerAnswers) : null,
      ],
    )
  }
}
