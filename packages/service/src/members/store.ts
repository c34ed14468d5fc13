/** All SQL about the people of one organisation. */
import type { Requester } from '../audit/request-audit.ts'
import { insertAudit } from '../audit/store.ts'
import type { BoundDatabase, Query } from '../database/database.ts'
import { createPublicId } from '../public-id.ts'
import { ROLES, type Role } from './roles.ts'

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
    left join project p on p.organisation_id = m.organisation_id and p.id = m.project_id`
const INVITATION = `i.id::text, i.email, i.role, p.public_id as project, i.invited_by,
  i.created_at, i.expires_at`

/** A role in all of the organisation has no project. */
export type Place = { readonly projectId: string | undefined }

export function createMemberStore(bound: BoundDatabase) {
  return {
    /** In the order of their addresses, after one. */
    list(after: string): Promise<readonly MemberRow[]> {
      return bound.query<MemberRow>(
        `${MEMBERS} where m.organisation_id = current_organisation() and u.email > $1
          group by u.id, u.public_id, u.name, u.email order by u.email limit $2`,
        [after, PAGE + 1],
      )
    },

    async find(publicId: string): Promise<MemberRow | undefined> {
      const [row] = await bound.query<MemberRow>(
        `${MEMBERS} where m.organisation_id = current_organisation() and u.public_id = $1
          group by u.id, u.public_id, u.name, u.email`,
        [publicId],
      )
      return row
    },

    /** False when nobody would be left who owns the organisation. */
    setRole(
      member: MemberRow,
      { projectId }: Place,
      role: Role | null,
      change: Requester,
    ): Promise<boolean> {
      return bound
        .transaction(async (query) => {
          const [before] = await query<{ role: Role }>(
            `select role from membership where organisation_id = current_organisation()
             and user_id = $1 and project_id is not distinct from $2`,
            [member.id, projectId ?? null],
          )
          if (role === null)
            await query(
              `delete from membership where organisation_id = current_organisation()
               and user_id = $1 and project_id is not distinct from $2`,
              [member.id, projectId ?? null],
            )
          else
            await query(
              `insert into membership (organisation_id, user_id, project_id, role)
             values (current_organisation(), $1, $2, $3)
             on conflict (organisation_id, user_id, project_id) do update set role = excluded.role`,
              [member.id, projectId ?? null, role],
            )
          if (before?.role === 'owner' && !(await hasOwner(query))) throw new NoOwnerError()
          await insertAudit(query, {
            ...change,
            action: role === null ? 'member.remove' : 'member.role',
            object: member.email,
            ...(before !== undefined && { before: { role: before.role } }),
            ...(role !== null && { after: { role } }),
          })
          return true
        })
        .catch(refuseNoOwner)
    },

    /** Takes all roles away. False when nobody would be left who owns the organisation. */
    remove(member: MemberRow, change: Requester): Promise<boolean> {
      return bound
        .transaction(async (query) => {
          const before = await query<{ role: Role }>(
            `delete from membership where organisation_id = current_organisation() and user_id = $1
             returning role`,
            [member.id],
          )
          if (before.length > 0 && !(await hasOwner(query))) throw new NoOwnerError()
          await insertAudit(query, {
            ...change,
            action: 'member.remove',
            object: member.email,
            before: { role: member.role, projects: member.projects },
          })
          return true
        })
        .catch(refuseNoOwner)
    },

    invitations(): Promise<readonly InvitationRow[]> {
      return bound.query<InvitationRow>(
        `select ${INVITATION} from invitation i
           left join project p on p.organisation_id = i.organisation_id and p.id = i.project_id
          where i.organisation_id = current_organisation() and i.expires_at > now()
          order by i.created_at desc, i.id limit $1`,
        [PAGE],
      )
    },

    async findInvitation(id: string): Promise<FoundInvitation | undefined> {
      const [row] = await bound.query<FoundInvitation>(
        `select i.email, i.role, i.invited_by as "invitedBy", coalesce(p.name, o.name) as place
           from invitation i join organisation o on o.id = i.organisation_id
           left join project p on p.organisation_id = i.organisation_id and p.id = i.project_id
          where i.organisation_id = current_organisation() and i.id = $1`,
        [id],
      )
      return row
    },

    /** A second one for the same address replaces the first, whose link stops working. */
    invite(invitation: NewInvitation, change: Requester): Promise<InvitationRow> {
      return bound.transaction(async (query) => {
        await query(
          `delete from invitation where organisation_id = current_organisation()
             and email = $1 and project_id is not distinct from $2`,
          [invitation.email, invitation.projectId ?? null],
        )
        const [row] = await query<InvitationRow>(
          `with i as (
             insert into invitation (organisation_id, token_hash, email, role, project_id, invited_by, expires_at)
             values (current_organisation(), $1, $2, $3, $4, $5, now() + make_interval(days => $6))
             returning *)
           select ${INVITATION} from i
             left join project p on p.organisation_id = i.organisation_id and p.id = i.project_id`,
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
          action: 'member.invite',
          object: invitation.email,
          after: { role: invitation.role },
        })
        return row
      })
    },

    withdraw(id: string, change: Requester): Promise<boolean> {
      return bound.transaction(async (query) => {
        const [row] = await query<{ email: string }>(
          `delete from invitation where organisation_id = current_organisation() and id = $1
           returning email`,
          [id],
        )
        if (row === undefined) return false
        await insertAudit(query, { ...change, action: 'member.withdraw', object: row.email })
        return true
      })
    },

    /** The organisation by its public id and name, and its projects. */
    async describe() {
      return bound.transaction(async (query) => {
        const [organisation] = await query<{ public_id: string; name: string }>(
          'select public_id, name from organisation where id = current_organisation()',
        )
        const projects = await query<ListedProject>(
          `select id::text, public_id, name, slug from project
            where organisation_id = current_organisation() order by name, id limit 1000`,
        )
        return { organisation, projects }
      })
    },

    /** Nothing if the slug is taken. */
    async createProject(
      { name, slug }: { readonly name: string; readonly slug: string },
      change: Requester,
    ): Promise<ListedProject | undefined> {
      return bound.transaction(async (query) => {
        const [project] = await query<ListedProject>(
          `insert into project (organisation_id, public_id, slug, name)
           values (current_organisation(), $1, $2, $3) on conflict (slug) do nothing
           returning id::text, public_id, name, slug`,
          [createPublicId('prj'), slug, name],
        )
        if (project === undefined) return undefined
        await query(`select set_config('octavo.project_id', $1, true)`, [project.id])
        await query('insert into project_sequence (project_id) values (current_project())')
        await insertAudit(query, {
          ...change,
          action: 'project.create',
          object: project.public_id,
          after: { name, slug },
        })
        return project
      })
    },
  }
}

export type ListedProject = {
  readonly id: string
  readonly public_id: string
  readonly name: string
  readonly slug: string
}

export type FoundInvitation = {
  readonly email: string
  readonly role: Role
  readonly invitedBy: string
  /** The name of the project or organisation. */
  readonly place: string
}

export type NewInvitation = {
  readonly hash: Buffer
  readonly email: string
  readonly role: Role
  readonly projectId: string | undefined
  readonly invitedBy: string
  readonly days: number
}

/** All roles of a person, in the organisation and in its projects. */
export const rolesOf = ({ role, projects }: MemberRow): readonly Role[] => [
  ...(role === null ? [] : [role]),
  ...projects.map((one) => one.role),
]

/** The greatest role of a person in a project, or in the organisation. */
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
    `select from membership where organisation_id = current_organisation()
       and project_id is null and role = 'owner' limit 1`,
  )
  return rows.length > 0
}
