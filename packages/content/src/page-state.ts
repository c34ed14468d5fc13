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

/** A place in a file, as an offset. */
export type Spot = { readonly source: SourceText; readonly offset: number }

/** The maximum distance between the start of a tag and its URL. */
export const ADDRESS_DISTANCE_MAX = 2_000

const ONCE_A_LINE: ReadonlySet<DiagnosticCode> = new Set([
  'content/tag',
  'content/unknown-component',
])

/** Diagnostics that syntax of other tools can also cause. */
const EXPLAINED: ReadonlySet<DiagnosticCode> = new Set([
  'content/syntax',
  'content/unescaped-character',
  'content/expression',
  'content/placeholder',
  'content/placeholder-in-link',
  'content/undefined-name',
  'content/unknown-component',
])

/** Everything that is collected while one page is compiled. */
export class PageState {
  readonly ids = new HeadingIds()
  readonly headings: PageHeading[] = []
  readonly links: PageLink[] = []
  readonly formulas: PageFormula[] = []
  /** Snippets and modules that the page uses, in the order of their first use. */
  readonly files = new Set<string>()
  /** The place of each heading by its id. */
  readonly headingSpots = new Map<string, Spot>()
  readonly run: Run
  readonly #diagnostics = new DiagnosticList()
  readonly #reported = new Set<string>()
  readonly #usedTags = new Map<string, boolean>()
  readonly #explained = new Map<string, { readonly start: number; readonly end: number }[]>()
  /**
   * The ids that the author wrote, each with its count and the place where it occurs the second
   * time.
   */
  readonly #ids = new Map<string, { count: number; second: Spot | undefined }>()
  #nodesLeft: number = CONTENT_LIMITS.nodesMax
  needsAltText = true
  /** Nodes from components without children. Their text is not part of a heading's name. */
  readonly excludedFromHeading = new WeakSet<object>()

  constructor(renderTag: (page: PageState, request: TagRequest) => readonly PageNode[]) {
    this.run = new Run((request) => renderTag(this, request))
  }

  /** Marks a range whose mistake has been reported, so that it gets no second diagnostic. */
  explain({ source, offset }: Spot, length: number): void {
    const ranges = this.#explained.get(source.file) ?? []
    ranges.push({ start: offset, end: offset + length })
    this.#explained.set(source.file, ranges)
  }

  /**
   * Checks whether a file uses a tag. The result is cached, since the file may import the name many
   * times.
   */
  usesTag(source: SourceText, name: string): boolean {
    const key = `${source.file} ${name}`
    const known = this.#usedTags.get(key) ?? source.text.includes(`<${name}`)
    this.#usedTags.set(key, known)
    return known
  }

  #isExplained(code: DiagnosticCode, { source, offset }: Spot): boolean {
    if (!EXPLAINED.has(code)) return false
    const ranges = this.#explained.get(source.file) ?? []
    return ranges.some(({ start, end }) => start <= offset && offset < end)
  }

  report(code: DiagnosticCode, spot: Spot, text: DiagnosticText): void {
    if (this.#isExplained(code, spot)) return
    const { source, offset } = spot
    const place = { file: source.file, ...source.position(offset) }
    // Each mistake is reported once, even if a snippet is used ten times or a line has ten such
    // tags.
    const where = ONCE_A_LINE.has(code) ? `line ${place.line}` : offset
    const key = `${code} ${source.file} ${where} ${text.message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#diagnostics.report(diagnose(code, place, text))
  }

  /** Reports a mistake unless it is in a component that turns out to run in the browser. */
  reportIfStatic(code: DiagnosticCode, spot: Spot, text: DiagnosticText): void {
    const { frame } = this.run
    const report = () => this.report(code, spot, text)
    if (frame === undefined) report()
    else frame.held.push(report)
  }

  /** Reports a repeated mistake once per page, at its first place. */
  reportOnce(code: DiagnosticCode, spot: Spot, text: DiagnosticText): void {
    const key = `${code} ${text.message}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.report(code, spot, text)
  }

  /**
   * Runs `work` without reporting missing alt text, for images that need none: an icon next to a
   * title, or an image with a caption.
   */
  withoutAltText<Result>(work: () => Result): Result {
    const before = this.needsAltText
    this.needsAltText = false
    try {
      return work()
    } finally {
      this.needsAltText = before
    }
  }

  /** Records an id that the author wrote, to report duplicates: a link only leads to the first. */
  recordId(id: string, spot: Spot): void {
    // Ids in an author's component are ignored, since they may depend on where it runs.
    if (this.run.frame?.file !== undefined) return
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

  /** Records a link or image at the place of its URL: in a component, or where it is used. */
  recordLink(kind: PageLink['kind'], url: string, spot: Spot): void {
    let place = spot
    for (let { frame } = this.run; frame?.file !== undefined; frame = frame.outer) {
      const { source, offset } = place
      if (source.text.slice(offset, offset + ADDRESS_DISTANCE_MAX).includes(url)) break
      place = frame.call
    }
    this.links.push({ kind, url, file: place.source.file, offset: place.offset })
  }

  /** Creates a formula and records its place. */
  formula(math: { readonly text: string; readonly display: boolean }, spot: Spot): MathNode {
    this.countNode()
    this.formulas.push({ ...math, file: spot.source.file, offset: spot.offset })
    return { kind: 'math', ...math }
  }

  /** Counts a node. If the page has more nodes than the limit, the whole page fails. */
  countNode(): void {
    this.#nodesLeft -= 1
    if (this.#nodesLeft < 0) {
      throw new EvaluationProblem('page', 'The page has more elements than the limit allows', {
        unit: undefined,
        offset: 0,
      })
    }
  }

  /** Returns all diagnostics, once the page is complete. */
  diagnostics(): readonly Diagnostic[] {
    this.#reportIds()
    return this.#diagnostics.sorted()
  }
}
