import { printable } from '../text/printable.ts'
import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './diagnostic-codes.ts'
import { formatCount, LIMITS } from './limits.ts'

/** A position in a file. Lines and columns start at 1; columns count UTF-16 units like editors. */
export type Place = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** JSON pointer into the file, for programs. */
  readonly pointer?: string
}

type RelatedPlace = { readonly message: string; readonly place: Place }

type CodeOfSeverity<Given extends Severity> = {
  [Code in DiagnosticCode]: (typeof DIAGNOSTIC_CODES)[Code]['severity'] extends Given ? Code : never
}[DiagnosticCode]

/** A code with its severity: the compiler rejects any other pair. */
type CodeAndSeverity = {
  [Given in Severity]: { readonly code: CodeOfSeverity<Given>; readonly severity: Given }
}[Severity]

/** A problem in what an author wrote: a value that is collected and reported, never thrown. */
export type Diagnostic = CodeAndSeverity & {
  readonly message: string
  readonly hint: string
  readonly place: Place
  readonly related?: readonly RelatedPlace[]
  /** The number of problems that a `limit/diagnostics` summarizes. */
  readonly count?: number
  /** A safe change that fixes the problem. */
  readonly fix?: Fix
}

/** Replaces the first occurrence of `find` at or shortly after the place with `put`. */
export type Fix = { readonly find: string; readonly put: string }

export type Report = (diagnostic: Diagnostic) => void

export type DiagnosticText = {
  readonly message: string
  readonly hint: string
  readonly related?: readonly RelatedPlace[]
  readonly fix?: Fix
}

/** Creates a diagnostic; the severity comes from the code. */
export function diagnose(code: DiagnosticCode, place: Place, text: DiagnosticText): Diagnostic {
  // The compiler cannot infer that code and severity belong together.
  const coded = { code, severity: DIAGNOSTIC_CODES[code].severity } as CodeAndSeverity
  return { ...coded, ...text, place }
}

/** Returns the end of a message that covers several places with the same name. */
export function moreOccurrences(more: number): string {
  if (more === 0) return ''
  return ` It is also used in ${formatCount(more)} more ${more === 1 ? 'place' : 'places'}.`
}

/** Collects diagnostics up to the limit and counts the rest, to bound the memory used. */
export class DiagnosticList {
  readonly #kept: Diagnostic[] = []
  #uncounted = 0

  readonly report: Report = (diagnostic) => {
    if (diagnostic.code === 'limit/diagnostics') this.#uncounted += diagnostic.count ?? 0
    else if (this.#kept.length < LIMITS.diagnosticsMax) this.#kept.push(diagnostic)
    else this.#uncounted += 1
  }

  /** Sorts by file, line and column; at the same place, errors first, then by code. */
  sorted(): readonly Diagnostic[] {
    const sorted = this.#kept.toSorted(byPlace)
    const last = sorted.at(-1)
    if (this.#uncounted === 0 || last === undefined) return sorted
    const more =
      this.#uncounted === 1 ? '1 more problem is' : `${this.#uncounted} more problems are`
    const rest = diagnose('limit/diagnostics', last.place, {
      message: `${more} not listed.`,
      hint: 'Fix some of the problems above and check again.',
    })
    return [...sorted, { ...rest, count: this.#uncounted }]
  }
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 }

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    RANK[a.severity] - RANK[b.severity] ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  )
}

/** Compares code units, so that the order does not depend on the machine's locale. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Formats one diagnostic as text: code and place, then the reason, then the hint. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message, hint, related = [] } = diagnostic
  const lines = [`${severity}  ${formatPlace(diagnostic.place)}  ${code}`, `  ${message}`]
  for (const other of related) lines.push(`  ${formatPlace(other.place)}  ${other.message}`)
  lines.push(`  Hint: ${hint}`)
  return lines.map(printable).join('\n')
}

/** Returns `file:line:column`, which terminals and editors turn into a link. */
export function formatPlace(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`
}
