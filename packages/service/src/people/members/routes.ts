/** People: who may do what in an organization and its projects. */

import {
  CreatedInvitation,
  CreatedProject,
  InvitationBody,
  InvitationList,
  Me,
  Member,
  MemberBody,
  MemberList,
  mayGrant,
  NewProjectBody,
  ROLES,
  type Role,
} from '@octavo/contract'
import { z } from 'zod'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MemberCaller } from '../../platform/http/caller.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { ROW_ID } from '../../platform/http/time-cursor.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { invitationMail } from '../../platform/mail/mails.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { ORGANIZATION_LIMITS } from '../organizations/organization-limits.ts'
import { isReservedSlug, reservedSlugText, slugOf } from '../organizations/slugs.ts'
import { describePerson } from './describe-person.ts'
import { createMemberStore, type InvitationRow, type MemberRow, roleOf, rolesOf } from './store.ts'

const INVITATION_DAYS = 7
const PAGE = 100
const NONE = z.object({})
const PROJECT_ID = z.string().meta({ description: 'The id of the project.' })
const PROJECT = z.object({ projectId: PROJECT_ID })
const MEMBER = z.object({
  projectId: PROJECT_ID,
  userId: z.string().meta({ description: 'The id of the member.' }),
})
const CALLER = { kind: 'member', scope: 'members:write' } as const
const SEEN = 'If you have a role in this project alone, you see those of this project alone.'
const JSON_ONLY = ['application/json']

export type MemberDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  /** The address of the service; nothing where it does not know its own. */
  readonly url: string | undefined
  /** Nothing where no mail can be sent. */
  readonly mailer: Mailer | undefined
}

