/**
 * Encrypts secrets of tenants, such as a Git host's token, before they reach the database
 * (AES-256-GCM). The first key of the ring encrypts, and all keys decrypt. To replace a key, put a
 * new key first, run `octavo-service secrets rotate`, and remove the old key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SecretKey = { readonly id: string; readonly bytes: Buffer }
export type Sealed = { readonly keyId: string; readonly bytes: Buffer }

export type KeyRing = {
  /** The id of the key that encrypts. */
  readonly currentId: string
  /**
   * Encrypts a secret. `context` names the place where it is stored; it cannot be decrypted with a
   * different context.
   */
  readonly seal: (text: string, context: string) => Sealed
  readonly open: (sealed: Sealed, context: string) => string
}

export function createKeyRing(keys: readonly SecretKey[]): KeyRing {
  const [current] = keys
  if (current === undefined)
    throw new Error('OCTAVO_SECRET_KEYS is not set, so no secret can be stored or read.')
  return {
    currentId: current.id,
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, current.bytes, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return { keyId: current.id, bytes: Buffer.concat([nonce, body, cipher.getAuthTag()]) }
    },
    open({ keyId, bytes }, context) {
      const key = keys.find(({ id }) => id === keyId)
      if (key === undefined)
        throw new Error(
          `OCTAVO_SECRET_KEYS does not contain the key "${keyId}" that encrypted a secret.`,
        )
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new Error(
          `The key "${keyId}" cannot decrypt this secret: the key or the secret was changed.`,
          { cause },
        )
      }
    },
  }
}
