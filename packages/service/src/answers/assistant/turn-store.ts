import type { ProjectDatabase } from '../../platform/database/database.ts'

/** A question to be stored. */
export type NewTurn = {
  /** The text of the question; undefined if it is not recorded, as in previews. */
  readonly query: string | undefined
  readonly threadId: string | undefined
  readonly pageUrl: string | undefined
  readonly deploymentId: string
  /** A random string that is known only to the process that answers the question. */
  readonly lease: string
  readonly ticket: string
  readonly ticketMax: number
  readonly projectMax: number
  /** The number of tokens reserved for the answer; zero if no model is used. */
  readonly tokens: number
  readonly tokensPerDay: number | undefined
  readonly tokensPerMonth: number | undefined
  /** True for an owner's test question. It does not count as a reader's question. */
  readonly isTest?: boolean
}

export type BegunTurn =
  | { readonly kind: 'begun'; readonly id: string; readonly hasBudget: boolean }
  | { readonly kind: 'refused'; readonly by: 'ticket' | 'project' }

type Source = { readonly url: string; readonly title: string }

export type PublishedAnswer = {
  readonly response: string
  readonly sources: readonly Source[]
  readonly status: 'answered' | 'unanswered'
  /** Why there is no answer. */
  readonly reason?: string | undefined
  readonly category?: string | undefined
  readonly nearest: readonly Source[]
  readonly model?: string | undefined
  readonly usedTokens: number
  readonly savedTokens: number
  readonly isCached: boolean
}

export type Feedback = {
  readonly isHelpful: boolean
  readonly reason?: string | undefined
  readonly note?: string | undefined
}

/**
 * Contains all SQL about questions to the assistant of one project. Calls that happen for every
 * question need only one round trip.
 */
export class TurnStore {
  readonly #database: ProjectDatabase

  constructor(database: ProjectDatabase) {
    this.#database = database
  }

  /** Stores a question and reserves the maximum number of tokens that its answer can cost. */
  begin(turn: NewTurn): Promise<BegunTurn> {
    return this.#only(this.beginAll([turn]))
  }

  /** Renews the lease and saves the text so far. Returns false if the lease was lost. */
  renew(turn: LeasedTurn, text: string | undefined): Promise<boolean> {
    return this.#only(this.renewAll([{ ...turn, text }]))
  }

  /**
   * Publishes the answer. Returns the id of the conversation, or undefined if the lease was lost.
   * Can be repeated.
   */
  publish(turn: LeasedTurn, answer: PublishedAnswer): Promise<string | undefined> {
    return this.#only(this.publishAll([{ ...turn, answer }]))
  }

  /** Stores questions in one transaction. */
  async beginAll(turns: readonly NewTurn[]): Promise<readonly BegunTurn[]> {
    const rows = await this.#call<BegunRow>('begin_questions', turns)
    return rows.map(({ id, refusal, hasBudget }) => {
      if (refusal !== null) return { kind: 'refused', by: refusal }
      if (id === null) throw new Error('the question was not stored')
      return { kind: 'begun', id, hasBudget: hasBudget === true }
    })
  }

  /** Renews leases in one transaction. */
  renewAll(turns: readonly (LeasedTurn & { readonly text: string | undefined })[]) {
    return this.#call<boolean>(
      'renew_questions',
      turns.map(({ id, lease, text }) => ({ question: id, lease, text })),
    )
  }

  /** Publishes answers in one transaction. */
  async publishAll(turns: readonly (LeasedTurn & { readonly answer: PublishedAnswer })[]) {
    const ids = await this.#call<string | null>(
      'publish_answers',
      turns.map(({ id, lease, answer }) => ({ ...answer, question: id, lease })),
    )
    return ids.map((id) => id ?? undefined)
  }

  /** Calls a function that takes a list and returns a list of the same length. */
  async #call<Result>(name: string, list: readonly object[]): Promise<readonly Result[]> {
    const [results] = await this.#database.call(name, [JSON.stringify(list)])
    return JSON.parse(`${results}`) as readonly Result[]
  }

  async #only<Result>(results: Promise<readonly Result[]>): Promise<Result> {
    return (await results)[0] as Result
  }

  /** Stores feedback on a conversation. Returns false if the conversation does not exist. */
  async addFeedback(id: string, { isHelpful, reason, note }: Feedback): Promise<boolean> {
    const [row] = await this.#database.query<{ added: boolean }>(
      'select add_feedback($1, $2, $3, $4) as added',
      [id, isHelpful, reason ?? null, note ?? null],
    )
    return row?.added === true
  }
}

/** The functions of the store that are needed to answer a question. */
export type Turns = Pick<TurnStore, 'begin' | 'renew' | 'publish'>

export type LeasedTurn = { readonly id: string; readonly lease: string }

type BegunRow = {
  readonly id: string | null
  readonly refusal: 'ticket' | 'project' | null
  readonly hasBudget: boolean | null
}
