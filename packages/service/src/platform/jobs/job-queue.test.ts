import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { startMaintenance } from '../../app/roles/maintenance.ts'
import { openDatabase } from '../database/database.ts'
import { createLog } from '../telemetry/log.ts'
import { installJobs, type JobHandler, type JobQueue, openJobQueue } from './job-queue.ts'

const POLL = { interval: 50, timeout: 15_000 }
const SETTINGS = { timeoutSeconds: 60, retries: 3, keepSeconds: 3_600 }
let service: TestService
const queues: JobQueue[] = []
beforeAll(async () => {
  service = await startTestService()
  await installJobs((text, values = []) => query(text, values), {
    once: SETTINGS,
    keyed: SETTINGS,
    many: SETTINGS,
    failing: SETTINGS,
    quiet: SETTINGS,
  })
  await service.owner.query(
    'grant select, insert, update, delete on all tables in schema jobs to octavo_app',
  )
})
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()))
  await service.stop()
})

const query = (text: string, values: unknown[]) =>
  service.owner.pool.query(text, values.length === 0 ? undefined : values)

/** Opens a queue as a process of the service does, with the service's role. */
async function open(): Promise<JobQueue> {
  const log = createLog((line) => service.log.push(line), Date.now)
  const queue = await openJobQueue({ database: service.service.database, log })
  queues.push(queue)
  return queue
}

const stateOf = async (queue: string) =>
  (
    await service.owner.query<{ state: string }>(
      'select state::text from jobs.job where name = $1 order by created_on',
      [queue],
    )
  ).map(({ state }) => state)

// These tests mostly wait, so they run concurrently.
describe.concurrent('a job', () => {
  test("a job's effect is rolled back if another worker finished the job first", async () => {
    const [a, b] = [await open(), await open()]
    const { tenant } = await service.createProject()
    let starts = 0
    const handler: JobHandler = async ({ data, finish }) => {
      starts += 1
      // Simulates another worker that finishes the job first.
      if (starts === 1)
        await service.owner.query(`update jobs.job set state = 'completed' where name = 'once'`)
      await finish((run) =>
        run(
          `insert into audit_event (organization_id, actor, action) values ($1, 'job', 'test.once')`,
          [data.organizationId],
        ),
      )
    }
    await a.work('once', handler)
    await b.work('once', handler)
    const effects = () =>
      service.owner.query(
        `select from audit_event where action = 'test.once' and organization_id = $1`,
        [tenant.organizationId],
      )
    await a.send('once', tenant)
    await vi.waitFor(() => expect(starts).toBe(1), POLL)
    await sleep(500)
    expect(await effects()).toEqual([])
    await a.send('once', tenant)
    await vi.waitFor(
      async () => expect(await stateOf('once')).toEqual(['completed', 'completed']),
      POLL,
    )
    expect(await effects()).toHaveLength(1)
  })

  test('a job that throws is retried, and the error is logged', async () => {
    const jobs = await open()
    let starts = 0
    await jobs.work('failing', async () => {
      starts += 1
      if (starts === 1) throw new Error('not yet')
    })
    await jobs.send('failing', {})
    await vi.waitFor(async () => expect(await stateOf('failing')).toEqual(['completed']), POLL)
    expect(starts).toBe(2)
    expect(service.log.filter((line) => line.includes('"queue":"failing"'))).toHaveLength(1)
  })
})

