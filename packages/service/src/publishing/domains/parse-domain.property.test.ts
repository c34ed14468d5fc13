import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDomain } from './parse-domain.ts'

const OWN = ['sites.example.net']
const NAME = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/

describe('accepted domain names', () => {
  const typed = fc.oneof(
    fc.domain(),
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `${text}.com`),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.ipV4(),
    fc.ipV6(),
  )

  test('an accepted name is a normalized host name that parses to itself', () => {
    fc.assert(
      fc.property(typed, (text) => {
        const parsed = parseDomain(text, OWN)
        if (parsed.kind === 'refused') return
        expect(parsed.name).toMatch(NAME)
        expect(parsed.name.length).toBeLessThanOrEqual(253)
        expect(parseDomain(parsed.name, OWN)).toEqual(parsed)
        expect(parseDomain(parsed.name.toUpperCase(), OWN)).toEqual(parsed)
        expect(parseDomain(`https://${parsed.name}/`, OWN)).toEqual(parsed)
        expect(parseDomain(`*.${parsed.name}`, OWN).kind).toBe('refused')
        // `URL` parses the same host name.
        expect(new URL(`http://${parsed.name}/`).hostname).toBe(parsed.name)
      }),
      { numRuns: 2_000 },
    )
  })

  test("a name below one of the service's own names is never accepted", () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        expect(parseDomain(`${domain.split('.')[0]}.sites.example.net`, OWN).kind).toBe('refused')
      }),
    )
  })
})
