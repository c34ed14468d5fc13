import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseUlid, ulidFloor, ulidMs } from './ulid.ts'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const MS_MAX = 2 ** 48 - 1
const ms = fc.integer({ min: 0, max: MS_MAX })
const tail = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 16, maxLength: 16 })
const ulid = fc.tuple(ms, tail).map(([at, rest]) => ulidFloor(at).slice(0, 10) + rest)
const Z25 = 'Z'.repeat(25)

describe('ULID parsing', () => {
  test.each([
    ['the smallest', '0'.repeat(26)],
    ['the largest', `7${Z25}`],
    ["the specification's example", '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['every letter and digit', '0123456789ABCDEFGHJKMNPQRS'],
    ['the other letters', '0TVWXYZ0000000000000000000'],
  ])('a ULID is accepted: %s', (_, text) => {
    expect(parseUlid(text)).toBe(text)
    expect(parseUlid(text.toLowerCase())).toBe(text)
  })

  test.each([
    ['an empty text', ''],
    ['25 characters', Z25],
    ['26 characters, 25 of them after a 0, and one more', `0${Z25}0`],
    ['one above the largest', `8${'0'.repeat(25)}`],
    ['far above the largest', `Z${Z25}`],
    ...[...'ILOUilou'].map((letter) => [`the letter ${letter}`, `0${letter}${'0'.repeat(24)}`]),
    ...[...'-_ .*+/\n\0'].map((odd) => [JSON.stringify(odd), `0${odd}${'0'.repeat(24)}`]),
    // Uppercasing turns some of these characters into K, S and I, but they are not valid.
    ['the Kelvin sign', `0\u212a${'0'.repeat(24)}`],
    ['a long s', `0ſ${'0'.repeat(24)}`],
    ['a dotless i', `0ı${'0'.repeat(24)}`],
    ['a Cyrillic A', `0А${'0'.repeat(24)}`],
    ['a full-width zero', `0０${'0'.repeat(24)}`],
    ['an emoji', `0🌱${'0'.repeat(23)}`],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['a trailing newline', `0${Z25}\n`],
    ['a leading space', ` 0${Z25}`],
  ])('a text that is not a ULID is rejected: %s', (_, text = '') => {
    expect(parseUlid(text)).toBeUndefined()
  })

  test('a ULID is parsed in any letter case', () => {
    fc.assert(
      fc.property(ulid, fc.infiniteStream(fc.boolean()), (id, lower) => {
        const mixed = [...id].map((letter) => (lower.next().value ? letter.toLowerCase() : letter))
        expect(parseUlid(mixed.join(''))).toBe(id)
      }),
    )
  })

  test('a text with a character outside the alphabet is not a ULID', () => {
    const character = fc.oneof(
      fc.nat({ max: 0x7f }).map((code) => String.fromCodePoint(code)),
      fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
    )
    fc.assert(
      fc.property(ulid, fc.integer({ min: 1, max: 25 }), character, (id, at, other) => {
        const changed = id.slice(0, at) + other + id.slice(at + 1)
        const isDigit = /^[0-9A-Za-z]$/.test(other) && DIGITS.includes(other.toUpperCase())
        expect(parseUlid(changed) !== undefined).toBe(isDigit)
      }),
    )
  })
})

describe('the timestamp of a ULID', () => {
  test.each([
    [0, '00000000000000000000000000'],
    [1, '00000000010000000000000000'],
    [31, '000000000Z0000000000000000'],
    [32, '00000000100000000000000000'],
    [1_469_918_176_385, '01ARYZ6S410000000000000000'],
    [MS_MAX, '7ZZZZZZZZZ0000000000000000'],
  ])('the first id of the millisecond %i is %s', (at, id) => {
    expect(ulidFloor(at)).toBe(id)
    expect(ulidMs(id)).toBe(at)
  })

  test('the timestamp of the first id of a millisecond is that millisecond', () => {
    fc.assert(fc.property(ms, (at) => ulidMs(ulidFloor(at)) === at))
  })

  test('the timestamp of any id is the millisecond that it was created with', () => {
    fc.assert(fc.property(ms, tail, (at, rest) => ulidMs(ulidFloor(at).slice(0, 10) + rest) === at))
  })

  test('the first id of a millisecond is a valid ULID', () => {
    fc.assert(fc.property(ms, (at) => parseUlid(ulidFloor(at)) === ulidFloor(at)))
  })

  test('the first ids of two milliseconds sort in the order of time', () => {
    const near = fc.tuple(ms, fc.integer({ min: -40, max: 40 })).map(([at, shift]) => {
      return [at, Math.min(MS_MAX, Math.max(0, at + shift))] as const
    })
    fc.assert(
      fc.property(fc.oneof(fc.tuple(ms, ms), near), ([a, b]) => {
        expect(ulidFloor(a) < ulidFloor(b)).toBe(a < b)
        expect(ulidFloor(a) === ulidFloor(b)).toBe(a === b)
      }),
    )
  })

  test('every id sorts between the first id of its millisecond and the first id of the next one', () => {
    fc.assert(
      fc.property(ulid, (id) => {
        const at = ulidMs(id)
        expect(ulidFloor(at) <= id).toBe(true)
        if (at < MS_MAX) expect(id < ulidFloor(at + 1)).toBe(true)
      }),
    )
  })
})
