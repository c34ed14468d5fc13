import { printable } from '../text/printable.ts'
import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './diagnostic-codes.ts'
import { formatCount, LIMITS } from './limits.ts'

/** Where something stands. Lines and columns count from 1, columns in UTF-16 units as editors do. */
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

/** A code with its own severity: the compiler refuses any other pair. */
type CodeAndSeverity = {
  [Given in Severity]: { readonly code: CodeOfSeverity<Given>; readonly severity: Given }
}[Severity]

/** A problem in what an author wrote: a value, collected and reported, never thrown. */
export type Diagnostic = CodeAndSeverity & {
  readonly message: string
  readonly hint: string
  readonly place: Place
  readonly related?: readonly RelatedPlace[]
  /** How many problems a `limit/diagnostics` stands for. */
  readonly count?: number
  /** A change that mends it and cannot do harm. */
  readonly fix?: Fix
}

/** The first `find` at the place or soon behind it becomes `put`. */
export type Fix = { readonly find: string; readonly put: string }

export type Report = (diagnostic: Diagnostic) => void

export type DiagnosticText = {
  readonly message: string
  readonly hint: string
  readonly related?: readonly RelatedPlace[]
}

/** Makes a diagnostic; the severity comes from the code. */
export function diagnose(code: DiagnosticCode, place: Place, text: DiagnosticText): Diagnostic {
  // The compiler does not follow that the two belong together.
  const coded = { code, severity: DIAGNOSTIC_CODES[code].severity } as CodeAndSeverity
  return { ...coded, ...text, place }
}

/** Ends a message that stands for several places that name the same thing. */
export function alsoNamed(more: number): string {
  if (more === 0) return ''
  return ` It is also used in ${formatCount(more)} more ${more === 1 ? 'place' : 'places'}.`
}

/** Collects diagnostics up to the limit and counts the rest, so a hostile file cannot fill the memory. */
export class DiagnosticList {
  readonly #kept: Diagnostic[] = []
  #uncounted = 0

  readonly report: Report = (diagnostic) => {
    if (diagnostic.code === 'limit/diagnostics') this.#uncounted += diagnostic.count ?? 0
    else if (this.#kept.length < LIMITS.diagnosticsMax) this.#kept.push(diagnostic)
    else this.#uncounted += 1
  }

  /** All diagnostics by file, line and column; same place: errors first, then by code. */
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

/** Order of code units: the same on every machine, whatever its language. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** One diagnostic as text: code and place, then reason, then what to do. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message, hint, related = [] } = diagnostic
  const lines = [`${severity}  ${formatPlace(diagnostic.place)}  ${code}`, `  ${message}`]
  for (const other of related) lines.push(`  ${formatPlace(other.place)}  ${other.message}`)
  lines.push(`  Hint: ${hint}`)
  return lines.map(printable).join('\n')
}

/** `file:line:column`, the form that terminals and editors turn into a link. */
export function formatPlace(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`
}
