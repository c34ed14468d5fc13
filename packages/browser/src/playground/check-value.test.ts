/** Tests the differences from a schema that the playground reports for a value. */
import { type Json, mergeSchema, type SchemaData } from '@octavo/openapi/browser'
import { ENGLISH, playgroundWords } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import { checkValue, printPath } from './check-value.ts'

const PLANT: SchemaData = {
  types: ['object'],
  additional: false,
  properties: [
    { name: 'id', required: true, schema: { types: ['integer'], readOnly: true } },
    { name: 'name', required: true, schema: { types: ['string'], rules: [['minLength', 2]] } },
    { name: 'parent', schema: { ref: '#plant' } },
    { name: 'tags', schema: { types: ['array'], items: { types: ['string'] } } },
    { name: 'kind', schema: { oneOf: [{ enum: ['tree'] }, { types: ['integer'] }] } },
  ],
}

function check(value: Json, direction: 'request' | 'response' = 'response'): readonly string[] {
  const merged = (schema: SchemaData) => mergeSchema(schema, () => PLANT)
  return checkValue(PLANT, value, { merged, direction, words: playgroundWords(ENGLISH) }).map(
    ({ path, message }) => `${printPath(path)} ${message}`,
  )
}

describe('values checked against a schema', () => {
  test('a valid value of a recursive schema has no differences', () => {
    const parent = { id: 1, name: 'Moss' }
    expect(check({ id: 2, name: 'Fern', tags: ['a'], kind: 'tree', parent })).toEqual([])
  })

  test.each<[Json, string]>([
    [{ id: 1 }, 'name is missing'],
    [{ id: '1', name: 'ab' }, 'id should be integer, is string'],
    [{ id: 1, name: 'a' }, 'name at least 2 characters'],
    [{ id: 1, name: 'ab', more: 1 }, 'more is not in the specification'],
    [{ id: 1, name: 'ab', tags: ['a', 2] }, 'tags[1] should be string, is integer'],
    [{ id: 1, name: 'ab', parent: { id: 2 } }, 'parent.name is missing'],
  ])('the value %j is reported with this problem: %s', (value, message) =>
    expect(check(value)).toEqual([message]),
  )

  test('a read-only property is required in a response but not in a request', () => {
    expect(check({ name: 'ab' }, 'response')).toEqual(['id is missing'])
    expect(check({ name: 'ab' }, 'request')).toEqual([])
  })

  test('a value must match one of several alternatives', () => {
    expect(check({ id: 1, name: 'ab', kind: 3 })).toEqual([])
    expect(check({ id: 1, name: 'ab', kind: 'bush' })[0]).toBe(
      'kind matches none of the alternatives',
    )
  })
})
