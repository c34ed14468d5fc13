/** Routes for the members of an organization and its projects, and for their roles. */

import {
  CreatedInvitation,
  InvitationBody,
  InvitationList,
  Me,
  Member,
  MemberBody,
  MemberList,
  mayGrant,
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
import { readMemberships } from '../users/store.ts'
import { describePerson } from './describe-person.ts'
import { type InvitationRow, type MemberRow, MemberStore, roleOf, rolesOf } from './store.ts'

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
const SEEN = 'If you only have a role in this project, you see only the members of this project.'
const JSON_ONLY = ['application/json']
const OF_MEMBERS = { tag: 'People', caller: CALLER, query: NONE, formats: JSON_ONLY }

export type MemberDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  /** The service's base URL; undefined if it is not configured. */
  readonly url: string | undefined
  /** Undefined if the service cannot send e-mail. */
  readonly mailer: Mailer | undefined
}

export const personRoutes = (database: Database): readonly Route[] => [getPerson(database)]

export const memberRoutes = (deps: MemberDeps): readonly Route[] => [
  listMembers(deps),
  getMember(deps),
  removeMember(deps),
  changeRole(deps),
  listInvitations(deps),
  invite(deps),
  withdraw(deps),
]

const getPerson = (database: Database) =>
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
    handle: async ({ caller: { person } }) =>
      describePerson(
        person,
        person.memberships ?? (await readMemberships(database, person.userId)),
      ),
  })

const listMembers = ({ database }: MemberDeps) =>
  defineRoute({
    method: 'GET',
    path: '/v1/projects/:projectId/members',
    tag: 'People',
    summary: 'List members',
    description: `Members of the organization, with their roles, sorted by e-mail address. ${SEEN}`,
    caller: CALLER,
    params: PROJECT,
    query: z.object({
      cursor: z
        .string()
        .max(254)
        .default('')
        .meta({ description: '`nextCursor` of the previous page.' }),
    }),
    reply: MemberList,
    formats: JSON_ONLY,
    async handle({ caller, query }) {
      const rows = await storeOf(database, caller).list(query.cursor)
      const page = rows.slice(0, PAGE)
      return {
        members: page.map(printMember),
        nextCursor: rows.length > PAGE ? (page.at(-1)?.email ?? null) : null,
      }
    },
  })

const getMember = ({ database }: MemberDeps) =>
  defineRoute({
    ...OF_MEMBERS,
    method: 'GET',
    path: '/v1/projects/:projectId/members/:userId',
    summary: 'Get a member',
    description: `A member of the organization, with their roles. ${SEEN}`,
    params: MEMBER,
    reply: Member,
    handle: async ({ caller, params }) =>
      printMember(await findMember(storeOf(database, caller), params.userId)),
  })

const removeMember = ({ database }: MemberDeps) =>
  defineRoute({
    ...OF_MEMBERS,
    method: 'DELETE',
    path: '/v1/projects/:projectId/members/:userId',
    summary: 'Remove a member',
    description:
      'Immediately removes all roles in the organization and its projects, and withdraws open invitations for the member. If you have a role in this project only, you remove only the role in this project. Keys that the member created keep working.',
    params: MEMBER,
    problems: ['conflict'],
    async handle({ caller, params, clientAddress }) {
      await removeMemberRoles(storeOf(database, caller), params.userId, { caller, clientAddress })
      return undefined
    },
  })

const changeRole = ({ database }: MemberDeps) =>
  defineRoute({
    ...OF_MEMBERS,
    method: 'PUT',
    path: '/v1/projects/:projectId/members/:userId',
    summary: 'Change a role',
    description:
      'Changes the role of a member in the organization, or in this project. You cannot grant or remove a role that is higher than your own, and an organization always keeps an owner.',
    params: MEMBER,
    body: MemberBody,
    problems: ['conflict'],
    worksArchived: true,
    async handle({ caller, params, body, clientAddress }) {
      const change = { ...params, role: body.role, project: body.project }
      await setRole(storeOf(database, caller), change, { caller, clientAddress })
      return undefined
    },
  })

const listInvitations = ({ database }: MemberDeps) =>
  defineRoute({
    ...OF_MEMBERS,
    method: 'GET',
    path: '/v1/projects/:projectId/invitations',
    summary: 'List invitations',
    description: `Invitations that nobody has accepted yet, newest first. ${SEEN}`,
    params: PROJECT,
    reply: InvitationList,
    handle: async ({ caller }) => ({
      invitations: (await storeOf(database, caller).invitations()).map(printInvitation),
    }),
  })

