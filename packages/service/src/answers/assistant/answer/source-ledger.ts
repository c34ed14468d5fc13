import type { AnswerSource } from '@octavo/search'

/**
 * Records the sources that the model was actually shown, by number. Any other number was invented.
 * Readers see different numbers: 1 is the first source that the answer cites.
 */
export class SourceLedger {
  readonly #shown: AnswerSource[] = []
  readonly #cited: AnswerSource[] = []

  /** Returns the number of a source, which stays the same each time it is shown. */
  show(source: AnswerSource): number {
    const known = this.#shown.findIndex(({ url }) => url === source.url)
    return known < 0 ? this.#shown.push(source) : known + 1
  }

  /**
   * Returns the reader's number for a source that the model cites; undefined if the source is
   * unknown.
   */
  cite(number: number): number | undefined {
    const source = this.#shown[number - 1]
    if (source === undefined) return undefined
    const known = this.#cited.indexOf(source)
    return known < 0 ? this.#cited.push(source) : known + 1
  }

  get cited(): readonly AnswerSource[] {
    return this.#cited
  }
}
