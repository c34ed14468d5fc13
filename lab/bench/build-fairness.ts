/**
 * Counts the builds of one large organization that start before those of 20 small ones.
 * One organization queues 500 builds, then 20 others queue one each. The builds do nothing, so that
 * only their order counts.
 *
 *   npm run lab bench/build-fairness -- [--builds 500] [--others 20]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { insertOrganization } from '../../packages/service/src/people/organizations/store.ts'
import { openDatabase, type Tenant } from '../../packages/service/src/platform/database/database.ts'
import { migrate } from '../../packages/service/src/platform/database/migrate.ts'
import {
  createJobSender,
  openJobQueue,
} from '../../packages/service/src/platform/jobs/job-queue.ts'
import { createLog } from '../../packages/service/src/platform/telemetry/log.ts'
import { ProjectStore, tenantOf } from '../../packages/service/src/projects/projects/store.ts'
import { createAcceptBuild } from '../../packages/service/src/publishing/builds/accept-build.ts'
import { BuildJobs } from '../../packages/service/src/publishing/builds/build-jobs.ts'
import { startPostgres } from '../../packages/service/testing/start-postgres.ts'

/**
 * The number of builds of the large organization that may start before the build of another
 * organization: those already running and a few more.
 */
const GOAL_BEFORE_MAX = 4
const BUILD_MS = 100

const { values } = parseArgs({
  options: {
    builds: { type: 'string', default: '500' },
    others: { type: 'string', default: '20' },
  },
})
const postgres = await startPostgres({ settings: { fsync: 'off' } })
const serviceUrl = Object.assign(new URL(postgres.url), { username: 'octavo_service' }).href
await migrate(postgres.url, { serviceUrl })
const owner = openDatabase({ url: postgres.url, connections: 2 })
const database = openDatabase({ url: serviceUrl, connections: 8 })
const log = createLog((line) => process.stderr.write(line), Date.now)
const jobSender = createJobSender({ database, log })
const onBuildChanged = async () => {}
const accept = createAcceptBuild({ database, jobSender, onBuildChanged })
const started: { readonly projectId: string; readonly at: number }[] = []
const accepted = new Map<string, { readonly at: number; readonly startedBefore: number }>()

async function createTenant(organizationId: string, slug: string): Promise<Tenant> {
  return tenantOf(await new ProjectStore(owner).insert({ organizationId, name: slug, slug }))
}

async function push(tenant: Tenant): Promise<void> {
  const input = { target: 'production', ref: 'main', commit: 'a'.repeat(40) } as const
  const rest = { pullRequest: undefined, isFork: false, trigger: 'webhook' } as const
  accepted.set(tenant.projectId, { at: Date.now(), startedBefore: started.length })
  await database
    .forProject(tenant)
    .transaction((query) => accept(query, tenant, { ...input, ...rest }))
}

let failed = false
try {
  await jobSender.start()
  const { id: large } = await insertOrganization(owner, 'Large')
  for (let index = 0; index < Number(values.builds); index += 1)
    await push(await createTenant(large, `large-${index}`))
  const jobs = await openJobQueue({ database, log })
  const builds = new BuildJobs({
    database,
    jobSender,
    onBuildChanged,
    log,
    run: async ({ tenant }) => {
      started.push({ projectId: tenant.projectId, at: Date.now() })
      await sleep(BUILD_MS)
      return { state: 'finished' }
    },
  })
  await jobs.work('build', (job) => builds.handle(job))
  while (started.length < 4) await sleep(50)
  const others: Tenant[] = []
  for (let index = 0; index < Number(values.others); index += 1) {
    const { id } = await insertOrganization(owner, `Other ${index}`)
    const tenant = await createTenant(id, `other-${index}`)
    others.push(tenant)
    await push(tenant)
  }
  const isOther = (id: string) => others.some(({ projectId }) => projectId === id)
  while (started.filter(({ projectId }) => isOther(projectId)).length < others.length)
    await sleep(100)
  const waits = others.map(({ projectId }) => {
    const place = started.findIndex((one) => one.projectId === projectId)
    const { at = 0, startedBefore = 0 } = accepted.get(projectId) ?? {}
    const between = started.slice(startedBefore, place)
    const ofLarge = between.filter((one) => !isOther(one.projectId)).length
    return { ofLarge, seconds: ((started[place]?.at ?? 0) - at) / 1_000 }
  })
  const most = Math.max(...waits.map(({ ofLarge }) => ofLarge))
  const longest = Math.max(...waits.map(({ seconds }) => seconds))
  const left = Number(values.builds) - started.filter((one) => !isOther(one.projectId)).length
  failed = most > GOAL_BEFORE_MAX
  console.log(
    `${others.length} organizations with one build each, beside one with ${values.builds}:`,
    `at most ${most} of its builds began before theirs (goal ${GOAL_BEFORE_MAX}),`,
    `the longest wait was ${longest.toFixed(1)} s while ${left} of its builds still waited.`,
  )
  builds.stop()
  await jobs.stop()
} finally {
  await jobSender.stop()
  await database.end()
  await owner.end()
  await postgres.stop()
}
process.exitCode = failed ? 1 : 0
