/** `octavo deployments`: lists, publishes, compares and locks deployments. */

import type { Deployment, DeploymentDiff, PublicationReply } from '@octavo/contract'
import { printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import { printTable, printTime } from '../report/print-table.ts'
import { DeployError } from './deploy-error.ts'
import { deploymentName, findDeploymentId } from './deployment-name.ts'
import { printJson, printLines } from './print-response.ts'
import type { ServiceClient } from './service-client.ts'
import { waitUntilLive } from './wait-until-live.ts'
import { type ServiceOptions, withService } from './with-service.ts'

/** The deployments to compare, named by number or id. */
type Comparison = {
  readonly deployment: string | undefined
  readonly base: string | undefined
}

export type DeploymentsAction =
  | { readonly verb: 'list' | 'unlock' | 'previews' }
  | { readonly verb: 'publish'; readonly deployment: string }
  | { readonly verb: 'rollback'; readonly deployment: string | undefined }
  | ({ readonly verb: 'diff' } & Comparison)
  | { readonly verb: 'lock'; readonly reason: string }
  | { readonly verb: 'approve-preview' | 'delete-preview'; readonly branch: string }

export type DeploymentsOptions = ServiceOptions & {
  readonly action: DeploymentsAction
  /** True to publish even if readers then have wider access to some pages. */
  readonly acceptLooser: boolean
  /** True to wait until readers get the published deployment. */
  readonly wait: boolean
  readonly json: boolean
}

const LIST_LENGTH = 20
const PAGE_LENGTH = 100
/** The maximum number of list pages to search for an earlier deployment. */
const PAGES_MAX = 20
const PAGES_SHOWN_MAX = 50

type Job = {
  readonly world: CommandContext
  readonly client: ServiceClient
  readonly options: DeploymentsOptions
}

export function deployments(world: CommandContext, options: DeploymentsOptions): Promise<ExitCode> {
  const { action } = options
  return withService(world, options, (client) => {
    const job = { world, client, options }
    switch (action.verb) {
      case 'list':
        return list(job)
      case 'publish':
        return publish(job, action.deployment)
      case 'rollback':
        return rollBack(job, action.deployment)
      case 'diff':
        return compare(job, action)
      case 'lock':
        return setLock(job, action.reason)
      case 'unlock':
        return setLock(job, undefined)
      case 'previews':
        return listPreviews(job)
      case 'approve-preview':
        return approvePreview(job, action.branch)
      case 'delete-preview':
        return deletePreview(job, action.branch)
    }
  })
}

async function list(job: Job): Promise<ExitCode> {
  const page = await job.client.list({ limit: LIST_LENGTH })
  if (job.options.json) return printJson(job, page)
  const { lockReason } = await job.client.project()
  const rows = page.deployments.map((one) => [
    String(one.number),
    stateOf(one),
    printTime(one.createdAt),
    one.branch ?? '',
    one.message ?? '',
  ])
  const lines =
    rows.length === 0
      ? ['There are no deployments.']
      : printTable([['NUMBER', 'STATE', 'CREATED (UTC)', 'BRANCH', 'MESSAGE'], ...rows])
  return printLines(job, [...lines, ...lockLines(lockReason)])
}

function stateOf({ state, target, url }: Deployment): string {
  if (target === 'production' || state !== 'ready') return state
  return url === undefined ? 'old preview' : 'preview'
}

async function publish(job: Job, text: string): Promise<ExitCode> {
  const { client } = job
  const { live } = await client.project()
  const wanted = await findDeployment(client, text)
  const { acceptLooser } = job.options
  const after = await client.publish(wanted.id, { expectedLive: live, acceptLooser })
  return reportLive(job, wanted.id, { after, text: `Deployment #${wanted.number} is live` })
}

const findDeployment = async (client: ServiceClient, text: string): Promise<Deployment> =>
  client.deployment(await findDeploymentId(client, text))

async function rollBack(job: Job, text: string | undefined): Promise<ExitCode> {
  const { client } = job
  const { live } = await client.project()
  if (live === null)
    throw new DeployError('No deployment is live, so there is nothing to roll back.')
  const current = await client.deployment(live)
  const wanted = await (text === undefined
    ? findPreviousDeployment(client, current)
    : findDeployment(client, text))
  if (wanted === undefined)
    throw new DeployError(
      'There is no earlier deployment that was live. Pass the number of a finished deployment.',
    )
  if (wanted.number >= current.number)
    throw new DeployError(
      `#${wanted.number} is not older than the live deployment #${current.number}. Use \`octavo deployments publish\`.`,
    )
  const { acceptLooser } = job.options
  const after = await client.publish(wanted.id, { expectedLive: live, acceptLooser })
  return reportLive(job, wanted.id, { after, text: `Rolled back to ${deploymentName(wanted)}` })
}

/** Returns the older deployment that was live most recently; never one that was rolled back. */
async function findPreviousDeployment(
  client: ServiceClient,
  { number }: Deployment,
): Promise<Deployment | undefined> {
  let last: Deployment | undefined
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { deployments, nextCursor } = await client.list({ limit: PAGE_LENGTH, cursor })
    for (const one of deployments)
      if (one.state === 'superseded' && one.number < number && publishedAt(one) > publishedAt(last))
        last = one
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return last
}

const publishedAt = (one: Deployment | undefined) => one?.publishedAt ?? ''

type Change = { readonly after: PublicationReply; readonly text: string }

async function reportLive(job: Job, id: string, { after, text }: Change): Promise<ExitCode> {
  const { world, client, options } = job
  const { url } = await client.deployment(id)
  if (options.json) printJson(job, after)
  else {
    const mark = colorsFor(world.out, world.env).green('✓')
    printLines(job, [
      `${mark} ${text}${url === undefined ? '.' : `: ${url}`}`,
      ...lockLines(after.lockReason).map((line) => `  ${line}`),
    ])
  }
  if (!options.wait || url === undefined || (await waitUntilLive(world, url, id))) return EXIT.ok
  world.err.write(`octavo: ${url} does not show the deployment yet.\n`)
  return EXIT.failed
}

async function compare(job: Job, comparison: Comparison): Promise<ExitCode> {
  const { client } = job
  const idOf = (text: string) => findDeploymentId(client, text)
  const id =
    comparison.deployment === undefined ? await newest(client) : await idOf(comparison.deployment)
  const { live } = await client.project()
  // By default, the live deployment is compared with the previous one.
  const before = id === live ? await previousDeploymentId(client, id) : undefined
  const base = comparison.base === undefined ? before : await idOf(comparison.base)
  const diff = await client.diff(id, base)
  return job.options.json
    ? printJson(job, { id, ...diff })
    : printLines(job, diffLines(diff, { isLive: id === live, isBaseLive: diff.base === live }))
}

async function previousDeploymentId(
  client: ServiceClient,
  id: string,
): Promise<string | undefined> {
  return (await findPreviousDeployment(client, await client.deployment(id)))?.id
}

async function newest(client: ServiceClient): Promise<string> {
  const { deployments } = await client.list({ limit: PAGE_LENGTH })
  const found = deployments.find(({ state }) => ['ready', 'live', 'superseded'].includes(state))
  if (found === undefined) throw new DeployError('There is no finished deployment.')
  return found.id
}

function diffLines(
  { number, baseNumber, pages, redirects, files }: DeploymentDiff,
  { isLive, isBaseLive }: { readonly isLive: boolean; readonly isBaseLive: boolean },
): readonly string[] {
  const other = baseNumber === null ? 'nothing' : `#${baseNumber}${isBaseLive ? ' (live)' : ''}`
  const rows = [
    ...pages.added.map((page) => ['added', page]),
    ...pages.changed.map((page) => ['changed', page]),
    ...pages.removed.map((page) => ['removed', page]),
    ...pages.moved.map(({ from, to }) => ['moved', `${from} → ${to}`]),
  ]
  const more = rows.length - PAGES_SHOWN_MAX
  return [
    `Deployment #${number}${isLive ? ' (live)' : ''} compared with ${other}:`,
    ...printTable(rows.slice(0, PAGES_SHOWN_MAX)).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${plural(more, 'more page')}; --json prints all`] : []),
    ...(rows.length === 0 ? ['  No pages changed.'] : []),
    `  Files: ${files.added} added, ${files.changed} changed, ${files.removed} removed.`,
    ...(redirects.length === 0 ? [] : ['Redirects for docs.json, so that old links work:']),
    ...redirects.slice(0, PAGES_SHOWN_MAX).map((one) => `  ${printable(JSON.stringify(one))}`),
  ]
}

async function setLock(job: Job, reason: string | undefined): Promise<ExitCode> {
  const { client, world } = job
  const after = await (reason === undefined ? client.unlock() : client.lock(reason))
  if (job.options.json) return printJson(job, after)
  if (after.lockReason !== null) return printLines(job, lockLines(after.lockReason))
  const mark = colorsFor(world.out, world.env).green('✓')
  return printLines(job, [`${mark} The project is unlocked. The next deployment is published.`])
}

function lockLines(reason: string | null): readonly string[] {
  return reason === null
    ? []
    : [
        `The project is locked: ${printable(reason.replace(/\.$/, ''))}.`,
        'New deployments are not published until you run `octavo deployments unlock`.',
      ]
}

async function listPreviews(job: Job): Promise<ExitCode> {
  const reply = await job.client.previews()
  if (job.options.json) return printJson(job, reply)
  if (reply.previews.length === 0) return printLines(job, ['There are no previews.'])
  const rows = reply.previews.map(({ branch, expiresAt, url = '' }) => [
    branch,
    printTime(expiresAt),
    url,
  ])
  return printLines(job, printTable([['BRANCH', 'ENDS (UTC)', 'URL'], ...rows]))
}

async function findPreview(job: Job, branch: string) {
  const { previews } = await job.client.previews()
  const found = previews.find((one) => one.branch === branch)
  if (found === undefined)
    throw new DeployError(`The branch "${printable(branch)}" has no preview.`)
  return found
}

async function approvePreview(job: Job, branch: string): Promise<ExitCode> {
  const found = await findPreview(job, branch)
  await job.client.approvePreview(found.name, found.deployment)
  if (job.options.json) return printJson(job, { ...found, runsScripts: true })
  const mark = colorsFor(job.world.out, job.world.env).green('✓')
  return printLines(job, [
    `${mark} Scripts are now enabled in the preview of ${branch}: ${found.url ?? found.name}`,
    `  This applies to deployment #${found.number} only. The next push has to be approved again.`,
  ])
}

async function deletePreview(job: Job, branch: string): Promise<ExitCode> {
  const found = await findPreview(job, branch)
  await job.client.deletePreview(found.name)
  if (job.options.json) return printJson(job, found)
  const mark = colorsFor(job.world.out, job.world.env).green('✓')
  return printLines(job, [
    `${mark} The preview of ${branch} is deleted: ${found.url ?? found.name}`,
  ])
}
