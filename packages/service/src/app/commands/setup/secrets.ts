import { randomBytes } from 'node:crypto'
import { databaseOf } from './create-database.ts'
import type { Values } from './settings-file.ts'

const DEFAULT_PORT = '5432'
/** The maximum length of a role's name: PostgreSQL truncates longer names. */
const ROLE_LENGTH_MAX = 63
const SUFFIX = '_service'

/** Generates the secrets with which data in the database is hashed and encrypted. */
export const newSecrets = (): Values => ({
  OCTAVO_KEY_PEPPER: randomBytes(32).toString('base64'),
  OCTAVO_SECRET_KEYS: `1:${randomBytes(32).toString('base64')}`,
})

/** Generates a password without special characters for URLs, shells or Compose. */
export const newPassword = () => randomBytes(24).toString('hex')

/**
 * Returns the URL of the same database for the service's role, which `migrate` creates. The URL
 * uses TCP, since PostgreSQL usually accepts a role on its socket only for the system user of the
 * same name.
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
