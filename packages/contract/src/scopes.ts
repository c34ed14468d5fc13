/** What somebody may do. Each route names the one it needs. */
export const SCOPES = [
  'analytics:read',
  'analytics:write',
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

/** Those of people alone: a key that leaks must not let others in, or end a project. */
const OF_PEOPLE = ['members:write', 'project:delete'] as const satisfies readonly Scope[]
export type KeyScope = Exclude<Scope, (typeof OF_PEOPLE)[number]>

/** Scopes of an API key. */
export const KEY_SCOPES = SCOPES.filter(
  (scope): scope is KeyScope => !(OF_PEOPLE as readonly Scope[]).includes(scope),
)

/** Who reads all conversations reads those that nothing answered, too. */
const INCLUDED: Partial<Record<Scope, Scope>> = {
  'gaps:read': 'analytics:read',
  'gaps:write': 'analytics:write',
  // Who deploys waits for its end.
  'deploy:read': 'deploy:write',
}

export function hasScope(scopes: readonly Scope[], wanted: Scope): boolean {
  const larger = INCLUDED[wanted]
  return scopes.includes(wanted) || (larger !== undefined && scopes.includes(larger))
}

/** An admin key does what its scopes say; a deploy token publishes sites and nothing else. */
export const KEY_KINDS = ['admin', 'deploy'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
