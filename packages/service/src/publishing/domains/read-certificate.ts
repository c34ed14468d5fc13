import { isIP } from 'node:net'
import { checkServerIdentity, connect } from 'node:tls'
import { codeOf } from './domain-dns.ts'

const CONNECT_MS = 5_000

/** Returns a sample name below a domain, to check that `*.domain` leads to this service. */
export const nameBelow = (domain: string) => `octavo-doctor.${domain}`

type SeenCertificate =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'seen'; readonly validTo: number; readonly problem: string | undefined }

/** Reads a server's certificate and how long it is valid, even if it is not trusted. */
export function readCertificate(url: URL): Promise<SeenCertificate> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const { promise, resolve } = Promise.withResolvers<SeenCertificate>()
  const socket = connect({
    host,
    port: url.port === '' ? 443 : Number(url.port),
    ...(isIP(host) === 0 && { servername: host }),
    // Accept an invalid certificate, since its problem is reported. No data is sent over the
    // connection.
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
    // Node compares the names only for certificates of trusted issuers, so compare them here.
    const identity = checkServerIdentity(host, certificate)
    // The type says Error, but the value is an error code.
    const trust = socket.authorizationError as unknown as string | Error | null
    const error = identity ?? trust ?? undefined
    const problem = error instanceof Error ? codeOf(error) : error
    const validTo = Date.parse(certificate.valid_to)
    socket.end()
    resolve({ kind: 'seen', validTo, problem })
  })
  return promise
}
