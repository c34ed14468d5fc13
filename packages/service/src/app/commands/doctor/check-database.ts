/** Checks that the database is usable, has the right schema, and isolates tenants. */
import { findRoleFault } from '../../../platform/database/check-role.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { findCreationRights } from '../../../platform/database/definer-role.ts'
import {
  type DatabaseAddress,
  explainDatabaseError,
} from '../../../platform/database/explain-error.ts'
import { findSchemaFault, readSchemaState } from '../../../platform/database/migrate.ts'
import { type Finding, failed, fine, warning } from './finding.ts'

const VERSION_MIN = 15

/** Connects with the URL of a setting and checks the server version. */
export async function checkConnection(
  check: string,
  { name, url }: DatabaseAddress,
): Promise<Finding> {
  const database = openDatabase({ url, connections: 1 })
  try {
    const [row] = await database.query<{ version: number; role: string }>(
      `select current_setting('server_version_num')::integer as version, current_user as role`,
    )
    const major = Math.trunc((row?.version ?? 0) / 10_000)
    if (major < VERSION_MIN)
      return failed(check, {
        code: 'database-too-old',
        found: `This is PostgreSQL ${major}.`,
        hint: `Upgrade PostgreSQL to version ${VERSION_MIN} or newer.`,
      })
    return fine(check, `PostgreSQL ${major} accepts the role ${row?.role}`)
  } catch (error) {
    return failed(check, explainDatabaseError(error, { name, url }))
  } finally {
    await database.end()
  }
}

export async function checkSchema(database: Database): Promise<Finding> {
  const state = await readSchemaState({
    query: async (text) => ({ rows: await database.query(text) }),
  })
  const fault = findSchemaFault(state)
  return fault === undefined ? fine('schema', 'up to date') : failed('schema', fault)
}

export async function checkRole(database: Database): Promise<Finding> {
  const fault = await findRoleFault(database)
  return fault === undefined ? checkTemporary(database) : failed('role', fault)
}

/**
 * Checks that the service cannot create temporary tables. This is a second line of defense, since
 * `security definer` functions ignore such tables anyway.
 */
async function checkTemporary({ query }: Database): Promise<Finding> {
  const [row] = await query<{ name: string }>('select current_user as name')
  const { temporary } = await findCreationRights(query, row?.name ?? '')
  if (temporary === undefined) return fine('role', 'row-level security applies to it')
  return warning('role', {
    code: 'role-temporary',
    found: `The role ${row?.name} can create temporary tables, which the service does not need.`,
    hint: `Run as the owner of the database: ${temporary}`,
  })
}

/**
 * Checks that row-level security is on for all tables that the service can access, except
 * `migration`, which has no tenant data.
 */
export async function checkRowSecurity(database: Database): Promise<Finding> {
  const tables = await database.query<{ name: string; isOpen: boolean }>(
    `select c.relname as name, not c.relrowsecurity as "isOpen"
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and c.relname <> 'migration'
        and (has_any_column_privilege('octavo_app', c.oid, 'select, insert, update')
             or has_table_privilege('octavo_app', c.oid, 'delete'))
      order by 1`,
  )
  const open = tables.filter(({ isOpen }) => isOpen).map(({ name }) => name)
  if (open.length === 0) return fine('row security', `on for all ${tables.length} tables`)
  return failed('row security', {
    code: 'row-security-off',
    found: `Row-level security is off on ${open.join(', ')}: tenants are separated only by queries.`,
    hint: `Run as the owner of the tables: ${open.map((name) => `alter table ${name} enable row level security;`).join(' ')} Find out who switched it off.`,
  })
}

/** Checks that there are enough connections for one more process, which is about to start. */
export async function checkConnections(database: Database, perProcess: number): Promise<Finding> {
  const [row] = await database.query<{ most: number; used: number }>(
    `select current_setting('max_connections')::integer
            - current_setting('superuser_reserved_connections')::integer
            - coalesce(current_setting('reserved_connections', true), '0')::integer as most,
            (select sum(numbackends)::integer from pg_stat_database) as used`,
  )
  const { most = 0, used = 0 } = row ?? {}
  const found = `${used} of ${most} are in use, and a process opens up to ${perProcess}`
  const hint =
    'Raise max_connections of PostgreSQL, lower OCTAVO_DATABASE_CONNECTIONS, or use PgBouncer.'
  if (perProcess > most) return failed('connections', { code: 'connections-too-few', found, hint })
  if (perProcess > most - used)
    return warning('connections', { code: 'connections-short', found, hint })
  return fine('connections', found)
}
