/**
 * Fetches hosted specifications while `octavo dev` runs, one refresh at a time, and prints the
 * outcome.
 */
import type { DevSite } from '@octavo/builder'
import { plural } from '../report/plural.ts'
import type { DevStatus } from './dev-status.ts'

export type RefreshOptions = {
  readonly site: DevSite
  readonly status: DevStatus
  readonly offline: boolean
  /** Aborted when the command ends. */
  readonly signal: AbortSignal
  /** Called after the site has changed. */
  readonly onChange: () => Promise<void>
}

export class SpecificationRefresh {
  readonly #options: RefreshOptions
  #isRunning = false
  #isWanted = false

  constructor(options: RefreshOptions) {
    this.#options = options
  }

  /**
   * Fetches all specifications again. If this is requested during a refresh, one more refresh
   * follows.
   */
  async run(): Promise<void> {
    this.#isWanted = true
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#isWanted) {
      this.#isWanted = false
      await this.#fetch()
    }
    this.#isRunning = false
  }

  async #fetch(): Promise<void> {
    const { site, status, offline, signal, onChange } = this.#options
    if (!site.hasHosted) return
    const { count } = site.specifications
    if (!offline && count > 0) status.say(`Fetching ${plural(count, 'hosted specification')} …`)
    const hasChanged = await site.fetchHosted()
    if (signal.aborted) return
    status.printSpecifications(site.specifications.outcomes, { offline })
    if (hasChanged) await onChange()
  }
}
