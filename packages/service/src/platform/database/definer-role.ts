/**
 * Manages two group roles: `octavo_app` has the privileges of the service, and `octavo_definer` has
 * those of the definer functions. Roles belong to the server and not to the database, so a backup
 * does not contain them, and every `migrate` checks them.
 */
import pg from 'pg'
import type { Query } from './database.ts'
import { DEFINER_FUNCTIONS, OWNER_FUNCTIONS } from './definer-functions.ts'

const DEFINER = 'octavo_definer'

/**
 * Creates the group roles that the privileges and policies in migrations and backups refer to.
 * Throws before changing the database if the owner lacks privileges for the later steps.
 */
export async function prepareRoles(query: Query): Promise<void> {
  await createGroups(query)
  await joinDefiner(query)
}

async function createGroups(query: Query): Promise<void> {
  for (const role of ['octavo_app', DEFINER]) {
    const [row] = await query<{ name: string; is_there: boolean }>(
      'select current_user as name, exists (select from pg_roles where rolname = $1) as is_there',
      [role],
    )
    if (row === undefined || row.is_there) continue
    await query(`create role ${role} nologin`).catch((error: { readonly code?: string }) => {
      // Ignores the error if a concurrent migration of another database on this server created the
      // role first.
      if (error.code === '42710' || error.code === '23505') return
      if (error.code !== '42501') throw error
      throw needsSuperuser(`The role ${row.name} cannot create the role ${role}.`, [
        `create role ${role} nologin;`,
        `grant ${role} to ${pg.escapeIdentifier(row.name)} with admin option;`,
      ])
    })
  }
}

type RoleState = {
  readonly role: string
  readonly database: string
  /**
   * True if the role has the privileges of octavo_definer, which it needs to replace the functions
   * of octavo_definer.
   */
  readonly inherits: boolean
  /** True if the role can make octavo_definer the owner of functions. */
  readonly may_grant: boolean
}

/**
 * Makes the owner of the tables a member of octavo_definer, so that the owner can replace functions
 * and transfer them to octavo_definer.
 */
async function joinDefiner(query: Query): Promise<void> {
  const { role, inherits } = await readOwnerPrivileges(query)
  // In PostgreSQL 15, any role with `createrole` can grant this; in later versions, only the role
  // that created octavo_definer can.
  if (!inherits) await query(`grant ${DEFINER} to ${pg.escapeIdentifier(role)}`).catch(() => {})
  const now = await readOwnerPrivileges(query)
  const missing = [
    ...(now.inherits ? [] : [`grant ${DEFINER} to ${pg.escapeIdentifier(role)};`]),
    ...(now.may_grant
      ? []
      : [`grant create on schema public to ${pg.escapeIdentifier(role)} with grant option;`]),
  ]
  if (missing.length > 0)
    throw needsSuperuser(
      `The role ${role} cannot transfer functions of the database ${now.database} to ${DEFINER}.`,
      missing,
    )
}

const needsSuperuser = (reason: string, statements: readonly string[]) =>
  new Error(
    `${reason} The database was not changed. Run the following SQL as a superuser in the same database, then repeat the command: ${statements.join(' ')}`,
  )

async function readOwnerPrivileges(query: Query): Promise<RoleState> {
  const [row] = await query<RoleState>(
    `select current_user as role, current_database() as database,
            pg_has_role(current_user, '${DEFINER}', 'usage') as inherits,
            has_schema_privilege(current_user, 'public', 'create with grant option') as may_grant`,
  )
  if (row === undefined) throw new Error('the role was not read')
  return row
}

/**
 * Makes octavo_definer the owner of its functions. Replacing a function keeps its owner, but new
 * functions, and all functions after a restore, belong to the owner of the tables.
 */
export async function assignFunctions(query: Query): Promise<void> {
  const rows = await query<{ change: string }>(
    `select format('alter function %s owner to %I', p.oid::regprocedure, w.role) as change
       from (select unnest($1::text[]) as name, '${DEFINER}'::name as role
             union all select unnest($2::text[]), current_user) w
       join pg_proc p on p.proname = w.name and p.pronamespace = 'public'::regnamespace and p.prosecdef
      where (p.proowner = '${DEFINER}'::regrole) <> (w.role = '${DEFINER}')`,
    [DEFINER_FUNCTIONS, OWNER_FUNCTIONS],
  )
  if (rows.length === 0) return
  // Grant the privilege temporarily: PostgreSQL requires the new owner of a function to have the
  // privilege to create functions.
  await query(
    [
      'begin',
      `grant create on schema public to ${DEFINER}`,
      ...rows.map(({ change }) => change),
      `revoke create on schema public from ${DEFINER}`,
      'commit',
    ].join('; '),
  )
}

/**
 * SQL that revokes a role's privileges to create temporary tables and to create objects in the
 * schema. Each is undefined if the role lacks the privilege.
 */
export type CreationRights = {
  readonly temporary: string | undefined
  readonly inSchema: string | undefined
}

/**
 * Revokes the service's privileges to create objects, which could be mistaken for our tables or
 * functions. Returns the SQL for privileges that this role was not allowed to revoke.
 */
export async function revokeCreation(query: Query): Promise<CreationRights> {
  const [row] = await query<{ database: string }>('select current_database() as database')
  // If the owner is not allowed to revoke this, PostgreSQL only prints a warning.
  await query(
    `revoke temporary on database ${pg.escapeIdentifier(row?.database ?? '')} from public, octavo_app`,
  )
  await query('revoke create on schema public from public, octavo_app')
  return findCreationRights(query, 'octavo_app')
}

export async function findCreationRights(query: Query, role: string): Promise<CreationRights> {
  const [row] = await query<{ database: string; temporary: boolean; in_schema: boolean }>(
    `select current_database() as database,
            has_database_privilege($1, current_database(), 'temporary') as temporary,
            has_schema_privilege($1, 'public', 'create') as in_schema`,
    [role],
  )
  const from = `from public, octavo_app${role === 'octavo_app' ? '' : `, ${pg.escapeIdentifier(role)}`};`
  return {
    temporary: row?.temporary
      ? `revoke temporary on database ${pg.escapeIdentifier(row.database)} ${from}`
      : undefined,
    inSchema: row?.in_schema ? `revoke create on schema public ${from}` : undefined,
  }
}
