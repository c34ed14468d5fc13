/**
 * Does the service outlive the leader of its database? Three PostgreSQL under Patroni behind HAProxy;
 * api, worker and two hosts as processes; readers, questions, conversations, an owner, deployments
 * and exports at the same time. The leader is killed (SIGKILL, with its Patroni) again and again.
 *
 *   npm run soak:failover -- [--kills 10] [--way kill|freeze] [--verbose]
 *
 * Ends with 1 if an acknowledged conversation is lost, an export skips a row, a site is a mix of two
 * deployments, a reader of pages sees an error, a process of the service ends, or a client sees
 * anything but a success, 503 with Retry-After or an answer that says it was interrupted.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../packages/service/src/database/database.ts'
import { GARDEN } from '../packages/service/src/testing/assistant-site.ts'
import { builtSite } from '../packages/service/src/testing/built-site.ts'
import { answer, startModelServer } from '../packages/service/src/testing/model-server.ts'
import { clientOf } from '../packages/service/src/testing/test-deployment.ts'
import { type HostedProject, type Hosting, startHosting } from '../scripts/start-hosting.ts'
import {
  missingPatroniPrograms,
  PATRONI_PACKAGES,
  type RunningPatroni,
  startPatroni,
} from '../scripts/start-patroni.ts'
import { modelEnvironment } from './assistant/model-environment.ts'
import { checkDeployments } from './deploy/check-deployments.ts'
import { startReaders } from './deploy/readers.ts'
import { buildVersions, type SiteVersion } from './deploy/site-versions.ts'
import { checkExport } from './failover/check-exports.ts'
import { deployOnce, deployVersions } from './failover/deploy-role.ts'
import { type Failover, failOver, WAYS } from './failover/kill-leaders.ts'
import { createRoleLog, HONEST_REFUSAL, type RoleReport } from './failover/role-log.ts'
import {
  type Acknowledged,
  askQuestions,
  changeSettings,
  INTERRUPTED,
  publishConversations,
  type Stop,
} from './failover/write-roles.ts'
import { createPageClient } from './no-loss/page-client.ts'
import { startExporter } from './no-loss/readers.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    way: { type: 'string', default: 'kill' },
    verbose: { type: 'boolean', default: false },
  },
})
const kills = Number(values.kills)
const way = WAYS.find((name) => name === values.way)
if (way === undefined || !Number.isInteger(kills) || kills < 1) {
  console.log(`--kills is a whole number above 0, --way one of ${WAYS.join(', ')}.`)
  process.exit(2)
}
if (missingPatroniPrograms().length > 0) {
  console.log(`Patroni is missing: apt-get install --no-install-recommends ${PATRONI_PACKAGES}`)
  process.exit(2)
}

const READERS = 2
const READER_PAUSE_MS = 50
const WRITERS = 4
const EXPORT_PAUSE_MS_MAX = 200
/** After the last failover, so that every role works again. */
const AFTER_MS = 10_000
const SETTLE_MS = 2_000
const EXAMPLES_MAX = 5

const model = await startModelServer()
model.behave(answer('Use `hose on` [1].\n{"answered": true, "sources": [1]}', 900))
const patroni = await startPatroni()
let hosting: Hosting | undefined
async function end(): Promise<void> {
  await hosting?.stop()
  await patroni.stop()
  model.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().then(() => process.exit(1)))
try {
  hosting = await startHosting({
    database: patroni,
    environment: modelEnvironment(model.url),
    onLine: (line) => values.verbose && line.includes('"error"') && console.log(`    ${line}`),
  })
  process.exitCode = (await soak(hosting, patroni)) ? 0 : 1
} finally {
  await end()
}

