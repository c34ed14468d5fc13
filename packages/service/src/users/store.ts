/** SQL about people before and beside their organisations. */
import type { Database, Tenant } from '../database/database.ts'
import type { Role } from '../members/roles.ts'
import { createPublicId } from '../public-id.ts'

export type PersonRow = {
  readonly id: string
  readonly public_id: string
  readonly email: string
  readonly name: string
}

/** False when there are users already. */
export async function addSetupLink(
  database: Database,
  hash: Buffer,
  minutes: number,
): Promise<boolean> {
  const [row] = await database.query<{ is: boolean }>(
    'select add_setup_link($1, make_interval(mins => $2)) as is',
    [hash, minutes],
  )
  return row?.is === true
}

export type ReadLink = { readonly kind: 'setup' | 'login'; readonly secondsLeft: number }

/** What a link is for; nothing for one that does not work. It is not used up. */
export async function readSignInLink(
  database: Database,
  hash: Buffer,
): Promise<ReadLink | undefined> {
  const [row] = await database.query<{ kind: 'setup' | 'login'; seconds_left: number }>(
    'select kind, seconds_left from read_sign_in_link($1)',
    [hash],
  )
  return row && { kind: row.kind, secondsLeft: row.seconds_left }
}

/** Whom a login link signs in; nothing for one that was used. */
export async function spendLoginLink(
  database: Database,
  hash: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string | null }>(
    'select spend_login_link($1)::text as id',
    [hash],
  )
  return row?.id ?? undefined
}

export type FirstOwner = {
  readonly name: string
  readonly email: string
  readonly organisation: string
  readonly project: string
  readonly slug: string
}

export type SetUp = {
  readonly userId: string
  readonly organisationId: string
  readonly projectId: string
}

/** The first person, organisation and project; nothing if the link does not work any more. */
export async function setUp(
  database: Database,
  hash: Buffer,
  owner: FirstOwner,
): Promise<SetUp | undefined> {
  const [row] = await database.query<SetUp>(
    `select user_id::text as "userId", organisation_id::text as "organisationId",
            project_id::text as "projectId"
       from set_up($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      hash,
      createPublicId('usr'),
      owner.name,
      owner.email,
      createPublicId('org'),
      owner.organisation,
      createPublicId('prj'),
      owner.project,
      owner.slug,
    ],
  )
  return row
}

export type MembershipRow = {
  readonly organisationId: string
  readonly projectId: string | null
  readonly role: Role
}

export async function findMemberships(
  database: Database,
  userId: string,
): Promise<readonly MembershipRow[]> {
  return database.query<MembershipRow>(
    `select organisation_id::text as "organisationId", project_id::text as "projectId", role
       from find_memberships($1)`,
    [userId],
  )
}

export type ProjectRole = {
  readonly tenant: Tenant
  readonly role: Role
  readonly isArchived: boolean
}

export async function findProjectRole(
  database: Database,
  userId: string,
  projectId: string,
): Promise<ProjectRole | undefined> {
  const [row] = await database.query<{
    organisation: string
    project: string
    role: Role
    is_archived: boolean
  }>(
    `select organisation_id::text as organisation, project_id::text as project, role, is_archived
       from find_project_role($1, $2)`,
    [userId, projectId],
  )
  return (
    row && {
      tenant: { organisationId: row.organisation, projectId: row.project },
      role: row.role,
      isArchived: row.is_archived,
    }
  )
}

export async function findOrganisationRole(
  database: Database,
  userId: string,
  organisationId: string,
): Promise<{ readonly organisationId: string; readonly role: Role } | undefined> {
  const [row] = await database.query<{ organisationId: string; role: Role }>(
    `select organisation_id::text as "organisationId", role from find_organisation_role($1, $2)`,
    [userId, organisationId],
  )
  return row
}
