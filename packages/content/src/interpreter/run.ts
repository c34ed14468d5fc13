import type { Node } from 'estree-jsx'
import type { Spot } from '../page-state.ts'
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { EvaluationProblem, type ProblemKind, type Unit } from './problem.ts'
import type { Scope } from './scope.ts'
import type { Value, ValueObject } from './value.ts'

/** A tag in an expression; the page decides how to render it. */
export type TagRequest = {
  readonly name: string
  /** The author's definition of the name, if any. */
  readonly value: Value
  readonly props: ValueObject
  readonly children: readonly PageNode[]
  readonly unit: Unit
  readonly offset: number
}

/** The component being rendered; it may turn out to need a browser. */
export type Frame = {
  /** The place of the call, and the component that contains it. */
  readonly call: Spot
  readonly outer: Frame | undefined
  needsBrowser: boolean
  readonly file: string
  /** Diagnostics that apply only if the component is fully rendered at build time. */
  readonly held: (() => void)[]
  /** A name that its module gets from the page and that a browser would not have. */
  borrowed?: string
}

/** The state of evaluating one page's expressions. */
export class Run {
  readonly renderTag: (request: TagRequest) => readonly PageNode[]
  frame: Frame | undefined
  #stepsLeft: number = CONTENT_LIMITS.stepsMax
  #depth = 0

  constructor(renderTag: (request: TagRequest) => readonly PageNode[]) {
    this.renderTag = renderTag
  }

  /** Counts work that the author's code causes. */
  spend(steps: number, context?: Context, node?: Node): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0) {
      fail('limit', 'It needs more steps than the limit', { context, node })
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

  /** Runs a function and returns any problem it throws; restores the depth in that case. */
  attempt<Result>(work: () => Result): Result | EvaluationProblem {
    const depth = this.#depth
    const { frame } = this
    try {
      return work()
    } catch (error) {
      this.#depth = depth
      this.frame = frame
      if (error instanceof EvaluationProblem) return error
      // Data can be nested or joined beyond JavaScript's own limits.
      if (error instanceof RangeError)
        return new EvaluationProblem('limit', 'It is larger than the limit', NOWHERE)
      throw error
    }
  }
}

const NOWHERE = { unit: undefined, offset: 0 }

/** The current state of evaluation: the names in scope, and the code being evaluated. */
export type Context = { readonly run: Run; readonly scope: Scope; readonly unit: Unit }

type At = {
  readonly context: Context | undefined
  readonly node: Node | undefined
  readonly hint?: string
}

/** Ends the evaluation with a message for the author. */
export function fail(kind: ProblemKind, message: string, at: At): never {
  throw new EvaluationProblem(kind, message, {
    unit: at.context?.unit,
    offset: at.node === undefined ? 0 : startOf(at.node),
    ...(at.hint === undefined ? {} : { hint: at.hint }),
  })
}

/** The parser stores the start of each node, but the syntax tree's types omit it. */
export function startOf(node: Node): number {
  return 'start' in node && typeof node.start === 'number' ? node.start : 0
}

/** Returns the source of a node if it is short enough to be shown in a message. */
export function writtenText({ unit }: Context, node: Node): string | undefined {
  if (!('end' in node) || typeof node.end !== 'number') return undefined
  const from = unit.toOffset(unit.base + startOf(node))
  const text = unit.source.text.slice(from, unit.toOffset(unit.base + node.end))
  return text === '' || text.length > WRITTEN_LENGTH_MAX || /[\r\n`]/.test(text) ? undefined : text
}

const WRITTEN_LENGTH_MAX = 60
