/**
 * All SQL about the people of one organization. The bound database decides what is visible: all
 * people and invitations if it is bound to the organization, and only those of one project if it is
 * bound to the project.
 */

import { ROLES, type Role } from '@octavo/contract'
import type { Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { BoundDatabase, Query } from '../../platform/database/database.ts'
import {
  lockOrganization,
  ORGANIZATION_LIMITS,
  requireInvitationQuota,
} from '../organizations/organization-limits.ts'

export type MemberRow = {
  readonly id: string
  readonly public_id: string
  readonly name: string
  readonly email: string
  readonly role: Role | null
  readonly projects: readonly { readonly id: string; readonly role: Role }[]
}

export type InvitationRow = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly project: string | null
  readonly invited_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

const PAGE = 100
const MEMBERS = `select u.id::text, u.public_id, u.name, u.email,
         max(m.role) filter (where m.project_id is null) as role,
         coalesce(json_agg(json_build_object('id', p.public_id, 'role', m.role) order by p.name)
           filter (where m.project_id is not null), '[]') as projects
    from membership m join app_user u on u.id = m.user_id
    left join project p on p.organization_id = m.organization_id and p.id = m.project_id`
const INVITATION = `i.id::text, i.email, i.role, p.public_id as project, i.invited_by,
  i.created_at, i.expires_at`

/** `projectId` is undefined for a role in the whole organization. */
type Place = { readonly projectId: string | undefined }

/** A new role in a place; null removes it. */
export type RoleChange = Place & {
  readonly role: Role | null
  /** The roles that the caller can grant. Only invitations for these roles are withdrawn. */
  readonly granted: readonly Role[]
}

export class MemberStore {
  readonly #bound: BoundDatabase

  constructor(bound: BoundDatabase) {
    this.#bound = bound
  }

  /** Returns a page of members after the given e-mail address, ordered by address. */
  list(after: string): Promise<readonly MemberRow[]> {
    return this.#bound.query<MemberRow>(
      `${MEMBERS} where m.organization_id = current_organization()
          and (current_project() is null or m.project_id = current_project()) and u.email > $1
        group by u.id, u.public_id, u.name, u.email order by u.email limit $2`,
      [after, PAGE + 1],
    )
  }

  async find(publicId: string): Promise<MemberRow | undefined> {
    const [row] = await this.#bound.query<MemberRow>(
      `${MEMBERS} where m.organization_id = current_organization()
          and (current_project() is null or m.project_id = current_project()) and u.public_id = $1
        group by u.id, u.public_id, u.name, u.email`,
      [publicId],
    )
    return row
  }

  /**
   * Sets a role, and withdraws open invitations for the same place, because accepting one would
   * restore an old role. Returns false if the organization would have no owner left.
   */
  setRole(
    member: MemberRow,
    { projectId, role, granted }: RoleChange,
    change: Requester,
  ): Promise<boolean> {
    return this.#bound
      .transaction(async (query) => {
        // Lock, so that if two owners demote each other at once, the second request sees the change
        // made by the first.
        await lockOrganization(query)
        const [before] = await query<{ role: Role }>(
          `select role from membership where organization_id = current_organization()
           and user_id = $1 and project_id is not distinct from $2`,
          [member.id, projectId ?? null],
        )
        if (role === null)
          await query(
            `delete from membership where organization_id = current_organization()
             and user_id = $1 and project_id is not distinct from $2`,
            [member.id, projectId ?? null],
          )
        else
          await query(
            `insert into membership (organization_id, user_id, project_id, role)
           values (current_organization(), $1, $2, $3)
           on conflict (organization_id, user_id, project_id) do update set role = excluded.role`,
            [member.id, projectId ?? null, role],
          )
        if (before?.role === 'owner' && !(await hasOwner(query))) throw new NoOwnerError()
        const invitations = await endInvitations(query, member, { granted, place: { projectId } })
        await insertAudit(query, {
          ...change,
          projectId: projectId ?? null,
          action: role === null ? 'member.remove' : 'member.role',
          object: member.email,
          ...beforeOf({ ...before, ...invitations }),
          ...(role !== null && { after: { role } }),
        })
        return true
      })
      .catch(refuseNoOwner)
  }

  /**
   * Removes all visible roles of a member, and withdraws open invitations. Returns false if the
   * organization would have no owner left.
   */
  remove(member: MemberRow, granted: readonly Role[], change: Requester): Promise<boolean> {
    return this.#bound
      .transaction(async (query) => {
        await lockOrganization(query)
        const before = await query<{ project: string | null }>(
          `delete from membership m where m.organization_id = current_organization()
              and (current_project() is null or m.project_id = current_project())
              and m.user_id = $1 returning m.project_id::text as project`,
          [member.id],
        )
        if (before.length > 0 && !(await hasOwner(query))) throw new NoOwnerError()
        const invitations = await endInvitations(query, member, { granted, place: undefined })
        await insertAudit(query, {
          ...change,
          projectId: before.length === 1 ? (before[0]?.project ?? null) : null,
          action: 'member.remove',
          object: member.email,
          before: { role: member.role, projects: member.projects, ...invitations },
        })
        return true
      })
      .catch(refuseNoOwner)
  }

  invitations(): Promise<readonly InvitationRow[]> {
    return this.#bound.query<InvitationRow>(
      `select ${INVITATION} from invitation i
         left join project p on p.organization_id = i.organization_id and p.id = i.project_id
        where i.organization_id = current_organization()
          and (current_project() is null or i.project_id = current_project())
          and i.expires_at > now()
        order by i.created_at desc, i.id limit $1`,
      [ORGANIZATION_LIMITS.invitations],
    )
  }

  async findInvitation(id: string): Promise<FoundInvitation | undefined> {
    const [row] = await this.#bound.query<FoundInvitation>(
      `select i.email, i.role, i.invited_by as "invitedBy", coalesce(p.name, o.name) as place,
              p.public_id as project
         from invitation i join organization o on o.id = i.organization_id
         left join project p on p.organization_id = i.organization_id and p.id = i.project_id
        where i.organization_id = current_organization()
          and (current_project() is null or i.project_id = current_project()) and i.id = $1`,
      [id],
    )
    return row
  }

  /**
   * Creates an invitation. It replaces an earlier one for the same address, whose link stops
   * working. Throws if there are too many invitations.
   */
  invite(invitation: NewInvitation, change: Requester): Promise<InvitationRow> {
    return this.#bound.transaction(async (query) => {
      // Lock before the delete, since another invitation may be in progress.
      await lockOrganization(query)
      await query(
        `delete from invitation where organization_id = current_organization()
           and email = $1 and project_id is not distinct from $2`,
        [invitation.email, invitation.projectId ?? null],
      )
      await requireInvitationQuota(query, invitation.email)
      const [row] = await query<InvitationRow>(
        `with i as (
           insert into invitation (organization_id, token_hash, email, role, project_id, invited_by, expires_at)
           values (current_organization(), $1, $2, $3, $4, $5, now() + make_interval(days => $6))
           returning *)
         select ${INVITATION} from i
           left join project p on p.organization_id = i.organization_id and p.id = i.project_id`,
        [
          invitation.hash,
          invitation.email,
          invitation.role,
          invitation.projectId ?? null,
          invitation.invitedBy,
          invitation.days,
        ],
      )
      if (row === undefined) throw new Error('the invitation was not inserted')
      await insertAudit(query, {
        ...change,
        projectId: invitation.projectId ?? null,
        action: 'member.invite',
        object: invitation.email,
        after: { role: invitation.role },
      })
      return row
    })
  }

  withdraw(id: string, change: Requester): Promise<boolean> {
    return this.#bound.transaction(async (query) => {
      const [row] = await query<{ email: string; role: Role; project: string | null }>(
        `delete from invitation i where i.organization_id = current_organization()
            and (current_project() is null or i.project_id = current_project())
            and i.id = $1 returning i.email, i.role, i.project_id::text as project`,
        [id],
      )
      if (row === undefined) return false
      await insertAudit(query, {
        ...change,
        projectId: row.project,
        action: 'member.withdraw',
        object: row.email,
        before: { role: row.role },
      })
      return true
    })
  }

  /** Returns the organization and its projects. */
  async describe() {
    return this.#bound.transaction(async (query) => {
      const [organization] = await query<{ public_id: string; name: string }>(
        'select public_id, name from organization where id = current_organization()',
      )
      const projects = await query<ListedProject>(
        `select id::text, public_id, name, slug, archived_at is not null as is_archived from project
          where organization_id = current_organization() and deleted_at is null
            and (current_project() is null or id = current_project())
          order by name, id limit 1000`,
      )
      return { organization, projects }
    })
  }
}

