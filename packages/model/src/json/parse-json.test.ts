import { expect, test } from 'vitest'
import { formatPlace } from '../diagnostics/diagnostic.ts'
import { parseJson } from './parse-json.ts'

function mistakesIn(text: string): readonly string[] {
  const found: string[] = []
  parseJson('docs.json', text, ({ place, message }) =>
    found.push(`${formatPlace(place)} ${message}`),
  )
  return found
}

test('a missing brace is reported as one error', () => {
  expect(mistakesIn('{\n  "navigation": "pages": ["index"]}\n}\n')).toEqual([
    'docs.json:2:24 Missing comma before `:`.',
  ])
  expect(mistakesIn('\n  "name": "A",\n  "navigation": {}\n}\n')).toEqual([
    'docs.json:2:3 Expected `{`, found a key.',
  ])
})

test('two mistakes at different places are reported as two errors', () => {
  expect(mistakesIn('{"a" 1, b: 2}')).toEqual([
    'docs.json:1:6 Expected `:` after the key "a".',
    'docs.json:1:9 The key `b` has no quotes.',
  ])
})
