/**
 * Explains why PostgreSQL cannot be used, with the same wording at startup, in commands and in
 * `doctor`.
 */
import { reasonOf } from '../reason-of.ts'

/** The code for `doctor`, a description of the fault, and a hint about what to do. */
export type DatabaseFault = {
  readonly code: 'database-unreachable' | 'database-refused'
  readonly found: string
  readonly hint: string
}

/** A connection string and the name of the environment variable that contains it. */
export type DatabaseAddress = { readonly name: string; readonly url: string }

const NO_ADDRESS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NONAME'])
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])
const CLOSED = new Set(['ECONNRESET', 'EPIPE', '57P01', '08006'])
/** Matches timeout messages of Node and pg, which have no error code. */
const TIMEOUT = /timeout exceeded|connection timeout|^Query read timeout|^no answer within/i
const CLOSED_TEXT = /^Connection terminated/
const NO_TLS = /does not support SSL connections/
const UNTRUSTED = /CERT|UNABLE_TO_|ERR_TLS_/

/** Explains any database error, even one that is not about the connection. */
export function explainDatabaseError(error: unknown, address: DatabaseAddress): DatabaseFault {
  return (
    explainConnectionError(error, address) ?? {
      code: /^[\dFHPX][\dA-Z]{4}$/.test(codeOf(error))
        ? 'database-refused'
        : 'database-unreachable',
      found: `${reasonOf(error)}.`,
      hint: `Check ${address.name} and the PostgreSQL log.`,
    }
  )
}

/** Explains an error while connecting or signing in; returns undefined for any other error. */
export function explainConnectionError(
  error: unknown,
  { name, url }: DatabaseAddress,
): DatabaseFault | undefined {
  const code = codeOf(error)
  const reason = reasonOf(error)
  const { server, host, role, database } = describeUrl(url)
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return unreachable(
      `PostgreSQL does not listen at ${server} (${code}).`,
      `Start PostgreSQL, or correct the host and port in ${name}.`,
    )
  if (NO_ADDRESS.has(code))
    return unreachable(
      `The host name ${host} has no address (${code}).`,
      `Correct the host in ${name}, or its DNS record.`,
    )
  if (UNREACHABLE.has(code) || TIMEOUT.test(reason))
    return unreachable(
      `PostgreSQL at ${server} did not respond in time.`,
      `Check the host and port in ${name}, the firewall between the machines, and the load on PostgreSQL.`,
    )
  if (NO_TLS.test(reason))
    return refused(
      `PostgreSQL at ${server} does not offer TLS.`,
      `Turn on \`ssl\` in PostgreSQL, or remove \`sslmode\` from ${name}.`,
    )
  if (UNTRUSTED.test(code))
    return refused(
      `The certificate of PostgreSQL at ${server} is not trusted (${code}).`,
      `Set its CA certificate file with \`sslrootcert\` in ${name} or with NODE_EXTRA_CA_CERTS, and use the host name of the certificate.`,
    )
  if (code === '57P03')
    return unreachable(
      `PostgreSQL at ${server} is starting or shutting down.`,
      'Wait until it accepts connections.',
    )
  if (code === '3D000')
    return refused(
      `The database "${database}" does not exist at ${server}.`,
      `Create the database in ${name}, then run \`octavo-service migrate\`.`,
    )
  if (code === '53300')
    return refused(
      `PostgreSQL at ${server} has no connections left.`,
      'Raise max_connections of PostgreSQL, or lower OCTAVO_DATABASE_CONNECTIONS.',
    )
  if (code.startsWith('28')) return explainSignInError({ code, reason, name, server, role })
  if (CLOSED.has(code) || CLOSED_TEXT.test(reason))
    return unreachable(
      `PostgreSQL at ${server} closed the connection.`,
      'Check the PostgreSQL log, and the log of the pooler if there is one.',
    )
  return undefined
}

function explainSignInError(failure: {
  readonly code: string
  readonly reason: string
  /** The name of the environment variable that contains the URL. */
  readonly name: string
  readonly server: string
  readonly role: string
}): DatabaseFault {
  const { code, reason, name, server, role } = failure
  if (code !== '28P01' && reason.startsWith('no pg_hba.conf entry'))
    return refused(
      `PostgreSQL at ${server} refuses this connection: ${reason}.`,
      reason.endsWith('no encryption')
        ? `Add \`sslmode=require\` to ${name}, or a line to pg_hba.conf.`
        : 'Add a line for this role and machine to pg_hba.conf.',
    )
  // The hint about `migrate` is omitted for the owner's role, which `migrate` does not create.
  const byMigrate =
    name === 'DATABASE_OWNER_URL'
      ? ''
      : ' `octavo-service migrate` creates the role of DATABASE_URL and sets its password.'
  return refused(
    code === '28P01'
      ? `PostgreSQL at ${server} refused the password of the role "${role}".`
      : `PostgreSQL at ${server} refused the role "${role}": ${reason}.`,
    `Check the role and its password in ${name}.${byMigrate}`,
  )
}

const unreachable = (found: string, hint: string) =>
  ({ code: 'database-unreachable', found, hint }) as const
const refused = (found: string, hint: string) =>
  ({ code: 'database-refused', found, hint }) as const

const codeOf = (error: unknown) => String((error as { readonly code?: unknown })?.code ?? '')

/**
 * Returns the parts of a connection URL. The host may be a socket path in the query, such as
 * `?host=/var/run/postgresql`.
 */
function describeUrl(text: string) {
  const url = new URL(text)
  const host = url.searchParams.get('host') ?? decode(url.hostname)
  const port = url.searchParams.get('port') ?? (url.port || '5432')
  return {
    host,
    server: host.startsWith('/') ? host : `${host}:${port}`,
    role: decode(url.username),
    database: decode(url.pathname.slice(1)) || decode(url.username),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
