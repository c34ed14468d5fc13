import { type Diagnostic, formatCount, type Severity } from '@octavo/model'
import type { FindingGroup } from './group-copies.ts'
import { printTable } from './print-table.ts'

type Kind = Pick<Diagnostic, 'severity' | 'code'> & {
  count: number
  /** The count without copies. */
  distinct: number
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 }

/**
 * Prints how many findings of each kind there are. Errors come first; within a severity, the most
 * frequent kinds come first.
 */
export function printKinds(
  groups: readonly FindingGroup[],
  paint: (severity: Severity) => string,
): string {
  const kinds = kindsOf(groups)
  const counts = alignRight(kinds.map(({ count }) => count))
  const distinct = alignRight(kinds.map((kind) => kind.distinct))
  const rows = kinds.map((kind, row) => [
    kind.severity,
    kind.code,
    counts[row] ?? '',
    kind.distinct === kind.count ? '' : `${distinct[row]} without copies`,
  ])
  const lines = printTable(rows).map((line) =>
    line.replace(/^\w+/, (severity) => paint(severity as Severity)),
  )
  return `${lines.join('\n')}\n\n`
}

function alignRight(numbers: readonly number[]): readonly string[] {
  const texts = numbers.map(formatCount)
  const width = Math.max(...texts.map(({ length }) => length))
  return texts.map((text) => text.padStart(width))
}

function kindsOf(groups: readonly FindingGroup[]): readonly Kind[] {
  const kinds = new Map<string, Kind>()
  for (const { first, copies } of groups) {
    const { severity, code } = first
    const kind = kinds.get(`${severity} ${code}`) ?? { severity, code, count: 0, distinct: 0 }
    kind.count += 1 + copies.length
    kind.distinct += 1
    kinds.set(`${severity} ${code}`, kind)
  }
  return [...kinds.values()].toSorted(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] || b.count - a.count || (a.code < b.code ? -1 : 1),
  )
}
