import { printable } from '../text/printable.ts'
import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './diagnostic-codes.ts'
import { formatCount, LIMITS } from './limits.ts'

/**
 * A position in a file. Lines and columns start at 1; columns count UTF-16 units, as editors do.
 */
export type Place = {
  readonly file: string
  readonly line: number
  readonly column: number
  /** A JSON pointer to the value, for programs. */
  readonly pointer?: string
}

type RelatedPlace = { readonly message: string; readonly place: Place }

type CodeOfSeverity<Given extends Severity> = {
  [Code in DiagnosticCode]: (typeof DIAGNOSTIC_CODES)[Code]['severity'] extends Given ? Code : never
}[DiagnosticCode]

/** A code and its severity. The compiler rejects any other combination. */
type CodeAndSeverity = {
  [Given in Severity]: { readonly code: CodeOfSeverity<Given>; readonly severity: Given }
}[Severity]

/**
 * A problem in what an author wrote. It is a value that is collected and reported, never an
 * exception.
 */
export type Diagnostic = CodeAndSeverity & {
  readonly message: string
  readonly hint: string
  readonly place: Place
  readonly related?: readonly RelatedPlace[]
  /** The number of problems that a `limit/diagnostics` summarizes. */
  readonly count?: number
  /** A safe change that solves the problem. */
  readonly fix?: Fix | undefined
}

type Replacement = {
  /** The text to replace. In a setting, it may be a little after the place. */
  readonly find: string
  readonly put: string
  /** The number of characters between the place and the text; 0 if undefined. */
  readonly distance?: number
}

/** A replacement at a place. For a tag, the closing tag is replaced too. */
export type Fix = Replacement & { readonly closing?: Replacement & { readonly distance: number } }

export type Report = (diagnostic: Diagnostic) => void

export type DiagnosticText = {
  readonly message: string
  readonly hint: string
  readonly related?: readonly RelatedPlace[]
  readonly fix?: Fix | undefined
}

/** Creates a diagnostic with the severity of its code. */
export function diagnose(code: DiagnosticCode, place: Place, text: DiagnosticText): Diagnostic {
  // The compiler cannot infer that this severity belongs to the code.
  const coded = { code, severity: DIAGNOSTIC_CODES[code].severity } as CodeAndSeverity
  return { ...coded, ...text, place }
}

/** Returns a diagnostic with the severity that the author set for its code. */
export function withSeverity(diagnostic: Diagnostic, severity: Severity): Diagnostic {
  // This is the only place where a code may get a different severity.
  return { ...diagnostic, severity } as Diagnostic
}

/** Returns the end of a message that is about several occurrences of the same name. */
export function moreOccurrences(more: number): string {
  if (more === 0) return ''
  return ` It is also used in ${formatCount(more)} more ${more === 1 ? 'place' : 'places'}.`
}

/** Collects diagnostics up to a limit and counts the rest, so that memory is bounded. */
export class DiagnosticList {
  readonly #kept: Diagnostic[] = []
  #uncounted = 0

  readonly report: Report = (diagnostic) => {
    if (diagnostic.code === 'limit/diagnostics') this.#uncounted += diagnostic.count ?? 0
    else if (this.#kept.length < LIMITS.diagnosticsMax) this.#kept.push(diagnostic)
    else this.#uncounted += 1
  }

  /**
   * Sorts diagnostics by file, line and column. At the same place, errors come first, and equal
   * severities are sorted by code.
   */
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

/** Compares code units, so that the order does not depend on the locale of the machine. */
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
