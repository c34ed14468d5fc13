import type { Node } from 'estree-jsx'
import type { Spot } from '../page-state.ts'
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import type { PageNode } from '../tree/page-tree.ts'
import { EvaluationProblem, type ProblemKind, type Unit } from './problem.ts'
import type { Scope } from './scope.ts'
import type { Value, ValueObject } from './value.ts'

/** A tag in an expression, which the page renders. */
export type TagRequest = {
  readonly name: string
  /** The author's definition of the name, if any. */
  readonly value: Value
  readonly props: ValueObject
  readonly children: readonly PageNode[]
  readonly unit: Unit
  readonly offset: number
  /** The offset at which the element ends, if it is known. */
  readonly end: number | undefined
}

/**
 * The component or part of the page that is being rendered. Rendering can show that it needs a
 * browser.
 */
export type Frame = {
  /** The place where the component is used; `outer` is the frame of the component around it. */
  readonly call: Spot
  readonly outer: Frame | undefined
  needsBrowser: boolean
  /** The file of the component; undefined for a part of the page. */
  readonly file: string | undefined
  /** Diagnostics that apply only if the component is fully rendered at build time. */
  readonly held: (() => void)[]
  /** A name that the module uses but only the page defines. It would not exist in a browser. */
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

  /** Counts the work that the author's code causes; fails if the total exceeds the limit. */
  spend(steps: number, context?: Context, node?: Node): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0) {
      fail('limit', 'It needs more steps than the limit allows', { context, node })
    }
  }

  enter(context: Context, node: Node): void {
    this.#depth += 1
    if (this.#depth > CONTENT_LIMITS.evaluationDepthMax) {
      fail('limit', 'It is nested deeper than the limit allows', { context, node })
    }
    this.spend(1, context, node)
  }

  leave(): void {
    this.#depth -= 1
  }

  /**
   * Runs a function. If it throws a problem, restores the nesting depth and returns the problem.
   */
  attempt<Result>(work: () => Result): Result | EvaluationProblem {
    const depth = this.#depth
    const { frame } = this
    try {
      return work()
    } catch (error) {
      this.#depth = depth
      this.frame = frame
      if (error instanceof EvaluationProblem) return error
      // Data can be nested or joined until it exceeds JavaScript's own limits.
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

/** Returns the start of a node. The parser stores it, but the types of the syntax tree omit it. */
export function startOf(node: Node): number {
  return 'start' in node && typeof node.start === 'number' ? node.start : 0
}

/** Returns the end of a node, which the types of the syntax tree omit too. */
export function endOf(node: Node): number | undefined {
  return 'end' in node && typeof node.end === 'number' ? node.end : undefined
}

/** Returns the source code of a node if it is short enough for a message. */
export function writtenText({ unit }: Context, node: Node): string | undefined {
  const end = endOf(node)
  if (end === undefined) return undefined
  const from = unit.toOffset(unit.base + startOf(node))
  const text = unit.source.text.slice(from, unit.toOffset(unit.base + end))
  return text === '' || text.length > WRITTEN_LENGTH_MAX || /[\r\n`]/.test(text) ? undefined : text
}

const WRITTEN_LENGTH_MAX = 60
