/** A specification in several files (`openapi/external-reference`, `openapi/broken-reference`). */
import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from '../document/limits.ts'
import { listOperations } from '../operations/list-operations.ts'
import { frameData } from '../pages/frame-data.ts'
import { OperationPages } from '../pages/operation-page.ts'
import { printPage } from '../pages/print-page.ts'
import { SharedParts } from '../pages/shared-parts.ts'
import { type ParsedSpecification, parseSpecification } from '../parse-specification.ts'

type Files = Readonly<Record<string, string>>

const ROOT = `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants/{id}:
    $ref: paths/plant.yaml
components:
  schemas:
    Plant: { $ref: schemas/plant.yaml }
`
const SPLIT: Files = {
  'api/openapi.yaml': ROOT,
  'api/paths/plant.yaml': `parameters:
  - $ref: ../parts.yaml#/parameters/Id
get:
  summary: Get a plant
  responses:
    '200':
      description: The plant.
      content:
        application/json:
          schema: { $ref: ../schemas/plant.yaml }
    '404': { $ref: '../parts.yaml#/responses/Missing' }
`,
  'api/schemas/plant.yaml': `type: object
required: [name]
properties:
  name: { type: string }
  leaves: { type: array, items: { $ref: leaf.json } }
  parent: { $ref: ../openapi.yaml#/components/schemas/Plant }
`,
  'api/schemas/leaf.json': `{ "type": "object", "properties": { "plant": { "$ref": "plant.yaml" } } }`,
  'api/parts.yaml': `parameters:
  Id: { name: id, in: path, required: true, schema: { $ref: '#/schemas/Id' } }
responses:
  Missing: { description: There is no such plant. }
schemas:
  Id: { type: string, minLength: 4 }
`,
}
const BUNDLED = `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants/{id}:
    parameters:
      - $ref: '#/components/parameters/Id'
    get:
      summary: Get a plant
      responses:
        '200':
          description: The plant.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Plant' }
        '404': { $ref: '#/components/responses/Missing' }
components:
  schemas:
    Plant:
      type: object
      required: [name]
      properties:
        name: { type: string }
        leaves: { type: array, items: { $ref: '#/components/schemas/leaf' } }
        parent: { $ref: '#/components/schemas/Plant' }
    leaf: { type: object, properties: { plant: { $ref: '#/components/schemas/Plant' } } }
    Id: { type: string, minLength: 4 }
  parameters:
    Id: { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
  responses:
    Missing: { description: There is no such plant. }
`

function parse(files: Files, file = 'api/openapi.yaml', limits = OPENAPI_LIMITS) {
  return parseSpecification(file, files[file] ?? '', { limits, read: (path) => files[path] })
}

function pages({ specification }: ParsedSpecification): string {
  if (specification === undefined) return 'none'
  const reader = new OperationPages(specification, { pillFields: [] })
  const parts = new SharedParts(specification, { pillFields: [] })
  const context = { part: (ref: string) => parts.part(ref), frame: frameData(specification) }
  return listOperations(specification)
    .map((operation) => printPage(reader.page(operation), context))
    .join('\n')
}

function problems({ diagnostics }: ParsedSpecification) {
  return diagnostics.map(({ code, place }) => [code, place.file, place.line])
}

