import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openDatabase } from './database.ts'

const QUERY_MS = 3_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('a database server that hangs', () => {
  test('a transaction on a server that hangs times out without also waiting for its rollback', async () => {
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
    // The connection that hung is discarded.
    expect(database.pool.totalCount).toBe(0)
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
    await database.end()
  })

  test('a transaction that fails for another reason returns its connection to the pool', async () => {
    const database = openDatabase({ url: service.databaseUrl, connections: 1 })
    await expect(database.transaction((query) => query('select 1 / 0'))).rejects.toThrow('zero')
    expect(database.pool.idleCount).toBe(1)
    await database.end()
  })
})

describe('single statements for a tenant', () => {
  /**
   * Starts a proxy that can hold back the server's responses and record what the client sends
   * meanwhile.
   */
  async function startHolding() {
    const target = new URL(service.databaseUrl)
    let sent = ''
    let isHeld = false
    const held: (() => void)[] = []
    const proxy = createServer((client) => {
      const server = connect(Number(target.port), target.hostname)
      client.on('data', (bytes) => {
        if (isHeld) sent += bytes.toString('latin1')
        server.write(bytes)
      })
      server.on('data', (bytes) => {
        if (isHeld) held.push(() => client.write(bytes))
        else client.write(bytes)
      })
      client.on('close', () => server.destroy())
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => proxy.once('listening', resolve))
    const { port } = proxy.address() as { readonly port: number }
    return {
      url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href,
      hold: () => (isHeld = true),
      sent: () => sent,
      release() {
        isHeld = false
        for (const write of held) write()
      },
      stop: () => proxy.close(),
    }
  }

  test('begin, statement and commit are sent together before the server responds', async () => {
    const proxy = await startHolding()
    const database = openDatabase({ url: proxy.url, connections: 1 })
    await database.query('select 1')
    proxy.hold()
    const reading = database
      .forOrganization('7')
      .query<{ bound: string }>(
        `select current_setting('octavo.organization_id') as bound where $1::integer = 1`,
        [1],
      )
    await expect.poll(proxy.sent).toMatch(/begin;.*where \$1::integer = 1.*commit/s)
    proxy.release()
    expect(await reading).toEqual([{ bound: '7' }])
    // The next statement on the same connection is not bound to a tenant.
    const [next] = await database.query(`select current_setting('octavo.organization_id') as bound`)
    expect(next).toEqual({ bound: '' })
    await database.end()
    proxy.stop()
  })

  test('a statement that fails for a tenant changes nothing and leaves its connection usable', async () => {
    const database = openDatabase({ url: service.databaseUrl, connections: 1 })
    const bound = database.forOrganization('7')
    for (const [text, reason] of [
      ['select 1 / $1::integer', 'zero'],
      ['select nothing where $1::integer = 0', 'nothing'],
    ] as const)
      await expect(bound.query(text, [0])).rejects.toThrow(reason)
    expect(database.pool.idleCount).toBe(1)
    expect(await bound.query('select 1 as one')).toEqual([{ one: 1 }])
    await database.end()
  })

  test('a statement on a server that hangs times out, and its connection is discarded', async () => {
    const database = openDatabase({ url: service.databaseUrl, connections: 1, queryMs: QUERY_MS })
    const started = performance.now()
    await expect(database.forPerson('7').query('select pg_sleep(30)')).rejects.toThrow('timeout')
    expect(performance.now() - started).toBeQuick(2 * QUERY_MS)
    expect(database.pool.totalCount).toBe(0)
    await database.end()
  })
})
