/** `octavo builds`: lists and manages builds of the repository that a project is connected to. */

import type { Build } from '@octavo/contract'
import { type Diagnostic, printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { type Colors, colorsFor } from '../report/colors.ts'
import { printReport } from '../report/print-report.ts'
import { printTable, printTime } from '../report/print-table.ts'
import { printJson, printLines } from './print-response.ts'
import { readBuildLog } from './read-build-log.ts'
import type { ServiceClient } from './service-client.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type BuildsAction =
  | { readonly verb: 'list'; readonly branch: string | undefined }
  | { readonly verb: 'show'; readonly id: string; readonly all: boolean }
  | { readonly verb: 'log'; readonly id: string; readonly follow: boolean }
  | { readonly verb: 'cancel' | 'retry'; readonly id: string }

export type BuildsOptions = ServiceOptions & {
  readonly action: BuildsAction
  readonly json: boolean
}

const LIST_LENGTH = 20
const COMMIT_LENGTH = 12
const REASON_LENGTH_MAX = 80

type Job = {
  readonly world: CommandContext
  readonly client: ServiceClient
  readonly json: boolean
}

export function builds(world: CommandContext, options: BuildsOptions): Promise<ExitCode> {
  const { action, json } = options
  return withService(world, options, (client) => {
    const job = { world, client, json }
    switch (action.verb) {
      case 'list':
        return list(job, action.branch)
      case 'show':
        return show(job, action)
      case 'log':
        return printLog(job, action)
      case 'cancel':
      case 'retry':
        return change(job, action)
    }
  })
}

async function list(job: Job, branch: string | undefined): Promise<ExitCode> {
  const page = await job.client.builds(LIST_LENGTH, branch)
  if (job.json) return printJson(job, page)
  const rows = page.builds.map((one) => [
    one.id,
    one.state,
    one.ref,
    one.commit.slice(0, COMMIT_LENGTH),
    printTime(one.createdAt),
    shorten(one.reason ?? ''),
  ])
  if (rows.length === 0) {
    const where = branch === undefined ? '' : ` of ${printable(branch)}`
    return printLines(job, [`There are no builds${where}.`])
  }
  const head = ['ID', 'STATE', 'BRANCH', 'COMMIT', 'CREATED (UTC)', 'REASON']
  return printLines(job, printTable([head, ...rows]))
}

/** Shortens text for the list of builds. `octavo builds show` prints all of it. */
function shorten(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length <= REASON_LENGTH_MAX ? line : `${line.slice(0, REASON_LENGTH_MAX - 1)}…`
}

async function show(
  job: Job,
  { id, all }: { readonly id: string; readonly all: boolean },
): Promise<ExitCode> {
  const { world, client } = job
  const build = await client.build(id)
  const { diagnostics: found } = await client.buildDiagnostics(id)
  if (job.json) return printJson(job, { ...build, diagnostics: found })
  printLines(job, [headLine(build, colorsFor(world.out, world.env)), ...factLines(build)])
  const diagnostics = found.filter(isDiagnostic)
  if (diagnostics.length === 0) return EXIT.ok
  world.out.write('\n')
  // Source lines are not shown, because another commit may be checked out here.
  printReport(world, {
    diagnostics,
    all,
    pageCount: undefined,
    strict: false,
    read: () => undefined,
  })
  return EXIT.ok
}

function factLines(build: Build): readonly string[] {
  const { ref, target, fork, pullRequest, commit, message, author, reason, deployment } = build
  const { notifyError } = build
  const from = fork ? ', from a fork' : ''
  const pull = pullRequest === undefined ? '' : `, pull request ${pullRequest}`
  const rows = [
    ['Reason:', reason],
    ['Branch:', `${ref} (${target}${pull}${from})`],
    ['Commit:', commit],
    ['Message:', message],
    ['Author:', author],
    ['Created:', `${printTime(build.createdAt)} UTC, by ${TRIGGERS[build.trigger]}`],
    ['Duration:', durationOf(build)],
    ['Deployment:', deployment && `#${build.number}`],
    ['Git host:', notifyError && `was not notified: ${notifyError}`],
  ].flatMap(([name = '', text]) => (text === undefined ? [] : [[`  ${name}`, text]]))
  return printTable(rows)
}

const TRIGGERS: Readonly<Record<Build['trigger'], string>> = {
  webhook: 'a webhook',
  check: 'a scheduled check of the repository',
  api: 'an API request',
  schedule: 'the schedule for hosted specifications',
  retry: 'a retry',
}

function durationOf({ startedAt, finishedAt }: Build): string | undefined {
  if (startedAt === undefined || finishedAt === undefined) return undefined
  return `${((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`
}

/** Checks whether this version knows a diagnostic, which may come from a newer service. */
function isDiagnostic(value: unknown): value is Diagnostic {
  const { severity, code, message, hint, place } = (value ?? {}) as Record<string, unknown>
  return (
    ['error', 'warning', 'note'].includes(String(severity)) &&
    [code, message, hint].every((text) => typeof text === 'string') &&
    typeof place === 'object' &&
    place !== null
  )
}

/**
 * Prints the log of a build. With `follow`, returns a failure if the build fails, so that a script
 * can wait for it.
 */
async function printLog(
  job: Job,
  selection: { readonly id: string; readonly follow: boolean },
): Promise<ExitCode> {
  const { world, client } = job
  for await (const line of readBuildLog(world, client, selection))
    world.out.write(
      job.json
        ? `${JSON.stringify(line)}\n`
        : `${line.at.slice(11, 19)}  ${printable(line.text)}\n`,
    )
  if (!selection.follow) return EXIT.ok
  const build = await client.build(selection.id)
  if (!job.json) printLines(job, [headLine(build, colorsFor(world.out, world.env))])
  return FAILED.includes(build.state) ? EXIT.failed : EXIT.ok
}

const FAILED: readonly Build['state'][] = ['failed', 'cancelled']

async function change(
  job: Job,
  { verb, id }: { readonly verb: 'cancel' | 'retry'; readonly id: string },
): Promise<ExitCode> {
  const build = await job.client.changeBuild(id, verb)
  if (job.json) return printJson(job, build)
  const mark = colorsFor(job.world.out, job.world.env).green('✓')
  return printLines(job, [
    verb === 'cancel'
      ? `${mark} Build ${build.id} is ${build.state === 'cancelled' ? 'canceled' : 'being canceled'}.`
      : `${mark} Build ${build.id} of ${printable(build.ref)} is queued. Follow it with \`octavo builds log ${build.id} --follow\`.`,
  ])
}

function headLine({ id, state }: Build, colors: Colors): string {
  if (FAILED.includes(state)) return `${colors.red('✗')} Build ${id} ${STATES[state]}.`
  const mark = state === 'finished' ? colors.green('✓') : '-'
  return `${mark} Build ${id} ${STATES[state]}.`
}

const STATES: Readonly<Record<Build['state'], string>> = {
  queued: 'is waiting for a worker',
  fetching: 'is fetching the repository',
  building: 'is building the site',
  uploading: 'is uploading the site',
  finished: 'is finished',
  failed: 'failed',
  skipped: 'was skipped',
  superseded: 'was replaced by a newer commit',
  cancelled: 'was canceled',
}
