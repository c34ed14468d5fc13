/**
 * `octavo eval --gaps`: counts the gaps that a preview would answer and the answers it would lose,
 * for CI.
 */
import type { GapForecast } from '@octavo/contract'
import type { CommandContext, ExitCode } from '../context/command-context.ts'
import { DeployError } from './deploy-error.ts'
import { findDeploymentId } from './deployment-name.ts'
import { printAnswers, sentenceOf } from './gaps.ts'
import { printJson, printLines } from './print-response.ts'
import type { ServiceClient } from './service-client.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type EvalGapsOptions = ServiceOptions & {
  readonly deployment: string
  readonly json: boolean
}

/**
 * The maximum time to wait for the service, which evaluates gaps a few seconds after a preview is
 * published.
 */
const WAIT_MS_MAX = 120_000
const PAUSE_MS = 2_000

/**
 * Prints only counts of gaps, because readers' questions must not appear in a CI log. Questions from
 * the repository are printed.
 */
export function evaluateGaps(world: CommandContext, options: EvalGapsOptions): Promise<ExitCode> {
  const { deployment, json } = options
  return withService(world, options, async (client) => {
    const id = await findDeploymentId(client, deployment)
    const forecast = await waitForForecast(world, client, id)
    const { open, likely, lost, answers } = forecast
    const readerAnswers = forecast.readerAnswers && { ...forecast.readerAnswers, lost: [] }
    const counts = { open, likely: likely.length, lost: lost.length, answers, readerAnswers }
    const lines = [sentenceOf(forecast), ...printAnswers({ answers, readerAnswers })]
    return json ? printJson({ world }, counts) : printLines({ world }, lines)
  })
}

async function waitForForecast(
  world: CommandContext,
  client: ServiceClient,
  deployment: string,
): Promise<GapForecast> {
  const end = world.clock.now() + WAIT_MS_MAX
  for (;;) {
    try {
      return await client.gapForecast(deployment)
    } catch (error) {
      const isPending = error instanceof DeployError && error.status === 404
      if (!isPending || world.clock.now() >= end) throw error
    }
    await world.clock.sleep(PAUSE_MS)
  }
}
