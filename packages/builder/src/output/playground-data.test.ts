import { parseSpecification } from '@octavo/openapi'
import { ENGLISH } from '@octavo/theme'
import { describe, expect, test } from 'vitest'
import { playgroundSettings } from '../compile/api-settings.ts'
import { OpenedSpecification } from '../compile/opened-specification.ts'
import { SpecificationTexts } from '../compile/specification-texts.ts'
import { printOperationFile } from './playground-data.ts'

type Schemas = Readonly<Record<string, object>>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns the file of an operation whose body is the first of the schemas. */
function fileFor(schemas: Schemas, securitySchemes: object = {}) {
  const [first = ''] = Object.keys(schemas)
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    security: [{ used: [] }],
    paths: {
      '/a': {
        post: {
          requestBody: { content: { 'application/json': { schema: ref(first) } } },
          responses: {},
        },
      },
    },
    components: { schemas, securitySchemes },
  })
  const { specification } = parseSpecification('a.json', text)
  if (specification === undefined) throw new Error('The specification is invalid.')
  const texts = new SpecificationTexts(specification, {})
  const opened = new OpenedSpecification({ specification, texts, pillFields: [], settings: '' })
  const operation = opened.find('POST', '/a')
  if (operation === undefined) throw new Error('There is no operation.')
  const settings = playgroundSettings(undefined, ENGLISH)
  const printed = printOperationFile(opened.pages.page(operation), opened, settings)
  const data = JSON.parse(printed)
  const names: string[] = data.parts.map((part: { ref: string }) => part.ref.split('/').at(-1))
  return { length: printed.length - JSON.stringify(settings).length, data, names }
}

describe("the file of an operation's playground", () => {
  test('parts are in the order of their distance, and each is there once', () => {
    const { names } = fileFor({
      A: { properties: { b: ref('B'), a: ref('A'), c: ref('C') } },
      D: { type: 'string' },
      C: { type: 'string' },
      B: { properties: { d: ref('D'), a: ref('A') } },
      Unused: { type: 'string' },
    })
    expect(names).toEqual(['A', 'B', 'C', 'D'])
  })

  test('the file has a maximum length, however much an operation reaches', () => {
    const large = (next: object) => ({ description: 'x', enum: ['y'.repeat(2_000)], ...next })
    const schemas = Array.from({ length: 200 }, (_, index) => {
      const next = { properties: { next: ref(`S${index + 1}`) } }
      return [`S${index}`, large(index < 199 ? next : {})] as const
    })
    const { names, length } = fileFor(Object.fromEntries(schemas))
    expect(names[0]).toBe('S0')
    expect(names.length).toBeLessThan(33)
    expect(length).toBeLessThan(66_000)
  })

  test('a part that is too long is omitted, and shorter parts are not', () => {
    const { names } = fileFor({
      A: { properties: { b: ref('B'), c: ref('C') } },
      B: { type: 'string', enum: ['y'.repeat(70_000)] },
      C: { type: 'string' },
    })
    expect(names).toEqual(['A', 'C'])
  })

  test('only the schemes that the operation uses are in the file', () => {
    const scheme = { type: 'http', scheme: 'bearer' }
    const { data } = fileFor({ A: { type: 'string' } }, { used: scheme, other: scheme })
    expect(data.frame.schemes.map((one: { name: string }) => one.name)).toEqual(['used'])
  })

  test('only the schema of the body has its sample', () => {
    const { data } = fileFor({
      A: { type: 'object', properties: { b: ref('B') } },
      B: { type: 'object', properties: { name: { type: 'string', example: 'Fern' } } },
    })
    expect(data.parts[0].sample).toEqual({ value: { b: { name: 'Fern' } } })
    expect(data.parts[1].sample).toBeUndefined()
  })
})
