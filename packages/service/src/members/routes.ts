/** People: who may do what in an organisation and its projects. */
import { z } from 'zod'
import type { MemberCaller } from '../api-keys/caller.ts'
import { createToken, hashToken } from '../api-keys/token.ts'
import { requesterOf } from '../audit/request-audit.ts'
import {
  CreatedInvitation,
  CreatedProject,
  InvitationBody,
  InvitationList,
  Me,
  Member,
  MemberBody,
  MemberList,
  NewProjectBody,
} from '../contract.ts'
import type { Database } from '../database/database.ts'
import { Problem } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { Mailer } from '../mail/mailer.ts'
import { invitationMail } from '../mail/mails.ts'
import { slugOf } from '../projects/store.ts'
import { describePerson } from '../users/describe-person.ts'
import { findOrganisationRole } from '../users/store.ts'
import { mayGrant, type Role } from './roles.ts'
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
const JSON_ONLY = ['application/json']

export type MemberDeps = {
  readonly database: Database
  readonly pepper: string
  /** The address of the service; nothing where it does not know its own. */
  readonly url: string | undefined
  /** Nothing where no mail can be sent. */
  readonly mailer: Mailer | undefined
}

export function memberRoutes({ database, pepper, url, mailer }: MemberDeps): readonly Route[] {
  const storeOf = ({ tenant }: MemberCaller) =>
    createMemberStore(database.forOrganisation(tenant.organisationId))

  /** The role that lets somebody change roles there: in the project, or in all of the organisation. */
  async function grantingRole(caller: MemberCaller, project: string | undefined): Promise<Role> {
    if (project !== undefined) return caller.role
    const { organisation } = await storeOf(caller).describe()
    const found = await findOrganisationRole(
      database,
      caller.person.userId,
      organisation?.public_id ?? '',
    )
    if (found !== undefined) return found.role
    throw new Problem('forbidden', 'You have a role in this project, not in the organisation.')
  }

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
    const own = await grantingRole(caller, project)
    const member = await findMember(caller, userId)
    const before = roleOf(member, project)
    if ((before !== null && !mayGrant(own, before)) || (role !== null && !mayGrant(own, role)))
      throw new Problem('forbidden', `The role \`${own}\` cannot change this role.`)
    const place = { projectId: project === undefined ? undefined : caller.tenant.projectId }
    const change = requesterOf({ caller, clientAddress })
    if (!(await storeOf(caller).setRole(member, place, role, change))) throw noOwner()
  }

  /** Somebody with roles elsewhere in the organisation is removed by who has a role in all of it. */
  async function removeMember(
    caller: MemberCaller,
    userId: string,
    clientAddress: string | undefined,
  ): Promise<void> {
    const member = await findMember(caller, userId)
    const isHereAlone =
      member.role === null && member.projects.every(({ id }) => id === caller.projectPublicId)
    const own = await grantingRole(caller, isHereAlone ? caller.projectPublicId : undefined)
    if (!rolesOf(member).every((role) => mayGrant(own, role)))
      throw new Problem('forbidden', `The role \`${own}\` cannot remove this member.`)
    const change = requesterOf({ caller, clientAddress })
    if (!(await storeOf(caller).remove(member, change))) throw noOwner()
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/me',
      tag: 'People',
      summary: 'Get who is signed in',
      description: 'You, your organisations, and the projects in which you have a role.',
      caller: { kind: 'person' },
      params: NONE,
      query: NONE,
      reply: Me,
      formats: JSON_ONLY,
      handle: ({ caller: { person } }) => describePerson(database, person),
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/organisations/:organisationId/projects',
      tag: 'Projects',
      summary: 'Create a project',
      description: 'Creates a project. Without a slug it gets one from its name.',
      caller: { kind: 'organisation', scope: 'project:write' },
      params: z.object({
        organisationId: z.string().meta({ description: 'The id of the organisation.' }),
      }),
      query: NONE,
      body: NewProjectBody,
      reply: CreatedProject,
      status: 201,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller, body: { name, slug }, clientAddress }) {
        const store = createMemberStore(database.forOrganisation(caller.organisationId))
        const change = requesterOf({ caller, clientAddress })
        const made =
          (await store.createProject({ name, slug: slug ?? slugOf(name) }, change)) ??
          (slug === undefined
            ? await store.createProject({ name, slug: slugOf(name, { unique: true }) }, change)
            : undefined)
        if (made === undefined)
          throw new Problem('conflict', `The slug \`${slug}\` is taken. Choose another.`, {
            param: 'slug',
          })
        return { id: made.public_id, name: made.name, slug: made.slug }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/projects/:projectId/members',
      tag: 'People',
      summary: 'List members',
      description: 'People of the organisation, with their roles, in the order of their addresses.',
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
      description: 'A person of the organisation, with their roles.',
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
        'Takes all roles in the organisation and its projects away, at once. A role in this project alone suffices where the member has no other. Keys that the member created go on working.',
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
        'Changes the role of a member in the organisation, or in this project. Nobody can give or take a role that is greater than their own, and an organisation keeps an owner.',
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
      description: 'Invitations that nobody has accepted yet, newest first.',
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
      description: `Creates a link for one address, to the organisation or to this project. It works for ${INVITATION_DAYS} days, and once. A second invitation of the same address replaces the first.`,
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
        const own = await grantingRole(caller, project)
        if (!mayGrant(own, role))
          throw new Problem('forbidden', `The role \`${own}\` cannot give the role \`${role}\`.`)
        const token = createToken('link')
        const made = await storeOf(caller).invite(
          {
            hash: hashToken(token, pepper),
            email,
            role,
            projectId: project === undefined ? undefined : caller.tenant.projectId,
            invitedBy: caller.person.name,
            days: INVITATION_DAYS,
          },
          requesterOf({ caller, clientAddress }),
        )
        const link = new URL(`/invitations/${token}`, url).href
        const { organisation, projects } = await storeOf(caller).describe()
        const place = projects.find(({ public_id }) => public_id === project) ?? organisation
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
        return { ...printInvitation(made), url: link }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/projects/:projectId/invitations/:invitationId',
      tag: 'People',
      summary: 'Withdraw an invitation',
      description: 'Its link stops working.',
      caller: CALLER,
      params: z.object({
        projectId: PROJECT_ID,
        invitationId: z
          .string()
          .regex(/^\d{1,19}$/, { error: 'The invitation does not exist.' })
          .meta({ description: 'The id of the invitation.' }),
      }),
      query: NONE,
      formats: JSON_ONLY,
      async handle({ caller, params, clientAddress }) {
        const change = requesterOf({ caller, clientAddress })
        if (await storeOf(caller).withdraw(params.invitationId, change)) return undefined
        throw new Problem('not-found', 'The invitation does not exist.')
      },
    }),
  ]
}

/** A role in another project is changed through that project. */
function requireProject(caller: MemberCaller, project: string | undefined): void {
  if (project !== undefined && project !== caller.projectPublicId)
    throw new Problem('invalid-request', 'Expected the project of the URL.', { param: 'project' })
}

const noOwner = () =>
  new Problem('conflict', 'An organisation needs an owner: give the role to another member first.')

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