export function memberRoutes({ database, pepper, url, mailer }: MemberDeps): readonly Route[] {
  /** People with a role in this project alone see only its people and invitations. */
  const storeOf = ({ tenant, organizationRole }: MemberCaller) =>
    createMemberStore(
      organizationRole === null
        ? database.forProject(tenant)
        : database.forOrganization(tenant.organizationId),
    )

  async function findMember(caller: MemberCaller, userId: string): Promise<MemberRow> {
    const member = await storeOf(caller).find(userId)
    if (member !== undefined) return member
    throw new Problem('not-found', 'The member does not exist.')
  }

  async function changeRole(
    caller: MemberCaller,
    { userId, role, project }: { userId: string; role: Role | null; project: string | undefined },
    clientAddress: string | undefined,
  ): Promise<void> {
    requireProject(caller, project)
    const own = grantingRole(caller, project)
    const member = await findMember(caller, userId)
    const before = roleOf(member, project)
    if ((before !== null && !mayGrant(own, before)) || (role !== null && !mayGrant(own, role)))
      throw new Problem('forbidden', `The role \`${own}\` cannot change this role.`)
    const place = { projectId: project === undefined ? undefined : caller.tenant.projectId }
    const change = requesterOf({ caller, clientAddress })
    const store = storeOf(caller)
    await store.endInvitations(member, { roles: grantedBy(own), place }, change)
    if (!(await store.setRole(member, place, role, change))) throw noOwner()
  }

  /** A member with roles elsewhere in the organization is removed by people with a role in all of it. */
  async function removeMember(
    caller: MemberCaller,
    userId: string,
    clientAddress: string | undefined,
  ): Promise<void> {
    const member = await findMember(caller, userId)
    const isHereAlone =
      member.role === null && member.projects.every(({ id }) => id === caller.projectPublicId)
    const own = grantingRole(caller, isHereAlone ? caller.projectPublicId : undefined)
    if (!rolesOf(member).every((role) => mayGrant(own, role)))
      throw new Problem('forbidden', `The role \`${own}\` cannot remove this member.`)
    const change = requesterOf({ caller, clientAddress })
    const store = storeOf(caller)
    await store.endInvitations(member, { roles: grantedBy(own), place: undefined }, change)
    if (!(await store.remove(member, change))) throw noOwner()
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/me',
      tag: 'People',
      summary: 'Get who is signed in',
      description: 'You, your organizations, and the projects in which you have a role.',
      caller: { kind: 'person' },
      params: NONE,
      query: NONE,
      reply: Me,
      formats: JSON_ONLY,
      handle: ({ caller: { person } }) => describePerson(database, person),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/organizations/:organizationId/projects',
      tag: 'Projects',
      summary: 'Create a project',
      description: `Creates a project. Without a slug it gets one from its name. An organization can have ${ORGANIZATION_LIMITS.projects} projects, and ${ORGANIZATION_LIMITS.projectsPerHour} new ones per hour.`,
      caller: { kind: 'organization', scope: 'project:write' },
      params: z.object({
        organizationId: z.string().meta({ description: 'The id of the organization.' }),
      }),
      query: NONE,
      body: NewProjectBody,
      reply: CreatedProject,
      status: 201,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller, body: { name, slug }, clientAddress }) {
        const store = createMemberStore(database.forOrganization(caller.organizationId))
        const change = requesterOf({ caller, clientAddress })
        const made =
          (await store.createProject({ name, slug: slug ?? slugOf(name) }, change)) ??
          (slug === undefined
            ? await store.createProject({ name, slug: slugOf(name, { unique: true }) }, change)
            : undefined)
        if (made === undefined) {
          const param = 'slug'
          if (slug !== undefined && isReservedSlug(slug))
            throw new Problem('invalid-request', reservedSlugText(slug), { param })
          throw new Problem('conflict', `The slug \`${slug}\` is taken. Choose another.`, { param })
        }
        return { id: made.public_id, name: made.name, slug: made.slug }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/:projectId/members',
      tag: 'People',
      summary: 'List members',
      description: `People of the organization, with their roles, in the order of their addresses. ${SEEN}`,
      caller: CALLER,
      params: PROJECT,
      query: z.object({
        cursor: z
          .string()
          .max(254)
          .default('')
          .meta({ description: 'The `nextCursor` of the page before.' }),
      }),
      reply: MemberList,
      formats: JSON_ONLY,
      async handle({ caller, query }) {
        const rows = await storeOf(caller).list(query.cursor)
        const page = rows.slice(0, PAGE)
        return {
          members: page.map(printMember),
          nextCursor: rows.length > PAGE ? (page.at(-1)?.email ?? null) : null,
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/:projectId/members/:userId',
      tag: 'People',
      summary: 'Get a member',
      description: `A person of the organization, with their roles. ${SEEN}`,
      caller: CALLER,
      params: MEMBER,
      query: NONE,
      reply: Member,
      formats: JSON_ONLY,
      handle: async ({ caller, params }) => printMember(await findMember(caller, params.userId)),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/projects/:projectId/members/:userId',
      tag: 'People',
      summary: 'Remove a member',
      description:
        'Takes all roles in the organization and its projects away, at once, and withdraws open invitations of the member. If you have a role in this project alone, you take away the role in this project alone. Keys that the member created go on working.',
      caller: CALLER,
      params: MEMBER,
      query: NONE,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller, params, clientAddress }) {
        await removeMember(caller, params.userId, clientAddress)
        return undefined
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/v1/projects/:projectId/members/:userId',
      tag: 'People',
      summary: 'Change a role',
      description:
        'Changes the role of a member in the organization, or in this project. Nobody can give or take a role that is greater than their own, and an organization keeps an owner.',
      caller: CALLER,
      params: MEMBER,
      query: NONE,
      body: MemberBody,
      problems: ['conflict'],
      formats: JSON_ONLY,
      worksArchived: true,
      async handle({ caller, params, body, clientAddress }) {
        await changeRole(caller, { ...body, project: body.project, ...params }, clientAddress)
        return undefined
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/:projectId/invitations',
      tag: 'People',
      summary: 'List invitations',
      description: `Invitations that nobody has accepted yet, newest first. ${SEEN}`,
      caller: CALLER,
      params: PROJECT,
      query: NONE,
      reply: InvitationList,
      formats: JSON_ONLY,
      handle: async ({ caller }) => ({
        invitations: (await storeOf(caller).invitations()).map(printInvitation),
      }),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/projects/:projectId/invitations',
      tag: 'People',
      summary: 'Invite somebody',
      description: `Sends a link to one address, for the organization or this project. It works for ${INVITATION_DAYS} days, and once. A second invitation of the same address replaces the first. A service without a mail server returns the link in place of sending it. An organization can have ${ORGANIZATION_LIMITS.invitations} invitations that nobody has accepted yet, and send ${ORGANIZATION_LIMITS.invitationsPerHour} per hour.`,
      caller: CALLER,
      params: PROJECT,
      query: NONE,
      body: InvitationBody,
      reply: CreatedInvitation,
      status: 201,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller, body: { email, role, project }, clientAddress }) {
        if (url === undefined)
          throw new Problem('conflict', 'This service has no links: OCTAVO_URL is not set.')
        requireProject(caller, project)
        const own = grantingRole(caller, project)
        if (!mayGrant(own, role))
          throw new Problem('forbidden', `The role \`${own}\` cannot give the role \`${role}\`.`)
        const token = createToken('link')
        const made = await storeOf(caller).invite(
          {
            hash: pepper.hash('invitation', token),
            email,
            role,
            projectId: project === undefined ? undefined : caller.tenant.projectId,
            invitedBy: caller.person.name,
            days: INVITATION_DAYS,
          },
          requesterOf({ caller, clientAddress }),
        )
        const link = new URL(`/invitations/${token}`, url).href
        const { organization, projects } = await storeOf(caller).describe()
        const place = projects.find(({ public_id }) => public_id === project) ?? organization
        const invitedBy = caller.person.name
        mailer?.send(
          invitationMail(email, {
            invitedBy,
            place: place?.name ?? 'Octavo',
            role,
            link,
            days: INVITATION_DAYS,
          }),
        )
        // Who invites must not be able to open the link in place of the mailbox.
        return { ...printInvitation(made), ...(mailer === undefined && { url: link }) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/projects/:projectId/invitations/:invitationId',
      tag: 'People',
      summary: 'Withdraw an invitation',
      description:
        'Its link stops working. Nobody can withdraw an invitation with a role that is greater than their own.',
      caller: CALLER,
      params: z.object({
        projectId: PROJECT_ID,
        invitationId: z
          .string()
          .regex(ROW_ID, { error: 'The invitation does not exist.' })
          .meta({ description: 'The id of the invitation.' }),
      }),
      query: NONE,
      formats: JSON_ONLY,
      async handle({ caller, params, clientAddress }) {
        const { invitationId } = params
        const store = storeOf(caller)
        const found = await store.findInvitation(invitationId)
        if (found === undefined) throw noInvitation()
        const own = grantingRole(caller, found.project ?? undefined)
        if (!mayGrant(own, found.role))
          throw new Problem(
            'forbidden',
            `The role \`${own}\` cannot withdraw an invitation as \`${found.role}\`.`,
          )
        if (await store.withdraw(invitationId, requesterOf({ caller, clientAddress })))
          return undefined
        throw noInvitation()
      },
    }),
  ]
}

/** The role that allows changing roles there: in this project, or in all of the organization. */
function grantingRole(caller: MemberCaller, project: string | undefined): Role {
  if (project === caller.projectPublicId) return caller.role
  if (caller.organizationRole !== null) return caller.organizationRole
  throw new Problem('forbidden', 'You have a role in this project, not in the organization.')
}

const grantedBy = (own: Role) => ROLES.filter((role) => mayGrant(own, role))

/** A role in another project is changed through that project. */
function requireProject(caller: MemberCaller, project: string | undefined): void {
  if (project !== undefined && project !== caller.projectPublicId)
    throw new Problem('invalid-request', 'Expected the project of the URL.', { param: 'project' })
}

const noInvitation = () => new Problem('not-found', 'The invitation does not exist.')

const noOwner = () =>
  new Problem('conflict', 'An organization needs an owner: give the role to another member first.')

function printMember({ public_id, name, email, role, projects }: MemberRow): Member {
  return { id: public_id, name, email, role, projects: [...projects] }
}

function printInvitation(row: InvitationRow) {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    ...(row.project !== null && { project: row.project }),
    invitedBy: row.invited_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
