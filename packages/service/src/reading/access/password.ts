/**
 * Hashes and checks the site's password. A hash takes about 60 ms and 32 MB, so readers' passwords
 * are checked one at a time.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../../platform/problem.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const COST = { log2N: 15, r: 8, p: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const FORM = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/
/** The maximum number of waiting checks, which together take a few seconds of CPU time. */
const WAITING_MAX = 50

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { log2N, r, p } = COST
  const hash = await scryptOf(password, salt, COST)
  return `scrypt$${log2N}$${r}$${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/**
 * Checks a password. It takes just as long without a stored hash, so that timing does not reveal
 * whether there is one.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [, log2N = '', r = '', p = '', salt = '', hash = ''] = FORM.exec(stored ?? '') ?? []
  if (hash === '') {
    await scryptOf(password, Buffer.alloc(SALT_BYTES), COST)
    return false
  }
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const found = await scryptOf(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(found, Buffer.from(hash, 'base64url'))
}

export type PasswordCheck = (password: string, stored: string | undefined) => Promise<boolean>

/**
 * Returns a function that checks the passwords of anonymous readers one at a time. It throws if too
 * many checks are waiting.
 */
export function createPasswordCheck(): PasswordCheck {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (password, stored) => {
    if (waiting >= WAITING_MAX)
      throw new Problem('unavailable', 'Too many sign-ins at the moment. Try again later.')
    waiting += 1
    const before = last
    const check = (async () => {
      await before
      return verifyPassword(password, stored)
    })()
    last = check.catch(() => {})
    return check.finally(() => {
      waiting -= 1
    })
  }
}

function scryptOf(password: string, salt: Buffer, { log2N, r, p }: typeof COST): Promise<Buffer> {
  const N = 2 ** log2N
  // Composed and decomposed letters look the same, so they are normalized.
  const text = password.normalize('NFKC')
  return derive(text, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r })
}
