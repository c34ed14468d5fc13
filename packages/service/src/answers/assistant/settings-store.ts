import type { ProjectDatabase } from '../../platform/database/database.ts'

/** A project's settings for the assistant. */
export type AssistantSettings = {
  readonly isOn: boolean
  /**
   * True if API keys, e-mail addresses and card numbers in questions are masked before they are
   * processed.
   */
  readonly masks: boolean
  /** True if pages have to provide a proof of work before they get a ticket. */
  readonly needsProof: boolean
  /**
   * True if readers' answered questions are asked again in previews, to find answers that a change
   * loses.
   */
  readonly asksInPreviews: boolean
  /** The stored settings of the model. Its API key is stored as a secret instead. */
  readonly model: unknown
  readonly tokensPerDay: number | undefined
  readonly tokensPerMonth: number | undefined
}

/** The name of the project secret with the API key of the model. */
export const MODEL_KEY_SECRET = 'assistant model'

export const NO_SETTINGS: AssistantSettings = {
  isOn: true,
  masks: true,
  needsProof: false,
  asksInPreviews: false,
  model: undefined,
  tokensPerDay: undefined,
  tokensPerMonth: undefined,
}

export type AssistantBudget = Pick<AssistantSettings, 'tokensPerDay' | 'tokensPerMonth'>

/** Returns the budget of a project: its owner's values, or else the operator's. */
export const budgetOf = (own: AssistantBudget, standard: AssistantBudget): AssistantBudget => ({
  tokensPerDay: own.tokensPerDay ?? standard.tokensPerDay,
  tokensPerMonth: own.tokensPerMonth ?? standard.tokensPerMonth,
})

/** A project's use of the assistant. */
export type AssistantUse = {
  readonly questions: number
  readonly cached: number
  readonly used: number
  /** The tokens reserved for questions that are being answered. */
  readonly reserved: number
  /** The tokens saved by answers from the cache. */
  readonly saved: number
}

export class AssistantSettingsStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  async read(): Promise<AssistantSettings> {
    const [row] = await this.#database.query<{
      is_on: boolean
      masks: boolean
      needs_proof: boolean
      asks_in_previews: boolean
      model: unknown
      tokens_per_day: string | null
      tokens_per_month: string | null
    }>(
      `select is_on, masks, needs_proof, asks_in_previews, model, tokens_per_day, tokens_per_month
         from assistant where project_id = current_project()`,
    )
    if (row === undefined) return NO_SETTINGS
    return {
      isOn: row.is_on,
      masks: row.masks,
      needsProof: row.needs_proof,
      asksInPreviews: row.asks_in_previews,
      model: row.model ?? undefined,
      tokensPerDay: numberOf(row.tokens_per_day),
      tokensPerMonth: numberOf(row.tokens_per_month),
    }
  }

  async write(settings: AssistantSettings): Promise<void> {
    const { isOn, masks, needsProof, asksInPreviews, model } = settings
    const { tokensPerDay, tokensPerMonth } = settings
    await this.#database.query(
      `insert into assistant (project_id, is_on, masks, needs_proof, asks_in_previews, model, tokens_per_day, tokens_per_month)
       values (current_project(), $1, $2, $3, $4, $5, $6, $7)
       on conflict (project_id) do update
         set is_on = excluded.is_on, masks = excluded.masks, needs_proof = excluded.needs_proof,
             asks_in_previews = excluded.asks_in_previews, model = excluded.model,
             tokens_per_day = excluded.tokens_per_day, tokens_per_month = excluded.tokens_per_month,
             updated_at = now()`,
      [
        isOn,
        masks,
        needsProof,
        asksInPreviews,
        model === undefined ? null : JSON.stringify(model),
        tokensPerDay ?? null,
        tokensPerMonth ?? null,
      ],
    )
  }

  /** Returns the usage of the current day and the current month, in UTC. */
  async use(): Promise<{ readonly day: AssistantUse; readonly month: AssistantUse }> {
    const rows = await this.#database.query<
      Record<keyof AssistantUse, string> & { today: boolean }
    >(
      `select questions, cached, used_tokens as used, reserved_tokens as reserved,
              saved_tokens as saved, day = (now() at time zone 'UTC')::date as today
         from assistant_usage
        where project_id = current_project()
          and day >= date_trunc('month', now() at time zone 'UTC')::date`,
    )
    const sum = (of: typeof rows): AssistantUse => {
      const total = (key: keyof AssistantUse) => of.reduce((all, row) => all + Number(row[key]), 0)
      return {
        questions: total('questions'),
        cached: total('cached'),
        used: total('used'),
        reserved: total('reserved'),
        saved: total('saved'),
      }
    }
    return { day: sum(rows.filter(({ today }) => today)), month: sum(rows) }
  }
}

const numberOf = (text: string | null) => (text === null ? undefined : Number(text))
