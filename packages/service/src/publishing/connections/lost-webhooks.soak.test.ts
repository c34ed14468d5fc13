/**
 * Loses half of all webhooks. Everything else is as in production: pushes to real repositories,
 * signed requests to the service, jobs of a worker, and checks by the timer.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startPostgres } from '../../../testing/start-postgres.ts'
import {
  type ConnectedProject,
  connectProject,
  SECRET_KEYS,
} from '../../../testing/test-connection.ts'
import { createTemplate } from '../../../testing/test-database.ts'
import {
  createTestRepository,
  localGit,
  NO_CLONES,
  type TestRepository,
} from '../../../testing/test-repository.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { type JobQueue, openJobQueue } from '../../platform/jobs/job-queue.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import type { NewBuild } from '../builds/build.ts'
import { queueDueChecks } from './check-repository.ts'

const PROJECTS = 8
const PUSHES = 200
const BRANCHES = ['main', 'next', 'topic/a', 'topic/b']
const LOST_SHARE = 0.5
/** The interval of the timer in this test. In production, it is five minutes. */
const TIMER_MS = 2_000

type Accepted = NewBuild & { readonly projectId: string; readonly atMs: number }
type Pushed = {
  readonly projectId: string
  readonly branch: string
  readonly commit: string
  readonly isDelivered: boolean
  readonly atMs: number
}

const accepted: Accepted[] = []
const folders = new Map<string, string>()
let service: TestService
let timer: JobQueue
let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  await createTemplate(postgres.url)
  service = await startTestService({
    serverUrl: postgres.url,
    secretKeys: SECRET_KEYS,
    previewsDomain: 'previews.localhost',
    sitesDomain: 'sites.localhost',
    url: 'http://127.0.0.1:8080',
    builds: {
      git: { ...NO_CLONES, listRefs: ({ url }) => localGit.listRefs(folders.get(url) ?? '') },
      acceptBuild: async (query, { projectId }, build) => {
        await query('select 1')
        accepted.push({ ...build, projectId, atMs: Date.now() })
      },
    },
  })
  await service.service.startWorker()
  timer = await openJobQueue({
    database: service.service.database,
    log: createLog((line) => service.log.push(line), Date.now),
  })
})
afterAll(async () => {
  await timer?.stop()
  await service?.stop()
  await postgres.stop()
})

test('the newest commit of every branch is built although half of the webhooks are lost', async () => {
  const projects: (ConnectedProject & { repository: TestRepository })[] = []
  for (let count = 0; count < PROJECTS; count += 1) {
    const url = `https://github.com/o/n${count}`
    const repository = createTestRepository()
    repository.commit('main')
    folders.set(url, repository.folder)
    projects.push({ ...(await connectProject(service, ['--url', url])), repository })
  }
  await runTimer()
  await vi.waitFor(() => expect(accepted).toHaveLength(PROJECTS), { timeout: 30_000 })

  const pushed: Pushed[] = []
  let nextTimerMs = Date.now() + TIMER_MS
  for (let count = 0; count < PUSHES; count += 1) {
    const project = pick(projects)
    const branch = pick(BRANCHES)
    const commit = project.repository.commit(branch)
    const isDelivered = Math.random() >= LOST_SHARE
    pushed.push({ projectId: project.id, branch, commit, isDelivered, atMs: Date.now() })
    if (isDelivered) expect(await tell(project, branch)).toBe(202)
    if (Date.now() > nextTimerMs) {
      await runTimer()
      nextTimerMs = Date.now() + TIMER_MS
    }
    await sleep(10)
  }
  await vi.waitFor(
    async () => {
      await runTimer()
      for (const { id, repository } of projects) {
        const refs = await localGit.listRefs(repository.folder)
        if (refs.kind !== 'refs') throw new Error('no refs')
        for (const [branch, commit] of refs.branches)
          expect(newestOf(id, branch)?.commit).toBe(commit)
      }
    },
    { interval: 1_000, timeout: 60_000 },
  )

  const keys = accepted.map(({ projectId, ref, commit }) => `${projectId} ${ref} ${commit}`)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { ref, target } of accepted)
    expect(target).toBe(ref === 'main' ? 'production' : 'preview')
  const delays = pushed.map(({ projectId, branch, atMs }) => {
    // A push is also handled if a newer push was accepted instead.
    const done = accepted.find(
      (one) => one.projectId === projectId && one.ref === branch && one.atMs >= atMs,
    )
    return (done?.atMs ?? Number.POSITIVE_INFINITY) - atMs
  })
  const byCheck = accepted.filter(({ trigger }) => trigger === 'check').length
  const lost = pushed.filter(({ isDelivered }) => !isDelivered).length
  console.log(
    `${PUSHES} pushes, ${lost} webhooks lost, ${accepted.length} builds, ${byCheck} found by check; longest delay ${Math.max(...delays)} ms with a timer of ${TIMER_MS} ms`,
  )
  expect(Math.max(...delays)).toBeLessThan(60_000)
  const states = await service.owner.query(
    `select from jobs.job where name = 'check' and state = 'failed'`,
  )
  expect(states).toEqual([])
}, 180_000)

const newestOf = (projectId: string, ref: string) =>
  accepted.findLast((one) => one.projectId === projectId && one.ref === ref)

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** Queues a check of every connection, as if the timer had fired. */
async function runTimer(): Promise<void> {
  await service.owner.query('update connection set next_check_at = now()')
  await queueDueChecks(service.service.database, timer)
}

async function tell(project: ConnectedProject, branch: string): Promise<number> {
  const body = JSON.stringify({ ref: `refs/heads/${branch}` })
  const response = await fetch(project.hookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${createHmac('sha256', project.secret).update(body).digest('hex')}`,
    },
    body,
  })
  await response.body?.cancel()
  return response.status
}
