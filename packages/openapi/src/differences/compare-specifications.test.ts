/** Tests every rule of `octavo api diff` with a small pair of specifications. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSpecification } from '../parse-specification.ts'
import type { Specification } from '../specification.ts'
import { CHANGE_RULES, type ChangeRule } from './change-rules.ts'
import { compareSpecifications } from './compare-specifications.ts'

type Fields = Record<string, unknown>

function parse(fields: Fields, file: string): Specification {
  const document = { openapi: '3.1.0', info: { title: 'Plants', version: '1' }, ...fields }
  const { specification } = parseSpecification(file, JSON.stringify(document))
  if (specification === undefined) throw new Error('The specification cannot be parsed.')
  return specification
}

function compare(old: Fields, added: Fields): readonly string[] {
  return compareSpecifications(parse(old, 'old.json'), parse(added, 'new.json')).map(
    ({ level, rule }) => `${level} ${rule}`,
  )
}

const OK = { responses: { '200': { description: 'ok' } } }
const operation = (fields: Fields): Fields => ({
  paths: { '/plants': { post: { ...OK, ...fields } } },
})
const parameter = (fields: Fields): Fields =>
  operation({ parameters: [{ name: 'a', in: 'query', schema: {}, ...fields }] })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const body = (schema: unknown, required = true): Fields =>
  operation({ requestBody: { required, ...json(schema) } })
const response = (schema: unknown): Fields =>
  operation({ responses: { '200': { description: 'ok', ...json(schema) } } })
const responses = (...statuses: string[]): Fields =>
  operation({ responses: Object.fromEntries(statuses.map((one) => [one, { description: 'a' }])) })
const header = (headers: Fields): Fields =>
  operation({ responses: { '200': { description: 'ok', headers } } })
const secured = (security: unknown, more: Fields = {}): Fields => ({
  ...operation({ security }),
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Key', ...more } } },
})
const properties = (fields: Fields, required: string[] = []) => ({
  type: 'object',
  properties: fields,
  required,
})
const text = { type: 'string' }

type Pair = readonly [rule: ChangeRule, old: Fields, added: Fields]

const WHOLE: readonly Pair[] = [
  ['operation-added', { paths: {} }, operation({})],
  ['operation-removed', operation({}), { paths: {} }],
  ['deprecated-removed', operation({ deprecated: true }), { paths: {} }],
  ['parameter-added', operation({}), parameter({})],
  ['parameter-added-required', operation({}), parameter({ required: true })],
  ['parameter-removed', parameter({}), operation({})],
  ['parameter-required', parameter({}), parameter({ required: true })],
  ['parameter-optional', parameter({ required: true }), parameter({})],
  ['parameter-style', parameter({}), parameter({ explode: false })],
  ['body-added', operation({}), body(text, false)],
  ['body-added-required', operation({}), body(text)],
  ['body-removed', body(text), operation({})],
  ['body-required', body(text, false), body(text)],
  ['body-optional', body(text), body(text, false)],
  [
    'media-type-added',
    operation({ requestBody: { content: {} } }),
    operation({ requestBody: { content: { 'text/csv': {} } } }),
  ],
  [
    'media-type-removed',
    operation({ requestBody: { content: { 'text/csv': {} } } }),
    operation({ requestBody: { content: {} } }),
  ],
  ['response-added', responses('200'), responses('200', '202')],
  ['response-removed', responses('200', '202'), responses('200')],
  ['error-response-removed', responses('200', '404'), responses('200')],
  ['header-added', header({}), header({ A: { schema: text } })],
  ['header-removed', header({ A: { schema: text } }), header({})],
  [
    'header-optional',
    header({ A: { required: true, schema: text } }),
    header({ A: { schema: text } }),
  ],
  [
    'header-required',
    header({ A: { schema: text } }),
    header({ A: { required: true, schema: text } }),
  ],
  ['security-stricter', secured([]), secured([{ key: [] }])],
  ['security-added', secured([{ key: [] }]), secured([{ key: [] }, {}])],
  ['security-scheme-changed', secured([{ key: [] }]), secured([{ key: [] }], { in: 'query' })],
  ['deprecated', operation({}), operation({ deprecated: true })],
  ['described', operation({}), operation({ summary: 'Add a plant' })],
  ['example-changed', parameter({ example: 1 }), parameter({ example: 2 })],
]

type Schemas = readonly [rule: ChangeRule, old: unknown, added: unknown]

const one = (schema: unknown) => ({ oneOf: [schema, { type: 'boolean', title: 'Flag' }] })
const SCHEMAS: readonly Schemas[] = [
  ['type-changed', text, { type: 'array' }],
  ['type-narrowed', { type: 'number' }, { type: 'integer' }],
  ['type-widened', { type: 'integer' }, { type: ['integer', 'string'] }],
  ['null-refused', { type: ['string', 'null'] }, text],
  ['null-allowed', text, { anyOf: [text, { type: 'null' }] }],
  ['value-removed', { enum: ['a', 'b'] }, { enum: ['a'] }],
  ['value-removed', text, { ...text, enum: ['a'] }],
  ['value-added', { enum: ['a'] }, { enum: ['b', 'a'] }],
  ['value-added', { ...text, const: 'a' }, text],
  ['limit-narrowed', { maximum: 9 }, { maximum: 8 }],
  ['limit-narrowed', { minLength: 1 }, { minLength: 2 }],
  ['limit-narrowed', {}, { pattern: '^a' }],
  ['limit-narrowed', { minimum: 1 }, { exclusiveMinimum: 1 }],
  ['limit-widened', { maximum: 8 }, { maximum: 9 }],
  ['limit-widened', { maxItems: 8 }, {}],
  ['limit-widened', { format: 'int32' }, { format: 'int64' }],
  ['limit-changed', { pattern: '^a' }, { pattern: '^b' }],
  ['limit-changed', { not: text }, { not: { type: 'number' } }],
  ['property-added', properties({}), properties({ a: text })],
  ['property-added-required', properties({}), properties({ a: text }, ['a'])],
  ['property-removed', properties({ a: text }), properties({})],
  ['deprecated-removed', properties({ a: { ...text, deprecated: true } }), properties({})],
  ['property-required', properties({ a: text }), properties({ a: text }, ['a'])],
  ['property-optional', properties({ a: text }, ['a']), properties({ a: text })],
  ['additional-refused', { type: 'object' }, { type: 'object', additionalProperties: false }],
  ['additional-allowed', { type: 'object', additionalProperties: false }, { type: 'object' }],
  ['option-removed', { oneOf: [text, { type: 'number' }] }, { oneOf: [text] }],
  ['option-added', one(text), { oneOf: [...one(text).oneOf, { type: 'number', title: 'Count' }] }],
  [
    'discriminator-changed',
    { discriminator: { propertyName: 'a' } },
    { discriminator: { propertyName: 'b' } },
  ],
  ['default-changed', { default: 1 }, { default: 2 }],
  ['deprecated', {}, { deprecated: true }],
  ['described', { description: 'a' }, { description: 'b' }],
  ['example-changed', { examples: [1] }, { examples: [2] }],
]

describe('changes of an operation', () => {
  test.each(WHOLE)('%s is found', (rule, old, added) => {
    expect(compare(old, added)).toEqual([`${CHANGE_RULES[rule].levels[0]} ${rule}`])
    expect(compare(added, added)).toEqual([])
  })
})

describe('changes of a schema depend on the direction', () => {
  test.each(SCHEMAS)('%s is found in a request, a response and inside them', (rule, old, added) => {
    const [request, answer] = CHANGE_RULES[rule].levels
    expect(compare(body(old), body(added))).toEqual([`${request} ${rule}`])
    expect(compare(response(old), response(added))).toEqual([`${answer} ${rule}`])
    const list = (items: unknown) => response(properties({ list: { type: 'array', items } }))
    expect(compare(list(old), list(added))).toEqual([`${answer} ${rule}`])
  })

  test('a webhook is a request that the API sends', () => {
    const webhook = (schema: unknown) => ({
      webhooks: { added: { post: { requestBody: json(schema), ...OK } } },
    })
    expect(compare(webhook({ enum: ['a'] }), webhook({ enum: ['a', 'b'] }))).toEqual([
      'breaking value-added',
    ])
  })

  test('every rule has a pair, and a row in the documentation', () => {
    const shown = new Set([...WHOLE, ...SCHEMAS].map(([rule]) => rule))
    expect(Object.keys(CHANGE_RULES).filter((rule) => !shown.has(rule as ChangeRule))).toEqual([])
    const page = readFileSync(
      join(import.meta.dirname, '../../../../docs/reference/api-changes.mdx'),
      'utf8',
    )
    const rows = Object.entries(CHANGE_RULES).map(
      ([rule, { levels, about }]) => `| \`${rule}\` | ${levels[0]} | ${levels[1]} | ${about} |`,
    )
    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
  })
})

describe('what is no change', () => {
  const plant = properties({ name: text, kind: { enum: ['a', 'b'] } }, ['name', 'kind'])

  test('a schema can move to a shared part', () => {
    const moved = {
      ...body({ $ref: '#/components/schemas/Plant' }),
      components: { schemas: { Plant: plant } },
    }
    expect(compare(body(plant), moved)).toEqual([])
    expect(compare(moved, body(plant))).toEqual([])
  })

  test('a schema can be divided with allOf, and its lists can have another order', () => {
    const divided = {
      allOf: [
        properties({ kind: { enum: ['b', 'a'] } }, ['kind']),
        properties({ name: text }, ['name']),
      ],
    }
    expect(compare(body(plant), body(divided))).toEqual([])
  })

  test('null is the same in every notation', () => {
    const old = { openapi: '3.0.3', ...body({ ...text, nullable: true }) }
    expect(compare(old, body({ type: ['string', 'null'] }))).toEqual([])
    expect(compare(old, body({ oneOf: [text, { type: 'null' }] }))).toEqual([])
  })

  test('a type that keywords imply can be written', () => {
    const { type: _, ...untyped } = plant
    expect(compare(body(untyped), body(plant))).toEqual([])
  })

  test('a format that allows every number is only described', () => {
    const integer = { type: 'integer' }
    expect(compare(body(integer), body({ ...integer, format: 'int64' }))).toEqual([
      'documentation described',
    ])
  })

  test('a path parameter can have another name', () => {
    const path = (name: string) => ({
      paths: {
        [`/plants/{${name}}`]: {
          get: { parameters: [{ name, in: 'path', required: true, schema: text }], ...OK },
        },
      },
    })
    expect(compare(path('id'), path('name'))).toEqual(['documentation described'])
  })

  test('a read-only property does not matter in a request', () => {
    const readOnly = properties({ id: { ...text, readOnly: true } })
    expect(compare(body(properties({})), body(readOnly))).toEqual([])
    expect(compare(body(properties({ id: text })), body(readOnly))).toEqual([
      'breaking property-removed',
    ])
  })
})

describe('shared and recursive schemas', () => {
  const node = (more: Fields) => ({
    Node: properties({ next: { $ref: '#/components/schemas/Node' }, ...more }),
  })
  const uses = (schemas: Fields) => ({
    paths: Object.fromEntries(
      ['/a', '/b'].map((path) => [
        path,
        {
          get: {
            responses: {
              '200': { description: 'ok', ...json({ $ref: '#/components/schemas/Node' }) },
            },
          },
        },
      ]),
    ),
    components: { schemas },
  })

  test('a change of a shared schema is one change of all operations that use it', () => {
    const [change, ...others] = compareSpecifications(
      parse(uses(node({ a: text })), 'old.json'),
      parse(uses(node({})), 'new.json'),
    )
    expect(others).toEqual([])
    expect(change).toMatchObject({
      rule: 'property-removed',
      message: '`a` in the response `200` was removed.',
      operations: ['GET /a', 'GET /b'],
      place: { file: 'old.json' },
    })
  })

  test('options that contain each other are compared in linear time', () => {
    const names = Array.from({ length: 300 }, (_, index) => `S${index}`)
    const options = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
    const schemas = (more: Fields) =>
      Object.fromEntries(names.map((name) => [name, properties({ inner: options, ...more })]))
    const all = (more: Fields) => ({
      ...body({ $ref: '#/components/schemas/S0' }),
      components: { schemas: schemas(more) },
    })
    const started = performance.now()
    expect(compare(all({ a: text }), all({}))).toHaveLength(300)
    expect(performance.now() - started).toBeQuick(5_000)
  })
})
