/** Swagger 2.0 in several files (`openapi/external-reference`, `openapi/broken-reference`). */
import { describe, expect, test } from 'vitest'
import { listOperations } from '../operations/list-operations.ts'
import { frameData } from '../pages/frame-data.ts'
import { OperationPages } from '../pages/operation-page.ts'
import { printPage } from '../pages/print-page.ts'
import { SharedParts } from '../pages/shared-parts.ts'
import { parseSpecification } from '../parse-specification.ts'

type Files = Readonly<Record<string, string>>

const SPLIT: Files = {
  'api/swagger.yaml': `swagger: '2.0'
info: { title: Plants, version: '1' }
consumes: [application/json]
produces: [application/json]
paths:
  /plants/{id}:
    $ref: paths/plant.yaml
definitions:
  Plant: { $ref: schemas/plant.yaml }
`,
  'api/paths/plant.yaml': `parameters:
  - $ref: ../parts.yaml#/parameters/Id
put:
  summary: Replace a plant
  parameters:
    - $ref: ../parts.yaml#/parameters/Body
  responses:
    '200': { description: The plant., schema: { $ref: ../schemas/plant.yaml } }
    '404': { $ref: '../parts.yaml#/responses/Missing' }
`,
  'api/schemas/plant.yaml': `type: object
required: [name]
properties:
  name: { type: string, x-nullable: true }
  leaves: { type: array, items: { $ref: leaf.json } }
`,
  'api/schemas/leaf.json': `{ "type": "object", "properties": { "plant": { "$ref": "plant.yaml" } } }`,
  'api/parts.yaml': `parameters:
  Id: { name: id, in: path, required: true, type: string, minLength: 4 }
  Body: { name: body, in: body, required: true, schema: { $ref: schemas/plant.yaml } }
responses:
  Missing: { description: There is no such plant. }
`,
}
const BUNDLED = `swagger: '2.0'
info: { title: Plants, version: '1' }
consumes: [application/json]
produces: [application/json]
paths:
  /plants/{id}:
    parameters:
      - $ref: '#/parameters/Id'
    put:
      summary: Replace a plant
      parameters:
        - $ref: '#/parameters/Body'
      responses:
        '200': { description: The plant., schema: { $ref: '#/definitions/Plant' } }
        '404': { $ref: '#/responses/Missing' }
definitions:
  Plant:
    type: object
    required: [name]
    properties:
      name: { type: string, x-nullable: true }
      leaves: { type: array, items: { $ref: '#/definitions/leaf' } }
  leaf: { type: object, properties: { plant: { $ref: '#/definitions/Plant' } } }
parameters:
  Id: { name: id, in: path, required: true, type: string, minLength: 4 }
  Body: { name: body, in: body, required: true, schema: { $ref: '#/definitions/Plant' } }
responses:
  Missing: { description: There is no such plant. }
`

function parse(files: Files) {
  const file = 'api/swagger.yaml'
  return parseSpecification(file, files[file] ?? '', { read: (path) => files[path] })
}

function pages(files: Files): string {
  const { specification } = parse(files)
  if (specification === undefined) return 'none'
  const reader = new OperationPages(specification, { pillFields: [] })
  const parts = new SharedParts(specification, { pillFields: [] })
  const context = { part: (ref: string) => parts.part(ref), frame: frameData(specification) }
  return listOperations(specification)
    .map((operation) => printPage(reader.page(operation), context))
    .join('\n')
}

const problems = (files: Files) =>
  parse(files).diagnostics.map(({ code, place }) => [code, place.file, place.line])

describe('Swagger 2.0 in several files', () => {
  test('has the same pages as its bundled form', () => {
    expect(problems(SPLIT)).toEqual([])
    expect(pages(SPLIT)).toBe(pages({ 'api/swagger.yaml': BUNDLED }))
    expect(pages(SPLIT)).toContain('PUT')
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
    expect(problems({ ...SPLIT, [file]: text })).toContainEqual([code, file, line])
  })

  test('reports a mistake in the file that contains it', () => {
    const plant = (SPLIT['api/schemas/plant.yaml'] ?? '').replace('type: string', 'type: text')
    const [first] = parse({ ...SPLIT, 'api/schemas/plant.yaml': plant }).diagnostics
    expect(first?.place).toMatchObject({
      file: 'api/schemas/plant.yaml',
      line: 4,
      pointer: '/properties/name/type',
    })
  })
})
