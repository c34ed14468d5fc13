/** Compares `ValueChecker` with Ajv on random schemas and values (`openapi/example-mismatch`). */
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSpecification } from '../parse-specification.ts'

const NAMES = ['a', 'b', 'c']
/** Deeper schemas contain more wrong enum values than are listed. */
const DEPTH = 3
const name = fc.constantFrom(...NAMES)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: DEPTH },
    fc.constantFrom(null, true, false, '', 'a', 'bb', 'ccc', 0, 1, 2.5, -3, 40),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}))
const small = fc.integer({ min: 0, max: 3 })
const { schema } = fc.letrec((tie) => {
  const inner = fc.oneof(tie('schema'), fc.constant({ $ref: '#/components/schemas/Shared' }))
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  return {
    schema: fc.oneof(
      { maxDepth: DEPTH },
      fc.constantFrom(
        {},
        { type: 'string' },
        { type: ['integer', 'null'] },
        { type: 'object' },
        true,
      ),
      fc.record(
        {
          type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object'),
          enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: JSON.stringify }),
          minimum: small,
          exclusiveMaximum: small,
          minLength: small,
          maxLength: small,
          pattern: fc.constantFrom('^a', 'b+', '^c{1,3}$'),
          minItems: small,
          maxItems: small,
          uniqueItems: fc.boolean(),
          items: inner,
          contains: inner,
          properties: fc.dictionary(name, inner, { maxKeys: 3 }),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), inner),
          minProperties: small,
          allOf: list,
          anyOf: list,
          not: inner,
          if: inner,
          // biome-ignore lint/suspicious/noThenProperty: This is a keyword of JSON Schema.
          then: inner,
          else: inner,
        },
        { requiredKeys: [] },
      ),
    ),
  }
})
const SHARED = {
  type: 'object',
  properties: { a: { $ref: '#/components/schemas/Shared' } },
  maxProperties: 2,
}

describe('values checked against random schemas', () => {
  test('a value is reported exactly if Ajv rejects it', () => {
    fc.assert(
      fc.property(schema, value, (...written) => {
        // Ajv does not compare objects without a prototype.
        const [random, example] = JSON.parse(JSON.stringify(written))
        const components = { schemas: { Shared: SHARED, Random: { allOf: [random], example } } }
        const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, components }
        const { diagnostics } = parseSpecification('a.json', JSON.stringify(document))
        const pointer = '/components/schemas/Random/example'
        const found = diagnostics.filter(
          ({ code, place }) =>
            code === 'openapi/example-mismatch' && place.pointer?.startsWith(pointer) === true,
        )
        // An instance keeps every schema that it has seen.
        const ajv = new Ajv({ strict: false, allErrors: true })
        const isValid = ajv.validate({ allOf: [random], components }, example)
        expect(found.length === 0, JSON.stringify({ random, example, found })).toBe(isValid)
      }),
      { numRuns: 100 },
    )
  })
})
