/** People of two organizations, and all operations on those of one; for `two-tenants.ts`. */

import { ROLES } from '@octavo/contract'
import { type MemberRow, MemberStore } from '../src/people/members/store.ts'
import type { ProjectDatabase } from '../src/platform/database/database.ts'
import { createProject } from '../src/projects/projects/create-project.ts'
import { createPerson } from './test-people.ts'
import type { TestProject, TestService } from './test-service.ts'

const CHANGE = { actor: 'test', addressPrefix: undefined }

export type TenantPeople = {
  /** The owner of the tenant's own organization. */
  readonly ownerId: string
  /** Texts that identify the other organization's people. */
  readonly secrets: readonly string[]
  readonly operations: (database: ProjectDatabase) => readonly (() => Promise<unknown>)[]
}

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
  const theirOwner = await createPerson(service, other, 'owner')
  const mine = await createPerson(service, own, 'viewer')
  const theirs = await createPerson(service, other, 'viewer')
  const stranger = await createPerson(service, other, 'editor', 'project')
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
    secrets: [
      organization?.public_id ?? '',
      theirOwner.email,
      theirs.email,
      theirs.public_id,
      stranger.email,
      secret,
    ],
    operations: (database) => {
      const members = new MemberStore(database)
      const whole = { projectId: undefined }
      let invitation = ''
      return [
        async () => {
          invitation = (await members.invite(invitationOf('y@example.com', 'own'), CHANGE)).id
        },
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
        // Must be the last, because it binds the transaction to the new project.
        async () =>
          (await createProject(database, { name: 'own', slug: 'own-made' }, CHANGE))?.name,
      ]
    },
  }
}
