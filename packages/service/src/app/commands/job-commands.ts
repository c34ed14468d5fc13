import { PgBoss } from 'pg-boss'
import type { Database } from '../../platform/database/database.ts'
import { JOBS_SCHEMA } from '../../platform/jobs/job-queue.ts'
import {
  type CommandInput,
  type CommandTable,
  type Lines,
  oneOf,
  required,
  UsageError,
} from './arguments.ts'

const STATES = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed']
const LISTED_MAX = 100

type JobRow = {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly project: string | null
  readonly created_on: Date
  readonly retry_count: number
  readonly reason: string | null
}

export const JOB_COMMANDS: CommandTable = {
  'jobs list': listJobs,

  /** Retries a failed or canceled job. */
  async *'jobs retry'(input) {
    const { id, name, state } = await findJob(input)
    if (state !== 'failed' && state !== 'cancelled')
      throw new UsageError(`Job ${id} is ${state}: only a failed or canceled job can be retried.`)
    await withBoss(input.database, (boss) =>
      state === 'failed' ? boss.retry(name, id) : boss.resume(name, id),
    )
    yield `Queued job ${id} again.`
  },

  /** Cancels a job: a waiting job does not start, and a running job cannot complete. */
  async *'jobs cancel'(input) {
    const { id, name, state } = await findJob(input)
    if (!['created', 'retry', 'active'].includes(state))
      throw new UsageError(`Job ${id} is ${state}: there is nothing to cancel.`)
    await withBoss(input.database, (boss) => boss.cancel(name, id))
    yield `Canceled job ${id}.`
  },
}

/** `jobs`: lists jobs, newest first. Without `--state`, it omits completed jobs. */
async function* listJobs({ database, options: { state } }: CommandInput): Lines {
  if (state !== undefined) oneOf(STATES, state, `--state must be one of ${STATES.join(', ')}.`)
  const jobs = await database.query<JobRow>(
    `select j.id, j.name, j.state::text, p.public_id as project, j.created_on, j.retry_count,
            coalesce(j.output->>'message', j.output->'value'->>'message') as reason
       from ${JOBS_SCHEMA}.job j left join project p on p.id::text = j.data->>'projectId'
      where j.state::text = coalesce($1, j.state::text) and ($1::text is not null or j.state <> 'completed')
      order by j.created_on desc limit $2`,
    [state ?? null, LISTED_MAX],
  )
  if (jobs.length === 0) yield 'No jobs.'
  for (const job of jobs) yield printJob(job)
  if (jobs.length === LISTED_MAX) yield `At most ${LISTED_MAX} jobs are listed, newest first.`
}

function printJob(job: JobRow): string {
  const columns = [
    job.id,
    job.name.padEnd(12),
    job.state.padEnd(9),
    job.created_on.toISOString().slice(0, 19),
    job.project ?? '-',
  ]
  if (job.retry_count > 0) columns.push(`retried ${job.retry_count} times`)
  if (job.state === 'failed' && job.reason !== null) columns.push(job.reason)
  return columns.join('  ')
}

async function findJob({ database, words }: CommandInput): Promise<JobRow> {
  const id = required(words[0], 'The job id')
  const [job] = await database.query<JobRow>(
    `select id, name, state::text from ${JOBS_SCHEMA}.job where id::text = $1`,
    [id],
  )
  if (job === undefined)
    throw new UsageError(`Job ${id} does not exist. \`jobs list\` shows all of them.`)
  return job
}

async function withBoss(database: Database, work: (boss: PgBoss) => Promise<unknown>) {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: JOBS_SCHEMA,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await work(boss)
  await boss.stop({ graceful: false })
}
