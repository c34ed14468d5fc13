/** What a form begins with: `x-default` (requirement X17), then what is required and known. */
import { mergeSchema, type SchemaData } from '@octavo/openapi/browser'
import { describe, expect, test } from 'vitest'
import { startValue } from './start-value.ts'

const NAME: SchemaData = { types: ['string'], prefill: { value: 'Fern' } }
const PLANT: SchemaData = {
  types: ['object'],
  properties: [
    { name: 'id', required: true, schema: { types: ['integer'], readOnly: true } },
    { name: 'name', schema: NAME },
    { name: 'parent', schema: { ref: '#plant' } },
  ],
}

function start(schema: SchemaData, useDefaults = true) {
  const merged = (one: SchemaData) => mergeSchema(one, () => PLANT)
  return startValue(schema, { merged, useDefaults })
}

function object(...properties: NonNullable<SchemaData['properties']>): SchemaData {
  return { types: ['object'], properties }
}

describe('a form begins', () => {
  test('with x-default of the top level: an optional object that contains itself stays away', () => {
    expect(start(PLANT)).toEqual({ name: 'Fern' })
  })

  test('with x-default in required objects, and with one that is an object itself', () => {
    const inner = object({ name: 'name', schema: NAME })
    const whole = { types: ['object'], prefill: { value: { a: 1 } } }
    expect(
      start(
        object(
          { name: 'must', required: true, schema: inner },
          { name: 'may', schema: inner },
          { name: 'whole', schema: whole },
        ),
      ),
    ).toEqual({ must: { name: 'Fern' }, whole: { a: 1 } })
  })

  test('with the default, the constant or the only value of what is required', () => {
    const known = object(
      { name: 'size', required: true, schema: { types: ['integer'], default: { value: 3 } } },
      { name: 'kind', required: true, schema: { const: { value: 'plant' } } },
      { name: 'unit', required: true, schema: { enum: ['cm'] } },
      { name: 'color', required: true, schema: { enum: ['red', 'blue'] } },
      { name: 'limit', schema: { types: ['integer'], default: { value: 10 } } },
    )
    expect(start(known)).toEqual({ size: 3, kind: 'plant', unit: 'cm' })
    expect(start(known, false)).toEqual({})
  })

  test('with something finite for a schema that requires itself', () => {
    const own: { -readonly [Key in keyof SchemaData]: SchemaData[Key] } = { types: ['object'] }
    own.properties = [{ name: 'own', required: true, schema: own }]
    expect(start(own)).toEqual({})
  })
})
