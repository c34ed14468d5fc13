/** Clients that hold a connection and send or read almost nothing. */
import { connect, type Socket } from 'node:net'

export type SlowKind = 'headers' | 'body' | 'reader' | 'idle'

const PAUSE_MS = 1_000

export type SlowClients = {
  readonly opened: number
  /** Returns the number of connections that the server has closed. */
  readonly closed: () => number
  readonly stop: () => void
}

export function openSlowClients(options: {
  readonly port: number
  readonly host: string
  readonly kind: SlowKind
  readonly count: number
  /** The path of a large file, for clients that do not read. */
  readonly path: string
}): SlowClients {
  const { port, host, kind, count, path } = options
  let closed = 0
  const sockets: Socket[] = []
  const timers: NodeJS.Timeout[] = []
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ host: '127.0.0.1', port })
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      closed += 1
    })
    if (kind !== 'reader') socket.resume()
    socket.once('connect', () => {
      const begin = {
        headers: `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
        body: `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
        reader: `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20),
        idle: '',
      }[kind]
      if (begin !== '') socket.write(begin)
      if (kind === 'reader') socket.pause()
      if (kind !== 'headers' && kind !== 'body') return
      timers.push(setInterval(() => !socket.destroyed && socket.write('a'), PAUSE_MS))
    })
  }
  return {
    opened: count,
    closed: () => closed,
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    },
  }
}
