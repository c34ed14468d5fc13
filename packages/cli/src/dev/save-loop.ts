/**
 * Passes changed paths from the watcher to the handler that updates the site, one batch at a time.
 * A failed batch is retried, because a file may be in the middle of a write.
 */
export type HandlePaths = (paths: ReadonlySet<string>) => Promise<void>

const RETRY_MS = 100
const TRIES = 20

export class SaveLoop {
  #paths = new Set<string>()
  #take: HandlePaths | undefined
  #isAtWork = false

  readonly add = (paths: ReadonlySet<string>): void => {
    for (const path of paths) this.#paths.add(path)
    void this.#run()
  }

  /** Starts handling, including paths that were added before. */
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
        // The next save tries again.
        if (failures >= TRIES) break
        for (const path of paths) this.#paths.add(path)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    this.#isAtWork = false
  }
}
