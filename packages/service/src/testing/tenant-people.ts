/** People in two organisations, and all that the service does with those of one; for `two-tenants.ts`. */
import type { ProjectDatabase } from '../database/database.ts'
import { createMemberStore, type MemberRow } from '../members/store.ts'
import { createPerson } from './test-people.ts'
import type { TestProject, TestService } from './test-service.ts'

const CHANGE = { actor: 'test', addressPrefix: undefined }

export type TenantPeople = {
  /** Everything by which the other organisation's people are known. */
  readonly secrets: readonly string[]
  readonly work: (database: ProjectDatabase) => Promise<readonly unknown[]>
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
    createMemberStore(service.service.database.forOrganisation(tenant.organisationId))
  for (const project of [own, other]) await createPerson(service, project, 'owner')
  const mine = await createPerson(service, own, 'viewer')
  const theirs = await createPerson(service, other, 'viewer')
  const stranger = await createPerson(service, other, 'editor', 'project')
  const secret = 'invited-by-other'
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
    secrets: [theirs.email, theirs.public_id, stranger.email, secret],
    work: async (database) => {
      const members = createMemberStore(database)
      const invitation = await members.invite(invitationOf('y@example.com', 'own'), CHANGE)
      return [
        await members.list(''),
        await members.find(mine.public_id),
        await members.find(theirs.public_id),
        await members.describe(),
        await members.invitations(),
        await members.findInvitation(invitation.id),
        await members.findInvitation(theirInvitation.id),
        await members.withdraw(theirInvitation.id, CHANGE),
        await members.withdraw(invitation.id, CHANGE),
        await members.setRole(asRow(mine), { projectId: undefined }, 'analyst', CHANGE),
        await members.setRole(asRow(mine), { projectId: own.id }, 'editor', CHANGE),
        await members.setRole(asRow(mine), { projectId: undefined }, null, CHANGE),
        await members.setRole(asRow(theirs), { projectId: undefined }, null, CHANGE),
        (await members.createProject({ name: 'own', slug: 'own-made' }, CHANGE))?.name,
      ]
    },
  }
}