/**
 * Deletes a member's open invitations for a place, or all visible ones, because accepting one would
 * restore a role. Returns the roles in these invitations for the audit log.
 */
async function endInvitations(
  query: Query,
  { email }: MemberRow,
  { granted, place }: { readonly granted: readonly Role[]; readonly place: Place | undefined },
): Promise<{ readonly invitations?: readonly Role[] }> {
  const ended = await query<{ role: Role }>(
    `delete from invitation i where i.organization_id = current_organization()
        and (current_project() is null or i.project_id = current_project())
        and ($3 or i.project_id is not distinct from $4)
        and i.email = $1 and i.role = any ($2) returning i.role`,
    [email, granted, place === undefined, place?.projectId ?? null],
  )
  return ended.length === 0 ? {} : { invitations: ended.map(({ role }) => role) }
}

const beforeOf = (before: object) => (Object.keys(before).length > 0 ? { before } : {})

type ListedProject = {
  readonly id: string
  readonly public_id: string
  readonly name: string
  readonly slug: string
  readonly is_archived: boolean
}

export type FoundInvitation = {
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  /** The name of the project or organization. */
  readonly place: string
  /** The project's id; null for a role in the whole organization. */
  readonly project: string | null
}

export type NewInvitation = {
  readonly hash: Buffer
  readonly email: string
  readonly role: Role
  readonly projectId: string | undefined
  readonly invitedBy: string
  readonly days: number
}

/** Returns all roles of a person in the organization and its projects. */
export const rolesOf = ({ role, projects }: MemberRow): readonly Role[] => [
  ...(role === null ? [] : [role]),
  ...projects.map((one) => one.role),
]

/**
 * Returns the person's highest role for a project: in the organization or in the project itself.
 */
export function roleOf({ role, projects }: MemberRow, project?: string): Role | null {
  const roles = [role, ...projects.filter(({ id }) => id === project).map((one) => one.role)]
  return ROLES.find((one) => roles.includes(one)) ?? null
}

class NoOwnerError extends Error {}

function refuseNoOwner(error: unknown): false {
  if (error instanceof NoOwnerError) return false
  throw error
}

async function hasOwner(query: Query): Promise<boolean> {
  const rows = await query(
    `select from membership where organization_id = current_organization()
       and project_id is null and role = 'owner' limit 1`,
  )
  return rows.length > 0
}
