/**
 * The scopes of each role. The service checks them, and the docs and the members page show them.
 */
import type { Scope } from './scopes.ts'

export const ROLES = ['owner', 'admin', 'editor', 'analyst', 'viewer'] as const
export type Role = (typeof ROLES)[number]

const VIEWER: readonly Scope[] = ['deploy:read', 'gaps:read']
const ANALYST: readonly Scope[] = [...VIEWER, 'views:read', 'feedback:read', 'analytics:read']
const EDITOR: readonly Scope[] = [
  ...VIEWER,
  'deploy:write',
  'gaps:write',
  'views:read',
  'feedback:read',
  'feedback:write',
]
const ADMIN: readonly Scope[] = [
  'deploy:read',
  'deploy:write',
  'gaps:read',
  'gaps:write',
  'analytics:read',
  'analytics:write',
  'views:read',
  'feedback:read',
  'feedback:write',
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

/** Scopes that affect the organization: a role in a single project does not include them. */
const ORGANIZATION_SCOPES: readonly Scope[] = ['project:delete']

/**
 * Returns the scopes of a person in a project, based on their highest role in the project and their
 * role in its organization.
 */
export function scopesInProject(role: Role, organizationRole: Role | null): readonly Scope[] {
  const whole = organizationRole === null ? [] : ROLE_SCOPES[organizationRole]
  return ROLE_SCOPES[role].filter(
    (scope) => !ORGANIZATION_SCOPES.includes(scope) || whole.includes(scope),
  )
}

/**
 * Returns true if a person with the role `own` may grant or revoke the role `other`. A person can
 * never grant more than they have.
 */
export function mayGrant(own: Role, other: Role): boolean {
  return ROLES.indexOf(own) <= ROLES.indexOf(other) && ROLE_SCOPES[own].includes('members:write')
}
