import { createServer } from 'node:net'
import { explainListenError, type ListenAddress, listen } from '../../roles/listen.ts'
import { type Finding, failed, fine } from './finding.ts'

const REPLY_MS_MAX = 3_000

/** Tries to listen at an address. A running service has its ports already, which is as it should be. */
export async function checkPort(
  check: string,
  address: ListenAddress,
  isOurs: (url: string) => Promise<boolean>,
): Promise<Finding> {
  const { host, port } = address
  if (port === 0) return fine(check, 'any free port')
  const server = createServer()
  try {
    await listen(server, address)
    return fine(check, `${port} is free`)
  } catch (error) {
    const { cause } = error as Error
    const isTaken = (cause as { readonly code?: string } | undefined)?.code === 'EADDRINUSE'
    if (isTaken && (await isOurs(`http://${reachable(host)}:${port}`)))
      return fine(check, `${port} is in use by octavo-service`)
    return failed(check, { code: 'port-unusable', ...explainListenError(cause, address) })
  } finally {
    server.close()
  }
}

/** Whether the port for requests is that of a running service: its API and its sites refuse with a problem. */
export async function answersRequests(url: string): Promise<boolean> {
  const reply = await ask(`${url}/v1/octavo-doctor`)
  const type = reply?.headers.get('content-type') ?? ''
  return type.startsWith('application/problem+json') && reply?.headers.has('x-request-id') === true
}

/** Whether the admin port is that of a running service: it lists its paths to anything else. */
export async function answersAdmin(url: string): Promise<boolean> {
  const reply = await ask(`${url}/octavo-doctor`)
  return reply !== undefined && (await reply.text()).startsWith('Available: /healthz, /readyz')
}

async function ask(url: string): Promise<Response | undefined> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(REPLY_MS_MAX) }).catch(
    () => undefined,
  )
}

/** An address to connect to: one that listens everywhere is reached here too. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
