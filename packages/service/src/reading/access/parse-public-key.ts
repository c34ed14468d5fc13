import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { PublicJwk } from '@octavo/contract'

export type ParsedKey =
  | { readonly kind: 'key'; readonly jwk: PublicJwk }
  | { readonly kind: 'refused'; readonly reason: string }

const KID_LENGTH_MAX = 200

/**
 * Parses a public key that an owner entered as PEM or JWK. Only Ed25519 and P-256 keys are
 * accepted.
 */
export function parsePublicKey(given: string | Readonly<Record<string, unknown>>): ParsedKey {
  const isPrivate = typeof given === 'string' ? given.includes('PRIVATE KEY') : 'd' in given
  if (isPrivate)
    return refused('This is a private key. Keep it on your server, and enter the public key here.')
  let found: JsonWebKey
  try {
    const key =
      typeof given === 'string'
        ? createPublicKey(given)
        : createPublicKey({ key: given as JsonWebKey, format: 'jwk' })
    found = key.export({ format: 'jwk' })
  } catch {
    return refused('Expected a public key as PEM (BEGIN PUBLIC KEY) or JWK.')
  }
  const kid = typeof given === 'object' && typeof given.kid === 'string' ? given.kid : undefined
  if (kid !== undefined && (kid.length > KID_LENGTH_MAX || /\p{Cc}/u.test(kid)))
    return refused(`Expected a \`kid\` of at most ${KID_LENGTH_MAX} characters.`)
  const { kty, crv, x = '', y = '' } = found
  const name = kid === undefined ? {} : { kid }
  if (kty === 'OKP' && crv === 'Ed25519') return { kind: 'key', jwk: { kty, crv, x, ...name } }
  if (kty === 'EC' && crv === 'P-256') return { kind: 'key', jwk: { kty, crv, x, y, ...name } }
  return refused('Expected a key for EdDSA (Ed25519) or ES256 (P-256).')
}

const refused = (reason: string): ParsedKey => ({ kind: 'refused', reason })
