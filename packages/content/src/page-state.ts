import {
  type Diagnostic,
  type DiagnosticCode,
  DiagnosticList,
  diagnose,
  type SourceText,
} from '@octavo/model'
import { CONTENT_LIMITS } from './content-limits.ts'
import { HeadingIds } from './heading-ids.ts'
import { EvaluationProblem } from './interpreter/problem.ts'
import { Run, type TagRequest } from './interpreter/run.ts'
import type { MathNode, PageFormula, PageHeading, PageLink, PageNode } from './page-tree.ts'

/** A place in a file: the file, and the offset in it. */
export type Spot = { readonly source: SourceText; readonly offset: number }

/** Everything that grows while one page is read. */
export class PageState {
  readonly ids = new HeadingIds()
  readonly headings: PageHeading[] = []
  readonly links: PageLink[] = []
  readonly formulas: PageFormula[] = []
  /** Snippets and modules that the page is made of, in the order of their first use. */
  readonly files = new Set<string>()
  /** Where each heading stands, by its id. */
  readonly headingSpots = new Map<string, Spot>()
  readonly run: Run
  readonly #diagnostics = new DiagnosticList()
  readonly #reported = new Set<string>()
  /** Ids that the author wrote. */
  readonly #ids = new Set<string>()
  #nodesLeft: number = CONTENT_LIMITS.nodesMax
  isDecoration = false

  constructor(renderTag: (page: PageState, request: TagRequest) => readonly PageNode[]) {
    this.run = new Run((request) => renderTag(this, request))
  }

  report(
    code: DiagnosticCode,
    spot: Spot,
    text: { readonly message: string; readonly hint: string },
  ): void {
    const { source, offset } = spot
    // A snippet that is used ten times has its mistake once.
    const key = `${code} ${source.file} ${offset} ${text.message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#diagnostics.report(
      diagnose(code, { file: source.file, ...source.position(offset) }, text),
    )
  }

  /** Markup that is hidden from those who cannot see it, such as the icon beside a title. */
  decorate<Result>(work: () => Result): Result {
    const before = this.isDecoration
    this.isDecoration = true
    try {
      return work()
    } finally {
      this.isDecoration = before
    }
  }

  /** An id that the author wrote: a link finds the first of two that are the same. */
  noteId(id: string, spot: Spot): void {
    // What a component of the author does with ids depends on where it runs.
    if (this.run.frame !== undefined) return
    if (this.#ids.has(id)) {
      this.report('content/duplicate-id', spot, {
        message: `The id \`${id}\` stands on this page already; a link to \`#${id}\` leads to the first.`,
        hint: 'Give each part an id of its own.',
      })
    }
    this.#ids.add(id)
  }

  /** A formula, noted with its place. */
  formula(math: { readonly text: string; readonly display: boolean }, spot: Spot): MathNode {
    this.countNode()
    this.formulas.push({ ...math, file: spot.source.file, offset: spot.offset })
    return { kind: 'math', ...math }
  }

  /** Counts a node; beyond the limit the page ends. */
  countNode(): void {
    this.#nodesLeft -= 1
    if (this.#nodesLeft < 0) {
      throw new EvaluationProblem('page', 'The page has more parts than the limit', {
        unit: undefined,
        offset: 0,
      })
    }
  }

  diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics.sorted()
  }
}
