import type { AnswerSource } from '@octavo/search'

/**
 * What the model was really shown, by number. A number that is not here was invented. Readers see
 * numbers of their own: 1 is the first source that the answer cites.
 */
export class SourceLedger {
  readonly #shown: AnswerSource[] = []
  readonly #cited: AnswerSource[] = []

  /** The number of a source, the same each time that it is shown. */
  show(source: AnswerSource): number {
    const known = this.#shown.findIndex(({ url }) => url === source.url)
    return known < 0 ? this.#shown.push(source) : known + 1
  }

  /** The number for the reader of a source that the model cites; undefined when there is none. */
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
