/**
 * Tests attacks 51 to 95 of the project's numbered attack list. Each attack must end quickly
 * without an exception or a changed prototype. It is either rejected with a place in the file, or
 * produces an amount of data in proportion to its text.
 *
 * Attack 96 (a hosted specification) is tested in the fetcher, 97 to 99 in `model`, and 100 in
 * `builder`. `scripts/tidy.ts` checks that this package does not open files or connections.
 */
import { afterEach, describe, expect, test } from 'vitest'
import {
  attack,
  codes,
  expectNoPollution,
  found,
  json,
  many,
  named,
  OK,
  page,
  refTo,
  SAFE_SLUG,
  schema,
  withOperation,
  withSchemas,
} from '../testing/attack.ts'
import { OPENAPI_LIMITS } from './document/limits.ts'
import { mergeSchema } from './pages/merge-schema.ts'

afterEach(expectNoPollution)

describe('attacks with texts', () => {
  test('attack 51: an alias bomb of 341 bytes is rejected', () => {
    const levels = many(9, (level) => {
      const inner = level === 0 ? '"lol"' : `*a${level - 1}`
      return `a${level}: &a${level} [${many(9, () => inner).join(',')}]`
    })
    const text = levels.join('\n')
    expect(text.length).toBeLessThan(500)
    expect(found(attack(text, 'bomb.yaml'))).toEqual(['openapi/too-large 1'])
  })

  test('attack 51: aliases within the limit are read', () => {
    const text = `${json({ paths: {} }).slice(0, -1)}, x-a: &a [1, 2], x-b: [*a, *a]}`
    expect(attack(text, 'fine.yaml').isUsed).toBe(true)
  })

  test('attack 52: flow collections nested 10,000 levels deep are rejected', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    expect(found(attack(deep, 'deep.json'))).toEqual(['openapi/too-large 1'])
    expect(found(attack(`openapi: 3.1.0\nx-deep: ${deep}`, 'deep.yaml'))).toEqual([
      'openapi/too-large 2',
    ])
    const mappings = '{a: '.repeat(10_000) + '}'.repeat(10_000)
    expect(attack(`x-deep: ${mappings}`, 'deep.yaml').isUsed).toBe(false)
  })

  test('attack 53: block collections nested 3,000 levels deep are rejected', () => {
    const mappings = many(3_000, (level) => `${' '.repeat(level)}a:`).join('\n')
    expect(codes(attack(mappings, 'deep.yaml'))).toEqual(['openapi/too-large'])
    expect(codes(attack(`${'- '.repeat(3_000)}a`, 'deep.yaml'))).toEqual(['openapi/too-large'])
  })

  test('attack 54: JSON nested 100,000 levels deep is rejected', () => {
    const open = '{"a":'.repeat(100_000)
    expect(found(attack(`${open}1${'}'.repeat(100_000)}`))).toEqual(['openapi/too-large 1'])
    expect(attack(open).isUsed).toBe(false)
  })

  test('attack 55: an object with a million keys is read', () => {
    const keys = many(1_000_000, (index) => `"k${index}":0`).join(',')
    const outcome = attack(`{"openapi":"3.1.0","info":{"title":"a","version":"1"},"x-a":{${keys}}}`)
    expect(found(outcome)).toEqual([])
  })

  test('attack 55: a document with more values than the limit is rejected', () => {
    const items = '0,'.repeat(OPENAPI_LIMITS.nodesMax)
    expect(found(attack(`[${items}0]`))).toEqual(['openapi/too-large 1'])
  })

  test('attack 56: a string of 10 MB is read', () => {
    const description = 'x'.repeat(10_000_000)
    expect(page(attack(withOperation({ description }))).description).toBe(description)
    const yaml = `openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\nx-long: "${description}"`
    expect(attack(yaml, 'long.yaml').isUsed).toBe(true)
  })

  test('attack 57: duplicate keys with different values are reported', () => {
    const outcome = attack(
      `{"openapi":"3.1.0","info":{"title":"a","version":"1"},\n"paths":{},\n"paths":{"/b":{"get":{}}}}`,
    )
    expect(found(outcome)).toContain('json/duplicate-key 3')
    expect(page(outcome).path).toBe('/b')
    expect(attack('a: 1\na: 2', 'twice.yaml').isUsed).toBe(false)
  })

  test('attack 58: a `__proto__` key is rejected anywhere in a document', () => {
    const places = [
      '"components":{"schemas":{"A":{"properties":{"__proto__":{"polluted":true}}}}}',
      '"components":{"schemas":{"__proto__":{"polluted":true}}}',
      '"components":{"securitySchemes":{"__proto__":{"polluted":true}}}',
      '"paths":{"__proto__":{"polluted":true}}',
      '"paths":{"/a":{"get":{"callbacks":{"__proto__":{"polluted":true}}}}}',
      '"paths":{"/a":{"get":{"x-svc":{"metadata":{"__proto__":{"polluted":true}}}}}}',
      '"x-a":{"\\u005f_proto__":{"polluted":true}}',
    ]
    for (const place of places) {
      const outcome = attack(`{"openapi":"3.1.0",\n${place}}`)
      expect(outcome.isUsed).toBe(false)
      expect(found(outcome)).toEqual(['openapi/forbidden-key 2'])
    }
  })

  test('attack 58: names such as constructor and prototype are read like any others', () => {
    const names = ['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']
    for (const name of names) {
      const text = json({
        tags: [{ name }],
        security: [{ [name]: [] }],
        paths: {
          [`/${name}`]: {
            get: {
              tags: [name],
              parameters: [{ name, in: 'query', schema: refTo(name) }],
              ...OK,
              callbacks: { [name]: { [name]: { post: OK } } },
              'x-svc': { metadata: { [name]: { prototype: { polluted: true } } } },
            },
          },
        },
        components: {
          schemas: { [name]: { properties: { [name]: { type: 'string' } }, required: [name] } },
          securitySchemes: { [name]: { type: 'http', scheme: name } },
        },
      })
      const outcome = attack(text)
      expect(codes(outcome)).toEqual([])
      expect(page(outcome).callbacks?.[0]).toMatchObject({ name, expression: name })
      expect(schema(outcome, name).properties?.[0]).toMatchObject({ name, required: true })
      expect(outcome.schemes.map((scheme) => scheme.name)).toEqual([name])
      expect(outcome.listings[0]?.group).toBe(name)
    }
  })

  test('attack 59: a merge key with `__proto__` is rejected', () => {
    const text = 'openapi: 3.1.0\nx-a: &a\n  __proto__: {polluted: true}\nx-b:\n  <<: *a'
    expect(found(attack(text, 'merge.yaml'))).toContain('openapi/forbidden-key 3')
    expect(attack('x: {<<: {__proto__: {polluted: true}}}', 'merge.yaml').isUsed).toBe(false)
  })

  test('attack 60: YAML tags for objects, bytes and dates are reported and not applied', () => {
    const head = `openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths:\n  /a:\n    get:\n`
    for (const tag of [
      '!!js/function',
      '!!binary',
      '!!timestamp',
      '!<tag:yaml.org,2002:js/eval>',
    ]) {
      const outcome = attack(`${head}      description: ${tag} "return 1"`, 'tags.yaml')
      expect(found(outcome)).toContain('openapi/yaml-feature 6')
      expect(page(outcome).description).toBe('return 1')
    }
    expect(attack(`${head}      x-set: !!set {a, b}`, 'tags.yaml').isUsed).toBe(true)
    const huge = `x: !!binary "${'A'.repeat(50 * 1024 * 1024)}"`
    expect(found(attack(huge, 'huge.yaml'))).toEqual(['openapi/too-large 1'])
  })

  test('attack 61: only the first of several YAML documents is read', () => {
    const text = `${json({ paths: { '/a': { get: OK } } })}\n---\nopenapi: 3.1.0\n---\n`
    const outcome = attack(text, 'several.yaml')
    expect(found(outcome)).toContain('openapi/yaml-feature 3')
    expect(outcome.pages).toHaveLength(1)
  })

  test('attack 62: byte order marks are skipped, and NUL and wrong encodings are rejected', () => {
    const text = withOperation({ summary: 'Fern' })
    expect(page(attack(`\uFEFF${text}`)).title).toBe('Fern')
    expect(page(attack(`\uFEFF${text}`, 'mark.yaml')).title).toBe('Fern')
    expect(attack(text.replace('Fern', 'F\0rn')).isUsed).toBe(false)
    expect(attack('openapi: "3.1.0\0"', 'nul.yaml').isUsed).toBe(false)
    // UTF-16 bytes that were decoded as UTF-8.
    expect(attack(`\uFFFD\uFFFD${[...text].join('\0')}`).isUsed).toBe(false)
    expect(attack(`\uFFFD\uFFFD${[...text].join('\0')}`, 'utf16.yaml').isUsed).toBe(false)
  })

  test('attack 62: lone surrogates are stored as well-formed text', () => {
    const escaped = withOperation({ description: 'SURROGATE' }).replace(
      'SURROGATE',
      '\\ud800 \\udc00',
    )
    const outcome = attack(escaped)
    expect(page(outcome).description).toBe('\ud800 \udc00')
    expect(outcome.stored.isWellFormed()).toBe(true)
  })
})

