import type { Me } from '@octavo/contract'
import type { Membership, SignedIn } from '../../platform/http/caller.ts'

export function describePerson(
  { id, name, email }: SignedIn,
  memberships: readonly Membership[],
): Me {
  const organizations = memberships.map(({ organizationId: _, projects, ...organization }) => ({
    ...organization,
    projects: projects.map(({ projectId: _id, ...project }) => project),
  }))
  return {
    id,
    name,
    email,
    organizations: organizations.toSorted((a, b) => a.name.localeCompare(b.name)),
  }
}
