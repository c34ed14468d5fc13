/**
 * Runs transactions that are never committed, so that functions can be replaced and data changed
 * without lasting effect.
 */
import pg from 'pg'
import { readRow } from '../src/platform/database/call-function.ts'
import {
  bindingOf,
  type ProjectDatabase,
  type Query,
  type Tenant,
} from '../src/platform/database/database.ts'

type TrialOptions = {
  readonly tenant: Tenant
  /** The role for the tenant's statements; the owner of the tables if undefined. */
  readonly role: string | undefined
  /** Statements that the owner runs first. */
  readonly prepare: string
  /** Changes the text of the tenant's statements. */
  readonly rewrite: (text: string) => string
}

export type TrialDatabase = {
  /** Runs `work` as the tenant and then `look` as the owner, and rolls everything back. */
  readonly run: <Done, Seen>(
    options: TrialOptions,
    work: (database: ProjectDatabase) => Promise<Done>,
    look: (query: Query) => Promise<Seen>,
  ) => Promise<{ readonly done: Done; readonly seen: Seen }>
  readonly end: () => Promise<void>
}

export async function openTrialDatabase(ownerUrl: string): Promise<TrialDatabase> {
  const client = new pg.Client(ownerUrl)
  await client.connect()
  const query: Query = async (text, values = []) =>
    (await client.query({ text, values: [...values] })).rows
  return {
    end: () => client.end(),
    async run({ tenant, role, prepare, rewrite }, work, look) {
      // Compiling a plan takes longer than running it once.
      await client.query('begin; set local jit = off')
      try {
        if (prepare !== '') await client.query(prepare)
        await client.query(bindingOf(tenant))
        if (role !== undefined) await client.query(`set local role ${role}`)
        const done = await work(bindToTransaction(client, tenant, rewrite))
        await client.query('reset role')
        return { done, seen: await look(query) }
      } finally {
        await client.query('rollback')
      }
    },
  }
}

function bindToTransaction(
  client: pg.Client,
  tenant: Tenant,
  rewrite: TrialOptions['rewrite'],
): ProjectDatabase {
  /** Keeps the transaction open if a statement fails. */
  async function protect<Result>(work: () => Promise<Result>): Promise<Result> {
    await client.query('savepoint trial')
    try {
      return await work()
    } catch (error) {
      await client.query('rollback to trial')
      throw error
    }
  }
  const query: Query = async (text, values = []) =>
    (await client.query({ text: rewrite(text), values: [...values] })).rows
  // The connection is kept even when it is released.
  const held = Object.assign(client, { release: () => {} })
  const pool = { connect: async () => held } as unknown as pg.Pool
  return {
    tenant,
    transaction: (work) => protect(() => work(query)),
    query: (text, values) => protect(() => query(text, values)),
    call: (name, args) => protect(() => readRow(pool, 'select 1', name, args)),
  }
}
