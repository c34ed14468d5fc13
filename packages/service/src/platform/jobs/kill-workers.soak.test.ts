import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres } from '../../../testing/start-postgres.ts'
import { serviceUrlOf } from '../../../testing/test-database.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { createLog } from '../telemetry/log.ts'
import { installJobs, openJobQueue } from './job-queue.ts'

const STEPS = ['begun', 'halfway', 'before the commit', 'after the commit']
/**
 * `KILLED_JOBS=400` kills about 200 workers: each dying worker also interrupts the other job of
 * its process.
 */
const JOBS = Number(process.env.KILLED_JOBS ?? 40)
const WORKERS = 4
const WORKER = join(import.meta.dirname, '../../../testing/work-until-killed.ts')

let postgres: Awaited<ReturnType<typeof startPostgres>>
let owner: Database
beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'off' } })
  await migrate(postgres.url, { serviceUrl: serviceUrlOf(postgres.url) })
  owner = openDatabase({ url: postgres.url, connections: 4 })
  await installJobs((text, values = []) => owner.pool.query(text, values), {
    steps: { timeoutSeconds: 60, retries: 5, keepSeconds: 3_600 },
  })
  for (const table of ['started', 'effect']) {
    const key = table === 'started' ? ' primary key' : ''
    await owner.query(
      `create table ${table} (job text${key}, at timestamptz default clock_timestamp())`,
    )
  }
  await owner.query('grant select, insert on started, effect to octavo_app')
})
afterAll(async () => {
  await owner.end()
  await postgres.stop()
})

test(`each job ends within two minutes and takes effect once, even if workers are killed in ${JOBS} jobs`, async () => {
  const log = createLog(() => {}, Date.now)
  const jobs = await openJobQueue({ database: owner, log })
  for (let job = 0; job < JOBS; job += 1)
    await jobs.send('steps', {
      organizationId: `o${job % 50}`,
      // The worker is killed at this step.
      projectId: `p${job}:${STEPS[job % STEPS.length]}`,
    })

  let killed = 0
  let isOver = false
  const children = new Set<ChildProcess>()
  const start = () => {
    const child = spawn(process.execPath, [WORKER, serviceUrlOf(postgres.url)], {
      stdio: 'inherit',
    })
    children.add(child)
    child.once('exit', (_, signal) => {
      children.delete(child)
      if (signal === 'SIGKILL') killed += 1
      if (!isOver) start()
    })
  }
  for (let count = 0; count < WORKERS; count += 1) start()
  const open = () =>
    owner.query(`select from jobs.job where name = 'steps' and state <> 'completed'`)
  while ((await open()).length > 0) await sleep(500)
  isOver = true
  for (const child of children) child.kill('SIGTERM')
  await jobs.stop()

  const [effects] = await owner.query(
    'select count(*)::int as all, count(distinct job)::int as jobs from effect',
  )
  expect(effects).toEqual({ all: JOBS, jobs: JOBS })
  const [longest] = await owner.query<{ seconds: number }>(
    `select max(extract(epoch from j.completed_on - s.at))::float as seconds
       from jobs.job j join started s on s.job = j.data->>'projectId'`,
  )
  console.log(`${killed} workers killed; the longest job took ${longest?.seconds.toFixed(1)} s`)
  expect(longest?.seconds).toBeLessThan(120)
}, 300_000)
