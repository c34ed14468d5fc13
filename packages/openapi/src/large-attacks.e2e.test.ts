/**
 * Tests attacks that combine two large inputs. They are separate from `attacks.e2e.test.ts` because
 * reading each takes seconds.
 */
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

/** Each input alone is harmless. Neither time nor data may grow with the product of both sizes. */
describe('attacks with two large inputs at once', () => {
  const operations = (count: number, operation: Fields) =>
    named(count, (index) => [`/p${index}`, { post: { ...OK, ...operation } }])
  const bodyOf = (name: string) => ({
    requestBody: { content: { 'application/json': { schema: refTo(name) } } },
  })
  const long = 'x'.repeat(50_000)

  test('attack 70: an allOf of 200,000 schemas is merged', () => {
    const allOf = many(200_000, () => ({ type: 'object' }))
    const outcome = attack(withSchemas({ A: { allOf } }))
    expect(mergeSchema(schema(outcome, 'A'), () => undefined).types).toEqual(['object'])
  })

  test('attack 59: a merge key with 200,000 aliases is reported', () => {
    const text = `openapi: 3.1.0\nx-a: &a {b: 1}\nx-c:\n  <<: [${'*a,'.repeat(200_000)}]`
    expect(attack(text, 'merge.yaml').diagnostics).not.toEqual([])
  })

  test('attack 59: 6,000 merges of 20,000 keys are reported', () => {
    const keys = many(20_000, (index) => `k${index}: 1`).join(', ')
    const text = `openapi: 3.1.0\nx-a: &a {${keys}}\nx-c:\n  <<: [${'*a,'.repeat(6_000)}]`
    expect(attack(text, 'merge.yaml').diagnostics).not.toEqual([])
  })

  test('attack 60: a text with 15,000 YAML tags is rejected', () => {
    const text = many(15_000, (index) => `a${index}: !x b`).join('\n')
    expect(attack(text, 'tags.yaml').isUsed).toBe(false)
  })

  test('attack 54: a text with 2,000,000 mistakes is rejected', () => {
    expect(attack(`{${'- '.repeat(2_000_000)}`).isUsed).toBe(false)
  })

  test('attack 72: 1,500 broken references next to 1,500 schemas are reported', () => {
    const paths = named(1_500, (index) => [
      `/p${index}`,
      { post: { ...OK, ...bodyOf(`Bxxxxx${index}`) } },
    ])
    const schemas = named(1_500, (index) => [`Axxxxx${index}`, {}])
    expect(codes(attack(json({ paths, components: { schemas } })))).toEqual([
      'openapi/broken-reference',
    ])
  })

  test('attack 58: 1,500 unknown names next to 1,500 known tags and security schemes are reported', () => {
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

  test('attack 75: 20,000 references into a oneOf of 20,000 schemas are resolved', () => {
    const oneOf = many(20_000, () => ({ type: 'string' }))
    const links = many(20_000, (index) => ({ $ref: `#/components/schemas/B/oneOf/${index}` }))
    expect(attack(withSchemas({ A: { oneOf: links }, B: { oneOf } })).parts).toHaveLength(20_002)
  })

  test('attack 76: an enum of 100,000 values shared by 3,000 operations is read', () => {
    const schemas = { A: { enum: many(100_000, (index) => index) } }
    const outcome = attack(json({ paths: operations(3_000, bodyOf('A')), components: { schemas } }))
    expect(outcome.pages).toHaveLength(3_000)
  })

  test('attack 77: a schema of 20,000 properties shared by 4,000 operations is read', () => {
    const properties = named(20_000, (index) => [`p${index}`, { type: 'string' }])
    const schemas = { A: { properties } }
    const outcome = attack(json({ paths: operations(4_000, bodyOf('A')), components: { schemas } }))
    expect(outcome.pages).toHaveLength(4_000)
  })

  test('attack 77: a schema of 300 long properties shared by 2,000 operations is read', () => {
    const properties = named(300, (index) => [`${'p'.repeat(100)}${index}`, { type: 'string' }])
    const schemas = { A: { properties } }
    attack(json({ paths: operations(2_000, bodyOf('A')), components: { schemas } }))
  })

  test('attack 83: a long example shared by 1,000 operations is read', () => {
    const schemas = { A: { type: 'string', example: long } }
    attack(json({ paths: operations(1_000, bodyOf('A')), components: { schemas } }))
  })

  test('attack 78: 1,000 servers shared by 1,000 operations are read', () => {
    const servers = many(1_000, (index) => ({ url: `https://s${index}.example.com` }))
    attack(json({ servers, paths: operations(1_000, {}) }))
  })

  test('attack 92: 1,000 security alternatives shared by 1,000 operations are read', () => {
    const security = many(1_000, (index) => ({ [`s${index}`]: [] }))
    attack(json({ security, paths: operations(1_000, {}) }))
  })

  test('attack 69: 1,000 paths that refer to one long path are read', () => {
    const paths = {
      '/long': { get: { ...OK, description: long } },
      ...named(1_000, (index) => [`/p${index}`, { $ref: '#/paths/~1long' }]),
    }
    attack(json({ paths }))
  })

  test('attack 94: 1,000 operations that refer to one long callback are read', () => {
    const callbacks = { Long: { '{$url}': { post: { ...OK, description: long } } } }
    const operation = { callbacks: { long: { $ref: '#/components/callbacks/Long' } } }
    attack(json({ paths: operations(1_000, operation), components: { callbacks } }))
  })

  test('attack 69: 1,000 names that refer to one long parameter are read', () => {
    const parameters = {
      Long: { name: 'long', in: 'query', description: long, schema: {} },
      ...named(1_000, (index) => [`P${index}`, { $ref: '#/components/parameters/Long' }]),
    }
    const use = many(1_000, (index) => ({ $ref: `#/components/parameters/P${index}` }))
    attack(json({ paths: operations(1, { parameters: use }), components: { parameters } }))
  })

  test('attack 71: references to each level of a deep schema are read', () => {
    const levels = many(118, (level) => `#/components/schemas/A${'/items'.repeat(level)}`)
    const deep = levels.reduce<Fields>((items) => ({ items }), { description: long })
    const oneOf = levels.map(($ref) => ({ $ref }))
    attack(withSchemas({ A: deep, B: { oneOf } }))
  })

  test('attack 94: 1,000 responses that refer to one long link are read', () => {
    const links = { Long: { operationId: 'get', description: long } }
    const responses = {
      '200': { description: 'ok', links: { long: { $ref: '#/components/links/Long' } } },
    }
    attack(json({ paths: operations(1_000, { responses }), components: { links } }))
  })

  test('attack 83: 5,000 parameters and 5,000 media types that wrap one long schema are read', () => {
    const properties = named(300, (index) => [`${'p'.repeat(80)}${index}`, { type: 'string' }])
    const wrapped = { type: 'array', items: refTo('A') }
    const parameters = many(5_000, (index) => ({ name: `q${index}`, in: 'query', schema: wrapped }))
    const content = named(5_000, (index) => [`application/x${index}`, { schema: wrapped }])
    const paths = operations(1, { parameters, requestBody: { content } })
    attack(json({ paths, components: { schemas: { A: { properties } } } }))
  })

  test('attack 83: 2,000 operations that wrap an allOf of 20,000 schemas are read', () => {
    const schema = { type: 'array', items: refTo('A') }
    const body = { requestBody: { content: { 'application/json': { schema } } } }
    const schemas = {
      A: { allOf: many(20_000, () => refTo('B')) },
      B: { properties: { a: { type: 'string' } } },
    }
    attack(json({ paths: operations(2_000, body), components: { schemas } }))
  })

  test('attack 90: 20,000 operations with the same name quickly get unique page names', () => {
    const text = json({ paths: operations(20_000, { summary: 'Same' }) })
    const { specification } = parseSpecification('same.json', text)
    if (specification === undefined) throw new Error('not read')
    const started = performance.now()
    expect(scrapePages(specification, { source: 'same.json', folder: '' }).pages).toHaveLength(
      20_000,
    )
    expect(performance.now() - started).toBeQuick(MS_MAX)
  })

  test('attack 79: a server with a dangerous URL after a space or in a variable is not offered', () => {
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

  test('attack 95: paths and webhook names with newlines are read', () => {
    const webhooks = { 'a\nb\u2028c': { post: OK } }
    expect(attack(json({ paths: { '/a\nb': { get: OK } }, webhooks })).pages).toHaveLength(2)
  })
})
