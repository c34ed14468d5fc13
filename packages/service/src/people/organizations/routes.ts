import { DeleteOrganizationBody, OrganizationBody, OrganizationReply } from '@octavo/contract'
import { z } from 'zod'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { OrganizationCaller } from '../../platform/http/caller.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { RECENT_SIGN_IN_NEEDED, requireRecentSignIn } from '../sessions/require-proof.ts'
import { createOrganizationStore } from './store.ts'

const PATH = '/v1/organizations/:organizationId'
const OWNER = { kind: 'organization', scope: 'project:delete' } as const
const SHARED = {
  tag: 'Organizations',
  params: z.object({
    organizationId: z.string().meta({ description: 'The id of the organization.' }),
  }),
  query: z.object({}),
  formats: ['application/json'],
}

export type OrganizationRouteDeps = { readonly database: Database; readonly now: () => number }

/** Routes about organizations as a whole. A role in a single project is not enough for them. */
export const organizationRoutes = (deps: OrganizationRouteDeps): readonly Route[] => [
  getOrganization(deps),
  renameOrganization(deps),
  deleteOrganization(deps),
]

const getOrganization = ({ database }: OrganizationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: PATH,
    summary: 'Get an organization',
    description: 'The name of the organization, your role in it, and its projects.',
    caller: { kind: 'organization', scope: 'deploy:read' },
    reply: OrganizationReply,
    handle: ({ caller }) => show(database, caller),
  })

const renameOrganization = ({ database }: OrganizationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'PUT',
    path: PATH,
    summary: 'Rename an organization',
    description:
      'Changes the name of the organization. Its id and the addresses of its sites stay the same.',
    caller: OWNER,
    body: OrganizationBody,
    reply: OrganizationReply,
    async handle({ caller, body, clientAddress }) {
      await storeOf(database, caller).rename(body.name, requesterOf({ caller, clientAddress }))
      return show(database, caller)
    },
  })

const deleteOrganization = ({ database, now }: OrganizationRouteDeps) =>
  defineRoute({
    ...SHARED,
    method: 'POST',
    path: `${PATH}/delete`,
    summary: 'Delete an organization',
    description: `Deletes an organization without projects: delete or transfer its projects first. The members lose their roles immediately, and the organization is permanently deleted after 7 days. ${RECENT_SIGN_IN_NEEDED}`,
    caller: OWNER,
    body: DeleteOrganizationBody,
    problems: ['conflict'],
    async handle({ caller, body, clientAddress }) {
      requireRecentSignIn(caller.person, now())
      const store = storeOf(database, caller)
      const { name, projects } = await store.read()
      if (body.name !== name)
        throw new Problem('invalid-request', `Expected the name of the organization, “${name}”.`, {
          param: 'name',
        })
      if (await store.remove(requesterOf({ caller, clientAddress }))) return undefined
      const [first] = projects
      throw new Problem(
        'conflict',
        `The organization has projects, such as \`${first?.slug}\`. Delete or transfer them first.`,
      )
    },
  })

const storeOf = (database: Database, { organizationId }: OrganizationCaller) =>
  createOrganizationStore(database.forOrganization(organizationId))

async function show(database: Database, caller: OrganizationCaller): Promise<OrganizationReply> {
  const { public_id, name, projects } = await storeOf(database, caller).read()
  return { id: public_id, name, role: caller.role, projects: [...projects] }
}
