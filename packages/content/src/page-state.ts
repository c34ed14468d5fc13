import {
  type Diagnostic,
  type DiagnosticCode,
  DiagnosticList,
  type DiagnosticText,
  diagnose,
  type SourceText,
} from '@octavo/model'
import { EvaluationProblem } from './interpreter/problem.ts'
import { Run, type TagRequest } from './interpreter/run.ts'
import { CONTENT_LIMITS } from './tree/content-limits.ts'
import { HeadingIds } from './tree/heading-ids.ts'
import type { MathNode, PageFormula, PageHeading, PageLink, PageNode } from './tree/page-tree.ts'

/** A place in a file: the file, and the offset in it. */
export type Spot = { readonly source: SourceText; readonly offset: number }

/** How far behind the beginning of a tag its address may stand. */
export const ADDRESS_DISTANCE_MAX = 2_000

const ONCE_A_LINE: ReadonlySet<DiagnosticCode> = new Set([
  'content/tag',
  'content/unknown-component',
])

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
  /** Ids that the author wrote: how often, and the place of the second. */
  readonly #ids = new Map<string, { count: number; second: Spot | undefined }>()
  #nodesLeft: number = CONTENT_LIMITS.nodesMax
  needsAltText = true
  /** Made by components that hold no words of the page: they are not part of a heading's name. */
  readonly unwritten = new WeakSet<object>()

  constructor(renderTag: (page: PageState, request: TagRequest) => readonly PageNode[]) {
    this.run = new Run((request) => renderTag(this, request))
  }

  report(code: DiagnosticCode, spot: Spot, text: DiagnosticText): void {
    const { source, offset } = spot
    const place = { file: source.file, ...source.position(offset) }
    // A snippet that is used ten times has its mistake once; so has a line with ten such tags.
    const where = ONCE_A_LINE.has(code) ? `line ${place.line}` : offset
    const key = `${code} ${source.file} ${where} ${text.message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#diagnostics.report(diagnose(code, place, text))
  }

  /** Not for a component that runs in the browser: there it renders itself, with all that it has. */
  reportIfStatic(code: DiagnosticCode, spot: Spot, text: DiagnosticText): void {
    const { frame } = this.run
    const report = () => this.report(code, spot, text)
    if (frame === undefined) report()
    else frame.held.push(report)
  }

  /** What is one mistake however often it stands on the page is told at its first place. */
  reportOnce(code: DiagnosticCode, spot: Spot, text: DiagnosticText): void {
    const key = `${code} ${text.message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.report(code, spot, text)
  }

  /** Images that need no text of their own: the icon beside a title, a picture above its caption. */
  withoutAltText<Result>(work: () => Result): Result {
    const before = this.needsAltText
    this.needsAltText = false
    try {
      return work()
    } finally {
      this.needsAltText = before
    }
  }

  /** An id that the author wrote: a link finds the first of two that are the same. */
  noteId(id: string, spot: Spot): void {
    // What a component of the author does with ids depends on where it runs.
    if (this.run.frame !== undefined) return
    const noted = this.#ids.get(id)
    if (noted === undefined) {
      this.#ids.set(id, { count: 1, second: undefined })
      return
    }
    noted.count += 1
    noted.second ??= spot
  }

  #reportIds(): void {
    for (const [id, { count, second }] of this.#ids) {
      if (second === undefined) continue
      this.report('content/duplicate-id', second, {
        message: `The id \`${id}\` is used ${count === 2 ? 'twice' : `${count} times`} on this page; a link to \`#${id}\` goes to the first one.`,
        hint: 'Give each element a unique id.',
      })
    }
  }

  /** A link or a picture, noted where its address is written: in a component, or where that is called. */
  noteLink(kind: PageLink['kind'], url: string, spot: Spot): void {
    let place = spot
    for (let { frame } = this.run; frame !== undefined; frame = frame.outer) {
      const { source, offset } = place
      if (source.text.slice(offset, offset + ADDRESS_DISTANCE_MAX).includes(url)) break
      place = frame.call
    }
    this.links.push({ kind, url, file: place.source.file, offset: place.offset })
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
      throw new EvaluationProblem('page', 'The page has more elements than the limit', {
        unit: undefined,
        offset: 0,
      })
    }
  }

  /** What was reported, when all of the page is read. */
  diagnostics(): readonly Diagnostic[] {
    this.#reportIds()
    return this.#diagnostics.sorted()
  }
}
