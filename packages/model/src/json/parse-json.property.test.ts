import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { toValue } from './json-node.ts'
import { parseJson } from './parse-json.ts'

test('valid JSON is parsed like JSON.parse parses it, without diagnostics', () => {
  const text = fc
    .tuple(fc.jsonValue(), fc.constantFrom(0, 2, '\t'))
    .map(([v, space]) => JSON.stringify(v, null, space))
  fc.assert(
    fc.property(text, (json) => {
      const reported: Diagnostic[] = []
      const node = parseJson('any.json', json, (diagnostic) => reported.push(diagnostic))
      expect(reported).toEqual([])
      if (node === undefined) throw new Error('not read')
      expect(JSON.stringify(toValue(node))).toBe(JSON.stringify(JSON.parse(json)))
    }),
  )
})

test('a text that JSON.parse rejects always results in a diagnostic', () => {
  const broken = fc
    .tuple(
      fc.jsonValue(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '{', ']', ':', '\\', "'", '//', 'x'),
    )
    .map(([value, at, put]) => {
      const json = JSON.stringify(value)
      const place = at % (json.length + 1)
      return json.slice(0, place) + put + json.slice(place + 1)
    })
  fc.assert(
    fc.property(broken, (text) => {
      const reported: Diagnostic[] = []
      parseJson('any.json', text, (diagnostic) => reported.push(diagnostic))
      if (isJson(text)) return
      expect(reported.length).toBeGreaterThan(0)
    }),
  )
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
