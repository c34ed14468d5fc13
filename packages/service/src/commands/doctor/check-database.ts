/** What is asked of the database: can it be used, is it ours, and does it keep tenants apart? */
import { findRoleProblem } from '../../database/check-role.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { readSchemaState, type SchemaState } from '../../database/migrate.ts'
import { type Finding, failed, fine, reasonOf, warning } from './finding.ts'

const VERSION_MIN = 15
const NAMED_MAX = 3
/** What PostgreSQL says has five characters; codes of Node, such as EPIPE, begin with an E. */
const SQL_STATE = /^[\dFHPX][\dA-Z]{4}$/

/** Opens a connection as a setting says, and asks for the version. */
export async function checkConnection(
  check: string,
  { name, url }: { readonly name: string; readonly url: string },
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
    return fine(check, `PostgreSQL ${major} answers the role ${row?.role}`)
  } catch (error) {
    return failed(check, connectionFault(error, name))
  } finally {
    await database.end()
  }
}

function connectionFault(error: unknown, name: string) {
  const { code } = error as { readonly code?: string }
  if (code === undefined || !SQL_STATE.test(code))
    return {
      code: 'database-unreachable' as const,
      found: reasonOf(error),
      hint: `Check that PostgreSQL runs, and the host and port in ${name}.`,
    }
  return {
    code: 'database-refused' as const,
    found: reasonOf(error),
    hint: refusalHint(code, name),
  }
}

/** Class 28 is about the role and its password, 3D about the name of the database. */
function refusalHint(code: string, name: string): string {
  if (code.startsWith('3D'))
    return `Create the database that ${name} names, then run \`octavo-service migrate\`.`
  if (code === '53300')
    return 'Raise max_connections of PostgreSQL, or lower OCTAVO_DATABASE_CONNECTIONS.'
  if (!code.startsWith('28')) return `Look into the log of PostgreSQL, and check ${name}.`
  return name === 'DATABASE_OWNER_URL'
    ? `Check the role and its password in ${name}.`
    : `Check the role and its password in ${name}. \`octavo-service migrate\` creates the role of DATABASE_URL and sets its password.`
}

export async function checkSchema(database: Database): Promise<Finding> {
  const state = await readSchemaState({
    query: async (text) => ({ rows: await database.query(text) }),
  })
  return schemaFinding(state)
}

function schemaFinding({ missing, changed, unknown }: SchemaState): Finding {
  if (unknown.length > 0)
    return failed('schema', {
      code: 'schema-newer',
      found: `The database was migrated by a newer version: it has ${list(unknown)}.`,
      hint: 'Use that version of octavo-service, or restore the backup from before its migration.',
    })
  if (changed.length > 0)
    return failed('schema', {
      code: 'schema-changed',
      found: `Other files than those of this version were run: ${list(changed)}.`,
      hint: 'Install octavo-service anew, so that it has the original files.',
    })
  if (missing.length > 0)
    return failed('schema', {
      code: 'schema-missing',
      found: `The database is not up to date: it lacks ${list(missing)}.`,
      hint: 'Run `octavo-service migrate`.',
    })
  return fine('schema', 'up to date')
}

export async function checkRole(database: Database): Promise<Finding> {
  const problem = await findRoleProblem(database)
  if (problem === undefined) return fine('role', 'row-level security applies to it')
  const { reason, hint, isBound } = problem
  return failed('role', {
    code: isBound ? 'role-powerless' : 'role-unbound',
    found: reason,
    hint,
  })
}

/** Whatever the service can touch shows rows by a policy; which files have run is no tenant's. */
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
    found: `Row-level security is off on ${list(open)}: tenants are kept apart by queries alone.`,
    hint: `As the owner of the tables: ${open.map((name) => `alter table ${name} enable row level security;`).join(' ')} Find out who switched it off.`,
  })
}

/** Room for one more process: that which is about to start. */
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
    'Raise max_connections of PostgreSQL, lower OCTAVO_DATABASE_CONNECTIONS, or put PgBouncer in between.'
  if (perProcess > most) return failed('connections', { code: 'connections-too-few', found, hint })
  if (perProcess > most - used)
    return warning('connections', { code: 'connections-short', found, hint })
  return fine('connections', found)
}

function list(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).join(', ')
  return names.length > NAMED_MAX ? `${named} and ${names.length - NAMED_MAX} more` : named
}
