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

describe('null among the options of a schema', () => {
  test('null next to a single option makes the option nullable', () => {
    const pet = { ref: '#/components/schemas/Pet' }
    expect(merge({ anyOf: [NULL, pet] })).toMatchObject({
      types: ['object', 'null'],
      choices: [],
      refs: [pet.ref],
      nullable: true,
      properties: [{ name: 'id' }],
    })
  })

  test('null next to several options is removed from them and makes the schema nullable', () => {
    const of = [{ types: ['string'] }, { types: ['number'] }]
    expect(merge({ oneOf: [...of, NULL] })).toMatchObject({
      nullable: true,
      choices: [{ kind: 'one', of }],
    })
  })

  test('null stays an option if it is the only one or has a title', () => {
    expect(merge({ anyOf: [NULL] }).choices).toEqual([{ kind: 'any', of: [NULL] }])
    const titled = { types: ['null'], title: 'Nobody' }
    expect(merge({ anyOf: [titled, { types: ['string'] }] }).choices).toHaveLength(1)
  })
})
