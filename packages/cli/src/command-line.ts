import { basename, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { nearest } from '@octavo/model'
import { parseHostName } from '@octavo/outbound'
import type { BuildOptions } from './commands/build.ts'
import type { CheckOptions } from './commands/check.ts'
import type { InitOptions } from './commands/init.ts'
import type { MigrateOptions } from './commands/migrate.ts'
import type { NavOptions } from './commands/nav.ts'
import type { RenameOptions } from './commands/rename.ts'
import type { ScrapeOptions } from './commands/scrape.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'
import type { DevOptions } from './dev/dev.ts'
import type { ExportOptions } from './export/export.ts'

const COMMANDS = [
  ...(['init', 'dev', 'build', 'check', 'nav', 'rename', 'migrate', 'scrape', 'export'] as const),
] as const
type Command = (typeof COMMANDS)[number]

const FORMATS = ['text', 'json', 'github', 'sarif'] as const
/** How `octavo check` prints. */
export type Format = (typeof FORMATS)[number]

/** What was asked for. */
export type CommandLine =
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly asked: boolean }
  | { readonly kind: 'dev'; readonly options: DevOptions }
  | { readonly kind: 'build'; readonly options: BuildOptions }
  | { readonly kind: 'check'; readonly options: CheckOptions }
  | { readonly kind: 'nav'; readonly options: NavOptions }
  | { readonly kind: 'init'; readonly options: InitOptions }
  | { readonly kind: 'rename'; readonly options: RenameOptions }
  | { readonly kind: 'migrate'; readonly options: MigrateOptions }
  | { readonly kind: 'scrape'; readonly options: ScrapeOptions }
  | { readonly kind: 'export'; readonly options: ExportOptions }

/** Of every command that reads hosted specifications. */
const NETWORK_OPTIONS = ['offline', 'allow-private-host'] as const

/** The options of each command; `--help` and `--version` belong to all. */
const OPTIONS: Readonly<Record<Command, readonly string[]>> = {
  dev: ['host', 'port', 'open', ...NETWORK_OPTIONS],
  build: ['output', 'json', 'strict', 'all', 'url', 'workers', ...NETWORK_OPTIONS],
  init: [],
  check: ['format', 'strict', 'all', 'external', 'fix', ...NETWORK_OPTIONS],
  rename: ['dry-run'],
  migrate: ['dry-run'],
  nav: ['json', ...NETWORK_OPTIONS],
  scrape: ['output', 'overwrite', ...NETWORK_OPTIONS],
  export: ['project', 'from', 'to', 'url', 'output'],
}

/** The service on this machine, as `octavo-service --role api` starts it. */
const URL_DEFAULT = 'http://127.0.0.1:8080'

export function parseCommandLine(args: readonly string[]): CommandLine {
  const read = readArgs(args)
  if (typeof read === 'string') return wrong(read)
  const { values, positionals } = read
  const isHelp = values.help === true || positionals[0] === 'help'
  const [word, ...rest] = positionals[0] === 'help' ? [] : positionals
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
  if (values.version === true) return { kind: 'version' }
  if (isHelp || command === undefined) return { kind: 'help', asked: isHelp }
  if (command === 'export') return readExport(values, rest)
  if (command === 'rename') return readRename(values, rest)
  const network = readNetwork(values)
  if (typeof network === 'string') return wrong(network)
  if (command === 'scrape') return readScrape(values, rest, network)
  if (command === 'build') return readBuild(values, rest, network)
  if (command === 'dev') return readDev(values, rest, network)
  return readFolderCommand({ command, values, network }, rest)
}

type Values = Exclude<ReturnType<typeof readArgs>, string>['values']

/** The reason when they make no sense. */
function readNetwork(values: Values): NetworkOptions | string {
  const { offline = false, 'allow-private-host': written = [] } = values
  const allowPrivateHosts: string[] = []
  for (const text of written) {
    const host = parseHostName(text)
    if (host === undefined)
      return `--allow-private-host takes a host such as specs.internal or 10.0.0.7, not "${text}".`
    allowPrivateHosts.push(host)
  }
  if (offline && values.external === true) return '--external needs the network; remove --offline.'
  return { offline, allowPrivateHosts }
}

function readFolderCommand(
  {
    command,
    values,
    network,
  }: {
    readonly command: 'check' | 'nav' | 'init' | 'migrate'
    readonly values: Values
    readonly network: NetworkOptions
  },
  [folder = '.', extra]: readonly string[],
): CommandLine {
  if (extra !== undefined) return unexpected(extra, command)
  const { json = false, strict = false, all = false, external = false, fix = false } = values
  if (command === 'init') return { kind: 'init', options: { folder } }
  if (command === 'migrate') {
    return { kind: 'migrate', options: { folder, dryRun: values['dry-run'] ?? false } }
  }
  if (command === 'nav') return { kind: 'nav', options: { folder, json, ...network } }
  const format = FORMATS.find((name) => name === (values.format ?? 'text'))
  if (format === undefined)
    return wrong(`--format is ${FORMATS.join(', ')}, not "${values.format}".`)
  return { kind: 'check', options: { folder, format, strict, all, external, fix, ...network } }
}

