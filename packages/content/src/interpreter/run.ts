import type { Node } from 'estree-jsx'
import { CONTENT_LIMITS } from '../content-limits.ts'
import type { PageNode } from '../page-tree.ts'
import { EvaluationProblem, type ProblemKind, type Unit } from './problem.ts'
import type { Scope } from './scope.ts'
import type { Value, ValueObject } from './value.ts'

/** A tag that an expression asks for; the page decides what becomes of it. */
export type TagRequest = {
  readonly name: string
  /** What the name stands for, if the author defined it. */
  readonly value: Value
  readonly props: ValueObject
  readonly children: readonly PageNode[]
  readonly unit: Unit
  readonly offset: number
}

/** The component that is being rendered: it belongs in a browser once something says so. */
export type Frame = { needsBrowser: boolean; readonly file: string }

/** The state of evaluating the expressions of one page. */
export class Run {
  readonly renderTag: (request: TagRequest) => readonly PageNode[]
  frame: Frame | undefined
  #stepsLeft: number = CONTENT_LIMITS.stepsMax
  #depth = 0

  constructor(renderTag: (request: TagRequest) => readonly PageNode[]) {
    this.renderTag = renderTag
  }

  /** Counts work that an author asked for. */
  spend(steps: number, context?: Context, node?: Node): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0) {
      fail('limit', 'It takes more steps than the limit', { context, node })
    }
  }

  enter(context: Context, node: Node): void {
    this.#depth += 1
    if (this.#depth > CONTENT_LIMITS.evaluationDepthMax) {
      fail('limit', 'It is nested deeper than the limit', { context, node })
    }
    this.spend(1, context, node)
  }

  leave(): void {
    this.#depth -= 1
  }

  /** Does some work; what went wrong in it is returned, and the depth is as before. */
  attempt<Result>(work: () => Result): Result | EvaluationProblem {
    const depth = this.#depth
    const { frame } = this
    try {
      return work()
    } catch (error) {
      this.#depth = depth
      this.frame = frame
      if (error instanceof EvaluationProblem) return error
      // Data can be nested, or joined, beyond what JavaScript itself can hold.
      if (error instanceof RangeError)
        return new EvaluationProblem('limit', 'It is larger than the limit', NOWHERE)
      throw error
    }
  }
}

const NOWHERE = { unit: undefined, offset: 0 }

/** Where evaluation stands: the names in reach, and the code that is read. */
export type Context = { readonly run: Run; readonly scope: Scope; readonly unit: Unit }

type At = { readonly context: Context | undefined; readonly node: Node | undefined }

/** Ends the evaluation with a reason that the author gets to read. */
export function fail(kind: ProblemKind, message: string, at: At): never {
  throw new EvaluationProblem(kind, message, {
    unit: at.context?.unit,
    offset: at.node === undefined ? 0 : startOf(at.node),
  })
}

/** The parser notes where each node begins; the types of the syntax tree do not know it. */
export function startOf(node: Node): number {
  return 'start' in node && typeof node.start === 'number' ? node.start : 0
}
