import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import type { Query } from './database.ts'
import { SharedReads } from './shared-reads.ts'

let service: TestService
let first: TestProject
let second: TestProject
beforeAll(async () => {
  service = await startTestService()
  first = await service.createProject()
  second = await service.createProject()
})
afterAll(() => service.stop())

let reads: SharedReads
let taken = 0
const count = () => {
  taken += 1
}
beforeEach(() => {
  reads = new SharedReads()
  taken = 0
  service.service.database.pool.on('acquire', count)
})
afterEach(() => {
  service.service.database.pool.off('acquire', count)
})

const of = (project: TestProject) => service.service.database.forProject(project.tenant)
const SEEN = `select current_project()::text as project, pg_current_xact_id()::text as transaction`
type Seen = { readonly project: string; readonly transaction: string }
const look = async (query: Query) => (await query<Seen>(SEEN))[0]
const inUse = () => {
  const { totalCount, idleCount } = service.service.database.pool
  return totalCount - idleCount
}

test('sequential and concurrent reads of one tenant share a transaction', async () => {
  const seen = await reads.run(async () => [
    ...(await Promise.all([of(first).transaction(look), of(first).query<Seen>(SEEN)])).flat(),
    await of(first).transaction(look),
  ])
  await reads.end()
  expect(new Set(seen.map((one) => one?.transaction)).size).toBe(1)
  expect(taken).toBe(1)
  expect(inUse()).toBe(0)
})

test('shared reads use a separate transaction for each tenant, which sees only its own rows', async () => {
  const seen = await reads.run(() =>
    Promise.all([first, second, first].map((project) => of(project).transaction(look))),
  )
  await reads.end()
  expect(seen.map((one) => one?.project)).toEqual([first.id, second.id, first.id])
  expect(taken).toBe(2)
})

test('reads outside of the shared work or after its end use separate transactions', async () => {
  const inside = await reads.run(() => of(first).transaction(look))
  const outside = await of(first).transaction(look)
  expect(outside?.transaction).not.toBe(inside?.transaction)
  await reads.run(async () => {
    await reads.end()
    const late = await of(first).transaction(look)
    expect(late?.transaction).not.toBe(inside?.transaction)
  })
  expect(inUse()).toBe(0)
})

test('the connection of shared reads is released while no read is running', async () => {
  await reads.run(async () => {
    await of(first).transaction(look)
    expect(inUse()).toBe(1)
    await expect.poll(inUse).toBe(0)
    expect(await of(first).transaction(look)).toMatchObject({ project: first.id })
  })
  await reads.end()
  expect(taken).toBe(2)
})

test('writes made during shared reads are committed at the end', async () => {
  await reads.run(() => of(first).query(`select count_action('shared', 60)`))
  await reads.end()
  const rows = await service.owner.query(`select from action_count where action = 'shared'`)
  expect(rows).toHaveLength(1)
})

test('a failed statement fails only its own read, and the next read starts a new transaction', async () => {
  await reads.run(async () => {
    await expect(of(first).query('select 1 / 0')).rejects.toThrow('zero')
    expect(await of(first).transaction(look)).toMatchObject({ project: first.id })
  })
  await reads.end()
  expect(inUse()).toBe(0)
})

test('an error thrown by a read leaves the transaction usable for other reads', async () => {
  await reads.run(async () => {
    const failing = of(first).transaction(async (query) => {
      await query('select 1')
      throw new Error('not found')
    })
    await expect(failing).rejects.toThrow('not found')
    await of(first).transaction(look)
  })
  await reads.end()
  expect(taken).toBe(1)
})

test('each shared read fails if the database is unreachable, without an unhandled rejection', async () => {
  const { openDatabase } = await import('./database.ts')
  const away = openDatabase({ url: 'postgres://x@127.0.0.1:1/x', connections: 1 })
  await reads.run(async () => {
    const read = () => away.forProject(first.tenant).query('select 1')
    await expect(Promise.all([read(), read()])).rejects.toThrow('ECONNREFUSED')
    await expect(read()).rejects.toThrow('ECONNREFUSED')
  })
  await reads.end()
  await sleep(10)
  await away.end()
})
