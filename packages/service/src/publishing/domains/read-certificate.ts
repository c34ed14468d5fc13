import { isIP } from 'node:net'
import { checkServerIdentity, connect } from 'node:tls'
import { codeOf } from './domain-dns.ts'

const CONNECT_MS = 5_000

/** A sample name below a sites domain, since `*.domain` must lead here. */
export const nameBelow = (domain: string) => `octavo-doctor.${domain}`

type SeenCertificate =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'seen'; readonly validTo: number; readonly problem: string | undefined }

/** Reads the certificate that a server presents, even an untrusted one: no data is sent. */
export function readCertificate(url: URL): Promise<SeenCertificate> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve } = Promise.withResolvers<SeenCertificate>()
  const socket = connect({
    host,
    port: url.port === '' ? 443 : Number(url.port),
    ...(isIP(host) === 0 && { servername: host }),
    // Accept invalid certificates, since the problem is reported and no data is sent.
    rejectUnauthorized: false,
    timeout: CONNECT_MS,
  })
  const giveUp = (reason: string) => {
    socket.destroy()
    resolve({ kind: 'unreachable', reason })
  }
  socket.once('error', (error) => giveUp(codeOf(error)))
  socket.once('timeout', () => giveUp(`no answer within ${CONNECT_MS / 1_000} s`))
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerCertificate()
    // Node compares names only if it trusts the issuer.
    const identity = checkServerIdentity(host, certificate)
    // Typed as Error, but it is an error code.
    const trust = socket.authorizationError as unknown as string | Error | null
    const error = identity ?? trust ?? undefined
    const problem = error instanceof Error ? codeOf(error) : error
    const validTo = Date.parse(certificate.valid_to)
    socket.end()
    resolve({ kind: 'seen', validTo, problem })
  })
  return promise
}
