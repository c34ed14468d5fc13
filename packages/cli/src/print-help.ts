import { COMMAND_NAMES, COMMANDS, type CommandName, usageOf } from './command-table.ts'

const WIDTH = 96

/** Returns the help text of one command, or of all commands if the command is undefined. */
export function printHelp(command: CommandName | undefined): string {
  return command === undefined ? printOverview() : printCommand(command)
}

function printOverview(): string {
  const rows = COMMAND_NAMES.map((name) => [name, COMMANDS[name].about] as const)
  return `octavo: build documentation sites from MDX, docs.json and OpenAPI

Usage: octavo <command> [options]

Commands
${printRows(rows)}

Options
${printRows([
  ['-h, --help', 'show all commands, or the options of one: octavo build --help'],
  ['-v, --version', 'show the version'],
])}

Exit codes
${printRows([
  ['0', 'no problems'],
  [
    '1',
    'errors, or warnings with --strict; an existing page was not replaced; or the export failed',
  ],
  ['2', 'invalid command or option, or no docs.json found'],
])}
`
}

const SHORT: Readonly<Record<string, string>> = { output: '-o, ', quiet: '-q, ', yes: '-y, ' }

function printCommand(command: CommandName): string {
  const { about, subcommands = [], options, more } = COMMANDS[command]
  const rows = options.map(
    ({ name, value, about: text }) =>
      [`${SHORT[name] ?? ''}--${name}${value === undefined ? '' : ` ${value}`}`, text] as const,
  )
  const end = more === undefined ? '' : `\n${more}\n`
  const first = about.charAt(0).toUpperCase() + about.slice(1)
  const list = subcommands.map(
    ({ name, value, about: text }) =>
      [`${name}${value === undefined ? '' : ` ${value}`}`, text] as const,
  )
  const before = list.length === 0 ? '' : `Subcommands\n${printRows(list)}\n\n`
  return `${first}.\n\n${usageOf(command)}\n\n${before}Options\n${printRows(rows)}\n${end}`
}

/** Formats two columns; long texts wrap within their column. */
function printRows(rows: readonly (readonly [name: string, text: string])[]): string {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4
  return rows.map(([name, text]) => `  ${name.padEnd(column - 2)}${wrap(text, column)}`).join('\n')
}

function wrap(text: string, column: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && column + line.length + word.length >= WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(column)}`)
}
