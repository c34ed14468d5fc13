import { parseArgs } from 'node:util'
import { nearest } from '@octavo/model'
import { check } from './check.ts'
import { nav } from './nav.ts'
import { EXIT, type ExitCode, type World } from './world.ts'

const HELP = `octavo: documentation sites from a folder of MDX and a docs.json

Usage
  octavo check [dir]   find every mistake in docs.json, navigation and frontmatter
  octavo nav [dir]     show the navigation as readers get it

Options of check
  --format text|json|github   how problems are printed (text)
  --strict                    warnings fail the check too
  --all                       list every note, and every problem of a kind

Options of nav
  --json                      the tree as JSON, for programs

  --help, --version

Exit codes
  0  no problems
  1  problems: errors, or with --strict warnings too
  2  the command was not understood, or there is no documentation there
`

const COMMANDS = ['check', 'nav'] as const
type Command = (typeof COMMANDS)[number]

/** Runs one command and tells how it ended. */
export function run(world: World): ExitCode {
  const parsed = parseCommandLine(world.args)
  if (parsed.kind === 'wrong') {
    world.err.write(`octavo: ${parsed.reason}\nRun \`octavo --help\` to see what there is.\n`)
    return EXIT.usage
  }
  const { command, folder, options } = parsed
  if (options.version) {
    world.out.write(`${VERSION}\n`)
    return EXIT.ok
  }
  if (options.help || command === undefined) {
    const stream = options.help ? world.out : world.err
    stream.write(HELP)
    return options.help ? EXIT.ok : EXIT.usage
  }
  if (command === 'nav') return nav(world, { folder, json: options.json })
  return check(world, { folder, format: options.format, strict: options.strict, all: options.all })
}

/** One number for all packages. */
const VERSION = '0.0.0'

const FORMATS = ['text', 'json', 'github'] as const
export type Format = (typeof FORMATS)[number]

type CommandLine =
  | { readonly kind: 'wrong'; readonly reason: string }
  | {
      readonly kind: 'understood'
      readonly command: Command | undefined
      readonly folder: string
      readonly options: {
        readonly help: boolean
        readonly version: boolean
        readonly json: boolean
        readonly strict: boolean
        readonly all: boolean
        readonly format: Format
      }
    }

function parseCommandLine(args: readonly string[]): CommandLine {
  const read = readArgs(args)
  if (typeof read === 'string') return { kind: 'wrong', reason: read }
  const { values, positionals } = read
  const [word, folder = '.', extra] = positionals[0] === 'help' ? [] : positionals
  const command = COMMANDS.find((name) => name === word)
  if (word !== undefined && command === undefined) {
    const guess = nearest(word, COMMANDS)
    return wrong(
      `there is no command "${word}".${guess === undefined ? '' : ` Did you mean \`${guess}\`?`}`,
    )
  }
  const misplaced = Object.keys(values).find((name) => !belongsTo(name, command))
  if (misplaced !== undefined)
    return wrong(`--${misplaced} is not an option of ${command ?? 'octavo'}.`)
  if (extra !== undefined) return wrong(`one folder at a time; "${extra}" is too many.`)
  const format = FORMATS.find((name) => name === (values.format ?? 'text'))
  if (format === undefined)
    return wrong(`--format is ${FORMATS.join(', ')}, not "${values.format}".`)
  const {
    help = positionals[0] === 'help',
    version = false,
    json = false,
    strict = false,
    all = false,
  } = values
  return {
    kind: 'understood',
    command,
    folder,
    options: { help, version, json, strict, all, format },
  }
}

/** The options of each command; `--help` and `--version` belong to all. */
const OPTIONS: Readonly<Record<Command, readonly string[]>> = {
  check: ['format', 'strict', 'all'],
  nav: ['json'],
}

function belongsTo(option: string, command: Command | undefined): boolean {
  if (option === 'help' || option === 'version') return true
  return command !== undefined && OPTIONS[command].includes(option)
}

function wrong(reason: string): CommandLine {
  return { kind: 'wrong', reason }
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        strict: { type: 'boolean' },
        all: { type: 'boolean' },
        format: { type: 'string' },
      },
    })
  } catch (error) {
    // parseArgs throws for an unknown option; its first sentence says which.
    return error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error)
  }
}
