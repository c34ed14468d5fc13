import type { Database } from './database.ts'
import { findCreationRights } from './definer-role.ts'
import { findSchemaFault, readSchemaState, type SchemaFault } from './migrate.ts'

type Role = {
  readonly name: string
  readonly bypasses: boolean
  readonly owns: boolean
  readonly is_member: boolean
}

type RoleFault = {
  /**
   * With `role-unbound`, the role can read the data of every tenant; with `role-powerless`, of
   * none.
   */
  readonly code: 'role-unbound' | 'role-powerless'
  readonly found: string
  readonly hint: string
}

/** PostgreSQL's error code for missing privileges. */
const NO_PRIVILEGE = '42501'
const HINT =
  'Use a separate role in DATABASE_URL and the owner in DATABASE_OWNER_URL, and run `octavo-service migrate`.'

/**
 * Returns why the service must not use this database; undefined if it may. A role that bypasses the
 * policies would silently disable row-level security, and a schema of another version would fail
 * later, one request at a time.
 */
export async function findDatabaseFault(
  database: Database,
): Promise<SchemaFault | RoleFault | undefined> {
  try {
    const state = await readSchemaState({
      query: async (text) => ({ rows: await database.query(text) }),
    })
    return findSchemaFault(state) ?? (await findRoleFault(database))
  } catch (error) {
    const isPowerless = (error as { readonly code?: string }).code === NO_PRIVILEGE
    const fault = isPowerless ? await findRoleFault(database) : undefined
    if (fault === undefined) throw error
    return fault
  }
}

/**
 * Returns what is wrong with the role of this connection; undefined if policies apply to the role
 * and it has the privileges that it needs.
 */
export async function findRoleFault(database: Database): Promise<RoleFault | undefined> {
  const [role] = await database.query<Role>(
    `select current_user as name, r.rolsuper or r.rolbypassrls as bypasses,
            exists (select from pg_roles g where g.rolname = 'octavo_app'
                       and pg_has_role(current_user, g.oid, 'usage')) as is_member,
            exists (select from pg_tables t
                     where t.schemaname = 'public' and t.rowsecurity
                       and pg_has_role(current_user, t.tableowner, 'member'))
              or exists (select from pg_roles d
                          where d.rolname = 'octavo_definer' and pg_has_role(current_user, d.oid, 'member')) as owns
       from pg_roles r where r.rolname = current_user`,
  )
  if (role === undefined)
    return {
      code: 'role-powerless',
      found: 'The role of this connection does not exist in the database.',
      hint: HINT,
    }
  if (role.bypasses || role.owns)
    return {
      code: 'role-unbound',
      found: `The role ${role.name} can read the data of every tenant, because row-level security does not apply to it.`,
      hint: HINT,
    }
  const { inSchema } = await findCreationRights(database.query, role.name)
  if (inSchema !== undefined)
    return {
      code: 'role-unbound',
      found: `The role ${role.name} can create functions in the schema public. It could use one to gain the privileges of functions that can read every tenant.`,
      hint: `Run as the owner of the database: ${inSchema}`,
    }
  if (!role.is_member)
    return {
      code: 'role-powerless',
      found: `The role ${role.name} has no privileges on the tables.`,
      hint: HINT,
    }
  return undefined
}
