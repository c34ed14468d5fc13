/**
 * Runs the load of all roles at once against an API process, a worker and two hosts: readers of
 * pages, readers who ask, processes that publish conversations, an owner, deployments and exports.
 * At the end, it verifies everything that was acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../packages/service/src/platform/database/database.ts'
import { GARDEN } from '../../../packages/service/testing/assistant-site.ts'
import { builtSite } from '../../../packages/service/testing/built-site.ts'
import type {
  HostedProject,
  Hosting,
  ServiceProcess,
} from '../../../packages/service/testing/start-hosting.ts'
import { clientOf } from '../../../packages/service/testing/test-deployment.ts'
import { checkDeployments } from '../../parts/deploy/check-deployments.ts'
import { startReaders } from '../../parts/deploy/readers.ts'
import { buildVersions, type SiteVersion } from '../../parts/deploy/site-versions.ts'
import { createPageClient } from '../no-loss/page-client.ts'
import { startExporter } from '../no-loss/readers.ts'
import { checkExport } from './check-exports.ts'
import { deployOnce, deployVersions } from './deploy-role.ts'
import { ACCEPTED_REFUSAL, createRoleLog, type RoleReport } from './role-log.ts'
import {
  type Acknowledged,
  askQuestions,
  changeSettings,
  INTERRUPTED,
  publishConversations,
  type Stop,
} from './write-roles.ts'

export type MixedLoadOptions = {
  /** The pace: 1 is the load of the failover soak, 10 is a tenth of that load. */
  readonly pace: number
  /** Called with the duration of each page response. */
  readonly onPage?: (ms: number) => void
}

export type MixedLoad = {
  readonly processes: Readonly<Record<string, ServiceProcess>>
  readonly progress: () => string
  /** Stops all roles and returns the result with all problems. */
  readonly finish: () => Promise<LoadResult>
}

export type LoadResult = {
  readonly wrong: readonly string[]
  readonly reports: readonly RoleReport[]
  /** The counts as text, one line each. */
  readonly summary: readonly string[]
}

const READERS = 2
const READER_PAUSE_MS = 50
const WRITERS = 4
const EXPORT_PAUSE_MS_MAX = 200
const SETTLE_MS = 2_000
const EXAMPLES_MAX = 5

