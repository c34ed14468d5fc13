/**
 * Creates and checks API keys and other tokens: a prefix for the kind, 32 random base62 characters
 * (190 bits), and a checksum of 6 characters. The checksum lets scanners and the service recognize
 * a mistyped key without a database query.
 */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { KeyKind } from '@octavo/contract'

/**
 * The kind of a token. A `session` belongs to a signed-in person, a `link` signs a person in once,
 * and a `reader` token is for reading a site.
 */
type TokenKind = KeyKind | 'session' | 'link' | 'reader'

export const TOKEN_PREFIXES: Readonly<Record<TokenKind, string>> = {
  admin: 'octavo_adm_',
  deploy: 'octavo_dep_',
  session: 'octavo_ses_',
  link: 'octavo_lnk_',
  reader: 'octavo_rdr_',
}
const BODY_LENGTH = 32
const CHECKSUM_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TOKEN = new RegExp(
  `^(?:${Object.values(TOKEN_PREFIXES).join('|')})([0-9A-Za-z]{${BODY_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)

export function createToken(kind: TokenKind = 'admin'): string {
  let body = ''
  for (let count = 0; count < BODY_LENGTH; count += 1) body += BASE62[randomInt(BASE62.length)]
  return `${TOKEN_PREFIXES[kind]}${body}${checksum(body)}`
}

/**
 * Returns whether the text has the format and checksum of a key, so that other strings can be
 * rejected without a query.
 */
export function isWellFormedToken(token: string): boolean {
  const [, body, sum] = TOKEN.exec(token) ?? []
  return body !== undefined && sum === checksum(body)
}

/** Returns whether the token is a person's session, which is looked up elsewhere. */
export function isSessionToken(token: string): boolean {
  return token.startsWith(TOKEN_PREFIXES.session)
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let count = 0; count < CHECKSUM_LENGTH; count += 1) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`
    rest = Math.floor(rest / BASE62.length)
  }
  return digits
}
