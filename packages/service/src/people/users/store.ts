/** SQL about people. It can read across organizations. */
import type { Role } from '@octavo/contract'
import type { Database, Query } from '../../platform/database/database.ts'
import type { Membership, ProjectRole, SignedIn } from '../../platform/http/caller.ts'
import { createPublicId } from '../../platform/public-id.ts'

export type PersonRow = {
  readonly id: string
  readonly public_id: string
  readonly email: string
  readonly name: string
}

/** Adds a setup link. Returns false if there are users already. */
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

/** Returns a link's kind and remaining time without using it up; undefined if it does not work. */
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

/**
 * Returns whether the person's e-mail address is verified, and locks this state until the
 * transaction ends.
 */
export async function lockVerified(query: Query, userId: string): Promise<boolean> {
  const [row] = await query<{ is: boolean | null }>('select lock_verified($1) as is', [userId])
  return row?.is === true
}

/**
 * Uses up a login link and returns the id of the person it signs in; undefined if it was used
 * before.
 */
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
  readonly organization: string
  readonly project: string
  readonly slug: string
}

export type SetUp = {
  readonly userId: string
  readonly organizationId: string
  readonly projectId: string
}

/** Creates the first person, organization and project; undefined if the link no longer works. */
export async function setUp(
  database: Database,
  hash: Buffer,
  { addressPrefix, ...owner }: FirstOwner & { readonly addressPrefix: string | undefined },
): Promise<SetUp | undefined> {
  const [row] = await database.query<SetUp>(
    `select user_id::text as "userId", organization_id::text as "organizationId",
            project_id::text as "projectId"
       from set_up($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      hash,
      createPublicId('usr'),
      owner.name,
      owner.email,
      createPublicId('org'),
      owner.organization,
      createPublicId('prj'),
      owner.project,
      owner.slug,
      addressPrefix ?? null,
    ],
  )
  return row
}

export async function readMemberships(
  database: Database,
  userId: string,
): Promise<readonly Membership[]> {
  const [row] = await database.query<{ memberships: readonly Membership[] }>(
    'select read_memberships($1) as memberships',
    [userId],
  )
  return row?.memberships ?? []
}

export async function findProjectRole(
  database: Database,
  { userId, memberships = [] }: Pick<SignedIn, 'userId' | 'memberships'>,
  projectId: string,
): Promise<ProjectRole | undefined> {
  for (const { organizationId, role: organizationRole, projects } of memberships) {
    const known = projects.find(({ id }) => id === projectId)
    if (known === undefined) continue
    const tenant = { organizationId, projectId: known.projectId }
    return { tenant, role: known.role, organizationRole, isArchived: known.archived }
  }
  const [row] = await database.query<{
    organization: string
    project: string
    role: Role
    organization_role: Role | null
    is_archived: boolean
  }>(
    `select organization_id::text as organization, project_id::text as project, role,
            organization_role, is_archived
       from find_project_role($1, $2)`,
    [userId, projectId],
  )
  return (
    row && {
      tenant: { organizationId: row.organization, projectId: row.project },
      role: row.role,
      organizationRole: row.organization_role,
      isArchived: row.is_archived,
    }
  )
}

export async function findOrganizationRole(
  database: Database,
  { userId, memberships = [] }: Pick<SignedIn, 'userId' | 'memberships'>,
  publicId: string,
): Promise<{ readonly organizationId: string; readonly role: Role } | undefined> {
  const known = memberships.find(({ id }) => id === publicId)
  if (known?.role) return { organizationId: known.organizationId, role: known.role }
  const [row] = await database.query<{ organizationId: string; role: Role }>(
    `select organization_id::text as "organizationId", role from find_organization_role($1, $2)`,
    [userId, publicId],
  )
  return row
}
