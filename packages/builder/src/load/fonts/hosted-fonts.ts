/** Collects the outcomes of fonts that are fetched while a site is being loaded. */
import type { FontOutcome, SpecificationFetcher } from '../specification-fetcher.ts'
import { recordedSource } from './font-record.ts'

export class HostedFonts {
  readonly #outcomes = new Map<string, FontOutcome>()
  readonly #wanted = new Set<string>()

  /** Returns the outcome of a source, or undefined if it was not fetched yet. */
  outcome(source: string): FontOutcome | undefined {
    this.#wanted.add(source)
    return this.#outcomes.get(source)
  }

  /** Requested fonts that have no outcome yet. */
  get unfetched(): readonly string[] {
    return [...this.#wanted].filter((source) => !this.#outcomes.has(source))
  }

  /** Requested fonts without a file. */
  get missing(): readonly string[] {
    const hasFile = (outcome: FontOutcome | undefined) =>
      outcome?.kind === 'loaded' || outcome?.kind === 'package'
    return [...this.#wanted].filter((source) => !hasFile(this.#outcomes.get(source)))
  }

  async fetch(
    sources: readonly string[],
    { fetchFont }: Pick<SpecificationFetcher, 'fetchFont'>,
  ): Promise<void> {
    const fetching = sources.map(async (source) => {
      const outcome = (await fetchFont?.(source)) ?? { kind: 'pending' }
      this.#outcomes.set(source, outcome)
      // From the next load on, the site may name the package by its record.
      if (outcome.kind === 'package') this.#outcomes.set(recordedSource(outcome.package), outcome)
    })
    await Promise.all(fetching)
  }

  /** Starts a new load of the site, which may want other fonts. */
  startLoad(): this {
    this.#wanted.clear()
    return this
  }
}
