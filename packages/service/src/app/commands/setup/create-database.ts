/**
 * Finds or creates the database in the owner's URL, or explains what a PostgreSQL administrator has
 * to do.
 */
import pg from 'pg'
import { explainDatabaseError } from '../../../platform/database/explain-error.ts'

/**
 * The outcome: the database exists, was created, or cannot be used. In the last case, there is a
 * reason, and SQL for an administrator.
 */
export type DatabaseOutcome =
  | { readonly kind: 'found' | 'created' }
  | { readonly kind: 'refused'; readonly reason: string; readonly sql: readonly string[] }

const CONNECT_MS_MAX = 10_000
/** Databases that exist on every server, to connect to when creating another one. */
const MAINTENANCE = ['postgres', 'template1']
const NO_DATABASE = '3D000'
const NO_RIGHT = '42501'
/** PostgreSQL's error code if another setup created the database at the same time. */
const EXISTS = '42P04'

export async function ensureDatabase(ownerUrl: string): Promise<DatabaseOutcome> {
  const name = databaseOf(ownerUrl)
  try {
    await withClient(ownerUrl, async () => {})
    return { kind: 'found' }
  } catch (error) {
    if (codeOf(error) !== NO_DATABASE) return refused(error, ownerUrl)
  }
  try {
    await withMaintenance(ownerUrl, (client) =>
      client.query(`create database ${pg.escapeIdentifier(name)}`),
    )
    return { kind: 'created' }
  } catch (error) {
    if (codeOf(error) === EXISTS) return { kind: 'found' }
    if (codeOf(error) !== NO_RIGHT) return refused(error, ownerUrl)
    const role = roleOf(ownerUrl)
    return {
      kind: 'refused',
      reason: `The database "${name}" does not exist, and the role "${role}" has no permission to create it.`,
      sql: [createDatabaseSql(ownerUrl)],
    }
  }
}

/** Returns true if the server has a role with this name. */
export async function hasRole(ownerUrl: string, name: string): Promise<boolean> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [name])
    return rows.length > 0
  })
}

/**
 * Finds a PostgreSQL server on this machine that this user can manage through its socket, and
 * returns its URL.
 */
export async function findLocalServer(
  user: string,
  folders: readonly string[],
): Promise<string | undefined> {
  for (const folder of folders)
    for (const role of new Set([user, 'postgres'])) {
      const url = `postgres://${encodeURIComponent(role)}@localhost/postgres?host=${folder}`
      const isOpen = await withClient(url, async (client) => {
        const { rows } = await client.query<{ may: boolean }>(
          'select rolsuper or (rolcreatedb and rolcreaterole) as may from pg_roles where rolname = current_user',
        )
        return rows[0]?.may === true
      }).catch(() => false)
      if (isOpen) return url
    }
  return undefined
}

export const databaseOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1))

export const roleOf = (url: string) => decodeURIComponent(new URL(url).username)

function refused(error: unknown, ownerUrl: string): DatabaseOutcome {
  const { found, hint } = explainDatabaseError(error, { name: 'DATABASE_OWNER_URL', url: ownerUrl })
  // A missing role and a wrong password cause the same error.
  const isRole = codeOf(error).startsWith('28')
  return {
    kind: 'refused',
    reason: `${found} ${hint}`,
    sql: isRole ? [createRoleSql(ownerUrl), createDatabaseSql(ownerUrl)] : [],
  }
}

function createRoleSql(ownerUrl: string): string {
  const { password } = new URL(ownerUrl)
  const secret =
    password === '' ? '' : ` password ${pg.escapeLiteral(decodeURIComponent(password))}`
  return `create role ${pg.escapeIdentifier(roleOf(ownerUrl))} login createrole${secret};`
}

const createDatabaseSql = (ownerUrl: string) =>
  `create database ${pg.escapeIdentifier(databaseOf(ownerUrl))} owner ${pg.escapeIdentifier(roleOf(ownerUrl))};`

async function withMaintenance<Result>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  let last: unknown
  for (const name of MAINTENANCE) {
    const url = Object.assign(new URL(ownerUrl), { pathname: `/${name}` }).href
    try {
      return await withClient(url, work)
    } catch (error) {
      last = error
      if (codeOf(error) !== NO_DATABASE) throw error
    }
  }
  throw last
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS_MAX })
  // Ignored, since a later connection error also fails the query.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const codeOf = (error: unknown) => String((error as { readonly code?: unknown })?.code ?? '')
