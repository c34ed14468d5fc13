/** A TCP proxy between two parts of a service that can delay, stop or cut the traffic. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type FaultMode =
  | { readonly kind: 'pass' }
  /** Delays every chunk in both directions; the order stays. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Limits the bytes per second of each connection. */
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Keeps and accepts connections, but forwards nothing. */
  | { readonly kind: 'stall' }
  /** Forwards only to the server: requests arrive, and responses are lost. */
  | { readonly kind: 'one-way' }
  /** Resets new connections at once. */
  | { readonly kind: 'refuse' }

export type FaultProxy = {
  readonly port: number
  readonly set: (mode: FaultMode) => void
  /**
   * Resets one connection at the n-th chunk that a client sends from now on: before the server gets
   * it, or after, so that only the response is lost.
   */
  readonly resetAt: (piece: number, when: 'before' | 'after') => void
  /** Number of chunks that clients have sent. */
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
    // In a partition, neither side learns that the other has gone.
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
      // Lost data makes the stream useless: it is closed when the fault ends.
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
