import type { SourceText } from '@octavo/model'

/** The place of a piece of code: its file, and the offset of its first character. */
export type Unit = {
  readonly source: SourceText
  readonly base: number
  readonly toOffset: (offset: number) => number
}

/**
 * undefined-name  a name without a definition
 * unsupported     something the interpreter does not support, or a type error
 * browser         something that exists only in a browser
 * limit           too many steps, too deep, or too large
 * page            the page as a whole exceeds a limit, so none of it is kept
 */
export type ProblemKind = 'undefined-name' | 'unsupported' | 'browser' | 'limit' | 'page'

/** Ends the evaluation of one expression. Thrown and caught only inside this package. */
export class EvaluationProblem extends Error {
  readonly kind: ProblemKind
  readonly unit: Unit | undefined
  readonly offset: number
  /** A hint that is better than the general hint for problems of this kind, if there is one. */
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
