/** Sends raw bytes as requests that no HTTP client would send. */
import { connect } from 'node:net'

export type RawResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

const WAIT_MS = 5_000

/**
 * Sends the text as bytes, one per character, and reads until the server closes the connection.
 * Returns all responses in order. Fails if the server does not close the connection.
 */
export function sendRaw(port: number, text: string): Promise<readonly RawResponse[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(text, 'latin1'))
    socket.setTimeout(WAIT_MS, () => {
      reject(new Error(`still open after: ${Buffer.concat(chunks).toString('latin1')}`))
      socket.destroy()
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    // A connection that the server closes with unread bytes is reset. The responses before that are
    // valid.
    socket.on('error', () => {})
    socket.on('close', () => resolve(readReplies(Buffer.concat(chunks))))
  })
}

function readReplies(bytes: Buffer): readonly RawResponse[] {
  const replies: RawResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`no reply: ${rest.toString('latin1')}`)
    const [start = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = new Headers(lines.map((line) => splitOnce(line, ':')))
    const bodyLength = Number(headers.get('content-length') ?? 0)
    const body = rest.subarray(end + 4, end + 4 + bodyLength).toString()
    replies.push({ status: Number(start.split(' ')[1]), headers, body })
    rest = rest.subarray(end + 4 + bodyLength)
  }
  return replies
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + 1).trim()]
}