describe('attacks with references', () => {
  test.each([
    [63, 'file:///etc/passwd'],
    [64, '/proc/self/environ'],
    [65, 'http://169.254.169.254/latest/meta-data/'],
    [66, 'other.yaml#/x'],
    [66, '//evil.example/a.json#/x'],
    [66, '#anchor'],
  ])('attack %i: an external $ref is not followed: %s', (_, $ref) => {
    const text = withSchemas({ A: { properties: { a: { $ref } } } }).replace('"$ref":"', '\n$&')
    const outcome = attack(text.replace(`"$ref":"${$ref}`, `\n"$ref":"${$ref}`))
    expect(found(outcome)).toEqual(['openapi/external-reference 3'])
    expect(outcome.pages).toHaveLength(1)
  })

  test('attack 67: a $ref to itself is reported', () => {
    const outcome = attack(withSchemas({ A: refTo('A') }))
    expect(codes(outcome)).toEqual(['openapi/reference-loop'])
    expect(codes(attack(json({ paths: { '/a': { $ref: '#/paths/~1a' } } })))).toEqual([
      'openapi/reference-loop',
    ])
    for (const kind of ['parameters', 'responses', 'requestBodies', 'headers', 'examples']) {
      const loop = { [kind]: { A: { $ref: `#/components/${kind}/A` } } }
      expect(codes(attack(withOperation({}, { components: loop })))).toEqual([
        'openapi/reference-loop',
      ])
    }
  })

  test.each([2, 1_000])('attack 68: a cycle of %i references is reported', (count) => {
    const next = (index: number) => refTo(`S${(index + 1) % count}`)
    const loop = named(count, (index) => [`S${index}`, next(index)])
    expect(codes(attack(withSchemas(loop)))).toEqual(['openapi/reference-loop'])
    // A cycle through a property is allowed: the property becomes a link.
    const cycle = named(count, (index) => [`S${index}`, { properties: { next: next(index) } }])
    const outcome = attack(withSchemas(cycle))
    expect(codes(outcome)).toEqual([])
    expect(outcome.parts).toHaveLength(count)
  })

  test('attack 69: a chain of 10,000 references is reported', () => {
    const chain = named(10_000, (index) => [`S${index}`, refTo(`S${index + 1}`)])
    const outcome = attack(withSchemas({ ...chain, S10000: { type: 'string' } }))
    expect(codes(outcome)).toEqual(['openapi/reference-loop'])
    expect(outcome.diagnostics).toHaveLength(1)
  })

  test('attack 70: 1,000 levels of allOf that each refer to the next one four times are merged', () => {
    const levels = named(1_000, (level) => [
      `S${level}`,
      { allOf: many(4, () => refTo(`S${level + 1}`)), properties: { [`p${level}`]: {} } },
    ])
    const outcome = attack(withSchemas({ ...levels, S1000: { type: 'object' } }))
    expect(codes(outcome)).toEqual([])
    expect(outcome.parts).toHaveLength(1_001)
    const byRef = new Map(outcome.parts.map((part) => [part.ref, part]))
    const resolve = (ref: string) => {
      const part = byRef.get(ref)
      return part?.kind === 'schema' ? part.schema : undefined
    }
    expect(mergeSchema(schema(outcome, 'S0'), resolve).properties?.length).toBeGreaterThan(100)
  })

  test('attack 71: references into paths with ~1 and percent escapes are resolved', () => {
    const target = '#/paths/~1a%20b~1%7Bid%7D/get/responses/200'
    const text = json({
      paths: {
        '/a b/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
          get: { responses: { '200': { description: 'here' }, '404': { $ref: target } } },
        },
      },
    })
    const outcome = attack(text)
    expect(codes(outcome)).toEqual([])
    expect(outcome.parts).toHaveLength(1)
    const link = page(outcome).responses.find(({ status }) => status === '404')?.response
    expect(link).toEqual({ ref: outcome.parts[0]?.ref })
  })

  test('attack 72: a reference to something other than a schema is reported', () => {
    for (const $ref of [
      '#/info',
      '#/openapi',
      '#/paths',
      '#/paths/~1plants',
      '#',
      '#/info/title',
    ]) {
      const outcome = attack(withSchemas({ A: { properties: { a: { $ref } } } }))
      expect(codes(outcome)).toEqual(['openapi/wrong-reference'])
    }
  })

  test('attack 73: keys next to a $ref are used in OpenAPI 3.1 and ignored in 3.0', () => {
    const beside = { ...refTo('B'), description: 'beside' }
    const schemas = { A: { properties: { b: beside } }, B: { type: 'string' } }
    const old = attack(withSchemas(schemas, '3.0.3'))
    expect(codes(old)).toEqual(['openapi/ignored-siblings'])
    expect(schema(old, 'A').properties?.[0]?.schema).toEqual({ ref: '#/components/schemas/B' })
    const current = attack(withSchemas(schemas))
    expect(codes(current)).toEqual([])
    expect(schema(current, 'A').properties?.[0]?.schema.description).toBe('beside')
  })

  test('attack 74: $dynamicRef and $id do not change the targets of other references', () => {
    const outcome = attack(
      withSchemas({
        A: {
          $id: 'https://evil.example/base',
          $anchor: 'a',
          $dynamicAnchor: 'node',
          properties: { b: refTo('B'), c: { $dynamicRef: '#node' } },
        },
        B: { $id: 'file:///etc/passwd', type: 'string' },
      }),
    )
    expect(codes(outcome)).toEqual([])
    const [b, c] = schema(outcome, 'A').properties ?? []
    expect(b?.schema.ref).toBe('#/components/schemas/B')
    expect(c?.schema).toEqual({ dynamicRef: '#node' })
  })
})

