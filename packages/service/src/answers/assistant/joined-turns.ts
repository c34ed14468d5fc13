/**
 * Joins the database calls of a project's questions, so that many answers at the same time share
 * transactions. The project's lock lets only one transaction publish at a time, and each waits for
 * the disk when it commits.
 */
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { JoinedCalls } from '../../platform/limits/joined-calls.ts'
import {
  type BegunTurn,
  type LeasedTurn,
  type NewTurn,
  type PublishedAnswer,
  TurnStore,
  type Turns,
} from './turn-store.ts'

/** The second call waits for the lock of the first, and continues as soon as it has committed. */
const CALLS_OF_PROJECT = 2
/**
 * The maximum number of questions in a call. An answer has at most 32,000 characters, so a call
 * stays far below the timeout of a statement.
 */
const JOINED_MAX = 50

export class JoinedTurns {
  readonly #begins: JoinedCalls<NewTurn, BegunTurn>
  readonly #renewals: JoinedCalls<LeasedTurn & { readonly text: string | undefined }, boolean>
  readonly #publications: JoinedCalls<
    LeasedTurn & { readonly answer: PublishedAnswer },
    string | undefined
  >

  constructor(connections: number) {
    // Leaves half of the connections for other work. Questions can wait here for any length of
    // time, while a request that waits for a pooled connection is rejected after two seconds.
    const queue = createFairQueue({
      atOnce: Math.max(1, Math.floor(connections / 2)),
      atOnceOfProject: CALLS_OF_PROJECT,
    })
    this.#begins = new JoinedCalls(queue, JOINED_MAX)
    this.#renewals = new JoinedCalls(queue, JOINED_MAX)
    this.#publications = new JoinedCalls(queue, JOINED_MAX)
  }

  of(database: ProjectDatabase): Turns {
    const store = new TurnStore(database)
    const { projectId } = database.tenant
    return {
      begin: (turn) => this.#begins.add(projectId, turn, (all) => store.beginAll(all)),
      renew: (turn, text) =>
        this.#renewals.add(projectId, { ...turn, text }, (all) => store.renewAll(all)),
      publish: (turn, answer) =>
        this.#publications.add(projectId, { ...turn, answer }, (all) => store.publishAll(all)),
    }
  }
}
