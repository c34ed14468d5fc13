import type { AnswerSource } from '@octavo/search'

/**
 * Numbers the sources that the model was shown. A citation of any other number is invented. Readers
 * see different numbers, in the order in which the answer cites the sources.
 */
export class SourceLedger {
  readonly #shown: AnswerSource[] = []
  readonly #cited: AnswerSource[] = []
  #invented = 0

  /**
   * Returns the number of a source for the model. It stays the same if the source is shown again.
   */
  show(source: AnswerSource): number {
    const known = this.#shown.findIndex(({ url }) => url === source.url)
    return known < 0 ? this.#shown.push(source) : known + 1
  }

  /**
   * Returns the number that the reader sees for a source that the model cites; undefined if the
   * model was not shown a source with this number.
   */
  cite(number: number): number | undefined {
    const source = this.#shown[number - 1]
    if (source === undefined) {
      this.#invented += 1
      return undefined
    }
    const known = this.#cited.indexOf(source)
    return known < 0 ? this.#cited.push(source) : known + 1
  }

  get cited(): readonly AnswerSource[] {
    return this.#cited
  }

  /** The number of citations of sources that the model was not shown. */
  get invented(): number {
    return this.#invented
  }
}
