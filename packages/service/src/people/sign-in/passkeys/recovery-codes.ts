/** Codes for people who have lost every device with a passkey. */
import { randomInt } from 'node:crypto'

const COUNT = 10
const GROUPS = 4
const GROUP_LENGTH = 4
/** Excludes letters and digits that look alike. A code of 16 characters has 80 bits. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  )
}

/** Normalizes a typed code, which may contain spaces or lower-case letters, or lack hyphens. */
export function readRecoveryCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
}
