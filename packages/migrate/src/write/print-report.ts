import type { ReportData } from '../site/report.ts'

/** The name of the report in the record folder. */
export const REPORT_FILE = 'report.txt'

/** Prints a report. The places are `file:line` in the old site. */
export function printReport(tool: string, { converted, approximated, left }: ReportData): string {
  const counts = Object.entries(converted).map(
    ([what, count]) => `  ${String(count).padStart(6)}  ${what}`,
  )
  const list = (entries: ReportData['left']) =>
    entries.map(({ file, line, what }) => `  ${file}:${line}  ${what}`)
  const parts = [
    [`This site was built with ${tool}.`],
    ['', 'Converted:', ...counts],
    approximated.length === 0
      ? []
      : ['', `Approximated (${approximated.length}):`, ...list(approximated)],
    left.length === 0 ? [] : ['', `Left for you (${left.length}):`, ...list(left)],
  ]
  return `${parts.flat().join('\n')}\n`
}
