import { BASELINE_FILE } from '@octavo/builder/build'
import { type Diagnostic, formatCount, formatPlace, printable, type Severity } from '@octavo/model'
import type { CommandContext } from '../context/command-context.ts'
import { type Colors, colorsFor } from './colors.ts'
import { countSeverities } from './count-severities.ts'
import { Excerpts } from './excerpts.ts'
import { groupCopies } from './group-copies.ts'
import { plural } from './plural.ts'
import { printKinds } from './print-kinds.ts'

/**
 * The maximum number of diagnostics of one code to list. Further ones are counted, to keep the
 * report readable.
 */
const LISTED_MAX = 10

export type Report = {
  readonly diagnostics: readonly Diagnostic[]
  /** The number of pages; undefined if it is unknown. */
  readonly pageCount: number | undefined
  readonly all: boolean
  readonly strict: boolean
  /** The number of findings that the author has suppressed. */
  readonly suppressedCount?: number
  /** The number of findings that are in the baseline file. */
  readonly knownCount?: number
  /** The number of entries in the baseline file whose findings are fixed. */
  readonly fixedCount?: number
  /** The number of findings that the changes since the Git ref have not caused. */
  readonly otherCount?: number
  readonly since?: string | undefined
  readonly read: (file: string) => string | undefined
}

/**
 * Prints the report as text: counts by kind, then problems with their source lines, then a summary.
 */
export function printReport(world: CommandContext, report: Report): void {
  const colors = colorsFor(world.out, world.env)
  const excerpts = new Excerpts(report.read)
  const groups = groupCopies(report.diagnostics)
  const listed = new Map<string, number>()
  const counted = new Map<string, number>()
  if (groups.length > LISTED_MAX)
    world.out.write(printKinds(groups, (one) => paintSeverity(one, colors)))
  for (const { first, copies } of groups) {
    const { code, severity } = first
    const number = (listed.get(code) ?? 0) + 1
    if (!report.all && (severity === 'note' || number > LISTED_MAX)) {
      counted.set(code, (counted.get(code) ?? 0) + 1 + copies.length)
      continue
    }
    listed.set(code, number)
    world.out.write(`${printDiagnostic(first, excerpts, colors)}\n`)
    world.out.write(`${printCopies(copies, report, colors)}\n`)
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

/** Prints the number of further places of a finding; with `--all`, prints all of them. */
function printCopies(
  copies: readonly Diagnostic[],
  { all }: Pick<Report, 'all'>,
  { dim }: Colors,
): string {
  const places = copies.map(({ place }) => formatPlace(place))
  const [next] = places
  if (next === undefined) return ''
  const count = `and ${formatCount(copies.length)} more ${copies.length === 1 ? 'copy' : 'copies'}`
  if (!all) return `  ${dim(`${count} of the page: the next at ${printable(next)}`)}\n`
  return [`${count} of the page:`, ...places].map((line) => `  ${dim(printable(line))}\n`).join('')
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
      ? `and ${formatCount(number)} more`
      : `${formatCount(number)}, the first at ${formatPlace(sample.place)}`
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

/** Returns the numbers of findings that are not listed, with the reasons. */
function printHidden(report: Report, colors: Colors): string {
  const { suppressedCount = 0, knownCount = 0, fixedCount = 0, otherCount = 0 } = report
  const parts = [
    ...(otherCount > 0
      ? [
          `${formatCount(otherCount)} more, not caused by changes since ${printable(report.since ?? '')}.`,
        ]
      : []),
    ...(suppressedCount > 0 ? [`${formatCount(suppressedCount)} suppressed.`] : []),
    ...(knownCount > 0 ? [`${formatCount(knownCount)} known (${BASELINE_FILE}).`] : []),
    ...(fixedCount > 0
      ? [
          `${formatCount(fixedCount)} fixed since the baseline: run \`octavo check --write-baseline\`.`,
        ]
      : []),
  ]
  return parts.length === 0 ? '' : colors.dim(` ${parts.join(' ')}`)
}
