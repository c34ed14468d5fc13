/**
 * Derives everything that depends on OCTAVO_KEY_PEPPER; no other file computes with the pepper.
 * Each purpose has a separate key (HKDF-SHA-256), so a value made for one purpose is useless for
 * another. New values use the current pepper, and values of old peppers are still accepted, so a
 * pepper can be replaced without revoking anything. `hash` and `hashes` are for values in the
 * database, `sign` and `verify` for values that browsers and other clients store.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { isSameText } from './is-same-text.ts'

const PURPOSES = [
  // Hashes of these values are stored in the database.
  'api key',
  'user session',
  'reader session',
  'invitation',
  'sign-in link',
  'recovery code',
  'device code',
  'device user code',
  'e-mail browser',
  'e-mail code',
  'e-mail link',
  'attempt count',
  // These values are signed and stored elsewhere, or are not stored.
  'form',
  'sign-in oidc',
  'passkey registration',
  'passkey request',
  'github connect',
  'github grant',
  'reader code request',
  'reader code',
  'reader members',
  'reader oidc',
  'domain reach',
  'etag',
  'assistant',
  'assistant challenge',
  'assistant solution',
  'project export',
  'project export signature',
  'backup',
  'pepper id',
] as const

export type PepperPurpose = (typeof PURPOSES)[number]

const KEY_BYTES = 32
const ID_LENGTH = 8

type Text = string | Uint8Array

export type PepperRing = {
  /** Identifies the current pepper without revealing anything about it. */
  readonly id: string
  readonly oldIds: readonly string[]
  /** Returns the hash to store and to look up first. */
  readonly hash: (purpose: PepperPurpose, text: string) => Buffer
  /** Returns the hashes with old peppers, one of which may be stored instead. */
  readonly otherHashes: (purpose: PepperPurpose, text: string) => readonly Buffer[]
  /** Returns all hashes: the result of `hash`, then those of `otherHashes`. */
  readonly hashes: (purpose: PepperPurpose, text: string) => readonly Buffer[]
  /** Returns a signature in base64url. */
  readonly sign: (purpose: PepperPurpose, text: Text) => string
  /**
   * Accepts only one spelling of each signature, so that a used value cannot be sent again in
   * another spelling.
   */
  readonly verify: (purpose: PepperPurpose, signed: SignedText) => boolean
  /** Returns keys for libraries that create their own signatures, the current key first. */
  readonly derive: (purpose: PepperPurpose) => readonly Buffer[]
  /**
   * Returns the configured peppers, so that output can hide them. This is a function, so that
   * printing the ring does not show them.
   */
  readonly secrets: () => readonly string[]
}

type SignedText = { readonly text: Text; readonly signature: string }

export function createPepperRing({
  current,
  old = [],
}: {
  readonly current: string
  readonly old?: readonly string[]
}): PepperRing {
  const peppers = [...new Set([current, ...old])]
  // Derives all keys at the start, because deriving a key takes longer than hashing.
  const keys = new Map(
    PURPOSES.map((purpose) => [purpose, peppers.map((pepper) => deriveKey(pepper, purpose))]),
  )
  const keysOf = (purpose: PepperPurpose) => keys.get(purpose) ?? []
  const [id = '', ...oldIds] = keysOf('pepper id').map((key) =>
    hmac(key, '').toString('hex').slice(0, ID_LENGTH),
  )

  function hash(purpose: PepperPurpose, text: Text): Buffer {
    const [key] = keysOf(purpose)
    if (key === undefined) throw new Error(`no key for ${purpose}`)
    return hmac(key, text)
  }

  const hashes = (purpose: PepperPurpose, text: string) =>
    keysOf(purpose).map((key) => hmac(key, text))

  return {
    id,
    oldIds,
    hash,
    hashes,
    otherHashes: (purpose, text) => hashes(purpose, text).slice(1),
    sign: (purpose, text) => hash(purpose, text).toString('base64url'),
    verify: (purpose, { text, signature }) =>
      keysOf(purpose).some((key) => isSameText(signature, hmac(key, text).toString('base64url'))),
    derive: (purpose) => keysOf(purpose).map((key) => key.export()),
    secrets: () => peppers,
  }
}

/** Calls `find` with each hash in turn until it returns a value. */
export async function findByHash<T>(
  hashes: readonly Buffer[],
  find: (hash: Buffer) => Promise<T | undefined>,
): Promise<{ readonly hash: Buffer; readonly found: T } | undefined> {
  for (const hash of hashes) {
    const found = await find(hash)
    if (found !== undefined) return { hash, found }
  }
  return undefined
}

const deriveKey = (pepper: string, purpose: PepperPurpose) =>
  createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', `octavo ${purpose}`, KEY_BYTES)))

const hmac = (key: KeyObject, text: Text) => createHmac('sha256', key).update(text).digest()
