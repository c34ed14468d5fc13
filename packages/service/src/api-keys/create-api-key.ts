import type { Scope } from './caller.ts'
import type { KeyStore } from './store.ts'
import { createToken, hashToken } from './token.ts'

export type CreateKeyDeps = { readonly keys: KeyStore; readonly pepper: string }

export type NewApiKey = {
  readonly projectId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly allowedFrom: readonly string[] | null
  readonly expiresAt: Date | null
}

/** Makes a key and gives its text: the only time that anyone sees it. */
export async function createApiKey(
  deps: CreateKeyDeps,
  wish: NewApiKey,
): Promise<{ token: string; id: string }> {
  const token = createToken()
  const hash = hashToken(token, deps.pepper)
  const id = await deps.keys.insert({ ...wish, hash, lastFour: token.slice(-4) })
  await deps.keys.audit(wish.projectId, 'key.create', { keyId: id, scopes: wish.scopes })
  return { token, id }
}
