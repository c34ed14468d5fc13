/** Overlays (Overlay Specification 1.0): `openapi/overlay-target`, `openapi/overlay-extends`. */
import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from '../document/limits.ts'
import type { DocumentLimits } from '../document/parse-document.ts'
import { listOperations } from '../operations/list-operations.ts'
import { type ParsedSpecification, parseSpecification } from '../parse-specification.ts'

type Files = Readonly<Record<string, string>>

const BASE = `openapi: 3.1.0
info: { title: Plants, version: '1' }
tags:
  - name: plants
  - name: admin
paths:
  /plants:
    get: { summary: List plants, tags: [plants], responses: { '200': { description: Plants. } } }
    post:
      summary: Add a plant
      tags: [admin]
      x-internal: true
      responses: { '201': { description: Added. } }
components:
  schemas:
    Plant: { type: object, properties: { name: { type: string } } }
`
const HEAD = `overlay: 1.0.0
info: { title: Public API, version: '1' }
`

function overlay(...actions: readonly string[]): string {
  return `${HEAD}actions:\n${actions.map((action) => `  - ${action}\n`).join('')}`
}

function parse(files: Files, overlays: readonly string[] = ['api/o.yaml'], file = 'api/a.yaml') {
  const place = { file: 'docs.json', line: 3, column: 5 }
  return parseSpecification(file, files[file] ?? '', {
    read: (path) => files[path],
    overlays: overlays.map((source) => ({ source, place })),
  })
}

function changed(...actions: readonly string[]): ParsedSpecification {
  return parse({ 'api/a.yaml': BASE, 'api/o.yaml': overlay(...actions) })
}

function value({ specification }: ParsedSpecification, pointer: string) {
  const document = specification?.document
  const node = document?.find(`#${pointer}`)
  return node === undefined ? undefined : document?.value(node)
}

function operations({ specification }: ParsedSpecification): string[] {
  const listed = specification === undefined ? [] : listOperations(specification)
  return listed.map(({ method, path }) => `${method} ${path}`)
}

function problems({ diagnostics }: ParsedSpecification) {
  return diagnostics.map(({ code, place }) => [code, place.file, place.line])
}

