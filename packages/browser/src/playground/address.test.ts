import type { Json, MergedSchema, OperationPage, ParameterData } from '@octavo/openapi/browser'
import { describe, expect, test } from 'vitest'
import { printAddress, readAddress } from './address.ts'
import type { Operation, RequestState } from './request-state.ts'

const parameter = (place: string, name: string, type: string): ParameterData => ({
  name,
  in: place,
  schema: { types: [type] },
})

function operationOf(path: string, parameters: readonly ParameterData[]): Operation {
  const page = { kind: 'operation', method: 'GET', path, title: '', responses: [] }
  const merged = (schema: object) => ({ refs: [], choices: [], ...schema }) as MergedSchema
  return {
    page: page as unknown as OperationPage,
    parameters,
    body: undefined,
    library: { merged, frame: { schemes: [] } },
  } as unknown as Operation
}

const EMPTY = { parameters: new Map(), otherQuery: [] } as unknown as RequestState

const PLANT = operationOf('/plants/{id}/leaves', [
  parameter('path', 'id', 'string'),
  parameter('query', 'limit', 'integer'),
  parameter('query', 'tags', 'array'),
  parameter('query', 'filter', 'object'),
  parameter('header', 'trace', 'string'),
])

const valuesOf = (state: RequestState | undefined) =>
  state && (Object.fromEntries(state.parameters) as Record<string, Json>)

describe('the address of a request', () => {
  test('values in the path and the query fill in the fields', () => {
    const read = readAddress('/plants/a%20b/leaves?limit=5&tags=x&tags=y&more=1', PLANT, EMPTY)
    expect(valuesOf(read)).toEqual({ 'path id': 'a b', 'query limit': 5, 'query tags': ['x', 'y'] })
    expect(read?.otherQuery).toEqual([['more', '1']])
  })

  test('a printed address is read as the same values', () => {
    const read = readAddress('/plants/7/leaves?limit=5&more=a%26b', PLANT, EMPTY)
    expect(read && printAddress(PLANT, read)).toBe('/plants/7/leaves?limit=5&more=a%26b')
  })

  test('a variable that is still in the path has no value, and a removed query value is removed', () => {
    const full = readAddress('/plants/7/leaves?limit=5', PLANT, EMPTY)
    expect(valuesOf(full && readAddress('/plants/{id}/leaves', PLANT, full))).toEqual({})
  })

  test('values in other places, and those of objects, stay', () => {
    const parameters = new Map<string, Json>([
      ['header trace', 't'],
      ['query filter', { a: 1 }],
    ])
    const state = { ...EMPTY, parameters }
    const read = readAddress(printAddress(PLANT, state), PLANT, state)
    expect(valuesOf(read)).toEqual({ 'header trace': 't', 'query filter': { a: 1 } })
    expect(read?.otherQuery).toEqual([])
  })

  test.each([
    '',
    '/other',
    '/plants/7',
    '/plants/7/8/leaves',
    'https://evil.example/plants/7/leaves',
  ])('another path is refused: %s', (text) =>
    expect(readAddress(text, PLANT, EMPTY)).toBeUndefined(),
  )

  test('a path with many adjacent variables is read in linear time', () => {
    const names = Array.from({ length: 200 }, (_, index) => `{v${index}}`).join('')
    const operation = operationOf(`/${names}/end`, [])
    expect(readAddress(`/${'a'.repeat(50_000)}`, operation, EMPTY)).toBeUndefined()
  })
})
