/**
 * Takes what a watcher saw to whoever brings the site up to date, one after the other. Files move
 * while they are read: what fails is tried again, since the next moment it may be whole.
 */
export type TakePaths = (paths: ReadonlySet<string>) => Promise<void>

const RETRY_MS = 100
const TRIES = 20

export class SaveLoop {
  #paths = new Set<string>()
  #take: TakePaths | undefined
  #isAtWork = false

  readonly add = (paths: ReadonlySet<string>): void => {
    for (const path of paths) this.#paths.add(path)
    void this.#run()
  }

  /** What was seen before this counts too. */
  start(take: TakePaths): void {
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
        // The next save is a chance again.
        if (failures >= TRIES) break
        for (const path of paths) this.#paths.add(path)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    this.#isAtWork = false
  }
}