describe('attacks with sizes', () => {
  test('attack 75: a oneOf of 5,000 schemas is read', () => {
    const oneOf = many(5_000, (index) => refTo(`S${index}`))
    const schemas = named(5_000, (index) => [`S${index}`, { const: index }])
    const outcome = attack(withSchemas({ A: { oneOf }, ...schemas }))
    expect(schema(outcome, 'A').oneOf).toHaveLength(5_000)
  })

  test('attack 76: an enum of 100,000 values is read', () => {
    const values = many(100_000, (index) => `value ${index}`)
    expect(schema(attack(withSchemas({ A: { enum: values } })), 'A').enum).toEqual(values)
  })

  test('attack 77: a specification with 10,000 operations is read', () => {
    const paths = named(10_000, (index) => [
      `/plants/${index}`,
      { get: { operationId: `get${index}`, tags: [`tag${index % 50}`], summary: 'Get', ...OK } },
    ])
    const outcome = attack(json({ paths }))
    expect(codes(outcome)).toEqual([])
    expect(outcome.pages).toHaveLength(10_000)
    expect(outcome.listings).toHaveLength(10_000)
  })

  test('attack 78: 1,000 servers with 10^6 combinations of variables are read', () => {
    const variables = named(6, (index) => [
      `v${index}`,
      { default: '0', enum: many(10, (value) => `${value}`) },
    ])
    const url = `https://${many(6, (index) => `{v${index}}`).join('.')}.example.com`
    const outcome = attack(withOperation({ servers: many(1_000, () => ({ url, variables })) }))
    expect(codes(outcome)).toEqual([])
    expect(page(outcome).servers).toHaveLength(1_000)
    expect(page(outcome).servers?.[0]?.variables).toHaveLength(6)
  })

  test('attack 81: a pattern with catastrophic backtracking is kept as text and never run', () => {
    const pattern = '^(a+)+$'
    const example = `${'a'.repeat(50_000)}!`
    const outcome = attack(withSchemas({ A: { type: 'string', pattern, example } }))
    expect(schema(outcome, 'A').rules).toEqual([['pattern', pattern]])
    expect(attack(withSchemas({ A: { pattern: '(' } })).isUsed).toBe(true)
  })

  test('attack 82: invalid numbers are reported and not stored', () => {
    const text = withSchemas({ A: { type: 'number', minimum: 7, multipleOf: 0, maxLength: -1 } })
    const outcome = attack(text.replace('"minimum":7', '"minimum":1e400'))
    expect(outcome.diagnostics.map(({ code }) => code)).toEqual([
      'openapi/wrong-value',
      'openapi/wrong-value',
    ])
    expect(outcome.stored).not.toMatch(/Infinity|NaN|\["minimum",null\]/)
  })

  test('attack 83: the sample of a recursive schema is limited', () => {
    const self = {
      properties: { left: refTo('A'), right: refTo('A'), list: { items: refTo('A') } },
    }
    expect(attack(withSchemas({ A: { ...self, required: ['left', 'right'] } })).isUsed).toBe(true)
    // Each of the forty schemas contains all forty. Without a limit, there would be 40^40 values.
    const all = named(40, (index) => [`p${index}`, refTo(`S${index}`)])
    const schemas = named(40, (index) => [
      `S${index}`,
      { properties: all, additionalProperties: all },
    ])
    expect(attack(withSchemas(schemas)).pages).toHaveLength(1)
  })

  test('attack 94: malformed or huge callback expressions are kept as text', () => {
    const huge = `{$request.body#/${'a/'.repeat(100_000)}}`
    const expressions = ['{$request.body#/…', '{$request.body#/~9}', '{{{{', '', '{$x}\n{$y}', huge]
    const callback = Object.fromEntries(expressions.map((it) => [it, { post: OK }]))
    const outcome = attack(withOperation({ callbacks: { c: callback } }))
    expect(page(outcome).callbacks?.map((one) => 'expression' in one && one.expression)).toEqual(
      expressions,
    )
  })
})

