import { BASELINE_FILE } from '@octavo/builder'
import { type Diagnostic, formatCount, formatPlace, printable, type Severity } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { type Colors, colorsFor } from './colors.ts'
import { countSeverities } from './count-severities.ts'
import { plural } from './plural.ts'

/** Further diagnostics with the same code are counted, not listed, to keep the report readable. */
const LISTED_MAX = 10
/** Longer source lines are truncated around the column of the diagnostic. */
const EXCERPT_WIDTH = 90

export type Report = {
  readonly diagnostics: readonly Diagnostic[]
  /** Undefined if the number of pages is unknown. */
  readonly pageCount: number | undefined
  readonly all: boolean
  readonly strict: boolean
  /** Number of findings that the author has suppressed. */
  readonly suppressedCount?: number
  /** Findings that are in the baseline file. */
  readonly knownCount?: number
  /** Entries of the baseline file that are no longer found. */
  readonly fixedCount?: number
  readonly read: (file: string) => string | undefined
}

/** Prints the report as text: each problem with its source line, then a summary. */
export function printReport(world: CommandContext, report: Report): void {
  const colors = colorsFor(world.out, world.env)
  const excerpts = new Excerpts(report.read)
  const listed = new Map<string, number>()
  const counted = new Map<string, number>()
  for (const diagnostic of report.diagnostics) {
    const { code, severity } = diagnostic
    const number = (listed.get(code) ?? 0) + 1
    if (!report.all && (severity === 'note' || number > LISTED_MAX)) {
      counted.set(code, (counted.get(code) ?? 0) + 1)
      continue
    }
    listed.set(code, number)
    world.out.write(`${printDiagnostic(diagnostic, excerpts, colors)}\n\n`)
  }
  printCounted(world, report, { counted, listed, colors })
  world.out.write(`${printSummary(report, colors)}\n`)
}

/** Prints problems without a summary. */
export function printProblems(
  world: CommandContext,
  diagnostics: readonly Diagnostic[],
  read: Report['read'],
): void {
  const colors = colorsFor(world.out, world.env)
  const excerpts = new Excerpts(read)
  for (const diagnostic of diagnostics)
    world.out.write(`${printDiagnostic(diagnostic, excerpts, colors)}\n\n`)
}

function printDiagnostic(diagnostic: Diagnostic, excerpts: Excerpts, colors: Colors): string {
  const { severity, code, message, hint, place, related = [] } = diagnostic
  const lines = [`${paintSeverity(severity, colors)}  ${colors.bold(formatPlace(place))}  ${code}`]
  lines.push(`  ${printable(message)}`)
  const excerpt = excerpts.at(place)
  if (excerpt !== undefined) {
    const number = String(place.line)
    lines.push('', `  ${colors.dim(`${number} │`)} ${excerpt.text}`)
    lines.push(
      `  ${colors.dim(`${' '.repeat(number.length)} │`)} ${' '.repeat(excerpt.column)}${colors.red('^')}`,
    )
  }
  for (const other of related) {
    lines.push(`  ${colors.dim(formatPlace(other.place))}  ${printable(other.message)}`)
  }
  lines.push(`  ${colors.green('Hint:')} ${printable(hint)}`)
  return lines.join('\n')
}

function paintSeverity(severity: Severity, colors: Colors): string {
  if (severity === 'error') return colors.red(severity)
  return severity === 'warning' ? colors.yellow(severity) : colors.blue(severity)
}

function printCounted(
  world: CommandContext,
  report: Report,
  {
    counted,
    listed,
    colors,
  }: { counted: Map<string, number>; listed: Map<string, number>; colors: Colors },
): void {
  for (const [code, number] of counted) {
    const sample = report.diagnostics.find((diagnostic) => diagnostic.code === code)
    if (sample === undefined) continue
    const more = listed.has(code)
      ? `and ${number} more`
      : `${number}, the first at ${formatPlace(sample.place)}`
    world.out.write(`${paintSeverity(sample.severity, colors)}  ${code}: ${more}\n`)
  }
  if (counted.size > 0) world.out.write(`${colors.dim('Use --all to list them.')}\n\n`)
}

function printSummary(report: Report, colors: Colors): string {
  const { error, warning, note } = countSeverities(report.diagnostics)
  const pages = report.pageCount === undefined ? '' : ` in ${plural(report.pageCount, 'page')}`
  const hidden = printHidden(report, colors)
  if (error + warning + note === 0) {
    return `${colors.green('✓')} No problems${pages}.${hidden}`
  }
  const parts = [
    ...(error > 0 ? [colors.red(plural(error, 'error'))] : []),
    ...(warning > 0 ? [colors.yellow(plural(warning, 'warning'))] : []),
    ...(note > 0 ? [colors.blue(plural(note, 'note'))] : []),
  ]
  const fails = error > 0 || (report.strict && warning > 0)
  const mark = fails ? colors.red('✗') : colors.green('✓')
  return `${mark} ${parts.join(', ')}${pages}.${hidden}`
}

/** Findings that are not listed, each kind with its count. */
function printHidden(report: Report, colors: Colors): string {
  const { suppressedCount = 0, knownCount = 0, fixedCount = 0 } = report
  const parts = [
    ...(suppressedCount > 0 ? [`${formatCount(suppressedCount)} suppressed.`] : []),
    ...(knownCount > 0 ? [`${formatCount(knownCount)} known (${BASELINE_FILE}).`] : []),
    ...(fixedCount > 0
      ? [`${formatCount(fixedCount)} of the baseline fixed: run \`octavo check --write-baseline\`.`]
      : []),
  ]
  return parts.length === 0 ? '' : colors.dim(` ${parts.join(' ')}`)
}

/** Source lines of files with problems; each file is read once. */
class Excerpts {
  readonly #read: (file: string) => string | undefined
  readonly #lines = new Map<string, readonly string[]>()

  constructor(read: (file: string) => string | undefined) {
    this.#read = read
  }

  /** Returns the line at a place, cut to the terminal's width, and the column within it. */
  at(place: Diagnostic['place']): { readonly text: string; readonly column: number } | undefined {
    const lines = this.#lines.get(place.file) ?? this.#read(place.file)?.split(/\r\n|\n|\r/) ?? []
    this.#lines.set(place.file, lines)
    const line = lines[place.line - 1]
    if (line === undefined || line.trim() === '') return undefined
    const indent = line.length - line.trimStart().length
    const column = place.column - 1
    const from = column - indent > EXCERPT_WIDTH - 20 ? column - 30 : Math.min(indent, column)
    const text = printable(line.slice(from, from + EXCERPT_WIDTH).replaceAll('\t', ' '))
    return { text, column: column - from }
  }
}
