/** Opens connections through a CONNECT proxy that listens on a local Unix socket. */
import { connect, type Socket } from 'node:net'

export type Tunnel = {
  readonly socket: Socket
  /** Bytes from the server that arrived together with the proxy's response. */
  readonly head: Buffer
}

type TunnelTarget = { readonly host: string; readonly port: number }

const HEAD_BYTES_MAX = 4_096

/** Rejects with the proxy's status line if the proxy refuses the connection. */
export function openTunnel(proxySocket: string, { host, port }: TunnelTarget): Promise<Tunnel> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const { promise, resolve, reject } = Promise.withResolvers<Tunnel>()
  const socket = connect(proxySocket)
  let received = Buffer.alloc(0)
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('the proxy closed the connection')))
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  socket.on('data', function onData(bytes) {
    received = Buffer.concat([received, bytes])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0 && received.length < HEAD_BYTES_MAX) return
    socket.off('data', onData)
    socket.pause()
    const statusLine = received.subarray(0, end).toString('latin1').split('\r\n', 1)[0] ?? ''
    if (/^HTTP\/1\.1 200\b/.test(statusLine)) {
      return resolve({ socket, head: received.subarray(end + 4) })
    }
    socket.destroy()
    reject(new Error(statusLine))
  })
  return promise
}
