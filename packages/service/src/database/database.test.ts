import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { openDatabase } from './database.ts'

const QUERY_MS = 3_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('a server that hangs', () => {
  test('fails a transaction once, without waiting for the rollback as well', async () => {
    const database = openDatabase({
      url: service.databaseUrl,
      connections: 1,
      queryMs: QUERY_MS,
    })
    const started = performance.now()
    await expect(database.transaction((query) => query('select pg_sleep(30)'))).rejects.toThrow(
      'timeout',
    )
    expect(performance.now() - started).toBeQuick(2 * QUERY_MS)
    // The connection that hung is not used again.
    expect(database.pool.totalCount).toBe(0)
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
    await database.end()
  })

  test('a transaction that fails for another reason keeps its connection', async () => {
    const database = openDatabase({ url: service.databaseUrl, connections: 1 })
    await expect(database.transaction((query) => query('select 1 / 0'))).rejects.toThrow('zero')
    expect(database.pool.idleCount).toBe(1)
    await database.end()
  })
})
