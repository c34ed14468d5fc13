import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openOutbound } from './open-outbound.ts'

let respond: (response: ServerResponse) => void
const server = createServer((_, response) => respond(response))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

beforeEach(() => {
  respond = (response) => response.end('fine')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const open = (options: Partial<Parameters<typeof openOutbound>[0]> = {}) =>
  openOutbound({
    url,
    method: 'POST',
    allowPrivateHosts: ['127.0.0.1'],
    bytesMax: 100,
    signal: new AbortController().signal,
    ...options,
  })

async function opened(options?: Parameters<typeof open>[0]) {
  const outcome = await open(options)
  if (outcome.kind !== 'stream') throw new Error(JSON.stringify(outcome))
  return outcome
}

test('the body can be read before the response is complete', async () => {
  let more = () => {}
  respond = (response) => {
    response.writeHead(503, { 'retry-after': '1' })
    response.write('one')
    more = () => response.end('two')
  }
  const { status, headers, body } = await opened()
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  const pieces: string[] = []
  for await (const piece of body) {
    pieces.push(Buffer.from(piece).toString())
    more()
  }
  expect(pieces).toEqual(['one', 'two'])
})

test('the connection is closed when the caller stops reading', async () => {
  const closed = Promise.withResolvers<void>()
  respond = (response) => {
    response.on('close', closed.resolve)
    response.write('one')
  }
  const { body } = await opened()
  for await (const _ of body) break
  await closed.promise
})

test('reading the body throws if the connection is lost', async () => {
  respond = (response) => {
    response.write('one')
    setImmediate(() => response.destroy())
  }
  const { body } = await opened()
  await expect(text(body)).rejects.toThrow()
})

test('reading the body throws if it exceeds the size limit', async () => {
  respond = (response) => response.end('x'.repeat(101))
  const { body } = await opened()
  await expect(text(body)).rejects.toThrow()
})

test('aborting a request cancels it, or makes reading fail if its body has already started', async () => {
  const control = new AbortController()
  respond = () => control.abort()
  expect(await open({ signal: control.signal })).toMatchObject({ reason: 'canceled' })
  const later = new AbortController()
  respond = (response) => response.write('one')
  const { body } = await opened({ signal: later.signal })
  setImmediate(() => later.abort())
  await expect(text(body)).rejects.toThrow()
})

test('a private address is refused, and a compressed response is a failure', async () => {
  expect(await open({ allowPrivateHosts: [] })).toMatchObject({
    kind: 'refused',
    reason: 'address',
  })
  respond = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
  expect(await open()).toMatchObject({ kind: 'failed', reason: 'encoding' })
})

test('a redirect is returned as a response instead of being followed', async () => {
  respond = (response) => response.writeHead(307, { location: 'http://10.0.0.1/' }).end()
  expect((await opened()).status).toBe(307)
})
