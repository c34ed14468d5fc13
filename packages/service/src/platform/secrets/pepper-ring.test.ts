import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createPepperRing } from './pepper-ring.ts'

const FIRST = 'a pepper for tests, 32 characters or more'
const SECOND = 'another pepper for tests, 32 characters or more'
const TOKEN = 'octavo_adm_000000000000000000000000000000002wjyrI'
const first = createPepperRing({ current: FIRST })
const second = createPepperRing({ current: SECOND })
const rotated = createPepperRing({ current: SECOND, old: [FIRST] })
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

describe('stored hashes', () => {
  // This hash was computed with Python's hmac and hashlib.
  const HASH = 'a62bfb3f8fb9d9fecc453260cec5864b1d3ca61d1ebdb212f35e6a4657b1f3e8'

  test('a hash is HMAC-SHA-256 with a key derived by HKDF for its purpose', () => {
    expect(first.hash('api key', TOKEN).toString('hex')).toBe(HASH)
  })

  test('the hashes for a lookup start with the current pepper, followed by old peppers', () => {
    expect(hex(first.hashes('api key', TOKEN))).toEqual([HASH])
    expect(hex(rotated.hashes('api key', TOKEN))).toEqual([
      ...hex(second.hashes('api key', TOKEN)),
      HASH,
    ])
    expect(hex(rotated.otherHashes('api key', TOKEN))).toEqual([HASH])
  })

  test('hashes of the same text differ between purposes', () => {
    const purposes = ['api key', 'user session', 'reader session', 'invitation', 'sign-in link']
    const all = purposes.map((purpose) => first.hash(purpose as 'api key', TOKEN).toString('hex'))
    expect(new Set(all).size).toBe(purposes.length)
  })

  test('a pepper is identified by an id that does not reveal it', () => {
    expect(first.id).toBe('c12618d8')
    expect([second.id, rotated.id]).toEqual([rotated.id, second.id])
    expect(rotated.oldIds).toEqual([first.id])
    expect(createPepperRing({ current: FIRST, old: [FIRST] }).oldIds).toEqual([])
  })
})

describe('signatures', () => {
  const signature = first.sign('form', 'text')

  test('a signature is valid only for its purpose and text, even if the pepper is old', () => {
    for (const ring of [first, rotated])
      expect(ring.verify('form', { text: 'text', signature })).toBe(true)
    expect(second.verify('form', { text: 'text', signature })).toBe(false)
    expect(first.verify('form', { text: 'other', signature })).toBe(false)
    expect(first.verify('reader code', { text: 'text', signature })).toBe(false)
  })

  test('a signature has only one valid base64url spelling', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...alphabet].map((last) => signature.slice(0, -1) + last)
    const accepted = [...others, `${signature}=`, ` ${signature}`, ''].filter((one) =>
      first.verify('form', { text: 'text', signature: one }),
    )
    expect(accepted).toEqual([signature])
  })
})

test('printing a pepper ring does not show the peppers', () => {
  for (const text of [inspect(rotated, { depth: 9 }), JSON.stringify(rotated)])
    for (const pepper of rotated.secrets()) expect(text).not.toContain(pepper)
})

test('no other file computes hashes or keys with the pepper', () => {
  const folder = join(import.meta.dirname, '../..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const using = files.filter((file) =>
    /createHmac|hkdfSync|\.secrets\(\)/.test(readFileSync(join(folder, file), 'utf8')),
  )
  expect(using.toSorted()).toEqual([
    // Uses the peppers only to hide them in its output.
    'app/commands/doctor/run-doctor.ts',
    'platform/secrets/pepper-ring.ts',
    'projects/notifications/webhooks/sign-webhook.ts',
    // These files use webhook secrets, which belong to one project or to the GitHub App.
    'publishing/connections/verify-hook.ts',
    'publishing/providers/github-app-hook.ts',
  ])
})