export async function startMixedLoad(
  hosting: Hosting,
  { pace, onPage }: MixedLoadOptions,
): Promise<MixedLoad> {
  const [plants, garden, ledger] = ['plants', 'garden', 'ledger'].map(hosting.createProject)
  if (plants === undefined || garden === undefined || ledger === undefined) throw new Error()
  const [api, worker, host, listening] = await Promise.all([
    hosting.start('api'),
    hosting.start('worker'),
    hosting.start('host'),
    hosting.start('host', { DATABASE_DIRECT_URL: hosting.environment.DATABASE_URL ?? '' }),
  ])
  const processes = { api, worker, host, listening }
  const pids = Object.values(processes).map(({ pid }) => pid())
  const ports = [host.port, listening.port]
  const versions = new Map<number, SiteVersion>()
  const makeVersion = await buildVersions(hosting.folder)
  const deployment = { hosting, project: plants, ports, versions, makeVersion }
  const first = await deployOnce(deployment, 0)
  if (first.code !== 0) throw new Error(first.err)
  const client = clientOf(hosting.url, { publicId: garden.projectId, token: garden.adminKey })
  const deployed = await client.deploy(await builtSite(GARDEN))
  if (deployed.status !== 200) throw new Error(JSON.stringify(deployed))

  const owner = openDatabase({ url: hosting.postgres.url, connections: 2 })
  const writing = openDatabase({
    url: hosting.environment.DATABASE_URL ?? '',
    connections: WRITERS,
  })
  const [tenant] = await owner.query<{ organizationId: string; projectId: string }>(
    `select organization_id as "organizationId", id as "projectId" from project where public_id = $1`,
    [ledger.projectId],
  )
  if (tenant === undefined) throw new Error('no project')

  const stop: Stop = { isOver: false, pace }
  let isFinishing = false
  const asked: Acknowledged = new Map()
  const published: Acknowledged = new Map()
  const pageLog = createRoleLog('pages')
  const readers = startReaders({
    count: READERS,
    host: plants.host,
    ports,
    versions,
    allowsOutages: false,
    pauseMs: READER_PAUSE_MS * pace,
    onReply: (ms) => {
      pageLog.succeed(ms)
      onPage?.(ms)
    },
  })
  const questions = askQuestions(stop, ports, { project: garden, acknowledged: asked })
  const conversations = publishConversations(
    stop,
    { database: writing, tenant },
    { writers: WRITERS, acknowledged: published },
  )
  const settings = changeSettings(stop, hosting.url, plants)
  const deployments = deployVersions(stop, deployment)
  const roles = [questions, conversations, settings, deployments]
  const exportLog = createRoleLog('exports')
  const exports = [
    { project: garden, acknowledged: asked },
    { project: ledger, acknowledged: published },
  ].map(({ project, acknowledged }) => {
    const exporter = startExporter({
      client: exportClient(project),
      name: project.slug,
      pauseMsMax: EXPORT_PAUSE_MS_MAX * pace,
      isFinishing: () => isFinishing,
    })
    const problem = exporter.done.then(
      () => undefined,
      (error: unknown) => String(error),
    )
    return { project, acknowledged, exporter, problem }
  })
  function exportClient({ projectId, adminKey }: HostedProject) {
    return createPageClient({
      exportUrl: `${hosting.url}/v1/analytics/${projectId}/assistant`,
      token: adminKey,
      onReply: (reply) =>
        reply.status === '200' ? exportLog.succeed(reply.ms) : exportLog.refuse(reply, reply.ms),
    })
  }

  async function finish(): Promise<LoadResult> {
    stop.isOver = true
    await Promise.all(roles.map(({ done }) => done))
    await sleep(SETTLE_MS)
    isFinishing = true
    const wrong = roles.flatMap((role) => role.wrong)
    const half = deployments.wrong.length
    for (const { problem } of exports) {
      const text = await problem
      if (text !== undefined) wrong.push(text)
    }
    const read = await readers.stop()
    wrong.push(...read.wrong)
    const checks = await Promise.all(
      exports.map((one) => checkExport(owner, one.project.projectId, one)),
    )
    const sum = (of: (check: (typeof checks)[number]) => number) =>
      checks.reduce((total, check) => total + of(check), 0)
    for (const { lost, skipped, misplaced } of checks)
      wrong.push(
        ...lost.slice(0, EXAMPLES_MAX).map((id) => `${id} was acknowledged and is lost`),
        ...skipped.slice(0, EXAMPLES_MAX).map((id) => `${id} was skipped by the export`),
        ...misplaced.slice(0, EXAMPLES_MAX).map((id) => `${id} was exported twice or out of order`),
      )
    const walked = await checkDeployments(hosting.postgres.url, await hosting.openStore())
    wrong.push(...walked.wrong)
    const rows = await owner.query<{ id: string }>(
      'select id from deployment where published_at is not null',
    )
    const live = new Set(rows.map(({ id }) => id))
    const vanished = deployments.finished.filter((id) => !live.has(id))
    wrong.push(...vanished.map((id) => `${id} was reported as live and is not published`))
    for (const [index, [name, { pid, errors }]] of Object.entries(processes).entries())
      if (!isAlive(pid()) || pid() !== pids[index]) wrong.push(`${name} ended: ${errors.at(-1)}`)
    await owner.end()
    await writing.end()
    const reports = [pageLog, ...roles.map(({ log }) => log), exportLog].map((log) => log.report())
    wrong.push(...reports.flatMap(findWrongReplies))
    wrong.push(...reports.filter(({ successes }) => successes === 0).map(nothingSucceeded))
    return {
      wrong,
      reports,
      summary: [
        `acknowledged conversations: ${sum(({ acknowledged }) => acknowledged)}, of these lost: ${sum(({ lost }) => lost.length)}`,
        `rows in the tables: ${sum(({ stored }) => stored)}, skipped by an export: ${sum(({ skipped }) => skipped.length)}, twice or out of order: ${sum(({ misplaced }) => misplaced.length)}`,
        `deployments reported as live: ${deployments.finished.length}, half live: ${half + read.wrong.length + walked.wrong.length}, vanished: ${vanished.length}; the site was walked ${deployments.walks()} times`,
        `readers of pages: ${read.loads} loads, ${read.files} files, errors: ${read.wrong.length}`,
      ],
    }
  }
  const progress = () =>
    `${published.size + asked.size} conversations, ${deployments.finished.length} deployments`
  return { processes, progress, finish }
}

const nothingSucceeded = ({ name }: RoleReport) => `${name}: nothing succeeded`

/** Prints the result; returns true if there are no problems. */
export function printResult({ wrong, reports, summary }: LoadResult): boolean {
  console.log('| role | successes | longest interruption | slowest request | refused |')
  console.log('|---|---|---|---|---|')
  for (const { name, successes, longestGapMs, slowestMs, failures } of reports) {
    const kinds = [...failures].map(([kind, count]) => `${count} × ${kind}`).join('; ') || '0'
    const cells = [name, successes, seconds(longestGapMs), seconds(slowestMs), kinds]
    console.log(`| ${cells.join(' | ')} |`)
  }
  console.log(`\n${summary.join('\n')}`)
  for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
  console.log(wrong.length === 0 ? 'Nothing was lost.' : `${wrong.length} faults FOUND`)
  return wrong.length === 0
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

/**
 * Returns the responses that a role must not get. Roles that use the database or the command line
 * do not see HTTP responses, so they are not checked.
 */
function findWrongReplies({ name, failures }: RoleReport): readonly string[] {
  if (name === 'conversations' || name === 'deployments') return []
  return [...failures.keys()]
    .filter((kind) => kind !== ACCEPTED_REFUSAL && kind !== INTERRUPTED)
    .map((kind) => `${name}: ${kind}`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
