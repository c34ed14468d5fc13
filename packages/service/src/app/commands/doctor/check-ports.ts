import { createServer } from 'node:net'
import { explainListenError, type ListenAddress, listen } from '../../roles/listen.ts'
import { type Finding, failed, fine } from './finding.ts'

const REPLY_MS_MAX = 3_000

/** Tries to listen on an address. A port in use is fine if the running service uses it. */
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

/** Returns true if a running service uses the main port. It is recognized by its error response. */
export async function isServicePort(url: string): Promise<boolean> {
  const reply = await ask(`${url}/v1/octavo-doctor`)
  const type = reply?.headers.get('content-type') ?? ''
  return type.startsWith('application/problem+json') && reply?.headers.has('x-request-id') === true
}

/** Returns true if a running service uses the admin port. It is recognized by its list of paths. */
export async function isAdminPort(url: string): Promise<boolean> {
  const reply = await ask(`${url}/octavo-doctor`)
  return reply !== undefined && (await reply.text()).startsWith('Available: /healthz, /readyz')
}

async function ask(url: string): Promise<Response | undefined> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(REPLY_MS_MAX) }).catch(
    () => undefined,
  )
}

/** Returns a host to connect to: for wildcard addresses, the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
