import { appendFileSync } from 'node:fs'
import { type Environment, type Inputs, readInputs } from './inputs.ts'
import { printResult, type Result } from './print-result.ts'
import { type PullRequest, readPullRequest } from './pull-request.ts'
import { runCheck, runDeploy } from './run-octavo.ts'
import { writeComment } from './write-comment.ts'

export type ActionWorld = {
  readonly env: Environment
  readonly write: (text: string) => unknown
  /** The command that runs the command line of these inputs. */
  readonly findOctavo: (inputs: Inputs) => Promise<readonly string[]>
}

/** Runs the action: check, then deploy if asked for, then tell. Returns the exit code. */
export async function runAction(world: ActionWorld): Promise<number> {
  const { env, write, findOctavo } = world
  const read = readInputs(env)
  if ('mistakes' in read) {
    for (const mistake of read.mistakes) write(`::error title=Octavo::${oneLine(mistake)}\n`)
    return 2
  }
  const { inputs } = read
  const pullRequest = readPullRequest(env)
  const program = { octavo: await findOctavo(inputs), env, write }
  const checked = await runCheck(program, inputs)
  const isPreview = pullRequest !== undefined
  const outcome = { counts: checked.counts, isPreview, commit: env.GITHUB_SHA ?? '' }
  const reason = whyNotDeployed(inputs, checked.status, pullRequest)
  if (inputs.command === 'check' || reason !== undefined) {
    await tell(world, inputs, { pullRequest, result: { ...outcome, notDeployed: reason } })
    return checked.status
  }
  if (!hasCredential(env, inputs)) {
    write(`::error title=Octavo::${NO_CREDENTIAL}\n`)
    await tell(world, inputs, { pullRequest, result: { ...outcome, notDeployed: NO_CREDENTIAL } })
    return 2
  }
  const { status, deployment } = await runDeploy(program, inputs, isPreview)
  const notDeployed = deployment === undefined ? 'Failed. The log of the job says why.' : undefined
  await tell(world, inputs, { pullRequest, result: { ...outcome, deployment, notDeployed } })
  return status
}

const NO_CREDENTIAL =
  'The job has no identity token. Add `id-token: write` to its `permissions`, or set `api-key`.'

function whyNotDeployed(
  { command }: Inputs,
  checkStatus: number,
  pullRequest: PullRequest | undefined,
): string | undefined {
  if (command === 'check') return undefined
  // With `pull_request_target` the job would have the identity of this repository, and a stranger's pages.
  if (pullRequest?.isFork) return 'Skipped: pull requests from forks are not deployed.'
  return checkStatus === 0 ? undefined : 'Skipped: the check failed.'
}

const hasCredential = (env: Environment, { apiKey }: Inputs) =>
  apiKey !== undefined || (env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '') !== ''

/** The job summary always has the result; the comment is a second place that may be closed to us. */
async function tell(
  { env, write }: ActionWorld,
  inputs: Inputs,
  {
    pullRequest,
    result,
  }: { readonly pullRequest: PullRequest | undefined; readonly result: Result },
): Promise<void> {
  const text = printResult(inputs, result)
  const { counts, deployment } = result
  append(env.GITHUB_STEP_SUMMARY, text)
  append(env.GITHUB_OUTPUT, `errors=${counts.errors}\nwarnings=${counts.warnings}\n`)
  if (deployment !== undefined)
    append(env.GITHUB_OUTPUT, `deployment=${oneLine(deployment.id)}\nurl=${deployment.url ?? ''}\n`)
  const { comment, githubToken: token, folder, project = '' } = inputs
  if (pullRequest === undefined || !comment) return
  const marker = `<!-- octavo ${encodeURIComponent(folder)} ${project} -->`
  const why =
    token === undefined
      ? 'there is no token'
      : await writeComment({ env, token, pullRequest: pullRequest.number, marker }, text)
  if (why !== undefined)
    write(
      `::notice title=Octavo::No comment on the pull request: ${oneLine(why)}. The result is in the job summary. Jobs need \`pull-requests: write\`, which forks never have.\n`,
    )
}

function append(file: string | undefined, text: string): void {
  if (file !== undefined && file !== '') appendFileSync(file, text)
}

const oneLine = (text: string) => text.replaceAll('%', '%25').replaceAll(/[\r\n]+/g, ' ')
