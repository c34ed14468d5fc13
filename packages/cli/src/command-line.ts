import { basename, extname } from 'node:path'
import { nearest } from '@octavo/model/nearest'
import type { AgentsMdOptions } from './answers/agents-md.ts'
import type { AskOptions } from './answers/ask.ts'
import type { EvalOptions } from './answers/eval.ts'
import type { McpOptions } from './answers/mcp.ts'
import { COMMAND_NAMES, COMMANDS, type CommandName, TEMPLATES } from './command-table.ts'
import type { BuildOptions } from './commands/build.ts'
import type { CheckOptions } from './commands/check.ts'
import type { InitOptions } from './commands/init.ts'
import type { MigrateOptions } from './commands/migrate.ts'
import type { NavOptions } from './commands/nav.ts'
import type { RenameOptions } from './commands/rename.ts'
import type { ScrapeOptions } from './commands/scrape.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'
import type { ApiOptions } from './deploy/api.ts'
import type { BuildsOptions } from './deploy/builds.ts'
import type { DeployOptions } from './deploy/deploy.ts'
import type { DeploymentsOptions } from './deploy/deployments.ts'
import type { DomainOptions } from './deploy/domain.ts'
import type { EvalAgainstOptions } from './deploy/eval-against.ts'
import type { EvalGapsOptions } from './deploy/eval-gaps.ts'
import type { GapsOptions } from './deploy/gaps.ts'
import type { LoginOptions } from './deploy/login.ts'
import type { DevOptions } from './dev/dev.ts'
import type { ExportOptions } from './export/export.ts'
import { habitHint } from './habit-hint.ts'
import type { CheckLiveOptions } from './live/check-live.ts'
import type { MockOptions } from './mock/mock.ts'
import type { PreviewOptions } from './preview/preview.ts'
import type { TestOptions } from './proof/test-samples.ts'
import { readAgents } from './read-agents.ts'
import { readApi } from './read-api.ts'
import { readArguments, type Values } from './read-arguments.ts'
import { readEvalGaps } from './read-eval-gaps.ts'
import { readLogin } from './read-login.ts'
import { readNetwork } from './read-network.ts'
import { readAsk } from './read-question.ts'
import { isServiceCommand, readServiceCommand } from './read-service-command.ts'
import {
  MISSING_PROJECT,
  readServiceOptions,
  readServiceUrl,
  URL_DEFAULT,
} from './read-service-options.ts'
import { readTest } from './read-test.ts'

const FORMATS = ['text', 'json', 'github', 'sarif'] as const
/** Output formats of `octavo check`. */
export type Format = (typeof FORMATS)[number]

export type CommandLine =
  | {
      readonly kind: 'wrong'
      readonly reason: string
      /** The command that the message is about, if it is known. */
      readonly command: CommandName | undefined
      /** The service whose projects the message lists, if only the project is missing. */
      readonly service?: URL | undefined
    }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly asked: boolean; readonly command: CommandName | undefined }
  | { readonly kind: 'dev'; readonly options: DevOptions }
  | { readonly kind: 'build'; readonly options: BuildOptions }
  | { readonly kind: 'preview'; readonly options: PreviewOptions }
  | { readonly kind: 'check'; readonly options: CheckOptions }
  | { readonly kind: 'check-live'; readonly options: CheckLiveOptions }
  | { readonly kind: 'ask'; readonly options: AskOptions }
  | { readonly kind: 'eval'; readonly options: EvalOptions }
  | { readonly kind: 'eval-against'; readonly options: EvalAgainstOptions }
  | { readonly kind: 'eval-gaps'; readonly options: EvalGapsOptions }
  | { readonly kind: 'mcp'; readonly options: McpOptions }
  | { readonly kind: 'agents-md'; readonly options: AgentsMdOptions }
  | { readonly kind: 'nav'; readonly options: NavOptions }
  | { readonly kind: 'init'; readonly options: InitOptions }
  | { readonly kind: 'rename'; readonly options: RenameOptions }
  | { readonly kind: 'migrate'; readonly options: MigrateOptions }
  | { readonly kind: 'scrape'; readonly options: ScrapeOptions }
  | { readonly kind: 'api'; readonly options: ApiOptions }
  | { readonly kind: 'mock'; readonly options: MockOptions }
  | { readonly kind: 'test'; readonly options: TestOptions }
  | { readonly kind: 'export'; readonly options: ExportOptions }
  | { readonly kind: 'deploy'; readonly options: DeployOptions }
  | { readonly kind: 'deployments'; readonly options: DeploymentsOptions }
  | { readonly kind: 'builds'; readonly options: BuildsOptions }
  | { readonly kind: 'domain'; readonly options: DomainOptions }
  | { readonly kind: 'gaps'; readonly options: GapsOptions }
  | { readonly kind: 'login' | 'logout' | 'whoami'; readonly options: LoginOptions }