async function soak(hosting: Hosting, patroni: RunningPatroni): Promise<boolean> {
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

  const owner = openDatabase({ url: patroni.url, connections: 2 })
  const writing = openDatabase({
    url: hosting.environment.DATABASE_URL ?? '',
    connections: WRITERS,
  })
  const [tenant] = await owner.query<{ organisationId: string; projectId: string }>(
    `select organisation_id as "organisationId", id as "projectId" from project where public_id = $1`,
    [ledger.projectId],
  )
  if (tenant === undefined) throw new Error('no project')

  console.log(`${kills} failovers under load`)
  const stop: Stop = { isOver: false }
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
    pauseMs: READER_PAUSE_MS,
    onReply: pageLog.succeed,
  })
  const questions = askQuestions(stop, ports, { project: garden, acknowledged: asked })
  const conversations = publishConversations(
    stop,
    { database: writing, tenant },
    { writers: WRITERS, acknowledged: published },
  )
  const settings = changeSettings(stop, hosting.url, plants)
  const deployments = deployVersions(stop, deployment)
  const exportLog = createRoleLog('exports')
  const exports = [
    { project: garden, acknowledged: asked },
    { project: ledger, acknowledged: published },
  ].map(({ project, acknowledged }) => {
    const exporter = startExporter({
      client: exportClient(hosting, project),
      name: project.slug,
      pauseMsMax: EXPORT_PAUSE_MS_MAX,
      isFinishing: () => isFinishing,
    })
    const problem = exporter.done.then(
      () => undefined,
      (error: unknown) => String(error),
    )
    return { project, acknowledged, exporter, problem }
  })
  function exportClient({ url }: Hosting, { projectId, adminKey }: HostedProject) {
    return createPageClient({
      exportUrl: `${url}/v1/analytics/${projectId}/assistant`,
      token: adminKey,
      onReply: (reply) =>
        reply.status === '200' ? exportLog.succeed(reply.ms) : exportLog.refuse(reply, reply.ms),
    })
  }

  const failovers: Failover[] = []
  for (let count = 1; count <= kills; count += 1) {
    const failover = await failOver(patroni, way ?? 'kill')
    failovers.push(failover)
    const { from, to, leaderlessMs, wholeMs } = failover
    console.log(
      `  ${count}: ${from} → ${to}, new leader after ${seconds(leaderlessMs)}, three nodes after ${seconds(wholeMs)}; ${published.size + asked.size} conversations, ${deployments.finished.length} deployments`,
    )
  }
  await sleep(AFTER_MS)
  stop.isOver = true
  const roles = [questions, conversations, settings, deployments]
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
  const walked = await checkDeployments(patroni.url, await hosting.openStore())
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
  printReports(reports, failovers)
  wrong.push(...reports.flatMap(findWrongReplies))
  console.log(`
leader ${way === 'kill' ? 'killed' : 'frozen'}: ${failovers.length} times
acknowledged conversations: ${sum(({ acknowledged }) => acknowledged)}, of these lost: ${sum(({ lost }) => lost.length)}
rows in the tables: ${sum(({ stored }) => stored)}, skipped by an export: ${sum(({ skipped }) => skipped.length)}, twice or out of order: ${sum(({ misplaced }) => misplaced.length)}
deployments reported as live: ${deployments.finished.length}, half live: ${half + read.wrong.length + walked.wrong.length}, vanished: ${vanished.length}; the site was walked ${deployments.walks()} times
readers of pages: ${read.loads} loads, ${read.files} files, errors: ${read.wrong.length}`)
  for (const line of wrong.slice(0, 20)) console.log(`WRONG ${line}`)
  console.log(wrong.length === 0 ? 'Nothing was lost.' : `${wrong.length} faults FOUND`)
  return wrong.length === 0 && reports.every(({ successes }) => successes > 0)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function printReports(reports: readonly RoleReport[], failovers: readonly Failover[]): void {
  const longest = Math.max(...failovers.map(({ leaderlessMs }) => leaderlessMs))
  console.log(`\nwithout a leader: ${seconds(longest)} at most`)
  console.log('| role | successes | longest interruption | slowest request | refused |')
  console.log('|---|---|---|---|---|')
  for (const { name, successes, longestGapMs, slowestMs, failures } of reports) {
    const kinds = [...failures].map(([kind, count]) => `${count} × ${kind}`).join('; ') || '0'
    const cells = [name, successes, seconds(longestGapMs), seconds(slowestMs), kinds]
    console.log(`| ${cells.join(' | ')} |`)
  }
}

/** Clients of the database itself see its errors, and the command line words them; the rest is HTTP. */
function findWrongReplies({ name, failures }: RoleReport): readonly string[] {
  if (name === 'conversations' || name === 'deployments') return []
  return [...failures.keys()]
    .filter((kind) => kind !== HONEST_REFUSAL && kind !== INTERRUPTED)
    .map((kind) => `${name}: ${kind}`)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
