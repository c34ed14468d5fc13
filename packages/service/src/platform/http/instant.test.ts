import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { INVALID_DATES, VALID_DATES } from '../../../testing/date-cases.ts'
import { parseBound, parseInstant } from './instant.ts'

const MS_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const DAY_MS = 86_400_000
const anyMs = fc.integer({ min: 0, max: MS_MAX })
const twoDigits = (value: number) => String(value).padStart(2, '0')

describe('bounds of a date range (requirement E5)', () => {
  test.each([
    ['2024-01-01T00:00:00.000Z', 0],
    ['2024-01-01T00:00:00.0000Z', 0],
    ['2024-01-01T00:00:00.0001Z', 1],
    ['2024-01-01T00:00:00.000000001Z', 1],
    ['2024-01-01T00:00:00.9991Z', 1_000],
    ['2024-01-01', 0],
  ])('as the bound of a range, %s is rounded up to a whole millisecond', (text, ms) => {
    expect(parseBound(text)).toBe(Date.UTC(2024, 0, 1) + ms)
  })

  test('an invalid date cannot be the bound of a range', () => {
    expect(parseBound('2024-02-30')).toBeUndefined()
  })
})

describe('dates in the API (requirement E5)', () => {
  test.each(VALID_DATES)('the date %s is parsed as %i', (text, ms) => {
    expect(parseInstant(text)).toBe(ms)
  })

  test.each(INVALID_DATES)('the invalid date %.60s is rejected', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  test('exactly the days that exist in a leap year and in a common year are accepted', () => {
    for (const [year, days] of [
      [2023, 365],
      [2024, 366],
    ] as const) {
      const taken = Array.from({ length: 14 * 33 }, (_, at) => {
        const [month, day] = [Math.floor(at / 33), at % 33]
        return parseInstant(`${year}-${twoDigits(month)}-${twoDigits(day)}`)
      }).filter((ms) => ms !== undefined)
      const first = Date.UTC(year, 0, 1)
      expect(taken).toEqual(Array.from({ length: days }, (_, day) => first + day * DAY_MS))
    }
  })
})

describe('every millisecond from 1970 to 9999', () => {
  test('the output of toISOString is parsed to the same instant', () => {
    fc.assert(fc.property(anyMs, (ms) => parseInstant(new Date(ms).toISOString()) === ms))
  })

  test('a date without a time is midnight in UTC', () => {
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(parseInstant(new Date(ms).toISOString().slice(0, 10))).toBe(ms - (ms % DAY_MS))
      }),
    )
  })

  test('a time with an offset is parsed to the same instant as in UTC', () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 })
    const inner = fc.integer({ min: DAY_MS, max: MS_MAX - DAY_MS })
    fc.assert(
      fc.property(inner, offset, (ms, minutes) => {
        const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1)
        const size = Math.abs(minutes)
        const sign = minutes < 0 ? '-' : '+'
        const zone = `${sign}${twoDigits(Math.trunc(size / 60))}:${twoDigits(size % 60)}`
        expect(parseInstant(`${local}${zone}`)).toBe(ms)
      }),
    )
  })

  test('fractions of a second are truncated after the third digit', () => {
    fc.assert(
      fc.property(anyMs, fc.stringMatching(/^\d{0,6}$/), (ms, more) => {
        expect(parseInstant(new Date(ms).toISOString().replace('Z', `${more}Z`))).toBe(ms)
      }),
    )
  })
})

describe('arbitrary texts', () => {
  test('a text in the right format is parsed if and only if it is a valid date', () => {
    const shape = fc.oneof(
      fc.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
      fc.stringMatching(/^(?:19[67]\d|20\d\d)-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\dZ$/),
    )
    fc.assert(
      fc.property(shape, (text) => {
        const date = new Date(text)
        // `Date` turns 30 February into 1 March, so a string that does not survive the round trip
        // is invalid.
        const isPrinted =
          !Number.isNaN(date.getTime()) && date.toISOString() === text.replace('Z', '.000Z')
        const expected = isPrinted && date.getTime() >= 0 ? date.getTime() : undefined
        expect(parseInstant(text)).toBe(expected)
      }),
    )
  })

  test('any text is parsed to undefined or to an integer that fits into an id', () => {
    const anything = fc.oneof(
      fc.string({ unit: fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code)) }),
      fc.string({ unit: fc.constantFrom(...'0123456789-+:.TtZz ') }),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const ms = parseInstant(text)
        return ms === undefined || (Number.isInteger(ms) && ms >= 0 && ms < 2 ** 48)
      }),
    )
  })
})