export function parseCommandLine(args: readonly string[]): CommandLine {
  const read = readArguments(args)
  if (typeof read === 'string') return unreadable(args, read)
  const { values, positionals } = read
  const isHelp = values.help === true || positionals[0] === 'help'
  const [word, ...rest] = positionals[0] === 'help' ? positionals.slice(1) : positionals
  const command = COMMAND_NAMES.find((name) => name === word)
  if (word !== undefined && command === undefined) return unknownCommand(word)
  const misplaced = Object.keys(values).find((name) => !belongsTo(name, command))
  if (misplaced !== undefined) {
    return wrong(`--${misplaced} is not an option of ${command ?? 'octavo'}.`, command)
  }
  if (values.version === true) return { kind: 'version' }
  if (isHelp || command === undefined) return { kind: 'help', asked: isHelp, command }
  const line = readCommand(command, values, rest)
  if (line.kind !== 'wrong') return line
  if (line.reason !== MISSING_PROJECT) return { ...line, command }
  return { ...line, command, service: readServiceUrl(values.service ?? URL_DEFAULT) }
}

function unknownCommand(word: string): CommandLine {
  const guess = nearest(word, COMMAND_NAMES)
  const hint = habitHint(word) ?? (guess === undefined ? '' : `Did you mean \`${guess}\`?`)
  return wrong(`Unknown command "${word}". ${hint}`.trimEnd())
}

/** Returns the error for an unknown option or an option without its value. */
function unreadable(args: readonly string[], reason: string): CommandLine {
  const word = args.find((arg) => !arg.startsWith('-'))
  const command = COMMAND_NAMES.find((name) => name === word)
  if (word !== undefined && command === undefined) return unknownCommand(word)
  const [, written] = /^Unknown option '--?([^']+)'/.exec(reason) ?? []
  if (written === undefined) return wrong(`${reason}.`, command)
  const known = command === undefined ? ['help', 'version'] : optionNames(command)
  const guess = nearest(written, known)
  const hint = guess === undefined ? '' : ` Did you mean --${guess}?`
  return wrong(`Unknown option "${written.length === 1 ? '-' : '--'}${written}".${hint}`, command)
}

function readCommand(command: CommandName, values: Values, rest: readonly string[]): CommandLine {
  if (command === 'export') return readExport(values, rest)
  if (command === 'rename') return readRename(values, rest)
  if (isServiceCommand(command)) return readServiceCommand(command, values, rest)
  if (command === 'eval' && values.gaps !== undefined) return readEvalGaps(values, rest)
  if (command === 'login' || command === 'logout' || command === 'whoami')
    return readLogin(command, values, rest)
  const network = readNetwork(values)
  if (typeof network === 'string') return wrong(network)
  if (command === 'api') return readApi(values, rest, network)
  if (command === 'scrape') return readScrape(values, rest, network)
  if (command === 'ask' || command === 'eval') return readAsk(command, { ...values, network }, rest)
  if (command === 'mcp' || command === 'agents-md')
    return readAgents(command, { ...values, network }, rest)
  if (command === 'build') return readBuild(values, rest, network)
  if (command === 'deploy') return readDeploy(values, rest, network)
  if (command === 'mock') return readMock(values, rest, network)
  if (command === 'test') return readTest(values, rest, network)
  if (command === 'dev') return readDev(values, rest, network)
  if (command === 'preview') return readPreview(values, rest)
  if (command === 'init') return readInit(values, rest)
  if (values.live !== undefined) return readCheckLive(values, values.live, rest)
  return readFolderCommand({ command, values, network }, rest)
}

