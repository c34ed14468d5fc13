import { randomBytes } from 'node:crypto'
import { databaseOf } from './create-database.ts'
import type { Values } from './settings-file.ts'

const DEFAULT_PORT = '5432'
/** PostgreSQL cuts off longer names. */
const ROLE_LENGTH_MAX = 63
const SUFFIX = '_service'

/** Of no use without the database, and the database is of little use without them. */
export const newSecrets = (): Values => ({
  OCTAVO_KEY_PEPPER: randomBytes(32).toString('base64'),
  OCTAVO_SECRET_KEYS: `1:${randomBytes(32).toString('base64')}`,
})

/** Without a character that a URL, a shell or Compose reads as something else. */
export const newPassword = () => randomBytes(24).toString('hex')

/**
 * The same database for the role of the service, which `migrate` creates. Over TCP: on a socket, PostgreSQL
 * usually asks for a user of the machine with the name of the role.
 */
export function serviceUrlFor(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  const socket = url.searchParams.get('host')
  if (socket?.startsWith('/') === true) {
    url.hostname = '127.0.0.1'
    url.port = url.searchParams.get('port') ?? (url.port || DEFAULT_PORT)
    url.searchParams.delete('host')
    url.searchParams.delete('port')
  }
  const role = databaseOf(ownerUrl).slice(0, ROLE_LENGTH_MAX - SUFFIX.length) + SUFFIX
  return Object.assign(url, { username: role, password: newPassword() }).href
}
