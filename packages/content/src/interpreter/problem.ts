import type { SourceText } from '@octavo/model'

/** Where a piece of code stands: its file, and the offset in it of the piece's first character. */
export type Unit = {
  readonly source: SourceText
  readonly base: number
  readonly toOffset: (offset: number) => number
}

/**
 * undefined-name  a name that nothing defines
 * unsupported     something the interpreter does not do, or a mistake of type
 * browser         something that only exists in a browser
 * limit           too many steps, too deep, too large
 * page            the page as a whole is over a limit: nothing of it can be saved
 */
export type ProblemKind = 'undefined-name' | 'unsupported' | 'browser' | 'limit' | 'page'

/** Ends the evaluation of one expression. Thrown and caught inside this package only. */
export class EvaluationProblem extends Error {
  readonly kind: ProblemKind
  readonly unit: Unit | undefined
  readonly offset: number
  /** What to do about it, where there is more to say than for all of its kind. */
  readonly hint: string | undefined
  constructor(
    kind: ProblemKind,
    message: string,
    place: { readonly unit: Unit | undefined; readonly offset: number; readonly hint?: string },
  ) {
    super(message)
    this.name = 'EvaluationProblem'
    this.kind = kind
    this.unit = place.unit
    this.offset = place.offset
    this.hint = place.hint
  }
}
