/**
 * Kills everything during pushes, and checks that every branch ends at its newest commit.
 * Pushes go to the real Git repositories of many projects, and half of the webhooks are lost.
 * Workers, PostgreSQL, the Git server and the service are separate processes, which are killed with
 * SIGKILL at random moments.
 *
 *   npm run lab soak/builds -- [--projects 30] [--pushes 300] [--kills 40] [--seconds 300]
 *   npm run lab soak/builds -- --projects 6 --pushes 30 --kills 6 --seconds 60
 *   npm run lab soak/builds -- --kill worker,database,git,service    kills of these kinds, in turn
 *   npm run lab soak/builds -- --store ceph           blobs are in Ceph, which is killed too
 *
 * In production, repositories are checked every five minutes. Here the interval is a few seconds:
 * an UPDATE of `connection.next_check_at` makes the checks due, and the job that the worker runs
 * every minute finds them. Everything else is as in production.
 *
 * After the last kill, once all work is done, each site must show the text of its newest commit
 * over HTTP, each build must have ended, and every manifest is checked. Logs and processes are
 * searched for tokens and other secrets the whole time, the database and files at the end.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { CEPH_PACKAGES, missingCephPrograms } from '../../packages/service/testing/start-ceph.ts'
import { type Hosting, startHosting } from '../../packages/service/testing/start-hosting.ts'
import { checkDeployments } from '../parts/deploy/check-deployments.ts'
import { createQueryDatabase } from './builds/ask-database.ts'
import { createCanaryWatch } from './builds/canaries.ts'
import { type GitProcess, startGitProcess } from './builds/git-process.ts'
import { KILLS, type Kill, startKiller } from './builds/killer.ts'
import { type Push, planPushes, push } from './builds/pushes.ts'
import { connectProjects, createRepositories } from './builds/soak-projects.ts'
import {
  checkBuilds,
  countBy,
  findLeftJobs,
  findUnfinished,
  printDelays,
} from './builds/verdict.ts'
import { watchSites } from './builds/watch-sites.ts'

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '30' },
    pushes: { type: 'string', default: '300' },
    kills: { type: 'string', default: '40' },
    seconds: { type: 'string' },
    kill: { type: 'string' },
    store: { type: 'string', default: 'folder' },
  },
})
const isCeph = values.store === 'ceph'
const SEARCH_MS_MAX = 5 * 60_000
const wanted = values.kill?.split(',') ?? KILLS.filter((kind) => kind !== 'store' || isCeph)
const kinds = wanted.flatMap((name): readonly Kill[] => KILLS.filter((kind) => kind === name))
if (kinds.length !== wanted.length || (kinds.includes('store') && !isCeph)) {
  console.log(`--kill is a list of ${KILLS.join(', ')}; store needs --store ceph.`)
  process.exit(2)
}
if (isCeph && missingCephPrograms().length > 0) {
  console.log(`Ceph is missing: apt-get install --no-install-recommends ${CEPH_PACKAGES}`)
  process.exit(2)
}
const pushCount = Number(values.pushes)
const overMs = Number(values.seconds ?? pushCount) * 1_000
const PREVIEWS_DOMAIN = 'previews.localhost'
const CLOCK_MS = 5_000
const FIRST_CHECK_MS_MAX = 240_000
const SETTLE_MS_MAX = 360_000
const POLL_MS = 1_000
const WRONG_SHOWN_MAX = 30

const folder = mkdtempSync(join(tmpdir(), 'octavo-build-soak-'))
const canaries = createCanaryWatch()
const secretKey = randomBytes(32).toString('base64')
const pepper = randomBytes(32).toString('base64')
let hosting: Hosting | undefined
let gitProcess: GitProcess | undefined
const end = async () => {
  await gitProcess?.kill()
  await hosting?.stop()
  rmSync(folder, { recursive: true, force: true })
}
// Without these handlers, an interrupted run would leave a database and workers running.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))
try {
  hosting = await startHosting({
    store: isCeph ? 'bluestore' : 'folder',
    environment: {
      OCTAVO_PREVIEWS_DOMAIN: PREVIEWS_DOMAIN,
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_KEY_PEPPER: pepper,
      OCTAVO_SECRET_KEYS: `soak:${secretKey}`,
    },
    onLine: canaries.onLine,
  })
  process.exitCode = (await soak(hosting)) ? 0 : 1
} finally {
  await end()
}

async function soak(hosting: Hosting): Promise<boolean> {
  const root = join(folder, 'repositories')
  mkdirSync(root)
  const repositories = createRepositories(root, Number(values.projects))
  const tokensFile = join(folder, 'tokens.json')
  const tokens = Object.fromEntries(repositories.map(({ name, token }) => [name, token]))
  writeFileSync(tokensFile, JSON.stringify(tokens), { mode: 0o600 })
  const git = await startGitProcess({ root, tokensFile, onLine: canaries.onLine })
  gitProcess = git
  const { environment } = hosting
  // The processes that create the first connection are watched too.
  const sampling = canaries.start({
    secrets: repositories.map(({ token }) => token),
    settings: [secretKey, pepper, environment.DATABASE_URL ?? ''],
  })
  const projects = await connectProjects(repositories, { hosting, gitUrl: git.url })
  canaries.add(projects.map(({ hook }) => hook.secret))
  const ask = createQueryDatabase(hosting.postgres.url)
  const workFolders = [1, 2].map((number) => join(hosting.folder, `work-${number}`))
  const api = await hosting.start('api')
  const host = await hosting.start('host')
  const workers = await Promise.all(
    workFolders.map((work) => hosting.start('worker', { OCTAVO_WORK_FOLDER: work })),
  )
  const clock = setInterval(() => {
    void ask('update connection set next_check_at = now() where next_check_at > now()').catch(
      () => {
        // The database is down.
      },
    )
  }, CLOCK_MS)
  const pushes: Push[] = []
  const sites = watchSites({ port: host.port, previewsDomain: PREVIEWS_DOMAIN, pushes, ask })
  try {
    await waitForFirstChecks(async () => {
      const rows = await ask('select from connection where checked_at is null')
      return rows.length === 0
    })
    console.log(`${projects.length} projects are connected and checked.`)
    const started = performance.now()
    const { lines, plan } = planPushes(projects, pushCount)
    const services = [api, host]
    const options = { hosting, git, workers, services, kinds, kills: Number(values.kills) }
    const killer = startKiller({ ...options, overMs })
    killer.done.catch(() => {
      // The promise is awaited below. Until then, a rejection must not end the process.
    })
    for (const [index, planned] of plan.entries()) {
      const atMs = (index * overMs) / pushCount
      await sleep(Math.max(0, started + atMs - performance.now()))
      pushes.push(push(planned, index + 1))
      if ((index + 1) % 50 === 0)
        console.log(`  ${index + 1} pushes, ${JSON.stringify(Object.fromEntries(killer.counts))}`)
    }
    await killer.done
    const quietFrom = performance.now()
    console.log(`All pushed and killed after ${seconds(quietFrom - started)} s.`)
    let unfinished: readonly string[] = ['nothing was looked at']
    while (unfinished.length > 0 && performance.now() - quietFrom < SETTLE_MS_MAX) {
      await sleep(POLL_MS)
      await killer.restartCrashed()
      unfinished = await findUnfinished(ask, lines, sites.shownBy)
    }
    console.log(`Quiet after ${seconds(performance.now() - quietFrom)} s more.`)
    await sleep(2 * POLL_MS)
    await sites.stop()
    await sampling.stop()

    const builds = await checkBuilds(ask, pushes)
    const deployments = await checkDeployments(hosting.postgres.url, await hosting.openStore())
    // This search compares every row with every secret, so it takes a while.
    await canaries.searchDatabase(createQueryDatabase(hosting.postgres.url, SEARCH_MS_MAX))
    canaries.searchFiles([...workFolders, join(hosting.folder, 'blobs')])
    const webhooks = countBy(pushes.map(({ webhook }) => webhook))
    const { lines: logLines, processes } = canaries.counts()
    console.log(`\n${pushes.length} pushes (${print(countBy(pushes.map(({ kind }) => kind)))})`)
    console.log(`webhooks: ${print(webhooks)}; kills: ${print(killer.counts)}`)
    console.log(
      `builds: ${print(builds.states)}; ${builds.foundByCheck} found without a webhook; ${builds.neverSeen} commits overtaken before a check`,
    )
    for (const [reason, count] of builds.reasons) console.log(`  ${count} × failed: ${reason}`)
    for (const webhook of ['delivered', 'lost', 'refused'] as const)
      console.log(`push to live, webhook ${webhook}: ${printDelays(pushes, webhook)}`)
    console.log(
      `deployments: ${print(deployments.states)}; walked ${deployments.ready} manifests, ${deployments.blobs} blobs`,
    )
    console.log(`canaries: ${logLines} lines of logs, ${processes} processes, database, files`)
    const wrong = [
      ...unfinished,
      ...killer.wrong,
      ...builds.wrong,
      ...(await findLeftJobs(ask)),
      ...deployments.wrong,
      ...canaries.wrong,
    ]
    for (const line of wrong.slice(0, WRONG_SHOWN_MAX)) console.log(`WRONG ${line}`)
    console.log(
      wrong.length === 0
        ? 'Every branch ended at its newest commit; nothing is stuck, half published or leaked.'
        : `${wrong.length} faults FOUND`,
    )
    return wrong.length === 0
  } finally {
    clearInterval(clock)
    await sites.stop()
    await sampling.stop()
  }
}

/**
 * Waits for the first check of all repositories, because branches that existed before it get no
 * preview.
 */
async function waitForFirstChecks(isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + FIRST_CHECK_MS_MAX
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error('the repositories were not checked')
    await sleep(POLL_MS)
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(0)
}

function print(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none'
}
