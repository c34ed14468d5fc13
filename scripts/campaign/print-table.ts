/** The table of results, between two marks of the page. Everything outside of them is written by people. */
import type { CampaignEntry } from './entries.ts'

export type CampaignResult = {
  readonly result: 'passed' | 'failed' | 'timed out'
  readonly volume: string
  readonly seconds: number
  readonly date: string
}

export type CampaignResults = Record<string, CampaignResult>

const BEGIN = '{/* campaign:begin */}'
const END = '{/* campaign:end */}'

export function writeTable(
  page: string,
  entries: readonly CampaignEntry[],
  results: Readonly<CampaignResults>,
): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`The page has no ${BEGIN} and ${END}.`)
  return `${before}${BEGIN}\n\n${printSections(entries, results)}\n\n${END}${after}`
}

function printSections(
  entries: readonly CampaignEntry[],
  results: Readonly<CampaignResults>,
): string {
  const run = entries.filter(({ omitted }) => omitted === undefined)
  const rows = run.map((entry) => {
    const { result, volume, seconds, date } = results[entry.name] ?? {
      result: 'not run',
      volume: '–',
      seconds: '–',
      date: '–',
    }
    return [
      entry.section,
      entry.name,
      entry.shows,
      volume,
      result,
      seconds,
      date,
      `\`${entry.file}\``,
    ]
  })
  const omitted = entries.flatMap(({ section, name, shows, omitted }) =>
    omitted === undefined ? [] : [[section, name, shows, omitted]],
  )
  const count = (name: string) => run.filter((entry) => results[entry.name]?.result === name).length
  const ran = run.filter((entry) => results[entry.name] !== undefined).length
  return [
    `${entries.length} entries: ${count('passed')} passed, ${count('failed')} failed, ${count('timed out')} timed out, ${run.length - ran} not run, ${omitted.length} omitted.`,
    table(
      ['Section', 'Name', 'What it shows', 'Volume', 'Result', 'Seconds', 'Date', 'Script'],
      rows,
    ),
    '### Omitted',
    table(['Section', 'Name', 'What it would show', 'Why'], omitted),
  ].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A text in a cell: bars end it, and braces and angle brackets are code in MDX. */
function cell(value: string | number): string {
  const text = String(value)
  if (text.startsWith('`')) return text
  return text.replaceAll('|', '\\|').replaceAll(/[{}<>]/g, (letter) => `\\${letter}`)
}
