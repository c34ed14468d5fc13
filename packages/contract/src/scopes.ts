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
 * Scopes that an API key cannot have, since a leaked key must not be able to add members or delete
 * a project.
 */
const PEOPLE_SCOPES = ['members:write', 'project:delete'] as const satisfies readonly Scope[]
export type KeyScope = Exclude<Scope, (typeof PEOPLE_SCOPES)[number]>

/** The scopes that an API key can have. */
export const KEY_SCOPES = SCOPES.filter(
  (scope): scope is KeyScope => !(PEOPLE_SCOPES as readonly Scope[]).includes(scope),
)

/**
 * Maps a scope to the larger scope that includes it: anyone who may read all conversations may also
 * read the other analytics.
 */
const INCLUDED: Partial<Record<Scope, Scope>> = {
  'gaps:read': 'analytics:read',
  'gaps:write': 'analytics:write',
  'views:read': 'analytics:read',
  'feedback:read': 'analytics:read',
  'feedback:write': 'analytics:write',
  // A client that deploys needs to poll the state of its deployment.
  'deploy:read': 'deploy:write',
}

export function hasScope(scopes: readonly Scope[], wanted: Scope): boolean {
  const larger = INCLUDED[wanted]
  return scopes.includes(wanted) || (larger !== undefined && scopes.includes(larger))
}

/** An admin key has the scopes that were selected for it. A deploy token can only publish sites. */
export const KEY_KINDS = ['admin', 'deploy'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