describe('a specification in several files', () => {
  test('has the same pages as its bundled form', () => {
    const split = parse(SPLIT)
    expect(problems(split)).toEqual([])
    expect(pages(split)).toBe(pages(parse({ 'api/openapi.yaml': BUNDLED })))
    expect(pages(split)).toContain('object Plant')
  })

  test('lists its files, its own first', () => {
    const [first, ...others] = parse(SPLIT).specification?.files ?? []
    expect([first, ...others.toSorted()]).toEqual(Object.keys(SPLIT).toSorted())
  })

  test('may have a reference where OpenAPI has none, such as for all paths', () => {
    const files = {
      ...SPLIT,
      'api/openapi.yaml': ROOT.replace(/paths:\n.*\n.*\n/, 'paths: { $ref: paths/all.yaml }\n'),
      'api/paths/all.yaml': '/plants/{id}: { $ref: plant.yaml }\n',
    }
    expect(pages(parse(files))).toBe(pages(parse(SPLIT)))
  })

  test('may have all of its shared schemas in another file', () => {
    const files = {
      ...SPLIT,
      'api/openapi.yaml': ROOT.replace('{ $ref: schemas/plant.yaml }', 'x').replace(
        /schemas:\n.*\n/,
        'schemas: { $ref: schemas/all.yaml }\n',
      ),
      'api/schemas/all.yaml': 'Plant: { $ref: plant.yaml }\nleaf: { type: string }\n',
      'api/schemas/plant.yaml': (SPLIT['api/schemas/plant.yaml'] ?? '').replace(
        'properties:',
        'properties:\n  short: { $ref: all.yaml#/leaf }',
      ),
    }
    const { specification } = parse(files)
    expect(problems(parse(files))).toEqual([])
    // The schema of leaf.json has the same name as one of all.yaml.
    expect([...(specification?.parts.keys() ?? [])]).toEqual(
      expect.arrayContaining(['#/components/schemas/leaf', '#/components/schemas/leaf-2']),
    )
  })

  test('reports a mistake in the file that contains it, with its pointer there', () => {
    const plant = (SPLIT['api/schemas/plant.yaml'] ?? '').replace('type: string', 'type: text')
    const { diagnostics } = parse({ ...SPLIT, 'api/schemas/plant.yaml': plant })
    expect(diagnostics.map(({ place }) => place)).toMatchObject([
      { file: 'api/schemas/plant.yaml', line: 4, pointer: '/properties/name/type' },
    ])
  })

  const places = Object.entries(SPLIT).flatMap(([file, text]) =>
    [...text.matchAll(/\$ref"?: ["']?([^\s"'}]+)/g)].map((match) => ({ file, match })),
  )
  test.each(
    places.flatMap(({ file, match }) => [
      { file, match, wrong: 'missing.yaml', code: 'openapi/external-reference' },
      {
        file,
        match,
        wrong: `${match[1]}${match[1]?.includes('#') ? '' : '#'}/none`,
        code: 'openapi/broken-reference',
      },
      { file, match, wrong: '../../../secret.yaml', code: 'openapi/external-reference' },
      { file, match, wrong: 'https://example.com/a.yaml', code: 'openapi/external-reference' },
    ]),
  )('reports $wrong in $file at its line', ({ file, match, wrong, code }) => {
    const written = SPLIT[file] ?? ''
    const [whole, reference = ''] = match
    const text = `${written.slice(0, match.index)}${whole.replace(reference, wrong)}${written.slice(match.index + whole.length)}`
    const line = written.slice(0, match.index).split('\n').length
    const found = problems(parse({ ...SPLIT, [file]: text, '../secret.yaml': 'type: object' }))
    expect(found).toContainEqual([code, file, line])
  })

  test('names the path from the file itself if it is written from the main file', () => {
    const path = (SPLIT['api/paths/plant.yaml'] ?? '').replace('../schemas', './schemas')
    const [problem] = parse({ ...SPLIT, 'api/paths/plant.yaml': path }).diagnostics
    expect(problem?.hint).toContain('Write `../schemas/plant.yaml`.')
  })

  test('reports a file that cannot be read at its own line and at the reference', () => {
    const found = problems(parse({ ...SPLIT, 'api/schemas/leaf.json': '{ "type": }' }))
    expect(found).toContainEqual(['openapi/unreadable', 'api/schemas/leaf.json', 1])
    expect(found).toContainEqual(['openapi/broken-reference', 'api/schemas/plant.yaml', 5])
  })

  test('refuses a file with a key named __proto__', () => {
    const found = problems(parse({ ...SPLIT, 'api/schemas/leaf.json': '{ "__proto__": {} }' }))
    expect(found).toContainEqual(['openapi/forbidden-key', 'api/schemas/leaf.json', 1])
  })

  test('may have references in a circle, which end', () => {
    const files = { ...SPLIT, 'api/schemas/leaf.json': '{ "$ref": "leaf.json" }' }
    expect(problems(parse(files))).toEqual([['openapi/reference-loop', 'api/schemas/leaf.json', 1]])
    const paths = {
      ...SPLIT,
      'api/openapi.yaml':
        'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: { $ref: a.yaml }\n',
      'api/a.yaml': '$ref: a.yaml\n',
    }
    expect(() => parse(paths)).not.toThrow()
  })

  test('counts all files against the limit of one specification', () => {
    const sizeMax = Object.values(SPLIT).join('').length
    expect(problems(parse(SPLIT, undefined, { ...OPENAPI_LIMITS, sizeMax }))).toEqual([])
    const [[code] = []] = problems(
      parse(SPLIT, undefined, { ...OPENAPI_LIMITS, sizeMax: sizeMax - 1 }),
    )
    expect(code).toBe('openapi/too-large')
  })

  test.each([
    [40, []],
    [70, ['openapi/too-large']],
  ])('may replace references %i files deep with these problems: %j', (count, codes) => {
    const files: Record<string, string> = {
      'a.yaml':
        'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\ncomponents: { schemas: { A: { type: object, properties: { $ref: p0.yaml } } } }\n',
    }
    for (let index = 0; index < count; index += 1) {
      const next = index === count - 1 ? '{}' : `{ $ref: p${index + 1}.yaml }`
      files[`p${index}.yaml`] = `a: { type: object, properties: ${next} }\n`
    }
    expect(problems(parse(files, 'a.yaml')).map(([code]) => code)).toEqual(codes)
  })

  test('takes time in proportion to the number of its files', () => {
    const time = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `s${index}`)
      const files: Record<string, string> = Object.fromEntries(
        names.map((name, index) => [
          `${name}.yaml`,
          `type: object\nproperties: { next: { $ref: s${(index + 1) % count}.yaml } }\n`,
        ]),
      )
      files['a.yaml'] =
        `openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths: {}\ncomponents: { schemas: { S: { $ref: s0.yaml } } }\n`
      const start = performance.now()
      expect(problems(parse(files, 'a.yaml'))).toEqual([])
      return performance.now() - start
    }
    time(200)
    const few = Math.min(time(500), time(500), time(500))
    const many = Math.min(time(4_000), time(4_000))
    expect(many / few).toBeLessThan(24)
  })
})