const invite = ({ database, pepper, url, mailer }: MemberDeps) =>
  defineRoute({
    ...OF_MEMBERS,
    method: 'POST',
    path: '/v1/projects/:projectId/invitations',
    summary: 'Invite a person',
    description: `Sends a link to one address, for the organization or this project. The link is valid for ${INVITATION_DAYS} days and works once. A second invitation to the same address replaces the first. A service without a mail server returns the link instead of sending it. An organization can have ${ORGANIZATION_LIMITS.invitations} open invitations, and send ${ORGANIZATION_LIMITS.invitationsPerHour} per hour.`,
    params: PROJECT,
    body: InvitationBody,
    reply: CreatedInvitation,
    status: 201,
    problems: ['conflict'],
    async handle({ caller, body: { email, role, project }, clientAddress }) {
      if (url === undefined)
        throw new Problem(
          'conflict',
          'This service cannot create links because OCTAVO_URL is not set.',
        )
      requireProject(caller, project)
      if (email === caller.person.email)
        throw new Problem(
          'invalid-request',
          'This is your own address, and you are already a member.',
          {
            param: 'email',
          },
        )
      const own = grantingRole(caller, project)
      if (!mayGrant(own, role))
        throw new Problem('forbidden', `The role \`${own}\` cannot grant the role \`${role}\`.`)
      const token = createToken('link')
      const made = await storeOf(database, caller).invite(
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
      const { organization, projects } = await storeOf(database, caller).describe()
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
      // If the link is sent by e-mail, the inviter must not get it: it proves access to the
      // mailbox.
      return { ...printInvitation(made), ...(mailer === undefined && { url: link }) }
    },
  })

const withdraw = ({ database }: MemberDeps) =>
  defineRoute({
    ...OF_MEMBERS,
    method: 'DELETE',
    path: '/v1/projects/:projectId/invitations/:invitationId',
    summary: 'Withdraw an invitation',
    description:
      'Its link stops working. You cannot withdraw an invitation with a role that is higher than your own.',
    params: z.object({
      projectId: PROJECT_ID,
      invitationId: z
        .string()
        .regex(ROW_ID, { error: 'The invitation does not exist.' })
        .meta({ description: 'The id of the invitation.' }),
    }),
    async handle({ caller, params, clientAddress }) {
      const { invitationId } = params
      const store = storeOf(database, caller)
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
  })

/**
 * Returns a store that is limited to people and invitations of the project, unless the caller has
 * an organization role.
 */
const storeOf = (database: Database, { tenant, organizationRole }: MemberCaller) =>
  new MemberStore(
    organizationRole === null
      ? database.forProject(tenant)
      : database.forOrganization(tenant.organizationId),
  )

async function findMember(store: MemberStore, userId: string): Promise<MemberRow> {
  const member = await store.find(userId)
  if (member !== undefined) return member
  throw new Problem('not-found', 'The member does not exist.')
}

type MemberRequest = { readonly caller: MemberCaller; readonly clientAddress: string | undefined }
type RoleChange = {
  readonly userId: string
  readonly role: Role | null
  readonly project: string | undefined
}

async function setRole(
  store: MemberStore,
  { userId, role, project }: RoleChange,
  request: MemberRequest,
): Promise<void> {
  const { caller } = request
  requireProject(caller, project)
  const own = grantingRole(caller, project)
  const member = await findMember(store, userId)
  const before = roleOf(member, project)
  if ((before !== null && !mayGrant(own, before)) || (role !== null && !mayGrant(own, role)))
    throw new Problem('forbidden', `The role \`${own}\` cannot change this role.`)
  const projectId = project === undefined ? undefined : caller.tenant.projectId
  const change = { projectId, role, granted: grantedBy(own) }
  if (!(await store.setRole(member, change, requesterOf(request)))) throw noOwner()
}

/**
 * Removes a member. If the member has roles elsewhere in the organization, the caller needs an
 * organization role.
 */
async function removeMemberRoles(
  store: MemberStore,
  userId: string,
  request: MemberRequest,
): Promise<void> {
  const { caller } = request
  const member = await findMember(store, userId)
  const isHereAlone =
    member.role === null && member.projects.every(({ id }) => id === caller.projectPublicId)
  const own = grantingRole(caller, isHereAlone ? caller.projectPublicId : undefined)
  if (!rolesOf(member).every((role) => mayGrant(own, role)))
    throw new Problem('forbidden', `The role \`${own}\` cannot remove this member.`)
  if (!(await store.remove(member, grantedBy(own), requesterOf(request)))) throw noOwner()
}

/**
 * Returns the role that decides what the caller may change: in this project, or in the
 * organization.
 */
function grantingRole(caller: MemberCaller, project: string | undefined): Role {
  if (project === caller.projectPublicId) return caller.role
  if (caller.organizationRole !== null) return caller.organizationRole
  throw new Problem('forbidden', 'You have a role in this project, not in the organization.')
}

const grantedBy = (own: Role) => ROLES.filter((role) => mayGrant(own, role))

/** Throws for a role in another project, because it can only be changed through that project. */
function requireProject(caller: MemberCaller, project: string | undefined): void {
  if (project !== undefined && project !== caller.projectPublicId)
    throw new Problem('invalid-request', 'Expected the same project as in the URL.', {
      param: 'project',
    })
}

const noInvitation = () => new Problem('not-found', 'The invitation does not exist.')

const noOwner = () =>
  new Problem('conflict', 'An organization needs an owner. Make another member the owner first.')

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
