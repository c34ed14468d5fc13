import { describe, expect, test } from 'vitest'
import { mergeSchema } from './merge-schema.ts'
import type { SchemaData } from './page-data.ts'

const PARTS: Readonly<Record<string, SchemaData>> = {
  '#/components/schemas/Pet': {
    types: ['object'],
    properties: [{ name: 'id', schema: { types: ['string'] } }],
  },
}

function merge(schema: SchemaData) {
  return mergeSchema(schema, (ref) => PARTS[ref])
}

const NULL: SchemaData = { types: ['null'] }

describe('null among alternatives', () => {
  test('null next to a single alternative makes it nullable', () => {
    const pet = { ref: '#/components/schemas/Pet' }
    expect(merge({ anyOf: [NULL, pet] })).toMatchObject({
      types: ['object', 'null'],
      choices: [],
      refs: [pet.ref],
      nullable: true,
      properties: [{ name: 'id' }],
    })
  })

  test('null next to several alternatives is removed from the choice', () => {
    const of = [{ types: ['string'] }, { types: ['number'] }]
    expect(merge({ oneOf: [...of, NULL] })).toMatchObject({
      nullable: true,
      choices: [{ kind: 'one', of }],
    })
  })

  test('null is kept if it is alone or has a title', () => {
    expect(merge({ anyOf: [NULL] }).choices).toEqual([{ kind: 'any', of: [NULL] }])
    const told = { types: ['null'], title: 'Nobody' }
    expect(merge({ anyOf: [told, { types: ['string'] }] }).choices).toHaveLength(1)
  })
})
