/** Scopes of an API key. Each route names the one it needs. */
export const SCOPES = [
  'analytics:read',
  'analytics:write',
  'deployments:write',
  'keys:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** Who is calling: always one project, given by the key and by nothing else. */
export type Caller = {
  readonly keyId: string
  readonly projectId: string
  readonly projectPublicId: string
  readonly scopes: readonly Scope[]
}
