/** What each role may do. The frame checks it, the docs and the page of members print it. */
import type { Scope } from './scopes.ts'

export const ROLES = ['owner', 'admin', 'editor', 'analyst', 'viewer'] as const
export type Role = (typeof ROLES)[number]

const VIEWER: readonly Scope[] = ['deploy:read', 'gaps:read']
const ANALYST: readonly Scope[] = [...VIEWER, 'analytics:read']
const EDITOR: readonly Scope[] = [...VIEWER, 'deploy:write', 'gaps:write']
const ADMIN: readonly Scope[] = [
  'deploy:read',
  'deploy:write',
  'gaps:read',
  'gaps:write',
  'analytics:read',
  'analytics:write',
  'keys:write',
  'project:write',
  'members:write',
  'audit:read',
]

export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: [...ADMIN, 'project:delete'],
  admin: ADMIN,
  editor: EDITOR,
  analyst: ANALYST,
  viewer: VIEWER,
}

/** What changes the organization as well: a role in a single project does not include it. */
const OF_ORGANIZATION: readonly Scope[] = ['project:delete']

/** The scopes of a person in a project: by the greater role there, and by the role in its organization. */
export function scopesInProject(role: Role, organizationRole: Role | null): readonly Scope[] {
  const whole = organizationRole === null ? [] : ROLE_SCOPES[organizationRole]
  return ROLE_SCOPES[role].filter(
    (scope) => !OF_ORGANIZATION.includes(scope) || whole.includes(scope),
  )
}

/** May somebody with one role give or take another? Nobody gives more than they have. */
export function mayGrant(own: Role, other: Role): boolean {
  return ROLES.indexOf(own) <= ROLES.indexOf(other) && ROLE_SCOPES[own].includes('members:write')
}
