/** SQL about people for the operator's commands. It runs as the owner of the tables. */

import type { Role } from '@octavo/contract'
import { logPersonEvent } from '../../platform/audit/person-events.ts'
import { OPERATOR } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { Database } from '../../platform/database/database.ts'
import { createPublicId } from '../../platform/public-id.ts'
import type { PersonRow } from './store.ts'

const COLUMNS = 'id::text, public_id, email, name'

export async function findPerson(
  database: Database,
  email: string,
): Promise<PersonRow | undefined> {
  const [row] = await database.query<PersonRow>(
    `select ${COLUMNS} from app_user where email = lower($1) and disabled_at is null`,
    [email],
  )
  return row
}

/**
 * Creates a person with a role in an organization, or grants the role to an existing person. The
 * operator names the address, so it counts as verified.
 */
export async function ensureMember(
  database: Database,
  { email, name, role }: { readonly email: string; readonly name: string; readonly role: Role },
  organizationId: string,
): Promise<PersonRow> {
  return database.transaction(async (query) => {
    const [person] = await query<PersonRow>(
      `insert into app_user (public_id, email, name) values ($1, lower($2), $3)
       on conflict (email) do update set disabled_at = null returning ${COLUMNS}`,
      [createPublicId('usr'), email, name],
    )
    if (person === undefined) throw new Error('the person was not inserted')
    await query('select verify_address($1)', [person.id])
    const [before] = await query<{ role: Role }>(
      `select role from membership
        where organization_id = $1 and user_id = $2 and project_id is null for update`,
      [organizationId, person.id],
    )
    await query(
      `insert into membership (organization_id, user_id, role) values ($1, $2, $3)
       on conflict (organization_id, user_id, project_id) do update set role = excluded.role`,
      [organizationId, person.id, role],
    )
    await query(`select set_config('octavo.organization_id', $1, true)`, [organizationId])
    await insertAudit(query, {
      ...OPERATOR,
      projectId: null,
      action: 'member.role',
      object: person.email,
      ...(before && { before }),
      after: { role },
    })
    return person
  })
}

export async function addLoginLink(
  database: Database,
  { userId, hash, minutes }: { readonly userId: string; readonly hash: Buffer; minutes: number },
): Promise<void> {
  await database.transaction(async (query) => {
    await query(
      `insert into sign_in_link (token_hash, kind, user_id, expires_at)
       values ($1, 'login', $2, now() + make_interval(mins => $3))`,
      [hash, userId, minutes],
    )
    await logPersonEvent(query, userId, { ...OPERATOR, action: 'sign-in.link', after: { minutes } })
  })
}
