/**
 * Runs another program and connects it to a proxy. A network namespace has only a loopback
 * interface, and programs such as Git cannot use a proxy on a Unix socket. So this program listens
 * on loopback as a SOCKS 5 proxy (RFC 1928), which programs can use for any protocol, and forwards
 * each connection to the CONNECT proxy on the socket. The CONNECT proxy decides what may be
 * reached.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { constants } from 'node:os'
import { openTunnel } from './open-tunnel.ts'

const [proxySocket = '', command = '', ...args] = process.argv.slice(2)

const VERSION = 5
const SUCCEEDED = 0
const NOT_ALLOWED = 2
const NOT_SUPPORTED = 7

const server = createServer((client) => {
  client.on('error', () => client.destroy())
  relay(client).catch(() => client.destroy())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const proxy = `all_proxy=socks5h://127.0.0.1:${port}`
const child = spawn('/usr/bin/env', [proxy, command, ...args], { stdio: 'inherit' })
child.on('error', () => process.exit(127))
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
})

async function relay(client: Socket): Promise<void> {
  const read = reader(client)
  const [, methods = 0] = await read(2)
  await read(methods)
  client.write(Buffer.from([VERSION, 0]))
  const [, request, , kind] = await read(4)
  const host = await readHost(read, kind)
  const port = (await read(2)).readUInt16BE()
  if (request !== 1 || host === undefined) return void client.end(reply(NOT_SUPPORTED))
  const tunnel = await openTunnel(proxySocket, { host, port }).catch(() => undefined)
  if (tunnel === undefined) return void client.end(reply(NOT_ALLOWED))
  const { socket, head } = tunnel
  socket.on('error', () => client.destroy())
  socket.on('close', () => client.end())
  client.on('close', () => socket.destroy())
  client.write(reply(SUCCEEDED))
  client.write(head)
  socket.pipe(client)
  client.pipe(socket)
}

type Read = (length: number) => Promise<Buffer>

/**
 * Reads a host name or an IP address. An IPv6 address is returned as groups of hexadecimal digits.
 */
async function readHost(read: Read, kind: number | undefined): Promise<string | undefined> {
  if (kind === 1) return (await read(4)).join('.')
  if (kind === 3) return (await read((await read(1))[0] ?? 0)).toString('latin1')
  if (kind === 4) return (await read(16)).toString('hex').match(/.{4}/g)?.join(':')
  return undefined
}

function reply(status: number): Buffer {
  return Buffer.from([VERSION, status, 0, 1, 0, 0, 0, 0, 0, 0])
}

function reader(client: Socket): Read {
  return async (length) => {
    if (length === 0) return Buffer.alloc(0)
    for (;;) {
      const bytes: Buffer | null = client.read(length)
      if (bytes !== null && bytes.length === length) return bytes
      if (client.readableEnded || client.destroyed) throw new Error('closed')
      await once(client, 'readable')
    }
  }
}
