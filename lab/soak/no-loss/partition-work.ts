import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './stage.ts'

export type PartitionWorkOptions = {
  /**
   * `maintained` repeatedly runs the product's maintenance, which attaches a month each time.
   * `detached` briefly detaches the current month with its rows.
   */
  readonly kind: 'maintained' | 'detached' | 'none'
  readonly stage: Stage
}

const PAUSE_MS = { min: 150, max: 450 }
const DETACHED_MS = { min: 50, max: 200 }

export type PartitionWork = ReturnType<typeof startPartitionWork>

/** Attaches and detaches partitions of `conversation` until it is stopped. */
export function startPartitionWork({ kind, stage }: PartitionWorkOptions) {
  const counts = { partitionRounds: 0 }
  let isStopping = kind === 'none'

  async function run(): Promise<void> {
    while (!isStopping) {
      await sleep(between(PAUSE_MS))
      if (isStopping) return
      if (kind === 'detached') await detachForAWhile(stage)
      else if (!(await maintainPartitions(stage))) continue
      counts.partitionRounds += 1
    }
  }
  const done = run()
  return {
    counts: counts as Readonly<typeof counts>,
    done,
    async stop(): Promise<void> {
      isStopping = true
      await done
    },
  }
}

type Partition = { readonly name: string; readonly bounds: string }

async function detachForAWhile({ owner }: Stage): Promise<void> {
  const [partition] = await owner.query<Partition>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'conversation'::regclass
        and c.relname = 'conversation_' || to_char(now() at time zone 'UTC', 'YYYY_MM')`,
  )
  if (partition === undefined) throw new Error('the current month has no partition')
  const { name, bounds } = partition
  await owner.query(`alter table conversation detach partition ${name}`)
  await sleep(between(DETACHED_MS))
  await owner.query(`alter table conversation attach partition ${name} ${bounds}`)
}

/**
 * Runs the maintenance; returns false while the database is down, since it also crashes during the
 * run.
 */
async function maintainPartitions({ owner }: Stage): Promise<boolean> {
  try {
    // The last month is in the future and empty. It is removed, so that there is a month to attach.
    const [last] = await owner.query<{ name: string }>(
      `select max(c.relname) as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'conversation'::regclass and c.relname ~ '_\\d{4}_\\d{2}$'`,
    )
    await owner.query(`drop table ${last?.name}`)
    await owner.query('select ensure_partitions()')
    await owner.query('select drop_partitions()')
    return true
  } catch (error) {
    if (isRefusal(error)) throw error
    return false
  }
}

/**
 * Checks whether an error is about the statement itself, and not about the connection or a server
 * that stops or starts.
 */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|57)/.test(code)
}

function between({ min, max }: { readonly min: number; readonly max: number }): number {
  return min + Math.random() * (max - min)
}
