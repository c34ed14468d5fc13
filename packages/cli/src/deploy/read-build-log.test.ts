import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { CommandContext } from '../context/command-context.ts'
import { readBuildLog } from './read-build-log.ts'
import { ServiceClient } from './service-client.ts'

/**
 * What the server does for each log request, in order; after these requests it serves all lines.
 */
let plan: ('break' | 'cut line' | 'time is up')[] = []
let asked: string[] = []
let linesMax = 6
const line = (number: number) =>
  `${JSON.stringify({ line: number, at: '2026-01-31T09:30:00.000Z', text: `line ${number}` })}\n`

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost')
  if (!url.pathname.endsWith('/log')) {
    response.end(JSON.stringify({ state: plan.length > 0 ? 'building' : 'finished' }))
    return
  }
  asked.push(url.search)
  const after = Number(url.searchParams.get('after'))
  const todo = plan.shift()
  if (todo === undefined) {
    for (let number = after + 1; number <= linesMax; number += 1) response.write(line(number))
    response.end()
    return
  }
  if (after < linesMax) response.write(line(after + 1))
  const rest = todo === 'cut line' ? line(after + 2).slice(0, 20) : ' '
  if (todo === 'time is up') response.end()
  else response.write(rest, () => setImmediate(() => response.destroy()))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
beforeEach(() => {
  plan = []
  asked = []
  linesMax = 6
})

const clock = { now: () => 0, sleep: () => Promise.resolve() }
async function readAll(follow = true): Promise<readonly number[]> {
  const service = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const stream = { write: () => undefined }
  const env = { NO_COLOR: undefined, FORCE_COLOR: undefined }
  const world: CommandContext = { args: [], cwd: '.', env, clock, out: stream, err: stream }
  const client = new ServiceClient(world, { service, project: 'prj_1', apiKey: 'key' })
  const read: number[] = []
  for await (const { line } of readBuildLog(world, client, { id: 'one', follow })) read.push(line)
  return read
}

test('an interrupted build log resumes after its last line without duplicates', async () => {
  plan = ['break', 'cut line', 'time is up', 'break']
  expect(await readAll()).toEqual([1, 2, 3, 4, 5, 6])
  expect(asked).toEqual([0, 1, 2, 3, 4].map((after) => `?after=${after}&follow=true`))
})

test('a build log that is not followed ends after its current lines', async () => {
  expect(await readAll(false)).toEqual([1, 2, 3, 4, 5, 6])
  expect(asked).toEqual(['?after=0&follow=false'])
})

test('reading a build log fails after five interruptions without a new line', async () => {
  linesMax = 0
  plan = Array.from({ length: 9 }, () => 'break' as const)
  await expect(readAll()).rejects.toThrow('failed repeatedly')
  expect(asked).toHaveLength(5)
})
