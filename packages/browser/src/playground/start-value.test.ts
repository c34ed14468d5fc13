/**
 * Tests the initial values of a form: `x-default` (requirement X17), then known values of required
 * fields.
 */
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

describe('initial values of a form', () => {
  test('x-default fills the top level, but not an optional recursive object', () => {
    expect(start(PLANT)).toEqual({ name: 'Fern' })
  })

  test('x-default fills required objects, and its value may be an object', () => {
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

  test('a required field starts with its default, its constant or its only enum value', () => {
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

  test('a schema that requires itself has a finite initial value', () => {
    const own: { -readonly [Key in keyof SchemaData]: SchemaData[Key] } = { types: ['object'] }
    own.properties = [{ name: 'own', required: true, schema: own }]
    expect(start(own)).toEqual({})
  })
})
