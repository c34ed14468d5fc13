/** The attacks of `attacks.e2e.test.ts` that combine two large things and take seconds to read. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  attack,
  codes,
  expectNoPollution,
  type Fields,
  json,
  MS_MAX,
  many,
  named,
  OK,
  page,
  refTo,
  schema,
  withOperation,
  withSchemas,
} from '../testing/attack.ts'
import { mergeSchema } from './pages/merge-schema.ts'
import { scrapePages } from './pages/scraped-pages.ts'
import { parseSpecification } from './parse-specification.ts'

afterEach(expectNoPollution)

/** Each half is harmless; neither time nor data may grow with the product of the two. */
describe('two large things at once', () => {
  const operations = (count: number, operation: Fields) =>
    named(count, (index) => [`/p${index}`, { post: { ...OK, ...operation } }])
  const bodyOf = (name: string) => ({
    requestBody: { content: { 'application/json': { schema: refTo(name) } } },
  })
  const long = 'x'.repeat(50_000)

  test('70 an allOf of 200,000 schemas is merged', () => {
    const allOf = many(200_000, () => ({ type: 'object' }))
    const outcome = attack(withSchemas({ A: { allOf } }))
    expect(mergeSchema(schema(outcome, 'A'), () => undefined).types).toEqual(['object'])
  })

  test('59 a merge key with 200,000 aliases is reported', () => {
    const text = `openapi: 3.1.0\nx-a: &a {b: 1}\nx-c:\n  <<: [${'*a,'.repeat(200_000)}]`
    expect(attack(text, 'merge.yaml').diagnostics).not.toEqual([])
  })

  test('59 6,000 merges of 20,000 keys are reported', () => {
    const keys = many(20_000, (index) => `k${index}: 1`).join(', ')
    const text = `openapi: 3.1.0\nx-a: &a {${keys}}\nx-c:\n  <<: [${'*a,'.repeat(6_000)}]`
    expect(attack(text, 'merge.yaml').diagnostics).not.toEqual([])
  })

  test('60 a text with 15,000 YAML tags is rejected', () => {
    const text = many(15_000, (index) => `a${index}: !x b`).join('\n')
    expect(attack(text, 'tags.yaml').isUsed).toBe(false)
  })

  test('54 a text with 2,000,000 mistakes is rejected', () => {
    expect(attack(`{${'- '.repeat(2_000_000)}`).isUsed).toBe(false)
  })

  test('72 1,500 broken references among 1,500 schemas are reported', () => {
    const paths = named(1_500, (index) => [
      `/p${index}`,
      { post: { ...OK, ...bodyOf(`Bxxxxx${index}`) } },
    ])
    const schemas = named(1_500, (index) => [`Axxxxx${index}`, {}])
    expect(codes(attack(json({ paths, components: { schemas } })))).toEqual([
      'openapi/broken-reference',
    ])
  })

  test('58 1,500 unknown tags and security schemes among 1,500 known ones are reported', () => {
    const paths = named(1_500, (index) => [
      `/p${index}`,
      { get: { ...OK, tags: [`Bxxxxx${index}`], security: [{ [`Bxxxxx${index}`]: [] }] } },
    ])
    const tags = many(1_500, (index) => ({ name: `Axxxxx${index}` }))
    const scheme = { type: 'http', scheme: 'basic' }
    const securitySchemes = named(1_500, (index) => [`Axxxxx${index}`, scheme])
    const outcome = attack(json({ tags, paths, components: { securitySchemes } }))
    expect(codes(outcome)).toEqual(['openapi/unknown-security', 'openapi/unknown-tag'])
  })

  test('75 20,000 references into a oneOf of 20,000 schemas are resolved', () => {
    const oneOf = many(20_000, () => ({ type: 'string' }))
    const links = many(20_000, (index) => ({ $ref: `#/components/schemas/B/oneOf/${index}` }))
    expect(attack(withSchemas({ A: { oneOf: links }, B: { oneOf } })).parts).toHaveLength(20_002)
  })

  test('76 3,000 operations share an enum of 100,000 values', () => {
    const schemas = { A: { enum: many(100_000, (index) => index) } }
    const outcome = attack(json({ paths: operations(3_000, bodyOf('A')), components: { schemas } }))
    expect(outcome.pages).toHaveLength(3_000)
  })

  test('77 4,000 operations share a schema of 20,000 properties', () => {
    const properties = named(20_000, (index) => [`p${index}`, { type: 'string' }])
    const schemas = { A: { properties } }
    const outcome = attack(json({ paths: operations(4_000, bodyOf('A')), components: { schemas } }))
    expect(outcome.pages).toHaveLength(4_000)
  })

  test('77 2,000 operations share a schema of 300 long properties', () => {
    const properties = named(300, (index) => [`${'p'.repeat(100)}${index}`, { type: 'string' }])
    const schemas = { A: { properties } }
    attack(json({ paths: operations(2_000, bodyOf('A')), components: { schemas } }))
  })

  test('83 1,000 operations share a long example', () => {
    const schemas = { A: { type: 'string', example: long } }
    attack(json({ paths: operations(1_000, bodyOf('A')), components: { schemas } }))
  })

  test('78 1,000 operations share 1,000 servers of the document', () => {
    const servers = many(1_000, (index) => ({ url: `https://s${index}.example.com` }))
    attack(json({ servers, paths: operations(1_000, {}) }))
  })

  test('92 1,000 operations share 1,000 security alternatives of the document', () => {
    const security = many(1_000, (index) => ({ [`s${index}`]: [] }))
    attack(json({ security, paths: operations(1_000, {}) }))
  })

  test('69 1,000 paths refer to one long path', () => {
    const paths = {
      '/long': { get: { ...OK, description: long } },
      ...named(1_000, (index) => [`/p${index}`, { $ref: '#/paths/~1long' }]),
    }
    attack(json({ paths }))
  })

  test('94 1,000 operations refer to one long callback', () => {
    const callbacks = { Long: { '{$url}': { post: { ...OK, description: long } } } }
    const operation = { callbacks: { long: { $ref: '#/components/callbacks/Long' } } }
    attack(json({ paths: operations(1_000, operation), components: { callbacks } }))
  })

  test('69 1,000 names refer to one long parameter', () => {
    const parameters = {
      Long: { name: 'long', in: 'query', description: long, schema: {} },
      ...named(1_000, (index) => [`P${index}`, { $ref: '#/components/parameters/Long' }]),
    }
    const use = many(1_000, (index) => ({ $ref: `#/components/parameters/P${index}` }))
    attack(json({ paths: operations(1, { parameters: use }), components: { parameters } }))
  })

  test('71 references lead to each level of a deep schema', () => {
    const levels = many(118, (level) => `#/components/schemas/A${'/items'.repeat(level)}`)
    const deep = levels.reduce<Fields>((items) => ({ items }), { description: long })
    const oneOf = levels.map(($ref) => ({ $ref }))
    attack(withSchemas({ A: deep, B: { oneOf } }))
  })

  test('94 1,000 responses refer to one long link', () => {
    const links = { Long: { operationId: 'get', description: long } }
    const responses = {
      '200': { description: 'ok', links: { long: { $ref: '#/components/links/Long' } } },
    }
    attack(json({ paths: operations(1_000, { responses }), components: { links } }))
  })

  test('83 5,000 parameters and media types each wrap one long schema', () => {
    const properties = named(300, (index) => [`${'p'.repeat(80)}${index}`, { type: 'string' }])
    const wrapped = { type: 'array', items: refTo('A') }
    const parameters = many(5_000, (index) => ({ name: `q${index}`, in: 'query', schema: wrapped }))
    const content = named(5_000, (index) => [`application/x${index}`, { schema: wrapped }])
    const paths = operations(1, { parameters, requestBody: { content } })
    attack(json({ paths, components: { schemas: { A: { properties } } } }))
  })

  test('83 2,000 operations each wrap an allOf of 20,000 schemas', () => {
    const schema = { type: 'array', items: refTo('A') }
    const body = { requestBody: { content: { 'application/json': { schema } } } }
    const schemas = {
      A: { allOf: many(20_000, () => refTo('B')) },
      B: { properties: { a: { type: 'string' } } },
    }
    attack(json({ paths: operations(2_000, body), components: { schemas } }))
  })

  test('90 20,000 operations with the same name get unique pages quickly', () => {
    const text = json({ paths: operations(20_000, { summary: 'Same' }) })
    const { specification } = parseSpecification('same.json', text)
    if (specification === undefined) throw new Error('not read')
    const started = performance.now()
    expect(scrapePages(specification, { source: 'same.json', folder: '' }).pages).toHaveLength(
      20_000,
    )
    expect(performance.now() - started).toBeQuick(MS_MAX)
  })

  test('79 a dangerous server URL after a space or in a variable is not offered', () => {
    const servers = [
      { url: ' javascript:alert(1)' },
      { url: '\u00a0//evil.example' },
      { url: '{all}', variables: { all: { default: 'javascript:alert(1)' } } },
      { url: '{scheme}://a', variables: { scheme: { default: 'https', enum: ['https', 'file'] } } },
    ]
    for (const server of servers) {
      const outcome = attack(withOperation({ servers: [server] }))
      expect(codes(outcome)).toEqual(['openapi/server-url'])
      expect(page(outcome).servers).toEqual([])
    }
  })

  test('95 paths and webhook names with newlines are read', () => {
    const webhooks = { 'a\nb\u2028c': { post: OK } }
    expect(attack(json({ paths: { '/a\nb': { get: OK } }, webhooks })).pages).toHaveLength(2)
  })
})
