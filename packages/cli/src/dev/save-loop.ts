/**
 * Passes changed paths from the watcher to the handler that updates the site, one batch at a time.
 * A failed batch is retried, because a file may be in the middle of a write.
 */
export type HandlePaths = (paths: ReadonlySet<string>) => Promise<void>

const RETRY_MS = 100
const ATTEMPTS_MAX = 20

export class SaveLoop {
  #paths = new Set<string>()
  #take: HandlePaths | undefined
  #isAtWork = false

  readonly add = (paths: ReadonlySet<string>): void => {
    for (const path of paths) this.#paths.add(path)
    void this.#run()
  }

  /** Starts to handle paths, including those that were added earlier. */
  start(take: HandlePaths): void {
    this.#take = take
    void this.#run()
  }

  async #run(): Promise<void> {
    const take = this.#take
    if (take === undefined || this.#isAtWork) return
    this.#isAtWork = true
    let failures = 0
    while (this.#paths.size > 0) {
      const paths = this.#paths
      this.#paths = new Set()
      try {
        await take(paths)
        failures = 0
      } catch {
        failures += 1
        // After the last attempt, the batch is dropped until its files are saved again.
        if (failures >= ATTEMPTS_MAX) break
        for (const path of paths) this.#paths.add(path)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    this.#isAtWork = false
  }
}