describe('attacks with page content', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'file:///etc/passwd',
    'data:text/html,<script>',
    'vbscript:x',
    'blob:https://a/b',
    '//evil.example',
    'https://user:secret@evil.example/',
    'https://evil.example/\nHost: other',
    'https://evil.example\\@good.example',
    'https://"><script>',
    '',
  ])('attack 79: the server URL %j is not offered to readers', (url) => {
    const servers = [{ url }, { url: 'https://good.example' }]
    for (const text of [withOperation({}, { servers }), withOperation({ servers })]) {
      const outcome = attack(text.replace('"servers"', '\n"servers"'))
      expect(found(outcome)).toEqual(['openapi/server-url 2'])
      const servers = page(outcome).servers ?? outcome.frame?.servers
      expect(servers).toEqual([{ url: 'https://good.example' }])
    }
  })

  test('attack 80: servers at private addresses are listed but never called', () => {
    const urls = [
      'http://169.254.169.254/',
      'http://127.0.0.1:22',
      'http://[::1]/',
      'http://10.0.0.1',
    ]
    const outcome = attack(withOperation({ servers: urls.map((url) => ({ url })) }))
    expect(page(outcome).servers?.map(({ url }) => url)).toEqual(urls)
  })

  test('attack 84: descriptions are kept as text', () => {
    const description = [
      '{process.env}{(()=>{}).constructor("return process")()}',
      'import fs from "node:fs"\nexport default () => null',
      '<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>',
      '[x](javascript:alert(1)) ![y](https://evil.example/track) <a href="data:text/html,x">',
      `${'*a_ '.repeat(8_000)}${'['.repeat(20_000)}${'> '.repeat(5_000)}`,
      '\u202e\u200b\0\u001b[31m',
    ].join('\n')
    const outcome = attack(
      json({
        tags: [{ name: 'a', description }],
        paths: {
          '/plants': {
            get: {
              tags: ['a'],
              description,
              externalDocs: { url: 'javascript:alert(1)' },
              parameters: [{ name: 'q', in: 'query', description, schema: { description } }],
              requestBody: { description, content: { 'text/plain': { example: description } } },
              responses: { '200': { description } },
            },
          },
        },
      }),
    )
    const data = page(outcome)
    expect(data.description).toBe(description)
    expect(data.parameters?.[0]).toMatchObject({ description, schema: { description } })
    expect(data.body).toMatchObject({ description })
    expect(data.responses[0]?.response).toMatchObject({ description })
    expect(data.docs).toBeUndefined()
  })

  test('attack 85: x-svc.content is kept as text for the MDX compiler', () => {
    const content = 'export const x = process.exit()\n\n{process.env}\n<script>alert(1)</script>'
    expect(page(attack(withOperation({ 'x-svc': { content } }))).content).toBe(content)
    const outcome = attack(withOperation({ 'x-svc': { content: { toString: 'x' } } }))
    expect(codes(outcome)).toEqual(['openapi/extension'])
    expect(page(outcome).content).toBeUndefined()
  })

  test.each([
    '//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'mailto:a@b',
    '#top',
  ])('attack 86: the value %s of x-svc.href is reported', (href) => {
    const text = withOperation({ 'x-svc': { href } }).replace('"href"', '\n"href"')
    expect(found(attack(text))).toEqual(['openapi/extension 2'])
  })

  test('attack 86: an x-svc.href to another page is accepted', () => {
    for (const href of ['/index', '../secret', '/api-reference/get-plants']) {
      expect(attack(withOperation({ 'x-svc': { href } })).listings[0]?.href).toBe(href)
    }
  })

  test('attack 87: x-svc.metadata cannot change the operation of a page', () => {
    const metadata = {
      openapi: 'GET /other',
      public: true,
      'og:image': 'https://evil.example/a.png',
    }
    const text = withOperation({ 'x-svc': { metadata } }).replace(
      '"openapi":"GET',
      '\n"openapi":"GET',
    )
    const outcome = attack(text)
    expect(found(outcome)).toEqual(['openapi/extension 2'])
    const { openapi: _, ...kept } = metadata
    expect(page(outcome).metadata).toEqual(kept)
    expect(page(outcome)).toMatchObject({ method: 'GET', path: '/plants' })
  })

  test('attack 88: a summary with HTML and newlines becomes a single-line title', () => {
    const summary = '<b>A</b>\r\n\n  <script>\u2028alert(1)</script>\t '
    const outcome = attack(withOperation({ summary }))
    expect(page(outcome).title).toBe('<b>A</b> <script> alert(1)</script>')
    expect(outcome.listings[0]?.slug).toMatch(SAFE_SLUG)
    const title = 'a\nb'
    expect(page(attack(withOperation({ 'x-svc': { metadata: { title } } }))).title).toBe('a b')
  })

  test('attack 89: unusual path templates get safe slugs', () => {
    const paths = [
      '/{a}{b}',
      '/{../..}',
      '//',
      '/',
      '/{',
      '/}{',
      '/a?b#c',
      '/a%2f..%2fb',
      '/..',
      '/a:b',
    ]
    const outcome = attack(
      json({ paths: Object.fromEntries(paths.map((path) => [path, { get: OK }])) }),
    )
    expect(outcome.pages.map(({ path }) => path)).toEqual(paths)
    for (const { slug } of outcome.listings) expect(slug).toMatch(SAFE_SLUG)
  })

  test('attack 89: a path of 10 KB and paths that differ only in case or Unicode form are read', () => {
    const paths = [`/${'a/'.repeat(5_000)}`, '/plants', '/Plants', '/caf\u00e9', '/cafe\u0301']
    const outcome = attack(
      json({ paths: Object.fromEntries(paths.map((path) => [path, { get: OK }])) }),
    )
    expect(outcome.pages).toHaveLength(5)
    expect(codes(outcome)).toEqual(['openapi/same-path'])
  })

  test('attack 90: operationId collisions and reserved routes get safe slugs', () => {
    const summaries = [
      '_',
      '/_/',
      'api',
      'mcp',
      '..',
      '.git/config',
      'index',
      '   ',
      'CON',
      'sitemap.xml',
    ]
    const paths = named(summaries.length, (index) => [
      `/p${index}`,
      { get: { operationId: 'same', summary: summaries[index], ...OK } },
    ])
    const outcome = attack(json({ paths }))
    expect(codes(outcome)).toEqual(['openapi/duplicate-operation-id'])
    expect(outcome.listings).toHaveLength(summaries.length)
    for (const { slug } of outcome.listings) expect(slug).toMatch(SAFE_SLUG)
  })

  test('attack 91: an x-default value appears only in its security scheme', () => {
    const secret = 'sk_live_51Mzq8Kexample'
    const outcome = attack(
      withOperation(
        {},
        {
          security: [{ key: [] }],
          components: {
            securitySchemes: {
              key: { type: 'apiKey', name: 'X-Key', in: 'header', 'x-default': secret },
            },
          },
        },
      ),
    )
    expect(outcome.schemes[0]?.prefill).toBe(secret)
    expect(JSON.stringify([outcome.pages, outcome.listings, outcome.diagnostics])).not.toContain(
      secret,
    )
  })

  test('attack 92: security schemes named like standard headers are kept', () => {
    const names = ['Host', 'Cookie', 'Content-Length', 'X\r\nEvil: 1']
    const securitySchemes = named(names.length, (index) => [
      `s${index}`,
      { type: 'apiKey', in: 'header', name: names[index] },
    ])
    const outcome = attack(withOperation({}, { components: { securitySchemes } }))
    expect(outcome.schemes.map(({ key }) => key)).toEqual(names)
  })

  test('attack 93: a parameter named Authorization or with CRLF is kept as data', () => {
    const parameters = [
      { name: 'Authorization', in: 'header', schema: { type: 'string' } },
      { name: 'X-A\r\nX-B', in: 'header', schema: { type: 'string', example: 'a\r\nb: c' } },
    ]
    const outcome = attack(withOperation({ parameters }))
    expect(page(outcome).parameters).toHaveLength(2)
  })

  test('attack 95: webhook names with slashes and control characters get safe slugs', () => {
    const names = ['a/b', '../..', 'new order', '\u001b[31mred', '//', '']
    const webhooks = Object.fromEntries(names.map((name) => [name, { post: OK }]))
    const outcome = attack(json({ webhooks }))
    expect(outcome.pages.map(({ path }) => path)).toEqual(names)
    for (const { slug } of outcome.listings) expect(slug).toMatch(SAFE_SLUG)
  })
})
