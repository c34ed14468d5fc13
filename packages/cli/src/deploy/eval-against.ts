/** `octavo eval --against <deployment>`: compares answers with those of a deployment. */
import type { LabeledQuestion, ShownAnswer } from '@octavo/search'
import { type EvalOptions, evaluateSite } from '../answers/eval.ts'
import type { CommandContext, ExitCode } from '../context/command-context.ts'
import { DeployError } from './deploy-error.ts'
import { findDeploymentId } from './deployment-name.ts'
import type { ServiceClient } from './service-client.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type EvalAgainstOptions = ServiceOptions &
  Omit<EvalOptions, 'against'> & {
    /** The number or the id of the deployment, or `live` or the URL of the site for the live one. */
    readonly deployment: string
  }

/** The number of questions in one request. */
const BATCH_MAX = 20

export function evaluateAgainst(
  world: CommandContext,
  { service, project, deployment, ...options }: EvalAgainstOptions,
): Promise<ExitCode> {
  return withService(world, { service, project }, async (client) => {
    const id = await findDeployment(client, deployment)
    return evaluateSite(world, { ...options, against: (asked) => askDeployment(client, id, asked) })
  })
}

async function findDeployment(client: ServiceClient, name: string): Promise<string> {
  if (!/^https?:/.test(name)) return findDeploymentId(client, name)
  const { url } = await client.project()
  if (withSlash(name) !== withSlash(url ?? ''))
    throw new DeployError(`The URL of this project is ${url ?? 'not known'}.`)
  return findDeploymentId(client, 'live')
}

const withSlash = (url: string) => url.replace(/\/*$/, '/')

async function askDeployment(
  client: ServiceClient,
  id: string,
  asked: readonly LabeledQuestion[],
): Promise<readonly ShownAnswer[]> {
  const shown: ShownAnswer[] = []
  for (let at = 0; at < asked.length; at += BATCH_MAX) {
    const questions = asked.slice(at, at + BATCH_MAX).map(({ question, pages, passages }) => {
      return { question, pages: [...pages], passages: [...passages] }
    })
    const { answers } = await client.shownAnswers(id, { questions })
    shown.push(
      ...answers.map(({ isShown, isNear, isWritten, ...one }) => {
        return { ...one, isShown, isNear, isWritten }
      }),
    )
  }
  return shown
}
