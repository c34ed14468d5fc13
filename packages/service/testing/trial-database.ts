/**
 * Runs operations of a tenant in one transaction that is never committed. A test can repeat an
 * operation with changed SQL, and undo it each time.
 */
import pg from 'pg'
import { readRow } from '../src/platform/database/call-function.ts'
import {
  bindingOf,
  type ProjectDatabase,
  type Query,
  type Tenant,
} from '../src/platform/database/database.ts'

type Change = {
  /** The role that executes the statements. If undefined, it is the owner of the tables. */
  readonly role: string | undefined
  /** A statement that the owner executes first. */
  readonly prepare: string
  /** Changes the text of a statement, or of the call of a function, such as `publish_answers()`. */
  readonly rewrite: (text: string) => string
}

export type TrialDatabase = {
  readonly database: ProjectDatabase
  /** Runs `work` with the change, and `look` as the owner. Undoes both. */
  readonly attempt: <Done, Seen>(
    change: Change,
    work: () => Promise<Done>,
    look: (query: Query) => Promise<Seen>,
  ) => Promise<{ readonly done: Done; readonly seen: Seen }>
  /** Runs `work` as the role, and keeps what it changed for the work that follows. */
  readonly keep: (role: string, work: () => Promise<unknown>) => Promise<void>
  /** Undoes everything. */
  readonly end: () => Promise<void>
}

const same = (text: string) => text

export async function openTrialDatabase(ownerUrl: string, tenant: Tenant): Promise<TrialDatabase> {
  const client = new pg.Client(ownerUrl)
  await client.connect()
  // JIT is off, because compiling a plan takes longer than executing it once.
  await client.query(`begin; set local jit = off; ${bindingOf(tenant)}`)
  let rewrite: Change['rewrite'] = same
  return {
    database: bindToTransaction(client, tenant, (text) => rewrite(text)),
    end: () => client.end(),
    async keep(role, work) {
      await client.query(`set local role ${role}`)
      await work()
      await client.query('reset role')
    },
    async attempt(change, work, look) {
      await client.query('savepoint attempt')
      try {
        if (change.prepare !== '') await client.query(change.prepare)
        if (change.role !== undefined) await client.query(`set local role ${change.role}`)
        rewrite = change.rewrite
        const done = await work()
        await client.query('reset role')
        return { done, seen: await look(async (text) => (await client.query(text)).rows) }
      } finally {
        rewrite = same
        await client.query('rollback to attempt; release attempt')
      }
    },
  }
}

function bindToTransaction(
  client: pg.Client,
  tenant: Tenant,
  rewrite: Change['rewrite'],
): ProjectDatabase {
  /** Uses a savepoint, so that a failed statement does not abort the transaction. */
  async function protect<Result>(work: () => Promise<Result>): Promise<Result> {
    await client.query('savepoint work')
    try {
      return await work()
    } catch (error) {
      await client.query('rollback to work')
      throw error
    } finally {
      await client.query('release work')
    }
  }
  const query: Query = async (text, values = []) =>
    (await client.query({ text: rewrite(text), values: [...values] })).rows
  // Releasing the connection has no effect, so that it stays in the transaction.
  const held = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => held } as unknown as pg.Pool
  return {
    tenant,
    transaction: (work) => protect(() => work(query)),
    query: (text, values) => protect(() => query(text, values)),
    call(name, args) {
      rewrite(`${name}()`)
      return protect(() => readRow(pool, 'select 1', name, args))
    },
  }
}
