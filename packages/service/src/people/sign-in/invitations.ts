import { displayName } from '@octavo/contract'
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
 * Accepts an invitation and returns the id of the person who has joined. Returns undefined if the
 * address belongs to an account that is not signed in.
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

const INVITATION = /^\/invitations\/[^?]*\?/
const NAME = 'name'

/** Returns the name for a new account: as typed, or the first part of the address. */
export function nameFor(email: string, typed: string | null): string {
  const { data } = displayName('').safeParse(typed)
  return data ?? email.split('@')[0] ?? email
}

/**
 * Adds an invited person's typed name to the query of `next`, which is the page to open after
 * signing in.
 */
export function withTypedName(next: string, typed: string | null): string {
  if (!INVITATION.test(next) || !displayName('').safeParse(typed).success) return next
  const [path = '', search] = next.split('?')
  const query = new URLSearchParams(search)
  query.set(NAME, typed ?? '')
  return `${path}?${query}`
}

/** Returns the name that `withTypedName` added. */
export const typedNameIn = (next: string): string | null =>
  INVITATION.test(next) ? new URLSearchParams(next.split('?')[1]).get(NAME) : null
