/**
 * A CONNECT proxy on a Unix socket, for programs that must not access the network directly. It
 * connects only to the given targets, and follows the rules for all outbound connections: only
 * public addresses, each name resolved once, which prevents DNS rebinding. The size limit applies
 * to all connections together.
 */
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkTarget, type ResolveHost, systemResolve } from './check-target.ts'
import type { FailureReason, OutboundFailure } from './outbound-outcome.ts'

export type ConnectProxyOptions = {
  /** The path of the socket. The permissions of its folder decide who can connect. */
  readonly socketPath: string
  /** The only allowed targets. Their hosts are in the format of `URL.hostname`. */
  readonly targets: readonly ProxyTarget[]
  /** Hosts that may be on a private network, at any port. They are written as in a URL. */
  readonly allowPrivateHosts: readonly string[]
  readonly limits: {
    /** The total number of bytes received through all connections. */
    readonly bytesMax: number
    readonly connectMsMax: number
    /** The time after which an idle connection is closed. */
    readonly silenceMsMax: number
    /** The maximum number of concurrent connections. */
    readonly connectionsMax: number
  }
  readonly resolve?: ResolveHost
}

type ProxyTarget = { readonly host: string; readonly port: number }

export type ProxyFailure = OutboundFailure | { readonly kind: 'other-target'; readonly url: string }

export type ConnectProxy = {
  /** The reason why a connection was refused or failed; only the first one is stored. */
  readonly failure: () => ProxyFailure | undefined
  readonly bytesReceived: () => number
  /** Closes all connections. */
  readonly close: () => Promise<void>
}

/** The ports of web servers and SSH. An empty string is the default port. */
const PROXY_PORTS: ReadonlySet<string> = new Set(['22', '80', '', '443', '8080', '8443'])

export async function openConnectProxy(options: ConnectProxyOptions): Promise<ConnectProxy> {
  const proxy = new Connections(options)
  const server = createServer((_, response) => {
    // Only CONNECT is supported, because only its targets are checked.
    response.writeHead(405, { connection: 'close' }).end()
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    void proxy.accept(request, client, head)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(options.socketPath)
  await once(server, 'listening')
  await chmod(options.socketPath, 0o600)
  return {
    failure: () => proxy.failure,
    bytesReceived: () => proxy.bytesReceived,
    close: async () => {
      proxy.end()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

class Connections {
  failure: ProxyFailure | undefined
  bytesReceived = 0
  readonly #options: ConnectProxyOptions
  readonly #sockets = new Set<Duplex>()
  readonly #ended = new AbortController()
  #connections = 0

  constructor(options: ConnectProxyOptions) {
    this.#options = options
  }

  end(): void {
    this.#ended.abort()
    for (const socket of this.#sockets) socket.destroy()
  }

  async accept(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    this.#keep(client)
    client.on('error', () => client.destroy())
    const url = URL.parse(`https://${request.url}/`)
    if (url === null || url.pathname !== '/' || url.username !== '') {
      return this.#refuse(client, 400, { kind: 'refused', url: request.url ?? '', reason: 'url' })
    }
    if (this.#connections >= this.#options.limits.connectionsMax) {
      return this.#refuse(client, 503, { kind: 'failed', url: url.href, reason: 'connect' })
    }
    this.#connections += 1
    client.once('close', () => {
      this.#connections -= 1
    })
    try {
      const server = await this.#connect(url)
      if (!('destroy' in server)) return this.#refuse(client, 403, server)
      if (client.destroyed) return void server.destroy()
      this.#join({ client, server, url, head })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      this.#refuse(client, 502, this.#failed(url, 'connect', code))
    }
  }

  /** Connects to a checked address, or returns the reason why this is not allowed. */
  async #connect(url: URL): Promise<Socket | ProxyFailure> {
    const { targets, allowPrivateHosts, limits, resolve = systemResolve } = this.#options
    const port = url.port === '' ? 443 : Number(url.port)
    if (!targets.some((target) => target.host === url.hostname && target.port === port)) {
      return { kind: 'other-target', url: url.href }
    }
    const late = AbortSignal.timeout(limits.connectMsMax)
    const signal = AbortSignal.any([late, this.#ended.signal])
    try {
      const rules = { allowPrivateHosts, resolve, signal, ports: PROXY_PORTS }
      const target = await checkTarget(url, rules)
      if (target.kind !== 'checked') return target
      return await connectToFirst(target.addresses, port, signal)
    } catch (error) {
      if (late.aborted) return this.#failed(url, 'timeout', undefined, limits.connectMsMax)
      throw error
    }
  }

  #join({ client, server, url, head }: Joined): void {
    const { silenceMsMax, bytesMax } = this.#options.limits
    this.#keep(server)
    const end = () => {
      client.destroy()
      server.destroy()
    }
    server.on('data', (bytes: Buffer) => {
      this.bytesReceived += bytes.length
      if (this.bytesReceived <= bytesMax) return
      this.failure ??= this.#failed(url, 'too-large')
      this.end()
    })
    server.setTimeout(silenceMsMax, () => {
      this.failure ??= this.#failed(url, 'timeout', undefined, silenceMsMax)
      end()
    })
    server.on('error', end)
    // `end` sends the data received so far before it closes the connection.
    server.on('close', () => client.end())
    client.on('close', end)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    server.write(head)
    server.pipe(client)
    client.pipe(server)
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  #refuse(client: Duplex, status: number, failure: ProxyFailure): void {
    this.failure ??= failure
    client.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  }

  #failed(url: URL, reason: FailureReason, code?: string, afterMs?: number): OutboundFailure {
    return {
      kind: 'failed',
      url: url.href,
      reason,
      ...(code !== undefined && { code }),
      ...(afterMs !== undefined && { afterMs }),
    }
  }
}

type Joined = {
  readonly client: Duplex
  readonly server: Socket
  readonly url: URL
  readonly head: Buffer
}

/** Tries the addresses in order, so that a host with broken IPv6 can be reached over IPv4. */
async function connectToFirst(
  addresses: readonly { readonly address: string }[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown = new Error('no address')
  for (const { address } of addresses) {
    const socket = connect({ host: address, port })
    try {
      await once(socket, 'connect', { signal })
      return socket
    } catch (error) {
      socket.destroy()
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}