type FolderCommand<Name extends CommandName> = {
  readonly command: Name
  readonly values: Values
  readonly network: NetworkOptions
}

function readFolderCommand(
  { command, values, network }: FolderCommand<'check' | 'nav' | 'migrate'>,
  [folder = '.', extra]: readonly string[],
): CommandLine {
  if (extra !== undefined) return unexpected(extra, command)
  const { json = false, strict = false, all = false, external = false, fix = false } = values
  const { quiet = false, 'no-cache': withoutCache = false } = values
  const { output, 'dry-run': dryRun = false } = values
  if (command === 'migrate') return { kind: 'migrate', options: { folder, output, dryRun } }
  if (command === 'nav') return { kind: 'nav', options: { folder, json, ...network } }
  const format = FORMATS.find((name) => name === (values.format ?? 'text'))
  if (format === undefined)
    return wrong(`Invalid --format "${values.format}": expected ${FORMATS.join(', ')}.`)
  const report = { format, strict, all, quiet, withoutCache }
  const writeBaseline = values['write-baseline'] ?? false
  if (fix && writeBaseline) return wrong('--fix and --write-baseline cannot be used together.')
  const { since } = values
  if (since !== undefined && writeBaseline)
    return wrong('--since and --write-baseline cannot be used together.')
  if (since === '') return wrong('Missing value of --since: a branch, a tag or a commit.')
  const how = { external, fix, writeBaseline, since }
  return { kind: 'check', options: { folder, ...report, ...how, ...network } }
}

function readCheckLive(values: Values, written: string, [folder]: readonly string[]): CommandLine {
  if (folder !== undefined) return wrong('--live checks a URL. Remove the folder.')
  const other = Object.keys(values).find((name) => name !== 'live' && name !== 'format')
  if (other !== undefined) return wrong(`--live cannot be combined with --${other}.`)
  const url = readServiceUrl(written)
  if (url === undefined)
    return wrong('Invalid --live: expected the URL of a site, such as https://example.com/docs/.')
  const { format = 'text' } = values
  if (format !== 'text' && format !== 'json')
    return wrong(`Invalid --format "${format}": expected text or json with --live.`)
  return { kind: 'check-live', options: { url, format } }
}

