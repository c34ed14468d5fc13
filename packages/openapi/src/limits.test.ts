import { describe, expect, test } from 'vitest'
import { OPENAPI_LIMITS } from './document/limits.ts'
import { parseSpecification } from './parse-specification.ts'

const LIMITS = { sizeMax: 1_000, depthMax: 8, nodesMax: 60, repeatedNodesMax: 20 }

function codes(text: string, limits: Partial<typeof LIMITS> = {}) {
  return parseSpecification('a.yaml', text, {
    limits: { ...OPENAPI_LIMITS, ...limits },
  }).diagnostics.map(({ code }) => code)
}

/** Returns a specification with an extension. It has 12 rows in addition to those of `more`. */
function specification(more: string): string {
  return `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "components": {}, "x-more": ${more}}`
}

describe('limits of a specification (openapi/too-large)', () => {
  test('a specification may have up to sizeMax characters, but not more', () => {
    const text = specification('""')
    const full = specification(`"${'x'.repeat(LIMITS.sizeMax - text.length)}"`)
    expect(codes(full, { sizeMax: LIMITS.sizeMax })).toEqual([])
    expect(codes(`${full} `, { sizeMax: LIMITS.sizeMax })).toEqual(['openapi/too-large'])
  })

  test('values may be nested up to depthMax levels, but not deeper', () => {
    const nested = (depth: number) => specification('['.repeat(depth) + ']'.repeat(depth))
    expect(codes(nested(7), { depthMax: LIMITS.depthMax })).toEqual([])
    expect(codes(nested(8), { depthMax: LIMITS.depthMax })).toEqual(['openapi/too-large'])
  })

  test('a specification may have up to nodesMax values, but not more', () => {
    const filled = (count: number) => specification(JSON.stringify(Array(count).fill(0)))
    const room = LIMITS.nodesMax - 13
    expect(codes(filled(room), { nodesMax: LIMITS.nodesMax })).toEqual([])
    expect(codes(filled(room + 1), { nodesMax: LIMITS.nodesMax })).toEqual(['openapi/too-large'])
  })

  test('aliases may repeat up to repeatedNodesMax values, but not more', () => {
    const repeated = (count: number) =>
      `openapi: 3.1.0\ninfo: {title: A, version: '1'}\ncomponents: {}\nx-a: &a 1\nx-b: [${Array(count).fill('*a').join(', ')}]\n`
    const limit = { repeatedNodesMax: LIMITS.repeatedNodesMax }
    expect(codes(repeated(20), limit)).toEqual([])
    expect(codes(repeated(21), limit)).toEqual(['openapi/too-large'])
  })
})

describe('chains of references', () => {
  const chain = (length: number) => {
    const schemas = Array.from({ length: length + 1 }, (_, index) => [
      `S${index}`,
      index === length ? {} : { $ref: `#/components/schemas/S${index + 1}` },
    ])
    return specification('0').replace(
      '"components": {}',
      `"components": {"schemas": ${JSON.stringify(Object.fromEntries(schemas))}}`,
    )
  }

  test('a chain may have up to referenceHopsMax references, but not more', () => {
    const last = OPENAPI_LIMITS.referenceHopsMax
    expect(codes(chain(last))).toEqual([])
    expect(codes(chain(last + 1))).toContain('openapi/reference-loop')
  })
})
