/** SQL about signing in. It runs before a person is known, so it only calls database functions. */
import type { Database } from '../../platform/database/database.ts'
import { createPublicId } from '../../platform/public-id.ts'
import type { GroupRole } from '../sign-in-settings.ts'

/** What the sign-up policy allows for a person without an account. */
export type Admission = { readonly mayJoin: boolean; readonly mayBeInvited: boolean }

export type Identity = {
  readonly issuer: string
  readonly subject: string
  /** Undefined unless the provider has verified it. */
  readonly email: string | undefined
  readonly name: string
  readonly addressPrefix: string | undefined
}

export type IdentityOutcome =
  | 'known'
  | 'linked'
  | 'new'
  | 'disabled'
  | 'unverified'
  | 'closed'
  | 'not-set-up'
  | 'other-account'

/**
 * Signs in a person with a provider account. Returns the id of a known person even if the sign-in
 * is refused.
 */
export async function signInByIdentity(
  database: Database,
  { issuer, subject, email, name, addressPrefix }: Identity,
  { mayJoin, mayBeInvited }: Admission,
): Promise<{ readonly userId: string | null; readonly outcome: IdentityOutcome }> {
  const [row] = await database.query<{ userId: string | null; outcome: IdentityOutcome }>(
    `select user_id::text as "userId", outcome from sign_in_by_identity($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      issuer,
      subject,
      email ?? null,
      mayJoin,
      mayBeInvited,
      createPublicId('usr'),
      name,
      addressPrefix ?? null,
    ],
  )
  if (row === undefined) throw new Error('the sign-in query returned no row')
  return row
}

export async function applyGroupRoles(
  database: Database,
  userId: string,
  {
    issuer,
    roles,
    actor,
    addressPrefix,
  }: {
    readonly issuer: string
    readonly roles: readonly GroupRole[]
    readonly actor: string
    readonly addressPrefix: string | undefined
  },
): Promise<void> {
  await database.query('select apply_group_roles($1, $2, $3, $4, $5)', [
    userId,
    issuer,
    JSON.stringify(roles),
    actor,
    addressPrefix ?? null,
  ])
}
