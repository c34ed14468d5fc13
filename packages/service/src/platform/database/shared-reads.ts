/**
 * Runs several reads in one transaction per tenant. The dashboard calls several API routes for one
 * screen. Without shared reads, each call would take a connection, begin a transaction, set the
 * tenant and commit.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Query } from './database.ts'

/**
 * A transaction that has had no reads for this long is committed, so that it does not hold a
 * connection while the work waits for something else, such as another server.
 */
const IDLE_MS = 50

type Work<Result> = (query: Query) => Promise<Result>
type RunTransaction = (work: Work<void>) => Promise<void>

const current = new AsyncLocalStorage<SharedReads>()

export class SharedReads {
  /** The transactions that have begun, of which the last one of each key may be open. */
  readonly #begun: SharedTransaction[] = []
  readonly #open = new Map<string, SharedTransaction>()
  #isOver = false

  /**
   * Returns the `SharedReads` of the current async context; undefined if it has none or they have
   * ended.
   */
  static current(): SharedReads | undefined {
    const reads = current.getStore()
    return reads === undefined || reads.#isOver ? undefined : reads
  }

  /** Runs work whose reads share transactions. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return current.run(this, work)
  }

  /** Runs work in the open transaction for this key. Begins a transaction if none is open. */
  join<Result>(key: string, begin: RunTransaction, work: Work<Result>): Promise<Result> {
    let transaction = this.#open.get(key)
    if (transaction === undefined || transaction.isOver) {
      transaction = new SharedTransaction(begin)
      this.#open.set(key, transaction)
      this.#begun.push(transaction)
    }
    return transaction.join(work)
  }

  /**
   * Commits the open transactions, and waits for those that failed. Work that continues, such as a download, uses separate
   * transactions from now on.
   */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#begun.map((transaction) => transaction.end()))
  }
}

class SharedTransaction {
  readonly #query = Promise.withResolvers<Query>()
  readonly #work = Promise.withResolvers<void>()
  readonly #ended: Promise<void>
  #running = 0
  #hasFailed = false
  #timer: NodeJS.Timeout | undefined
  isOver = false

  constructor(begin: RunTransaction) {
    this.#ended = begin((query) => {
      this.#query.resolve(query)
      return this.#work.promise
    })
    this.#ended.catch((error) => this.#fail(error))
  }

  async join<Result>(work: Work<Result>): Promise<Result> {
    clearTimeout(this.#timer)
    this.#running += 1
    try {
      const query = await this.#query.promise
      return await work((text, values) => query<never>(text, values).catch(this.#refuse))
    } finally {
      this.#running -= 1
      if (this.#running === 0) this.#timer = setTimeout(() => this.#finish(), IDLE_MS)
    }
  }

  /**
   * Commits the transaction and throws if that fails. Earlier errors are not thrown again, because
   * the reads that caused them already failed.
   */
  async end(): Promise<void> {
    const hasFailed = this.#hasFailed
    if (this.#running === 0) this.#finish()
    await this.#ended.catch((error) => {
      if (!hasFailed) throw error
    })
  }

  #finish(): void {
    clearTimeout(this.#timer)
    this.isOver = true
    this.#work.resolve()
  }

  /**
   * Ends the transaction after a failed statement. PostgreSQL would reject all further statements
   * in it, so later reads begin a new transaction.
   */
  readonly #refuse = (error: unknown): never => {
    this.#fail(error)
    throw error
  }

  #fail(error: unknown): void {
    this.isOver = true
    this.#hasFailed = true
    this.#query.reject(error)
    this.#query.promise.catch(() => {})
    this.#work.reject(error)
    this.#work.promise.catch(() => {})
  }
}
