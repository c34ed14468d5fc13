/**
 * A worker process: `node work-until-killed.ts <database url>`. It runs the jobs of the queue
 * `steps`, and kills itself once per job at the step that the job names.
 */
import process from 'node:process'
import { openDatabase } from '../src/platform/database/database.ts'
import { openJobQueue } from '../src/platform/jobs/job-queue.ts'
import { createLog } from '../src/platform/telemetry/log.ts'

const [url = ''] = process.argv.slice(2)
const database = openDatabase({ url, connections: 4 })
const jobs = await openJobQueue({ database, log: createLog(() => {}, Date.now) })

await jobs.work('steps', async ({ data, finish }) => {
  const job = data.projectId ?? ''
  const first = await database.query(
    'insert into started (job) values ($1) on conflict do nothing returning job',
    [job],
  )
  const reach = (step: string) => {
    if (first.length > 0 && job.endsWith(`:${step}`)) process.kill(process.pid, 'SIGKILL')
  }
  reach('begun')
  await database.query('select pg_sleep(0.05)')
  reach('halfway')
  await finish(async (query) => {
    await query('insert into effect (job) values ($1)', [job])
    reach('before the commit')
  })
  reach('after the commit')
})