describe('an overlay', () => {
  test('removes each value that its target selects', () => {
    const found = changed('{ target: "$.paths.*[?@.x-internal == true]", remove: true }')
    expect(problems(found)).toEqual([])
    expect(operations(found)).toEqual(['GET /plants'])
  })

  test('merges objects, appends lists and replaces other values', () => {
    const found = changed(
      '{ target: $, update: { info: { title: Trees, description: All of them. }, tags: [{ name: x }] } }',
      '{ target: $.components.schemas.Plant, update: { properties: { age: { type: integer } } } }',
    )
    expect(problems(found)).toEqual([])
    expect(value(found, '/info')).toEqual({
      title: 'Trees',
      version: '1',
      description: 'All of them.',
    })
    expect(value(found, '/tags')).toEqual([{ name: 'plants' }, { name: 'admin' }, { name: 'x' }])
    expect(value(found, '/components/schemas/Plant/properties')).toEqual({
      name: { type: 'string' },
      age: { type: 'integer' },
    })
  })

  test.each(['{ name: a }', '[{ name: a }]'])('appends %s to a list', (update) => {
    const found = changed(`{ target: $.tags, update: ${update} }`)
    expect(value(found, '/tags/2')).toEqual({ name: 'a' })
  })

  test('is applied to the result of the action before, with its own copy of each value', () => {
    const found = changed(
      '{ target: "$.paths[\'/plants\']", update: { x-team: { name: green } } }',
      '{ target: $.components, update: { x-team: { name: green } } }',
      '{ target: $.components.x-team, update: { name: red } }',
      '{ target: "$.tags[?@.name == \'admin\']", remove: true }',
      '{ target: "$.paths[\'/plants\'].get.tags", update: admin }',
    )
    expect(value(found, '/paths/~1plants/x-team')).toEqual({ name: 'green' })
    expect(value(found, '/components/x-team')).toEqual({ name: 'red' })
    expect(value(found, '/paths/~1plants/get/tags')).toEqual(['plants', 'admin'])
  })

  test('has the line of each mistake that it writes', () => {
    const found = changed(
      '{ target: $.info, update: { x-ok: 1 } }',
      '{ target: $.components.schemas.Plant, update: { type: thing } }',
    )
    expect(problems(found)).toEqual([['openapi/wrong-value', 'api/o.yaml', 5]])
    expect(found.diagnostics[0]?.place.pointer).toBe('/actions/1/update/type')
  })

  test.each([
    ['$.paths["/plant"].get', 'Did you mean `/plants`?'],
    ['$.paths["/plants"].put', '`$.paths["/plants"]` has `get`, `post`.'],
    ['$.info.title', 'Select the object that contains the value'],
    ['$.paths[', 'A JSONPath (RFC 9535) looks like'],
    ['/paths/get', 'A JSONPath (RFC 9535) looks like'],
  ])('reports the target %s', (target, hint) => {
    const [problem, ...others] = changed(`{ target: '${target}', update: { x-a: 1 } }`).diagnostics
    expect(problem).toMatchObject({ code: 'openapi/overlay-target', severity: 'error' })
    expect(problem?.place).toMatchObject({ file: 'api/o.yaml', line: 4 })
    expect(problem?.hint).toContain(hint)
    expect(others).toEqual([])
  })

  test('reports a target that leads through a reference', () => {
    const base = BASE.replace('tags: [plants],', "tags: [plants], parameters: [{ $ref: '#/x-a' }],")
    const files = {
      'api/a.yaml': `${base}x-a: { name: a, in: query, schema: { type: string } }\n`,
      'api/o.yaml': overlay(
        '{ target: "$.paths.*.get.parameters[0].schema", update: { maxLength: 3 } }',
      ),
    }
    expect(
      parse(files).diagnostics.find(({ code }) => code === 'openapi/overlay-target')?.hint,
    ).toBe(
      '`$.paths.*.get.parameters[0]` is a reference to `#/x-a`. A target does not follow references: select what it leads to.',
    )
  })

  test.each([
    ['overlay: 1.0.0\nactions: []\n', ['openapi/missing-field', 'openapi/wrong-value']],
    ['overlay: 2.0.0\nactions: []\n', ['openapi/version']],
    [
      'overlay: 1.1.0\ninfo: { title: A, version: 1 }\nactions: [{ target: $, copy: $.a }]\n',
      ['openapi/newer-version', 'openapi/unknown-field', 'openapi/wrong-value'],
    ],
    ['tags: []\n', ['openapi/version']],
    ['[', ['openapi/unreadable']],
    [`${HEAD}actions: [{ target: $ }]\n`, ['openapi/wrong-value']],
    [`${HEAD}actions: [{ target: $, update: {}, remove: 'yes' }]\n`, ['openapi/wrong-value']],
    [`${HEAD}actions: [{ update: {} }, 3]\n`, ['openapi/wrong-value', 'openapi/wrong-value']],
    [
      `${HEAD}action: []\nactions: [{ target: $, remove: true }]\n`,
      ['openapi/unknown-field', 'openapi/overlay-target'],
    ],
    [`${HEAD}actions: [{ target: $, update: { __proto__: {} } }]\n`, ['openapi/forbidden-key']],
  ])('is checked: %j', (text, codes) => {
    const { diagnostics } = parse({ 'api/a.yaml': BASE, 'api/o.yaml': text })
    expect(diagnostics.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
    expect(new Set(diagnostics.map(({ place }) => place.file))).toEqual(new Set(['api/o.yaml']))
  })

  test.each([
    ['does not exist', undefined, ['openapi/missing-specification', 'docs.json', 3]],
    ['cannot be parsed', '[', ['openapi/unreadable', 'api/o.yaml', 1]],
  ])('that %s makes the specification unusable, since it may remove parts', (_, text, problem) => {
    const files = { 'api/a.yaml': BASE, ...(text !== undefined && { 'api/o.yaml': text }) }
    const found = parse(files)
    expect(found.specification).toBeUndefined()
    expect(problems(found)).toEqual([problem])
  })

  test('is one of the files of the specification, even if it only removes', () => {
    const found = changed('{ target: "$.paths.*.post", remove: true }')
    expect(found.specification?.files).toEqual(['api/a.yaml', 'api/o.yaml'])
  })

  test.each([
    ['./a.yaml', []],
    ['https://api.acme.example/a.yaml', []],
    ['./b.yaml', [['openapi/overlay-extends', 'api/o.yaml', 3]]],
  ])('may name the specification that it extends: %s', (extended, expected) => {
    const text = `${HEAD}extends: ${extended}\nactions: [{ target: $.info, update: { x-a: 1 } }]\n`
    expect(problems(parse({ 'api/a.yaml': BASE, 'api/o.yaml': text }))).toEqual(expected)
  })

  test('is used as a specification if it extends one', () => {
    const text = `${HEAD}extends: ../a.yaml\nactions: [{ target: "$.paths.*.post", remove: true }]\n`
    const found = parse(
      { 'api/a.yaml': BASE, 'api/overlays/o.yaml': text },
      [],
      'api/overlays/o.yaml',
    )
    expect(problems(found)).toEqual([])
    expect(operations(found)).toEqual(['GET /plants'])
  })

  test.each([
    ['', 'The overlay has no `extends`'],
    ['extends: ./none.yaml\n', 'which does not exist'],
    ['extends: ./o.yaml\n', 'which is an overlay and not a specification'],
    ['extends: ../../a.yaml\n', 'a file outside of the folder'],
  ])('cannot be a specification with %j', (extended, message) => {
    const text = `${HEAD}${extended}actions: [{ target: $.info, update: {} }]\n`
    const { specification, diagnostics } = parse({ 'api/o.yaml': text }, [], 'api/o.yaml')
    expect(specification).toBeUndefined()
    expect(diagnostics[0]?.message).toContain(message)
  })

  test('selects in paths of other files, and reports its mistakes there', () => {
    const files = {
      'api/a.yaml': `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants: { $ref: paths/plants.yaml }
components: { schemas: { Plant: { $ref: schemas/plant.yaml } } }
`,
      'api/paths/plants.yaml': `get:
  responses: { '200': { $ref: '../missing.yaml' } }
post:
  responses:
    '200': { description: Done., content: { application/json: { schema: { $ref: ../schemas/plant.yaml } } } }
`,
      'api/schemas/plant.yaml': 'type: object\n',
      'api/o.yaml': overlay(
        '{ target: "$.paths[\'/plants\'].get", remove: true }',
        '{ target: $.components.schemas.Plant, update: { title: Tree, maxLength: many } }',
      ),
    }
    const found = parse(files)
    expect(operations(found)).toEqual(['POST /plants'])
    expect(value(found, '/components/schemas/Plant/title')).toBe('Tree')
    expect(problems(found)).toEqual([['openapi/wrong-value', 'api/o.yaml', 5]])
  })

  test('changes a Swagger 2.0 document in its own form', () => {
    const files = {
      'api/a.yaml': `swagger: '2.0'
info: { title: Plants, version: '1' }
paths:
  /plants: { get: { responses: { '200': { description: Done., schema: { $ref: '#/definitions/P' } } } } }
definitions: { P: { type: object } }
`,
      'api/o.yaml': overlay('{ target: $.definitions.P, update: { title: Tree, type: thing } }'),
    }
    const found = parse(files)
    expect(value(found, '/components/schemas/P/title')).toBe('Tree')
    expect(problems(found)).toEqual([['openapi/wrong-value', 'api/o.yaml', 4]])
  })

  test('may change the version of the specification', () => {
    const found = changed('{ target: $, update: { openapi: 3.0.3 } }')
    expect(found.specification?.version).toBe('3.0')
    expect(problems(changed('{ target: $, update: { openapi: 4.0.0 } }'))).toEqual([
      ['openapi/version', 'api/o.yaml', 4],
    ])
  })
})

describe('hostile overlays', () => {
  function codes(text: string, limits: DocumentLimits = OPENAPI_LIMITS): string[] {
    const place = { file: 'docs.json', line: 1, column: 1 }
    const { diagnostics } = parseSpecification('a.yaml', BASE, {
      limits,
      read: () => text,
      overlays: [{ source: 'o.yaml', place }],
    })
    return diagnostics.map(({ code }) => code)
  }

  test('end when each action doubles the document', () => {
    const text = overlay(
      ...Array.from({ length: 40 }, () => '{ target: "$..*", update: { x-a: {} } }'),
    )
    expect(codes(text, { ...OPENAPI_LIMITS, nodesMax: 20_000 })).toContain('openapi/too-large')
  })

  test('end when they select everything for every value', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `x-${index}: {}`).join(', ')
    const text = overlay(
      `{ target: $, update: { ${many} } }`,
      '{ target: "$..[?count($..*) > 1]", update: { x-b: 1 } }',
    )
    const limits = { ...OPENAPI_LIMITS, overlayStepsMax: 300_000 }
    expect(codes(text, limits)).toEqual(['openapi/too-large'])
  })

  test('end when each action nests values more deeply', () => {
    const text = overlay(
      ...Array.from(
        { length: 200 },
        (_, index) => `{ target: $${'.x-a'.repeat(index)}, update: { x-a: {} } }`,
      ),
    )
    expect(codes(text)).toEqual(['openapi/too-large'])
  })

  test('cannot remove items of a long list one by one', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => `{ name: t${index} }`).join(', ')
    const text = overlay(
      `{ target: $.tags, update: [${items}] }`,
      '{ target: "$.tags[*]", remove: true }',
    )
    const start = performance.now()
    expect(codes(text)).not.toContain('openapi/too-large')
    expect(performance.now() - start).toBeLessThan(3_000)
  })
})