function readRename(values: Values, [from, to, extra]: readonly string[]): CommandLine {
  if (from === undefined || to === undefined) {
    return wrong('Missing arguments: the page and its new path.')
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
  const server = readServer(values)
  if (typeof server === 'string') return wrong(server)
  const { mock = false } = values
  return { kind: 'dev', options: { folder, mock, ...server, ...network } }
}

function readMock(
  values: Values,
  [source, extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (source === undefined) return wrong('Missing argument: a specification or a folder.', 'mock')
  if (extra !== undefined) return unexpected(extra, 'mock')
  const server = readServer(values)
  if (typeof server === 'string') return wrong(server)
  const { host, port } = server
  return { kind: 'mock', options: { source, host, port, ...network } }
}

function readPreview(values: Values, [folder = 'dist', extra]: readonly string[]): CommandLine {
  if (extra !== undefined) return unexpected(extra, 'preview')
  const server = readServer(values)
  if (typeof server === 'string') return wrong(server)
  return { kind: 'preview', options: { folder, ...server } }
}

/** Returns the host and port of a server, or an error message. */
function readServer(values: Values): Omit<PreviewOptions, 'folder'> | string {
  const { host = '127.0.0.1', open = false } = values
  if (!/^[\w.:-]+$/.test(host))
    return 'Invalid --host: expected a host name or an IP address, such as 127.0.0.1.'
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    return 'Invalid --port: expected a number up to 65535.'
  }
  return { host, port, open }
}

function readInit(values: Values, [folder = '.', extra]: readonly string[]): CommandLine {
  if (extra !== undefined) return unexpected(extra, 'init')
  const { name, yes = false, workflow } = values
  if (name?.trim() === '') return wrong('Invalid --name: expected the name of the site.')
  if (workflow !== undefined && workflow !== 'github') {
    return wrong(`Invalid --workflow "${workflow}": expected github.`)
  }
  const template = TEMPLATES.find((one) => one === (values.template ?? TEMPLATES[0]))
  if (template === undefined)
    return wrong(`Invalid --template "${values.template}": expected ${TEMPLATES.join(', ')}.`)
  return { kind: 'init', options: { folder, template, name: name?.trim(), yes, workflow } }
}

function readBuild(
  values: Values,
  [folder = '.', extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (extra !== undefined) return unexpected(extra, 'build')
  const { output = 'dist', json = false, strict = false, all = false, url, workers } = values
  const { quiet = false, 'no-cache': withoutCache = false } = values
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return wrong('Invalid --url: expected the URL of the site, such as https://example.com/docs/.')
  }
  const report = { strict, all, quiet, withoutCache }
  const workersMax = workers === undefined ? undefined : Number(workers)
  if (workersMax !== undefined && !(Number.isInteger(workersMax) && workersMax > 0)) {
    return wrong('Invalid --workers: expected a number of 1 or more.')
  }
  return {
    kind: 'build',
    options: { folder, output, json, ...report, url, workersMax, ...network },
  }
}

function readScrape(
  values: Values,
  [what, file, extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (what !== 'openapi-file') return wrong('The first argument of scrape must be `openapi-file`.')
  if (file === undefined) return wrong('Missing argument: the specification.')
  if (extra !== undefined) return unexpected(extra, 'scrape')
  const { output = '.', overwrite = false } = values
  return { kind: 'scrape', options: { specification: file, output, overwrite, ...network } }
}

function readExport(values: Values, [extra]: readonly string[]): CommandLine {
  const { from, to, output = '' } = values
  if (extra !== undefined) return unexpected(extra, 'export')
  const at = readServiceOptions(values)
  if (typeof at === 'string') return wrong(at)
  const format = readFileFormat(output)
  if (format === undefined)
    return wrong('Missing or invalid -o: expected a file name that ends in .ndjson or .csv.')
  return { kind: 'export', options: { ...at, from, to, output, format } }
}

function readDeploy(
  values: Values,
  [folder = '.', extra]: readonly string[],
  network: NetworkOptions,
): CommandLine {
  if (extra !== undefined) return unexpected(extra, 'deploy')
  const { prebuilt, message, branch, proof } = values
  const { draft = false, preview = false, wait = false, json = false } = values
  const acceptPublic = values.public ?? false
  const allowErrors = values['allow-errors'] ?? false
  if (draft && preview) return wrong('--draft and --preview cannot be used together.')
  const at = readServiceOptions(values)
  if (typeof at === 'string') return wrong(at)
  const source = { folder, prebuilt, message, branch, proof }
  const how = { draft, preview, acceptPublic, allowErrors, wait, json }
  return { kind: 'deploy', options: { ...source, ...at, ...how, ...network } }
}

function readFileFormat(output: string): ExportOptions['format'] | undefined {
  const ending = extname(basename(output)).toLowerCase()
  if (ending === '.ndjson') return 'ndjson'
  return ending === '.csv' ? 'csv' : undefined
}

function belongsTo(option: string, command: CommandName | undefined): boolean {
  if (option === 'help' || option === 'version') return true
  return command !== undefined && optionNames(command).includes(option)
}

function optionNames(command: CommandName): readonly string[] {
  return [...COMMANDS[command].options.map(({ name }) => name), 'help', 'version']
}

function unexpected(argument: string, command: CommandName): CommandLine {
  return wrong(`Unexpected argument "${argument}".`, command)
}

function wrong(reason: string, command?: CommandName): CommandLine {
  return { kind: 'wrong', reason, command }
}
