import {
  AuditList,
  DeleteOrganizationBody,
  OrganizationBody,
  OrganizationReply,
} from '@octavo/contract'
import { z } from 'zod'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import { showEntry } from '../../platform/audit/routes.ts'
import type { Database } from '../../platform/database/database.ts'
import type { OrganizationCaller } from '../../platform/http/caller.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { PROOF_NEEDED, requireProof } from '../sessions/require-proof.ts'
import { createOrganizationStore } from './store.ts'

const TAG = 'Organizations'
const PATH = '/v1/organizations/:organizationId'
const NONE = z.object({})
const JSON_ONLY = ['application/json']
const OWNER = { kind: 'organization', scope: 'project:delete' } as const
const EVENTS_MAX = 100
const Params = z.object({
  organizationId: z.string().meta({ description: 'The id of the organization.' }),
})

export type OrganizationRouteDeps = { readonly database: Database; readonly now: () => number }

/** Routes of whole organizations. A role in a single project does not count here. */
export function organizationRoutes({ database, now }: OrganizationRouteDeps): readonly Route[] {
  const storeOf = ({ organizationId }: OrganizationCaller) =>
    createOrganizationStore(database.forOrganization(organizationId))

  async function show(caller: OrganizationCaller): Promise<OrganizationReply> {
    const { public_id, name, projects } = await storeOf(caller).read()
    return { id: public_id, name, role: caller.role, projects: [...projects] }
  }

  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: 'Get an organization',
      description: 'Its name, your role, and its projects.',
      caller: { kind: 'organization', scope: 'deploy:read' },
      params: Params,
      query: NONE,
      reply: OrganizationReply,
      formats: JSON_ONLY,
      handle: ({ caller }) => show(caller),
    }),
    defineRoute({
      method: 'PUT',
      path: PATH,
      tag: TAG,
      summary: 'Rename an organization',
      description: 'Changes its name. Its id and the addresses of its sites stay.',
      caller: OWNER,
      params: Params,
      query: NONE,
      body: OrganizationBody,
      reply: OrganizationReply,
      formats: JSON_ONLY,
      async handle({ caller, body, clientAddress }) {
        await storeOf(caller).rename(body.name, requesterOf({ caller, clientAddress }))
        return show(caller)
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/delete`,
      tag: TAG,
      summary: 'Delete an organization',
      description: `Only without projects: delete or transfer them first. Its members lose their roles at once, and it is removed for good after 7 days. ${PROOF_NEEDED}`,
      caller: OWNER,
      params: Params,
      query: NONE,
      body: DeleteOrganizationBody,
      problems: ['conflict'],
      formats: JSON_ONLY,
      async handle({ caller, body, clientAddress }) {
        requireProof(caller.person, now())
        const store = storeOf(caller)
        const { name, projects } = await store.read()
        if (body.name !== name)
          throw new Problem(
            'invalid-request',
            `Expected the name of the organization, “${name}”.`,
            {
              param: 'name',
            },
          )
        if (await store.remove(requesterOf({ caller, clientAddress }))) return undefined
        const [first] = projects
        throw new Problem(
          'conflict',
          `The organization has projects, such as \`${first?.slug}\`. Delete or transfer them first.`,
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/audit`,
      tag: TAG,
      summary: 'List events of an organization',
      description: `The newest ${EVENTS_MAX} events about the organization as a whole, such as roles and deleted projects. Events of a project are in its own log.`,
      caller: { kind: 'organization', scope: 'audit:read' },
      params: Params,
      query: NONE,
      reply: AuditList,
      formats: JSON_ONLY,
      handle: async ({ caller }) => ({
        entries: (await storeOf(caller).events(EVENTS_MAX)).map(showEntry),
        nextCursor: null,
      }),
    }),
  ]
}
