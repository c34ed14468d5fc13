import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type ConnectProxy, type ConnectProxyOptions, openConnectProxy } from './connect-proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-proxy-'))
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (bytes) => socket.write(`you said ${bytes}`))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

let proxy: ConnectProxy
afterEach(() => proxy.close())
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const socketPath = join(folder, 'proxy.sock')
const LIMITS = { bytesMax: 1_000, connectMsMax: 2_000, silenceMsMax: 2_000, connectionsMax: 2 }

async function open(options: Partial<ConnectProxyOptions> = {}): Promise<void> {
  proxy = await openConnectProxy({
    socketPath,
    targets: [{ host: 'git.example', port }],
    allowPrivateHosts: ['git.example'],
    limits: LIMITS,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
  })
}

/**
 * Sends a request, and `then` once the tunnel is open. Returns all received text until the
 * connection ends or `until` appears.
 */
async function say(request: string, then?: string, until?: string): Promise<string> {
  const socket = connect(socketPath)
  socket.on('error', () => {})
  socket.write(request)
  let text = ''
  for await (const bytes of socket) {
    text += bytes
    if (then !== undefined && text.endsWith('established\r\n\r\n')) socket.write(then)
    if (until !== undefined && text.includes(until)) break
  }
  return text
}

const CONNECT = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`

test('an allowed private host can be reached at any port', async () => {
  await open()
  const text = await say(CONNECT(`git.example:${port}`), 'hello', 'you said hello')
  expect(text).toContain('HTTP/1.1 200')
  expect(proxy.failure()).toBeUndefined()
  expect(proxy.bytesReceived()).toBe('you said hello'.length)
})

test.each([
  ['a private address', '127.0.0.1', 443, 'address'],
  ['the metadata address', '169.254.169.254', 80, 'address'],
  ['a port that is neither HTTP nor SSH', '8.8.8.8', 25, 'port'],
  ['a port of a database', '8.8.8.8', 5432, 'port'],
])('a connection to %s is refused', async (_, host, targetPort, reason) => {
  await open({ targets: [{ host, port: targetPort }], allowPrivateHosts: [] })
  expect(await say(CONNECT(`${host}:${targetPort}`))).toContain('HTTP/1.1 403')
  expect(proxy.failure()).toMatchObject({ kind: 'refused', reason })
})

test('a name that resolves to a private address is refused', async () => {
  await open({ targets: [{ host: 'git.example', port: 443 }], allowPrivateHosts: [] })
  expect(await say(CONNECT('git.example:443'))).toContain('HTTP/1.1 403')
  expect(proxy.failure()).toMatchObject({ kind: 'refused', reason: 'address' })
})

test('a target that is not listed is refused, even if its private host is allowed', async () => {
  await open({ allowPrivateHosts: ['git.example', '127.0.0.1'] })
  expect(await say(CONNECT(`127.0.0.1:${port}`))).toContain('HTTP/1.1 403')
  expect(proxy.failure()).toMatchObject({ kind: 'other-target' })
})

test('a target with a path is refused', async () => {
  await open()
  expect(await say(CONNECT('git.example/path'))).toContain('HTTP/1.1 400')
})

test('a plain HTTP request is refused', async () => {
  await open()
  const request = `GET http://git.example:${port}/ HTTP/1.1\r\nHost: git.example\r\n\r\n`
  expect(await say(request)).toContain('HTTP/1.1 405')
})

test('a connection is closed when it exceeds the size limit', async () => {
  await open()
  const text = await say(CONNECT(`git.example:${port}`), 'x'.repeat(1_100))
  expect(text.length).toBeLessThan(1_300)
  expect(proxy.failure()).toMatchObject({ kind: 'failed', reason: 'too-large' })
})

test('an idle connection is closed', async () => {
  await open({ limits: { ...LIMITS, silenceMsMax: 50 } })
  await say(CONNECT(`git.example:${port}`))
  expect(proxy.failure()).toMatchObject({ kind: 'failed', reason: 'timeout', afterMs: 50 })
})

test('the number of concurrent connections is limited', async () => {
  await open({ limits: { ...LIMITS, connectionsMax: 1 } })
  const first = connect(socketPath)
  first.on('error', () => {})
  first.write(CONNECT(`git.example:${port}`))
  await once(first, 'data')
  expect(await say(CONNECT(`git.example:${port}`))).toContain('HTTP/1.1 503')
})

test('a failed connection to the server is reported', async () => {
  await open({ targets: [{ host: 'git.example', port: 1 }] })
  expect(await say(CONNECT('git.example:1'))).toContain('HTTP/1.1 502')
  expect(proxy.failure()).toMatchObject({ kind: 'failed', reason: 'connect', code: 'ECONNREFUSED' })
})

test('the second address is tried if the first one does not respond', async () => {
  await open({
    resolve: async () => [
      { address: '127.0.0.9', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  })
  expect(await say(CONNECT(`git.example:${port}`), 'hello', 'hello')).toContain('you said hello')
})
