/** Creates signed-in people with roles, for tests. */
import type { Role } from '@octavo/contract'
import { MemberStore } from '../src/people/members/store.ts'
import { createSessions } from '../src/people/sessions/sessions.ts'
import { ensureMember } from '../src/people/users/operator-store.ts'
import type { PersonRow } from '../src/people/users/store.ts'
import type { TestProject, TestService } from './test-service.ts'

export type TestPerson = PersonRow & {
  readonly role: Role
  /** The token of a session on the command line. */
  readonly token: string
  /** The `cookie` header of a session in the browser. */
  readonly cookie: string
}

let count = 0

/** Creates a person with a role in the project's organization, or only in the project. */
export async function createPerson(
  { owner, service, settings }: TestService,
  { tenant }: Pick<TestProject, 'tenant'>,
  role: Role,
  place: 'organization' | 'project' = 'organization',
): Promise<TestPerson> {
  count += 1
  const email = `${role}-${count}@example.com`
  const person = await ensureMember(
    owner,
    { email, name: `${role} ${count}`, role },
    tenant.organizationId,
  )
  if (place === 'project') {
    const members = new MemberStore(owner.forOrganization(tenant.organizationId))
    const member = await members.find(person.public_id)
    if (member === undefined) throw new Error('the person has no role')
    const change = { actor: 'test', addressPrefix: undefined }
    await members.setRole(member, { projectId: tenant.projectId, role, granted: [] }, change)
    await owner.query('delete from membership where user_id = $1 and project_id is null', [
      person.id,
    ])
  }
  const sessions = createSessions(service.database, settings.pepper)
  const device = { method: 'passkey', userAgent: 'test', clientAddress: '192.0.2.7' } as const
  const found = { userId: person.id, isVerified: true }
  const token = (await sessions.begin(found, { ...device, kind: 'command-line' })) ?? ''
  const browser = (await sessions.begin(found, { ...device, kind: 'browser' })) ?? ''
  return { ...person, role, token, cookie: `__Host-octavo=${browser}` }
}
