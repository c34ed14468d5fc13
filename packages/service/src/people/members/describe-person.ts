import type { Me } from '@octavo/contract'
import { ROLES, type Role } from '@octavo/contract'
import type { Database } from '../../platform/database/database.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { findMemberships } from '../users/store.ts'
import { MemberStore } from './store.ts'

/** A person and their organizations. Each organization is asked by itself. */
export async function describePerson(database: Database, person: SignedIn): Promise<Me> {
  const memberships = await findMemberships(database, person.userId)
  const ids = [...new Set(memberships.map(({ organizationId }) => organizationId))]
  const organizations = await Promise.all(
    ids.map(async (organizationId) => {
      const own = memberships.filter((one) => one.organizationId === organizationId)
      const { organization, projects } = await new MemberStore(
        database.forOrganization(organizationId),
      ).describe()
      const whole = own.find(({ projectId }) => projectId === null)?.role ?? null
      return {
        id: organization?.public_id ?? '',
        name: organization?.name ?? '',
        role: whole,
        projects: projects.flatMap(({ id, public_id, name, slug, is_archived: archived }) => {
          const role = greatest([whole, own.find(({ projectId }) => projectId === id)?.role])
          return role === undefined ? [] : [{ id: public_id, name, slug, role, archived }]
        }),
      }
    }),
  )
  const { id, name, email } = person
  return {
    id,
    name,
    email,
    organizations: organizations.toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}

function greatest(roles: readonly (Role | null | undefined)[]): Role | undefined {
  return ROLES.find((role) => roles.includes(role))
}
