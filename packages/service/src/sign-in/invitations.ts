import type { Database } from '../database/database.ts'

export type FoundInvitation = {
  readonly email: string
  readonly role: string
  readonly invitedBy: string
  readonly organisation: string
  readonly project: string | undefined
}

/** What an invitation is for; it is not used up. */
export async function findInvitation(
  database: Database,
  hash: Buffer,
): Promise<FoundInvitation | undefined> {
  const [found] = await database.query<{ organisation_id: string; invitation_id: string }>(
    'select organisation_id::text, invitation_id::text from find_invitation($1)',
    [hash],
  )
  if (found === undefined) return undefined
  const [row] = await database
    .forOrganisation(found.organisation_id)
    .query<Omit<FoundInvitation, 'project'> & { project: string | null }>(
      `select i.email, i.role, i.invited_by as "invitedBy", o.name as organisation, p.name as project
         from invitation i join organisation o on o.id = i.organisation_id
         left join project p on p.organisation_id = i.organisation_id and p.id = i.project_id
        where i.organisation_id = current_organisation() and i.id = $1`,
      [found.invitation_id],
    )
  return row && { ...row, project: row.project ?? undefined }
}

/** Gives who is in by it now; nothing where the address belongs to somebody who is not signed in. */
export async function acceptInvitation(
  database: Database,
  hash: Buffer,
  as: { readonly person: string | undefined; readonly publicId: string; readonly name: string },
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>(
    'select accept_invitation($1, $2, $3, $4)::text as id',
    [hash, as.person ?? null, as.publicId, as.name],
  )
  return row?.id ?? undefined
}
