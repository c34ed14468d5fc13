import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '../context/command-context.ts'
import { ServiceClient } from './service-client.ts'

/**
 * The time until the service's database is back. The clock advances only while the client waits.
 */
let awayMs = 0
let nowMs = 0
let status = 503
const server = createServer((_, response) => {
  if (nowMs >= awayMs) response.end('{"missing":[]}')
  else response.writeHead(status, { 'retry-after': '1' }).end('{"detail":"Please try again."}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
beforeEach(() => {
  nowMs = 0
  status = 503
})

function askMissing() {
  const service = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const stream = { write: () => undefined }
  const env = { NO_COLOR: undefined, FORCE_COLOR: undefined }
  const clock = {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
  const world: CommandContext = { args: [], cwd: '.', env, clock, out: stream, err: stream }
  return new ServiceClient(world, { service, project: 'prj_1', apiKey: 'key' }).missing('dpl_1')
}

describe('retries of service requests', () => {
  test('a request is retried until the database has failed over', async () => {
    awayMs = 30_000
    expect(await askMissing()).toEqual({ missing: [] })
  })

  test('a request fails if the service stays unavailable', async () => {
    awayMs = 40_000
    await expect(askMissing()).rejects.toThrow('Please try again.')
    expect(nowMs).toBe(31_000)
  })

  test('a request that the service rejects permanently is not retried', async () => {
    status = 403
    await expect(askMissing()).rejects.toThrow('(403)')
    expect(nowMs).toBe(0)
  })
})
