/**
 * Routes to archive, restore, transfer and delete projects. Only people can call them, and
 * transferring and deleting need a recent sign-in.
 */

import { DeletedProject, DeleteProjectBody, ProjectContents, TransferBody } from '@octavo/contract'
import { createOrganizationStore } from '../../people/organizations/store.ts'
import { RECENT_SIGN_IN_NEEDED, requireRecentSignIn } from '../../people/sessions/require-proof.ts'
import { findOrganizationRole } from '../../people/users/store.ts'
import { requesterOf } from '../../platform/audit/request-audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MemberCaller } from '../../platform/http/caller.ts'
import { ProjectParams } from '../../platform/http/params.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import {
  type EndConnection,
  ProjectLifecycleStore,
  type TransferRefusal,
} from './lifecycle-store.ts'
import { SettingsStore } from './settings-store.ts'

const TAG = 'Projects'
const PATH = '/v1/projects/:projectId'
const ADMIN = { kind: 'member', scope: 'project:write' } as const
const OWNER = { kind: 'member', scope: 'project:delete' } as const

export type LifecycleRouteDeps = {
  readonly database: Database
  readonly endConnection: EndConnection
  readonly now: () => number
}

export const projectLifecycleRoutes = (deps: LifecycleRouteDeps): readonly Route[] => [
  countContents(deps),
  archiveProject(deps),
  restoreProject(deps),
  transferProject(deps),
  deleteProject(deps),
]

const countContents = ({ database }: LifecycleRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/contents`,
    tag: TAG,
    summary: 'Count contents',
    description:
      'Counts what the project contains: the data that a deletion destroys, and the credentials that a transfer revokes.',
    caller: OWNER,
    params: ProjectParams,
    reply: ProjectContents,
    handle: ({ caller }) => storeOf(database, caller).contents(),
  })

const archiveProject = ({ database }: LifecycleRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/archive`,
    tag: TAG,
    summary: 'Archive a project',
    description:
      'Readers of its site see that it is archived (410), builds stop, and every request that would change the project is refused with `archived`. Reading and exporting still work.',
    caller: ADMIN,
    params: ProjectParams,
    worksArchived: true,
    async handle({ caller, clientAddress }) {
      await storeOf(database, caller).archive(requesterOf({ caller, clientAddress }))
      return undefined
    },
  })

const restoreProject = ({ database }: LifecycleRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/restore`,
    tag: TAG,
    summary: 'Restore an archived project',
    description: 'Puts everything back as it was before the project was archived.',
    caller: ADMIN,
    params: ProjectParams,
    worksArchived: true,
    async handle({ caller, clientAddress }) {
      await storeOf(database, caller).restore(requesterOf({ caller, clientAddress }))
      return undefined
    },
  })

const transferProject = ({ database, endConnection, now }: LifecycleRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/transfer`,
    tag: TAG,
    summary: 'Transfer a project',
    description: `Moves the project from an organization that you own to another one that you own, with its site, conversations and audit log. Members of the old organization lose their roles, and keys and tokens stop working unless \`revoke\` is false. ${RECENT_SIGN_IN_NEEDED}`,
    caller: OWNER,
    params: ProjectParams,
    body: TransferBody,
    problems: ['conflict', 'insufficient-storage'],
    worksArchived: true,
    async handle({ caller, body, clientAddress }) {
      const { person, tenant, projectPublicId } = caller
      requireRecentSignIn(person, now())
      await requireSlug(database, caller, body.slug)
      const organizationId = await findReceiver(database, caller, body.organization)
      const from = await createOrganizationStore(
        database.forOrganization(tenant.organizationId),
      ).read()
      const refusal = await storeOf(database, caller).transfer(
        {
          userId: person.userId,
          organizationId,
          publicId: body.organization,
          endConnection: body.revoke ? endConnection : undefined,
        },
        { publicId: from.public_id, project: projectPublicId },
        requesterOf({ caller, clientAddress }),
      )
      if (refusal !== undefined) throw transferProblem(refusal)
      return undefined
    },
  })

const deleteProject = ({ database, now }: LifecycleRouteDeps) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/delete`,
    tag: TAG,
    summary: 'Delete a project',
    description: `For owners of the organization. The site, keys and API of the project become unavailable immediately. Everything is permanently removed after 7 days; until then, the operator can undo the deletion. ${RECENT_SIGN_IN_NEEDED}`,
    caller: OWNER,
    params: ProjectParams,
    body: DeleteProjectBody,
    reply: DeletedProject,
    worksArchived: true,
    async handle({ caller, body, clientAddress }) {
      requireRecentSignIn(caller.person, now())
      await requireSlug(database, caller, body.slug)
      const requester = requesterOf({ caller, clientAddress })
      const removed = await storeOf(database, caller).remove(caller.person.userId, requester)
      if ('erasedAt' in removed) return { erasedAt: removed.erasedAt.toISOString() }
      if (removed.refusal === 'not-found') throw noSuchProject()
      throw new Problem('forbidden', 'Only an owner of the organization can delete a project.')
    },
  })

const storeOf = (database: Database, { tenant }: MemberCaller) =>
  new ProjectLifecycleStore(database.forProject(tenant))

/**
 * Throws if the typed slug is not the project's, since typing it confirms which project is meant.
 */
async function requireSlug(
  database: Database,
  { tenant }: MemberCaller,
  typed: string,
): Promise<void> {
  const { slug } = await new SettingsStore(database.forProject(tenant)).read()
  if (typed === slug) return
  throw new Problem('invalid-request', `Expected the slug of this project, \`${slug}\`.`, {
    param: 'slug',
  })
}

/** Returns the id of the other organization. Throws if the caller does not own it. */
async function findReceiver(
  database: Database,
  { person, tenant }: MemberCaller,
  publicId: string,
): Promise<string> {
  const to = await findOrganizationRole(database, person, publicId)
  if (to === undefined)
    throw new Problem('not-found', 'The organization does not exist, or you have no role in it.')
  if (to.role !== 'owner') throw notOwner()
  if (to.organizationId === tenant.organizationId)
    throw new Problem('conflict', 'The project is already in this organization.', {
      param: 'organization',
    })
  return to.organizationId
}

function transferProblem(refusal: TransferRefusal): Problem {
  switch (refusal) {
    case 'storage':
      return new Problem(
        'insufficient-storage',
        'The other organization cannot store the files of this project: its limit would be exceeded. Ask the operator for more.',
      )
    case 'not-owner':
      return notOwner()
    case 'not-found':
      return noSuchProject()
  }
}

const noSuchProject = () => new Problem('not-found', 'The project does not exist.')

function notOwner(): Problem {
  return new Problem(
    'forbidden',
    'You can transfer a project only from an organization that you own to another one that you own.',
    { param: 'organization' },
  )
}
