/** `octavo gaps`: lists and manages readers' questions that the documentation does not answer. */

import type { AnswerForecast, Gap, GapForecast } from '@octavo/contract'
import { printable } from '@octavo/model'
import type { CommandContext, ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import { printTable, printTime } from '../report/print-table.ts'
import { findDeploymentId } from './deployment-name.ts'
import type { GapState } from './gap-states.ts'
import { printJson, printLines } from './print-response.ts'
import type { ServiceClient } from './service-client.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type GapsAction =
  | { readonly verb: 'list'; readonly state: GapState | undefined }
  | { readonly verb: 'link'; readonly id: string; readonly page: string }
  | { readonly verb: 'verify' | 'dismiss' | 'reopen'; readonly id: string }
  /** `id` is the id of a preview's deployment. */
  | { readonly verb: 'compare'; readonly id: string }

export type GapsOptions = ServiceOptions & {
  readonly action: GapsAction
  readonly json: boolean
}

const LIST_LENGTH = 100
const QUESTION_LENGTH_MAX = 60

type Job = {
  readonly world: CommandContext
  readonly client: ServiceClient
  readonly json: boolean
}

export function gaps(world: CommandContext, options: GapsOptions): Promise<ExitCode> {
  const { action, json } = options
  return withService(world, options, (client) => {
    const job = { world, client, json }
    switch (action.verb) {
      case 'list':
        return list(job, action.state)
      case 'compare':
        return compare(job, action.id)
      default:
        return change(job, action)
    }
  })
}

async function list(job: Job, state: GapState | undefined): Promise<ExitCode> {
  const page = await job.client.gaps(LIST_LENGTH, state)
  if (job.json) return printJson(job, page)
  if (page.gaps.length === 0)
    return printLines(job, [`There are no ${state === undefined ? '' : `${state} `}gaps.`])
  const rows = page.gaps.map((gap) => [
    gap.id,
    gap.state,
    String(gap.count),
    printTime(gap.lastAskedAt),
    gap.section ?? gap.linkedPage ?? '',
    shorten(gap.examples[0] ?? ''),
  ])
  const head = ['ID', 'STATE', 'ASKED', 'LAST (UTC)', 'PAGE', 'QUESTION']
  return printLines(job, printTable([head, ...rows]))
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= QUESTION_LENGTH_MAX ? line : `${line.slice(0, QUESTION_LENGTH_MAX - 1)}…`
}

async function compare(job: Job, deployment: string): Promise<ExitCode> {
  const forecast = await job.client.gapForecast(await findDeploymentId(job.client, deployment))
  if (job.json) return printJson(job, forecast)
  return printLines(job, [
    sentenceOf(forecast),
    ...forecast.likely.map((id) => `  likely answered  ${printable(id)}`),
    ...forecast.lost.map((id) => `  lost             ${printable(id)}`),
    ...printAnswers(forecast),
  ])
}

/**
 * Prints the questions whose answers are lost. Those of authors are part of the repository; those of
 * readers are ids of conversations.
 */
export function printAnswers({
  answers,
  readerAnswers,
}: Pick<GapForecast, 'answers' | 'readerAnswers'>): readonly string[] {
  return [
    ...printForecast('Answers', answers),
    ...printForecast('Answers to readers', readerAnswers),
  ]
}

function printForecast(name: string, answers: AnswerForecast | undefined): readonly string[] {
  if (answers === undefined) return []
  const { questions, lostCount, gained, changed, lost } = answers
  return [
    `${name}: ${lostCount} lost, ${gained} gained, ${changed} changed of ${plural(questions, 'question')}.`,
    ...lost.map((question) => `  lost             ${printable(question)}`),
  ]
}

export function sentenceOf({ open, likely, lost }: GapForecast): string {
  return `This change likely answers ${likely.length} of ${plural(open, 'open gap')}, and loses ${plural(lost.length, 'answer')}.`
}

async function change(
  job: Job,
  action: Exclude<GapsAction, { readonly verb: 'list' | 'compare' }>,
): Promise<ExitCode> {
  const { verb, id } = action
  const gap = await job.client.changeGap(
    id,
    verb === 'link' ? { action: verb, page: action.page } : { action: verb },
  )
  if (job.json) return printJson(job, gap)
  const mark = colorsFor(job.world.out, job.world.env).green('✓')
  return printLines(job, [`${mark} Gap ${printable(gap.id)} is ${stateOf(gap)}.`])
}

function stateOf({ state, linkedPage, closedIn }: Gap): string {
  switch (state) {
    case 'linked':
      return `linked to ${printable(linkedPage ?? '')}`
    case 'verified':
      return `verified in deployment ${printable(closedIn ?? '')}`
    case 'likely':
      return 'likely closed'
    default:
      return state
  }
}
