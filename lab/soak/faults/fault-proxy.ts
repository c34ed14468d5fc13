/** A TCP proxy between two parts of a service that can delay, stop or cut the traffic. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type FaultMode =
  | { readonly kind: 'pass' }
  /** Delays every chunk in both directions, and keeps their order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Limits the bytes per second of each connection. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Keeps connections open and accepts new ones, but forwards nothing. */
  | { readonly kind: 'stall' }
  /** Forwards data only to the server: requests arrive, but responses are lost. */
  | { readonly kind: 'one-way' }
  /** Resets new connections immediately. */
  | { readonly kind: 'refuse' }

export type FaultProxy = {
  readonly port: number
  readonly set: (mode: FaultMode) => void
  /**
   * Resets the connection on which a client sends the n-th chunk from now on: either before the
   * server gets the chunk, or afterwards, which loses only the response.
   */
  readonly resetAt: (piece: number, when: 'before' | 'after') => void
  /** Returns the number of chunks that clients have sent. */
  readonly pieces: () => number
  /** Resets all open connections. */
  readonly reset: () => void
  readonly open: () => number
  readonly stop: () => void
}

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let mode: FaultMode = { kind: 'pass' }
  let pieces = 0
  let planned: { readonly at: number; readonly when: 'before' | 'after' } | undefined
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: false }, (client) => {
    if (mode.kind === 'refuse') {
      client.resetAndDestroy()
      return
    }
    const target = connect({ host: '127.0.0.1', port: targetPort })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      // The other side is notified by its own close event.
      socket.on('error', () => {})
    }
    client.on('close', () => end(target, client))
    target.on('close', () => end(client, target))
    forward(client, target, 'up')
    forward(target, client, 'down')
  })
  function end(other: Socket, closed: Socket): void {
    sockets.delete(closed)
    // In a network partition, neither side notices that the other has closed its connection.
    if (mode.kind !== 'stall') other.destroy()
  }

  /** Forwards one chunk at a time, each according to the current mode. */
  function forward(from: Socket, to: Socket, direction: 'up' | 'down'): void {
    let last = Promise.resolve()
    from.on('data', (piece: Buffer) => {
      if (direction === 'up') pieces += 1
      if (direction === 'up' && planned?.at === pieces) {
        if (planned.when === 'after') to.write(piece)
        from.resetAndDestroy()
        return
      }
      last = last.then(() => pass(piece, to, direction))
    })
  }

  async function pass(piece: Buffer, to: Socket, direction: 'up' | 'down'): Promise<void> {
    const lost = mode.kind === 'stall' || (mode.kind === 'one-way' && direction === 'down')
    if (lost) {
      // A stream with lost data is useless, so it is closed when the fault ends.
      broken.add(to)
      return
    }
    if (mode.kind === 'delay') await pause(mode.ms)
    if (mode.kind === 'throttle') await pause((piece.length / mode.bytesPerSecond) * 1_000)
    if (!to.destroyed) to.write(piece)
  }
  const broken = new Set<Socket>()
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy()
    sockets.clear()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      mode = next
      for (const socket of broken) socket.destroy()
      broken.clear()
    },
    resetAt: (piece, when) => {
      planned = { at: pieces + piece, when }
    },
    pieces: () => pieces,
    reset,
    open: () => sockets.size,
    stop: () => {
      reset()
      server.close()
    },
  }
}
