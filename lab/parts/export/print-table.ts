/** A row of a table with aligned columns. Each side of a comparison has a row. */
export type TableRow = {
  readonly name: string
  readonly side: string
  readonly perSecond?: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  readonly mbPerSecond?: number
  /** The result, the goal, and whether it is met. */
  readonly result?: string
  readonly goal?: string
  readonly isMet?: boolean
}

const HEAD = ['', '', 'requests/s', 'p50 ms', 'p99 ms', 'MB/s', 'result', 'goal', '']
/** The indexes of the text columns, which are left-aligned. Numbers are right-aligned. */
const LEFT = new Set([0, 1, 8])

export function printTable(rows: readonly TableRow[]): string {
  const lines = [HEAD, ...rows.map(cells)]
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return LEFT.has(column) ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(row: TableRow): readonly string[] {
  const number = (value: number | undefined, digits: number) =>
    value === undefined
      ? ''
      : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const mark = row.isMet === undefined ? '' : row.isMet ? '✓' : '✗ missed'
  return [
    row.name,
    row.side,
    number(row.perSecond, 0),
    number(row.p50Ms, 1),
    number(row.p99Ms, 1),
    number(row.mbPerSecond, 1),
    row.result ?? '',
    row.goal ?? '',
    mark,
  ]
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0
  return (low + high) / 2
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
