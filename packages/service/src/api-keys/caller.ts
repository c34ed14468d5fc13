import type { Tenant } from '../database/database.ts'

/** Scopes of an API key. Each route names the one it needs. */
export const SCOPES = [
  'analytics:read',
  'analytics:write',
  'deploy:read',
  'deploy:write',
  'keys:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** An admin key does what its scopes say; a deploy token publishes sites and nothing else. */
export const KEY_KINDS = ['admin', 'deploy'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

/** Who is calling: always one project, given by the key and by nothing else. */
export type Caller = {
  readonly kind: KeyKind
  readonly keyId: string
  readonly tenant: Tenant
  readonly projectPublicId: string
  readonly scopes: readonly Scope[]
}
