/**
 * Fills two organizations with people, and runs all operations on the people of one organization;
 * used by `two-tenants.ts`.
 */

import { ROLES } from '@octavo/contract'
import { type MemberRow, MemberStore } from '../src/people/members/store.ts'
import { insertOrganization, type OrganizationRow } from '../src/people/organizations/store.ts'
import { ensureMember } from '../src/people/users/operator-store.ts'
import { readMemberships } from '../src/people/users/store.ts'
import {
  bindingOf,
  type Database,
  type ProjectDatabase,
} from '../src/platform/database/database.ts'
import { createProject } from '../src/projects/projects/create-project.ts'
import { type ListedRow, listProjects } from '../src/projects/projects/list-store.ts'
import { SECOND_SLUG } from './tenant-lifecycle.ts'
import { createPerson } from './test-people.ts'
import type { TestProject, TestService } from './test-service.ts'

const CHANGE = { actor: 'test', addressPrefix: undefined }

export type TenantPeople = {
  /** The id of the person who owns the tenant's organization. */
  readonly ownerId: string
  /** Another organization of that person. */
  readonly next: OrganizationRow
  /** Strings that identify people of the other organization. */
  readonly secrets: readonly string[]
  readonly operations: (database: ProjectDatabase) => readonly (() => Promise<unknown>)[]
}

const LISTED = { filter: { hasGaps: false }, sort: 'name', after: undefined, limit: 100 } as const

/** Returns a listed project without times. */
const namedOf = ({ organization_name, state, open_gaps, facts }: ListedRow) => ({
  organization_name,
  state,
  open_gaps,
  id: facts.id,
  domain: facts.domain,
  live: facts.live?.id,
  failedBuild: facts.failedBuild?.branch,
})

const invitationOf = (email: string, mark: string) => ({
  hash: Buffer.from(mark),
  email,
  role: 'viewer' as const,
  projectId: undefined,
  invitedBy: mark,
  days: 1,
})

export async function createTenantPeople(
  service: TestService,
  { own, other }: { readonly own: TestProject; readonly other: TestProject },
): Promise<TenantPeople> {
  const storeOf = ({ tenant }: TestProject) =>
    new MemberStore(service.service.database.forOrganization(tenant.organizationId))
  const owner = await createPerson(service, own, 'owner')
  const next = await insertOrganization(service.owner, 'own-next')
  await ensureMember(service.owner, { ...owner, role: 'owner' }, next.id)
  const theirOwner = await createPerson(service, other, 'owner')
  const mine = await createPerson(service, own, 'viewer')
  const theirs = await createPerson(service, other, 'viewer')
  const outsider = await createPerson(service, other, 'editor', 'project')
  const secret = 'invited-by-other'
  const [organization] = await service.owner.query<{ public_id: string }>(
    'select public_id from organization where id = $1',
    [other.tenant.organizationId],
  )
  const theirInvitation = await storeOf(other).invite(invitationOf('x@example.com', secret), CHANGE)
  const asRow = ({ id, public_id, name, email }: MemberRow | typeof theirs): MemberRow => ({
    id,
    public_id,
    name,
    email,
    role: 'viewer',
    projects: [],
  })

  return {
    ownerId: owner.id,
    next,
    secrets: [
      organization?.public_id ?? '',
      theirOwner.email,
      theirs.email,
      theirs.public_id,
      outsider.email,
      secret,
    ],
    operations: (database) => {
      const members = new MemberStore(database)
      const whole = { projectId: undefined }
      let invitation = ''
      /** Runs a query that binds the transaction to the organizations of a person in turn. */
      const readAll = async <Found>(read: (database: Database) => Promise<Found>) => {
        const found = await read(database as unknown as Database)
        await database.query(bindingOf(own.tenant))
        return found
      }
      return [
        async () => {
          invitation = (await members.invite(invitationOf('y@example.com', 'own'), CHANGE)).id
        },
        () => readAll((all) => readMemberships(all, owner.id)),
        () =>
          readAll((all) => listProjects(all, owner.id, LISTED)).then(({ rows }) =>
            rows.map(namedOf),
          ),
        () => members.list(''),
        () => members.find(mine.public_id),
        () => members.find(theirs.public_id),
        () => members.describe(),
        () => members.invitations(),
        () => members.findInvitation(invitation),
        () => members.findInvitation(theirInvitation.id),
        () => members.withdraw(theirInvitation.id, CHANGE),
        () => members.withdraw(invitation, CHANGE),
        () => members.setRole(asRow(mine), { ...whole, role: 'analyst', granted: ROLES }, CHANGE),
        () =>
          members.setRole(
            asRow(mine),
            { projectId: own.id, role: 'editor', granted: ROLES },
            CHANGE,
          ),
        () => members.setRole(asRow(owner), { ...whole, role: null, granted: ROLES }, CHANGE),
        () => members.setRole(asRow(mine), { ...whole, role: null, granted: ROLES }, CHANGE),
        () => members.setRole(asRow(theirs), { ...whole, role: null, granted: ROLES }, CHANGE),
        () => members.remove(asRow(owner), ROLES, CHANGE),
        () => members.remove(asRow(theirs), ROLES, CHANGE),
        // This must be the last operation, because it binds the transaction to the new project.
        async () =>
          (await createProject(database, { name: 'own', slug: SECOND_SLUG }, CHANGE))?.name,
      ]
    },
  }
}
