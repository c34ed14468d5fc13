import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PEPPER } from '../../../testing/test-service.ts'
import { createToken, isWellFormedToken, TOKEN_PREFIXES } from './token.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_LENGTH = 32
const TOKEN_PREFIX = TOKEN_PREFIXES.admin
const LENGTH = TOKEN_PREFIX.length + BODY_LENGTH + 6

/** Builds a key with an independent implementation of the format. */
function tokenOf(body: string): string {
  let rest = BigInt(crc32(Buffer.from(body, 'ascii')))
  const digits: string[] = []
  while (digits.length < 6) {
    digits.unshift(DIGITS.charAt(Number(rest % 62n)))
    rest /= 62n
  }
  return `octavo_adm_${body}${digits.join('')}`
}

const body = fc.string({
  unit: fc.constantFrom(...DIGITS),
  minLength: BODY_LENGTH,
  maxLength: BODY_LENGTH,
})
const token = body.map(tokenOf)
const place = fc.nat({ max: LENGTH - 1 })
const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))
const character = fc.oneof(fc.constantFrom(...DIGITS, '_', '-', ' ', '\n', '\0'), anyCharacter)

/** Expects that a changed key is malformed, and that its hash would differ too. */
function expectMalformed(changed: string, original: string): void {
  expect(isWellFormedToken(changed)).toBe(false)
  expect(PEPPER.hash('api key', changed)).not.toEqual(PEPPER.hash('api key', original))
}

describe('the key format', () => {
  // These keys were generated with Python's zlib, because scanners and other languages must compute
  // the same checksum.
  test.each([
    'octavo_adm_000000000000000000000000000000002wjyrI',
    'octavo_adm_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz4W8LJS',
    'octavo_adm_0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL',
    'octavo_adm_UVWXYZabcdefghijklmnopqrstuvwxyz3nLJyP',
    'octavo_adm_0000000000000000000000000000017200YwDE',
  ])('the key %s is well-formed', (known) => {
    expect(known).toHaveLength(LENGTH)
    expect(isWellFormedToken(known)).toBe(true)
  })

  const good = 'octavo_adm_0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL'
  test.each([
    ['an empty text', ''],
    ['the prefix alone', TOKEN_PREFIX],
    ['no prefix', good.slice(TOKEN_PREFIX.length)],
    ['a prefix in upper case', good.replace('octavo', 'OCTAVO')],
    ['the prefix of another kind', good.replace('_adm_', '_pub_')],
    ['the prefix twice', `${TOKEN_PREFIX}${good}`],
    ['part of the prefix', good.slice('octavo_'.length)],
    ['one character too few', good.slice(0, -1)],
    ['one character too many', `${good}0`],
    ['no checksum', good.slice(0, -6)],
    ['a checksum of zeros', `${good.slice(0, -6)}000000`],
    ['a body in lower case', TOKEN_PREFIX + good.slice(TOKEN_PREFIX.length).toLowerCase()],
    ['a leading space', ` ${good}`],
    ['a trailing space', `${good} `],
    ['a trailing newline', `${good}\n`],
    ['a trailing NUL', `${good}\0`],
    ['a dash in the body', good.replace('4', '-')],
    ['an underscore in the body', good.replace('4', '_')],
    ['a letter beyond ASCII', good.replace('A', 'А')],
    ['a full-width digit', good.replace('4', '４')],
    ['a valid key after another line', `x\n${good}`],
    ['two keys', `${good}${good}`],
    ['a megabyte', 'octavo_adm_'.padEnd(1_000_000, '0')],
  ])('a malformed key is rejected: %s', (_, text) => {
    expect(isWellFormedToken(text)).toBe(false)
  })

  test('a key with any body and the right checksum is well-formed', () => {
    fc.assert(fc.property(token, (text) => isWellFormedToken(text)))
  })

  test('a text without the right checksum is not a key', () => {
    const guess = fc
      .string({ unit: fc.constantFrom(...DIGITS), minLength: 38, maxLength: 38 })
      .map((rest) => `${TOKEN_PREFIX}${rest}`)
    fc.assert(
      fc.property(
        fc.oneof(guess, fc.string({ unit: anyCharacter })),
        (text) => isWellFormedToken(text) === (text === tokenOf(text.slice(11, 11 + BODY_LENGTH))),
      ),
    )
  })
})

describe('a mistyped key', () => {
  test('a key with one changed character is malformed, so it is rejected without a query', () => {
    fc.assert(
      fc.property(token, place, character, (text, at, other) => {
        fc.pre(text[at] !== other)
        expectMalformed(text.slice(0, at) + other + text.slice(at + 1), text)
      }),
    )
  })

  test('replacing any character of a key with any other letter or digit makes it malformed', () => {
    const text = tokenOf('0123456789ABCDEFGHIJKLMNOPQRSTUV')
    const taken = [...text].flatMap((own, at) =>
      [...DIGITS]
        .filter((other) => other !== own)
        .map((other) => text.slice(0, at) + other + text.slice(at + 1))
        .filter(isWellFormedToken),
    )
    expect(taken).toEqual([])
  })

  test('a key with a missing or additional character is rejected', () => {
    fc.assert(
      fc.property(token, place, character, (text, at, more) => {
        expectMalformed(text.slice(0, at) + more + text.slice(at), text)
        expectMalformed(text.slice(0, at) + text.slice(at + 1), text)
      }),
    )
  })

  test('a key with two adjacent characters swapped is rejected', () => {
    fc.assert(
      fc.property(token, fc.nat({ max: LENGTH - 2 }), (text, at) => {
        const [first = '', second = ''] = [text[at], text[at + 1]]
        fc.pre(first !== second)
        expectMalformed(text.slice(0, at) + second + first + text.slice(at + 2), text)
      }),
    )
  })
})

describe('a new key', () => {
  const made = Array.from({ length: 500 }, createToken)

  test('a new key is well-formed', () => {
    for (const text of made) {
      expect(text).toMatch(/^octavo_adm_[0-9A-Za-z]{38}$/)
      expect(isWellFormedToken(text)).toBe(true)
    }
  })

  test('new keys are unique', () => {
    expect(new Set(made).size).toBe(made.length)
  })

  test('new keys use the whole alphabet at every position', () => {
    // Among 16,000 random characters, one of 62 would be missing once in 10^110 runs.
    const bodies = made.map((text) => text.slice(TOKEN_PREFIX.length, -6))
    expect([...new Set(bodies.join(''))].sort().join('')).toBe(DIGITS)
    for (let at = 0; at < BODY_LENGTH; at += 1) {
      expect(new Set(bodies.map((text) => text[at])).size).toBeGreaterThan(50)
    }
  })
})
