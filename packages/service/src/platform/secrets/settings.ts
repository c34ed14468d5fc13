import { z } from 'zod'
import { refuse, splitList, type ValuesOf } from '../settings-values.ts'
import { KEY_BYTES, type SecretKey } from './key-ring.ts'
import { createPepperRing, type PepperRing } from './pepper-ring.ts'

export type SecretSettings = {
  readonly pepper: PepperRing
  readonly secretKeys: readonly SecretKey[]
}

const PEPPER_LENGTH_MIN = 32

export const SECRET_VARIABLES = {
  /**
   * The secret that API keys are hashed with. Without it, API keys cannot be guessed from a copy of
   * the database.
   */
  OCTAVO_KEY_PEPPER: z
    .string({ error: 'Missing OCTAVO_KEY_PEPPER. Generate one with: openssl rand -base64 32' })
    .min(PEPPER_LENGTH_MIN, {
      error:
        'OCTAVO_KEY_PEPPER needs at least 32 characters. Generate one with: openssl rand -base64 32',
    }),
  /** Earlier values of the pepper, whose hashes and signatures are still accepted. */
  OCTAVO_OLD_KEY_PEPPERS: z.string().default('').transform(readOldPeppers),
  /** Keys that encrypt the secrets of tenants, the current one first: `id:base64,…`. */
  OCTAVO_SECRET_KEYS: z.string().default('').transform(readSecretKeys),
}

export const secretSettingsOf = (values: ValuesOf<typeof SECRET_VARIABLES>): SecretSettings => ({
  pepper: createPepperRing({
    current: values.OCTAVO_KEY_PEPPER,
    old: values.OCTAVO_OLD_KEY_PEPPERS,
  }),
  secretKeys: values.OCTAVO_SECRET_KEYS,
})

/**
 * Parses a list of old peppers. The error message contains only the position of an invalid one,
 * because the text is secret.
 */
function readOldPeppers(text: string, context: z.RefinementCtx): readonly string[] {
  const peppers = splitList(text)
  const wrong = peppers.findIndex(({ length }) => length < PEPPER_LENGTH_MIN)
  if (wrong === -1) return peppers
  return refuse(
    context,
    `OCTAVO_OLD_KEY_PEPPERS: value ${wrong + 1} has fewer than ${PEPPER_LENGTH_MIN} characters. The variable is a list of earlier values of OCTAVO_KEY_PEPPER, separated by commas or spaces, such as <value>,<value before it>.`,
  )
}

function readSecretKeys(text: string, context: z.RefinementCtx): readonly SecretKey[] {
  const keys = splitList(text).map((part) => {
    const [, id = '', base64 = ''] = /^([\w-]{1,32}):([\w+/]+={0,2})$/.exec(part) ?? []
    return { id, bytes: Buffer.from(base64, 'base64') }
  })
  const isRight = keys.every(({ id, bytes }) => id !== '' && bytes.length === KEY_BYTES)
  if (isRight && new Set(keys.map(({ id }) => id)).size === keys.length) return keys
  return refuse(
    context,
    'OCTAVO_SECRET_KEYS must be a list of keys with different names, such as `2026:<32 bytes in base64>`. Generate one with: echo "1:$(openssl rand -base64 32)"',
  )
}
