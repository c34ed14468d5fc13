import type { Node } from 'estree-jsx'
import type { Spot } from '../page-state.ts'
import { CONTENT_LIMITS } from '../tree/content-limits.ts'
import type { PageNode } from '../tree/page-tree.ts'
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
export type Frame = {
  /** Where it is called, and from inside which other one. */
  readonly call: Spot
  readonly outer: Frame | undefined
  needsBrowser: boolean
  readonly file: string
  /** Reports that count only if all of the component is rendered here. */
  readonly held: (() => void)[]
  /** A name that its module has from the page alone, which no browser would know. */
  borrowed?: string
}

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

type At = {
  readonly context: Context | undefined
  readonly node: Node | undefined
  readonly hint?: string
}

/** Ends the evaluation with a reason that the author gets to read. */
export function fail(kind: ProblemKind, message: string, at: At): never {
  throw new EvaluationProblem(kind, message, {
    unit: at.context?.unit,
    offset: at.node === undefined ? 0 : startOf(at.node),
    ...(at.hint === undefined ? {} : { hint: at.hint }),
  })
}

/** The parser notes where each node begins; the types of the syntax tree do not know it. */
export function startOf(node: Node): number {
  return 'start' in node && typeof node.start === 'number' ? node.start : 0
}

/** A node as it is written, on one line, if it is short enough to be shown in a message. */
export function writtenText({ unit }: Context, node: Node): string | undefined {
  if (!('end' in node) || typeof node.end !== 'number') return undefined
  const from = unit.toOffset(unit.base + startOf(node))
  const text = unit.source.text.slice(from, unit.toOffset(unit.base + node.end))
  return text === '' || text.length > WRITTEN_LENGTH_MAX || /[\r\n`]/.test(text) ? undefined : text
}

const WRITTEN_LENGTH_MAX = 60