function readRename(values: Values, [from, to, extra]: readonly string[]): CommandLine {
  if (from === undefined || to === undefined) {
    return wrong(`Missing argument. ${usageOf('rename')}`)
  }
  if (extra !== undefined) return unexpected(extra, 'rename')
  return { kind: 'rename', options: { from, to, dryRun: values['dry-run'] ?? false } }
}

function readDev(
  values: Values,
  [folder = '.', extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (extra !== undefined) return unexpected(extra, 'dev')
  const { host = '127.0.0.1', open = false } = values
  if (!/^[\w.:-]+$/.test(host)) return wrong('--host is a name or a number, such as 127.0.0.1.')
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    return wrong('--port is a number up to 65535.')
  }
  return { kind: 'dev', options: { folder, host, port, open, ...network } }
}

function readBuild(
  values: Values,
  [folder = '.', extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (extra !== undefined) return unexpected(extra, 'build')
  const { output = 'dist', json = false, strict = false, all = false, url, workers } = values
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return wrong('--url is the address of the site, such as https://docs.example.com.')
  }
  const workersMax = workers === undefined ? undefined : Number(workers)
  if (workersMax !== undefined && !(Number.isInteger(workersMax) && workersMax > 0)) {
    return wrong('--workers is a number from 1.')
  }
  return {
    kind: 'build',
    options: { folder, output, json, strict, all, url, workersMax, ...network },
  }
}

function readScrape(
  values: Values,
  [what, file, extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (what !== 'openapi-file') {
    return wrong(usageOf('scrape'))
  }
  if (file === undefined) return wrong(`Missing argument: the specification. ${usageOf('scrape')}`)
  if (extra !== undefined) return unexpected(extra, 'scrape')
  const { output = '.', overwrite = false } = values
  return { kind: 'scrape', options: { specification: file, output, overwrite, ...network } }
}

function readExport(values: Values, [extra]: readonly string[]): CommandLine {
  const { project = '', from, to, url = URL_DEFAULT, output = '' } = values
  if (extra !== undefined) return unexpected(extra, 'export')
  if (project === '') return wrong('--project is missing: the id of a project, prj_….')
  const format = readFileFormat(output)
  if (format === undefined) return wrong('-o is missing: a file that ends in .ndjson or .csv.')
  const service = readServiceUrl(url)
  if (service === undefined) return wrong(`--url is an address such as ${URL_DEFAULT}.`)
  return { kind: 'export', options: { project, from, to, service, output, format } }
}

function readFileFormat(output: string): ExportOptions['format'] | undefined {
  const ending = extname(basename(output)).toLowerCase()
  if (ending === '.ndjson') return 'ndjson'
  return ending === '.csv' ? 'csv' : undefined
}

/** The address that paths are put behind. A name and password in it would end up in messages. */
function readServiceUrl(text: string): URL | undefined {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.username + url.password + url.search + url.hash === '' ? url : undefined
}

function belongsTo(option: string, command: Command | undefined): boolean {
  if (option === 'help' || option === 'version') return true
  return command !== undefined && OPTIONS[command].includes(option)
}

/** How each command is called. */
const USAGE: Readonly<Record<Command, string>> = {
  init: 'octavo init [dir]',
  dev: 'octavo dev [dir] [options]',
  build: 'octavo build [dir] [options]',
  check: 'octavo check [dir] [options]',
  nav: 'octavo nav [dir] [options]',
  rename: 'octavo rename <from> <to> [options]',
  migrate: 'octavo migrate [dir] [options]',
  scrape: 'octavo scrape openapi-file <specification> [options]',
  export: 'octavo export --project <id> -o <file> [options]',
}

function usageOf(command: Command): string {
  return `Usage: ${USAGE[command]}`
}

function unexpected(argument: string, command: Command): CommandLine {
  return wrong(`Unexpected argument "${argument}". ${usageOf(command)}`)
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
        overwrite: { type: 'boolean' },
        external: { type: 'boolean' },
        fix: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        open: { type: 'boolean' },
        offline: { type: 'boolean' },
        'allow-private-host': { type: 'string', multiple: true },
        host: { type: 'string' },
        port: { type: 'string' },
        workers: { type: 'string' },
        format: { type: 'string' },
        project: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        url: { type: 'string' },
        output: { type: 'string', short: 'o' },
      },
    })
  } catch (error) {
    // parseArgs throws for an unknown option; its first sentence says which.
    return error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error)
  }
}
