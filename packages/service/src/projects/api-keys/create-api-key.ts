import type { KeyKind, Scope } from '@octavo/contract'
import { OPERATOR, type Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import type { ProjectDatabase, Query } from '../../platform/database/database.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createToken } from '../../platform/secrets/token.ts'
import { endKey, insertKey, type ListedKey, lockKey } from './store.ts'

export type CreateKeyDeps = {
  readonly database: ProjectDatabase
  readonly pepper: PepperRing
  /** The requester; by default an operator. */
  readonly requester?: Requester
}

export type NewApiKey = {
  readonly kind: KeyKind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedFrom: readonly string[] | null
  readonly expiresAt: Date | null
  readonly idempotencyKey?: string | undefined
}

export type CreatedKey = { readonly token: string; readonly id: string; readonly row: ListedKey }

/** Creates a key and returns its token, which cannot be shown again later. */
export function createApiKey(deps: CreateKeyDeps, input: NewApiKey): Promise<CreatedKey> {
  const { kind, scopes } = input
  return deps.database.transaction(async (query) => {
    const made = await insert(query, deps, input)
    await insertAudit(query, {
      ...(deps.requester ?? OPERATOR),
      action: 'key.create',
      object: `key ${made.id}`,
      after: { kind, scopes },
    })
    return made
  })
}

/**
 * Thrown if a key was created with the same idempotency key before. Its token cannot be shown
 * again.
 */
export class RepeatedKey extends Error {}

/** The reason why a key cannot be rotated. */
export type RotationRefusal = { readonly refusal: 'unknown' | 'ended' }

export type RotationOptions = {
  readonly id: string
  readonly overlapHours: number
  readonly nowMs: number
  /** Throws if the caller may not create a key with the scopes of the old one. */
  readonly check?: (old: ListedKey) => void
}

const HOUR_MS = 3_600_000

/**
 * Creates a copy of a key. The old key expires after the overlap, and the new key gets the original
 * lifetime of the old one.
 */
export function rotateApiKey(
  deps: CreateKeyDeps,
  { id, overlapHours, nowMs, check }: RotationOptions,
): Promise<CreatedKey | RotationRefusal> {
  return deps.database.transaction(async (query) => {
    const old = await lockKey(query, id)
    if (old === undefined) return { refusal: 'unknown' }
    check?.(old)
    const { created_at: from, expires_at: until } = old
    if (old.revoked_at !== null || (until !== null && until.getTime() <= nowMs))
      return { refusal: 'ended' }
    const made = await insert(query, deps, {
      kind: old.kind,
      name: old.name,
      scopes: old.scopes,
      allowedFrom: old.allowed_from,
      expiresAt: until && new Date(nowMs + until.getTime() - from.getTime()),
      replaces: id,
    })
    await endKey(query, id, new Date(nowMs + overlapHours * HOUR_MS))
    await insertAudit(query, {
      ...(deps.requester ?? OPERATOR),
      action: 'key.rotate',
      object: `key ${id}`,
      after: { key: made.id, overlapHours },
    })
    return made
  })
}

async function insert(
  query: Query,
  { pepper, requester = OPERATOR }: CreateKeyDeps,
  input: NewApiKey & { readonly replaces?: string },
): Promise<CreatedKey> {
  const token = createToken(input.kind)
  const row = await insertKey(query, {
    ...input,
    hash: pepper.hash('api key', token),
    pepperId: pepper.id,
    lastFour: token.slice(-4),
    createdBy: requester.actor,
  })
  if (row === undefined) throw new RepeatedKey()
  return { token, id: row.id, row }
}
