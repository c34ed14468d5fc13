/**
 * Prints the table of results between two markers on a page that is otherwise written by hand.
 */
import type { CampaignEntry } from './entries.ts'

export type CampaignResult = {
  readonly result: 'passed' | 'failed' | 'timed out'
  readonly volume: string
  readonly seconds: number
  readonly date: string
}

export type CampaignResults = Record<string, CampaignResult>

/** The titles of the catalog's sections, by number. */
const SECTIONS: Readonly<Record<CampaignEntry['section'], string>> = {
  '4.1': 'Load',
  '4.2': 'Soak',
  '4.3': 'The export loses nothing',
  '4.4': 'Faults',
  '4.5': 'Bad input',
  '4.6': 'Properties and fuzzing',
  '4.7': 'OWASP API Security Top 10 (2023) and supply chain',
  '4.8': 'Attacks on pages, specifications, the dashboard and the assistant',
  '4.9': 'Drills: failover, restore, upgrade, moving',
}

const BEGIN = '<!-- campaign:begin -->'
const END = '<!-- campaign:end -->'

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
  const omitted = entries.flatMap(({ name, shows, omitted }) =>
    omitted === undefined ? [] : [[code(name), shows, omitted]],
  )
  const count = (name: string) => run.filter((entry) => results[entry.name]?.result === name).length
  const ran = run.filter((entry) => results[entry.name] !== undefined).length
  return [
    `${entries.length} entries: ${count('passed')} passed, ${count('failed')} failed, ${count('timed out')} timed out, ${run.length - ran} not run, ${omitted.length} omitted.`,
    ...Object.entries(SECTIONS).flatMap(([section, title]) => [
      `### ${section} ${title}`,
      table(
        ['Test', 'What it shows', 'Volume', 'Result', 'Script'],
        run.filter((entry) => entry.section === section).map((entry) => row(entry, results)),
      ),
    ]),
    '### Omitted',
    table(['Test', 'What it would show', 'Why'], omitted),
  ].join('\n\n')
}

function row({ name, shows, file }: CampaignEntry, results: Readonly<CampaignResults>) {
  const found = results[name]
  const result =
    found === undefined ? 'not run' : `${found.result} in ${found.seconds} s, ${found.date}`
  return [code(name), shows, found?.volume ?? '–', result, code(file)]
}

const code = (text: string) => `\`${text}\``

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Escapes a table cell: bars would end it, and angle brackets are HTML. */
function cell(text: string): string {
  if (text.startsWith('`')) return text
  return text.replaceAll('|', '\\|').replaceAll(/[<>]/g, (letter) => `\\${letter}`)
}
