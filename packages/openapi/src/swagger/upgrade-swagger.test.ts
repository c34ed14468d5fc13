/** The upgrade of Swagger 2.0; what becomes of its parts is in `fixtures/specs/swagger-2-…`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from '../document/limits.ts'
import { parseSpecification } from '../parse-specification.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/specs')
const [VALUES = '', BODIES = '', SECURITY = ''] = ['values', 'bodies', 'security'].map((name) =>
  readFileSync(join(FIXTURES, `swagger-2-${name}/openapi.yaml`), 'utf8'),
)

describe('Swagger 2.0', () => {
  test('a mistake is reported at its line and with its pointer in the file', () => {
    const text = VALUES.replace('kind: { type: string }', 'kind: { type: text }')
    const { diagnostics } = parseSpecification('a.yaml', text)
    const line = text.split('\n').findIndex((row) => row.includes('type: text')) + 1
    expect(diagnostics.map(({ place }) => place)).toMatchObject([
      { file: 'a.yaml', line, pointer: '/definitions/Page«Plant»/properties/kind/type' },
    ])
  })

  test('a broken reference is reported where it is written', () => {
    const { diagnostics } = parseSpecification(
      'a.yaml',
      VALUES.replace('#/responses/Missing', '#/responses/Mising'),
    )
    expect(diagnostics.map(({ code, place }) => [code, place.pointer])).toEqual([
      ['openapi/broken-reference', '/paths/~1plants~1{id}/get/responses/404/$ref'],
    ])
  })

  test('escaped texts of JSON and folded texts of YAML are kept', () => {
    const json = (description: string) =>
      `{"swagger":"2.0","info":{"title":"A","version":"1","description":${description}},"paths":{}}`
    const yaml =
      'swagger: 2.0\ninfo:\n  title: A\n  version: 1\n  description: >-\n    a\n    b\npaths: {}\n'
    for (const [text, expected] of [
      [json('"a\\n\\u00e9"'), 'a\né'],
      [yaml, 'a b'],
    ] as const) {
      const { specification } = parseSpecification('a', text)
      const document = specification?.document
      expect(document?.textField(document.field(0, 'info'), 'description')).toBe(expected)
    }
  })

  test.each([
    [1, 1],
    [0, 0],
  ])('a document with %i free rows after the upgrade is read %i times', (free, read) => {
    const { specification } = parseSpecification('a.yaml', BODIES)
    const nodesMax = (specification?.document.tape.length ?? 0) - 1 + free
    const { specification: again, diagnostics } = parseSpecification('a.yaml', BODIES, {
      limits: { ...OPENAPI_LIMITS, nodesMax },
    })
    expect(again === undefined ? 0 : 1).toBe(read)
    expect(diagnostics.map(({ code }) => code)).toEqual(read === 1 ? [] : ['openapi/too-large'])
  })

  test('any value in any place is read or reported', () => {
    const values = [
      '[]',
      '{}',
      '[1]',
      'null',
      'text',
      '1',
      '{$ref: "#/parameters/Id"}',
      '{$ref: x}',
    ]
    const change = fc.record({
      text: fc.constantFrom(VALUES, BODIES, SECURITY),
      place: fc.nat(),
      value: fc.constantFrom(...values),
    })
    fc.assert(
      fc.property(change, ({ text, place, value }) => {
        const rows = text.split('\n')
        const index = place % rows.length
        const row = rows[index] ?? ''
        rows[index] = row.replace(/: .*/, `: ${value}`)
        expect(() => parseSpecification('a.yaml', rows.join('\n'))).not.toThrow()
      }),
    )
  })
})
