import type { Database } from './database.ts'
import { readSchemaState, schemaProblem } from './migrate.ts'

type Role = {
  readonly name: string
  readonly bypasses: boolean
  readonly owns: boolean
  readonly is_member: boolean
}

/**
 * Why the service must not start: a role that policies do not bind would take the second lock off
 * without anybody noticing, and a schema of another version would fail later, one request at a time.
 */
export async function findStartProblem(database: Database): Promise<string | undefined> {
  const state = await readSchemaState({
    query: async (text) => ({ rows: await database.query(text) }),
  })
  const problem = schemaProblem(state)
  if (problem !== undefined) return problem
  const role = await findRoleProblem(database)
  return role && `${role.reason} ${role.hint}`
}

type RoleProblem = {
  readonly reason: string
  readonly hint: string
  /** False if the role sees every tenant. */
  readonly isBound: boolean
}

/** What is wrong with the role of this connection; nothing when policies bind it and it may work. */
export async function findRoleProblem(database: Database): Promise<RoleProblem | undefined> {
  const [role] = await database.query<Role>(
    `select current_user as name, r.rolsuper or r.rolbypassrls as bypasses,
            pg_has_role(current_user, 'octavo_app', 'usage') as is_member,
            exists (select from pg_tables t
                     where t.schemaname = 'public' and t.rowsecurity
                       and pg_has_role(current_user, t.tableowner, 'member')) as owns
       from pg_roles r where r.rolname = current_user`,
  )
  const hint =
    'Use a separate role in DATABASE_URL and the owner in DATABASE_OWNER_URL, and run `octavo-service migrate`.'
  if (role === undefined)
    return {
      reason: 'The role of this connection does not exist in the database.',
      hint,
      isBound: true,
    }
  if (role.bypasses || role.owns)
    return {
      reason: `The role ${role.name} can read the data of every tenant, because row-level security does not apply to it.`,
      hint,
      isBound: false,
    }
  if (!role.is_member)
    return {
      reason: `The role ${role.name} has no privileges on the tables.`,
      hint,
      isBound: true,
    }
  return undefined
}
