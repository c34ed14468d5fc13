import type { FairQueue } from './fair-queue.ts'

type Call<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Promise<Result>) => void
}

/**
 * Joins the calls of a project that wait for their turn in a queue into one call. Calls that write
 * to a database then share one transaction and one commit.
 */
export class JoinedCalls<Item, Result> {
  readonly #queue: FairQueue
  readonly #joinedMax: number
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>()

  constructor(queue: FairQueue, joinedMax: number) {
    this.#queue = queue
    this.#joinedMax = joinedMax
  }

  /**
   * Returns the result for one item. `call` returns a result for each item, and must be the same
   * function for all items of a project.
   */
  add(projectId: string, item: Item, call: Call<Item, Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<Result>()
    const line = this.#waiting.get(projectId)
    if (line !== undefined) line.push({ item, resolve })
    else {
      this.#waiting.set(projectId, [{ item, resolve }])
      void this.#queue(projectId, () => this.#run(projectId, call))
    }
    return promise
  }

  async #run(projectId: string, call: Call<Item, Result>): Promise<void> {
    const line = this.#waiting.get(projectId) ?? []
    const joined = line.splice(0, this.#joinedMax)
    if (line.length === 0) this.#waiting.delete(projectId)
    else void this.#queue(projectId, () => this.#run(projectId, call))
    const results = call(joined.map(({ item }) => item))
    const isJoined = await results.then(
      () => true,
      () => joined.length === 1,
    )
    // If a joined call fails, each item is called alone, so that an invalid one affects no other.
    for (const [index, { item, resolve }] of joined.entries())
      resolve(
        isJoined
          ? results.then((all) => all[index] as Result)
          : this.#queue(projectId, async () => (await call([item]))[0] as Result),
      )
  }
}
