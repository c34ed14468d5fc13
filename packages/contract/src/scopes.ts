/** Permissions. Each API route names the scope that it needs. */
export const SCOPES = [
  'analytics:read',
  'analytics:write',
  'views:read',
  'feedback:read',
  'feedback:write',
  'deploy:read',
  'deploy:write',
  'gaps:read',
  'gaps:write',
  'keys:write',
  'project:write',
  'audit:read',
  'members:write',
  'project:delete',
] as const
export type Scope = (typeof SCOPES)[number]

/**
 * Scopes that API keys cannot have: a leaked key must not grant access to others or delete a
 * project.
 */
const OF_PEOPLE = ['members:write', 'project:delete'] as const satisfies readonly Scope[]
export type KeyScope = Exclude<Scope, (typeof OF_PEOPLE)[number]>

/** The scopes that an API key can have. */
export const KEY_SCOPES = SCOPES.filter(
  (scope): scope is KeyScope => !(OF_PEOPLE as readonly Scope[]).includes(scope),
)

/** Scopes that a larger scope includes: access to all conversations includes what else readers did. */
const INCLUDED: Partial<Record<Scope, Scope>> = {
  'gaps:read': 'analytics:read',
  'gaps:write': 'analytics:write',
  'views:read': 'analytics:read',
  'feedback:read': 'analytics:read',
  'feedback:write': 'analytics:write',
  // A deployment's state has to be read until it is finished.
  'deploy:read': 'deploy:write',
}

export function hasScope(scopes: readonly Scope[], wanted: Scope): boolean {
  const larger = INCLUDED[wanted]
  return scopes.includes(wanted) || (larger !== undefined && scopes.includes(larger))
}

/** An admin key has the scopes that were chosen for it; a deploy token can only publish sites. */
export const KEY_KINDS = ['admin', 'deploy'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