describe.concurrent('an idle worker', () => {
  test('an idle worker polls once a second and starts a new job promptly', async () => {
    const log = createLog((line) => service.log.push(line), Date.now)
    const database = openDatabase({ url: service.settings.databaseUrl, connections: 4 })
    const jobs = await openJobQueue({ database, log })
    try {
      let started = Promise.withResolvers<number>()
      await jobs.work('quiet', async () => started.resolve(performance.now()), { atOnce: 16 })
      // After this, each of the 16 workers has polled once, and the first check for dead workers is
      // over.
      await sleep(3_000)
      let questions = 0
      const count = () => {
        questions += 1
      }
      database.pool.on('acquire', count)
      await sleep(4_000)
      database.pool.off('acquire', count)
      expect(questions).toBeGreaterThan(1)
      expect(questions).toBeLessThan(8)
      for (let round = 0; round < 3; round += 1) {
        started = Promise.withResolvers<number>()
        const sentAt = performance.now()
        await jobs.send('quiet', {})
        expect((await started.promise) - sentAt).toBeQuick(1_500)
        await vi.waitFor(
          async () => expect(new Set(await stateOf('quiet'))).toEqual(new Set(['completed'])),
          POLL,
        )
      }
    } finally {
      await jobs.stop()
      await database.end()
    }
  }, 30_000)
})

describe.concurrent('jobs of one project', () => {
  test('waiting jobs of one project are merged and run one at a time', async () => {
    const jobs = await open()
    const other = await open()
    const [first, second] = [
      (await service.createProject()).tenant,
      (await service.createProject()).tenant,
    ]
    const running = new Set<string>()
    const overlaps: string[] = []
    let ran = 0
    const release = Promise.withResolvers<void>()
    const handler: JobHandler = async ({ data }) => {
      const key = data.projectId ?? ''
      if (running.has(key)) overlaps.push(key)
      running.add(key)
      if (ran === 0 && key === first.projectId) {
        ran += 1
        await release.promise
      } else ran += 1
      running.delete(key)
    }
    await jobs.work('keyed', handler)
    await other.work('keyed', handler)
    await jobs.send('keyed', first)
    await vi.waitFor(() => expect(running.has(first.projectId)).toBe(true), POLL)
    // Sends three jobs while the first runs: only one waits, and it reads the newest state when it
    // starts.
    for (let sent = 0; sent < 3; sent += 1) await jobs.send('keyed', first)
    await jobs.send('keyed', second)
    await vi.waitFor(() => expect(ran).toBe(2), POLL)
    release.resolve()
    await vi.waitFor(() => expect(ran).toBe(3), POLL)
    expect(overlaps).toEqual([])
    // A job is marked as completed shortly after its handler ends.
    await vi.waitFor(
      async () =>
        expect((await stateOf('keyed')).filter((state) => state !== 'completed')).toEqual([]),
      POLL,
    )
  })

  test('jobs of one organization use at most four workers', async () => {
    const { tenant } = await service.createProject()
    let now = 0
    let most = 0
    const projects = new Set<string | undefined>()
    const handler: JobHandler = async ({ data }) => {
      projects.add(data.projectId)
      now += 1
      most = Math.max(most, now)
      await sleep(300)
      now -= 1
    }
    const workers = [await open(), await open(), await open(), await open()]
    for (const jobs of workers) await jobs.work('many', handler)
    for (let project = 0; project < 12; project += 1)
      await workers[0]?.send('many', {
        organizationId: tenant.organizationId,
        projectId: String(project),
      })
    // Waits for all rows, because a job that was requeued for lack of a free slot is a new row.
    await vi.waitFor(
      async () => {
        expect(projects.size).toBe(12)
        expect(new Set(await stateOf('many'))).toEqual(new Set(['completed']))
      },
      { interval: 100, timeout: 30_000 },
    )
    // If two jobs start at the same moment, both may take the last slot.
    expect(most).toBeLessThanOrEqual(5)
    expect(most).toBeGreaterThan(1)
  }, 40_000)
})

test.concurrent('maintenance runs once a minute, in only one of two workers', async () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line), Date.now)
  const stops = await Promise.all(
    [await open(), await open()].map((jobs) =>
      startMaintenance({ database: service.service.database, now: Date.now, log }, jobs),
    ),
  )
  await vi.waitFor(async () => {
    expect(await stateOf('maintenance')).toEqual(['completed'])
    expect(await stateOf('retention')).toEqual(['completed'])
  }, POLL)
  await sleep(1_500)
  expect(await stateOf('maintenance')).toHaveLength(1)
  for (const stop of stops) stop()
  expect(lines).toEqual([])
})
