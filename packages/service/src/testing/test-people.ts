/** People with roles, signed in, for tests. */
import type { Role } from '../members/roles.ts'
import { createMemberStore } from '../members/store.ts'
import { createSessions } from '../sessions/sessions.ts'
import { ensureMember } from '../users/operator-store.ts'
import type { PersonRow } from '../users/store.ts'
import { PEPPER, type TestProject, type TestService } from './test-service.ts'

export type TestPerson = PersonRow & {
  readonly role: Role
  /** Of a command line. */
  readonly token: string
  /** Of a browser, as the header `cookie`. */
  readonly cookie: string
}

let count = 0

/** Somebody with a role in the organisation of a project, or in that project alone. */
export async function createPerson(
  { owner, service }: TestService,
  { tenant }: Pick<TestProject, 'tenant'>,
  role: Role,
  place: 'organisation' | 'project' = 'organisation',
): Promise<TestPerson> {
  count += 1
  const email = `${role}-${count}@example.com`
  const person = await ensureMember(
    owner,
    { email, name: `${role} ${count}`, role },
    tenant.organisationId,
  )
  if (place === 'project') {
    const members = createMemberStore(owner.forOrganisation(tenant.organisationId))
    const member = await members.find(person.public_id)
    if (member === undefined) throw new Error('the person has no role')
    const change = { actor: 'test', addressPrefix: undefined }
    await members.setRole(member, { projectId: tenant.projectId }, role, change)
    await owner.query('delete from membership where user_id = $1 and project_id is null', [
      person.id,
    ])
  }
  const sessions = createSessions(service.database, PEPPER)
  const device = { userAgent: 'test', clientAddress: '192.0.2.7' }
  const token = await sessions.begin(person.id, { ...device, kind: 'command-line' })
  const browser = await sessions.begin(person.id, { ...device, kind: 'browser' })
  return { ...person, role, token, cookie: `__Host-octavo=${browser}` }
}
