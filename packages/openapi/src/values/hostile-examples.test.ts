/** Tests that checking examples of a hostile specification ends quickly (`openapi/example-mismatch`). */
import { describe, expect, test } from 'vitest'
import { attack, type Fields, json, many, named, refTo } from '../../testing/attack.ts'

const withSchemas = (schemas: Fields) => json({ paths: {}, components: { schemas } })

describe('examples of hostile schemas', () => {
  test('options that double at each level are checked up to a limit', () => {
    const chain = (length: number) =>
      named(length, (index) => [
        `S${index}`,
        index === length - 1
          ? { type: 'integer' }
          : { anyOf: [refTo(`S${index + 1}`), refTo(`S${index + 1}`)], example: 'a' },
      ])
    expect(attack(withSchemas(chain(8))).diagnostics).toHaveLength(7)
    // Beyond the limit, nothing is reported rather than something wrong.
    expect(attack(withSchemas(chain(60))).diagnostics).toEqual([])
  })

  test('a schema that contains itself says nothing about its example', () => {
    const schemas = {
      All: { allOf: [refTo('All')], example: 1 },
      One: { oneOf: [refTo('One'), { type: 'string' }], example: 1 },
      Not: { not: refTo('Not'), example: 1 },
      If: { if: refTo('If'), else: false, example: 1 },
    }
    expect(attack(withSchemas(schemas)).diagnostics).toEqual([])
  })

  test('many examples of large schemas end quickly', () => {
    const properties = named(500, (index) => [`p${index}`, refTo('Leaf')])
    const pattern = `^${'[a-z]+'.repeat(30)}$`
    const example = named(500, (index) => [`p${index}`, 'a'.repeat(60)])
    const schemas = {
      Leaf: { pattern },
      Big: { properties, allOf: many(300, () => refTo('Inner')), example },
      Inner: { properties },
    }
    expect(attack(withSchemas(schemas)).diagnostics).toEqual([])
  })

  test('names of prototypes are ordinary names of properties', () => {
    const schema = {
      additionalProperties: false,
      required: ['toString'],
      properties: { constructor: { type: 'integer' } },
      example: { constructor: 'a', valueOf: 1 },
    }
    const messages = attack(withSchemas({ Plant: schema })).diagnostics.map(
      ({ message }) => message,
    )
    expect(messages).toEqual([
      'The example has no `toString`, which the schema requires.',
      '`constructor` is a string, but the schema requires an integer.',
      '`valueOf` is a property that the schema does not allow.',
    ])
  })

  test('a long list with a thousand mistakes is reported up to a limit', () => {
    const schema = { type: 'array', items: { type: 'integer' }, example: many(1_000, () => 'a') }
    expect(attack(withSchemas({ Plants: schema })).diagnostics).toHaveLength(20)
  })
})
