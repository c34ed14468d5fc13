import type { Database } from '../../platform/database/database.ts'
import { type FoundInvitation, MemberStore } from '../members/store.ts'

/** Reads an invitation without using it up. */
export async function findInvitation(
  database: Database,
  hash: Buffer,
): Promise<FoundInvitation | undefined> {
  const [found] = await database.query<{ organization: string; invitation: string }>(
    'select organization_id::text as organization, invitation_id::text as invitation from find_invitation($1)',
    [hash],
  )
  if (found === undefined) return undefined
  const members = new MemberStore(database.forOrganization(found.organization))
  return members.findInvitation(found.invitation)
}

/**
 * Returns the id of the person who has now joined. Undefined if the address belongs to an account
 * that is not signed in.
 */
export async function acceptInvitation(
  database: Database,
  hash: Buffer,
  as: {
    readonly person: string | undefined
    readonly publicId: string
    readonly name: string
    readonly addressPrefix: string | undefined
  },
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>(
    'select accept_invitation($1, $2, $3, $4, $5)::text as id',
    [hash, as.person ?? null, as.publicId, as.name, as.addressPrefix ?? null],
  )
  return row?.id ?? undefined
}
