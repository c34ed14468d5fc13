import { writeAudit } from '../audit/store.ts'
import type { ProjectDatabase } from '../database/database.ts'
import type { KeyKind, Scope } from './caller.ts'
import { createKeyStore } from './store.ts'
import { createToken, hashToken } from './token.ts'

export type CreateKeyDeps = {
  readonly database: ProjectDatabase
  readonly pepper: string
  /** Who asked for it; an operator unless it says otherwise. */
  readonly actor?: string
}

export type NewApiKey = {
  readonly kind: KeyKind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedFrom: readonly string[] | null
  readonly expiresAt: Date | null
}

/** Makes a key and gives its text: the only time that anyone sees it. */
export async function createApiKey(
  { database, pepper, actor = 'operator' }: CreateKeyDeps,
  wish: NewApiKey,
): Promise<{ token: string; id: string }> {
  const token = createToken(wish.kind)
  const hash = hashToken(token, pepper)
  const keys = createKeyStore(database)
  const id = await keys.insert({ ...wish, hash, lastFour: token.slice(-4) })
  const after = { kind: wish.kind, scopes: wish.scopes }
  const object = `key ${id}`
  await writeAudit(database, { actor, action: 'key.create', object, after })
  return { token, id }
}
