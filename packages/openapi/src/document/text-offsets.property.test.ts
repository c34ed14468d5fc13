/** Tests that each character of a string is found in the file, for any text and any notation. */
import fc from 'fast-check'
import { dump } from 'js-yaml'
import { expect, test } from 'vitest'
import { parseDocument } from './parse-document.ts'

const word = fc.oneof(
  fc.constantFrom('a', 'bc', '"', "'", "''", '\\', '\\n', '#', ': ', '- ', '`', '🌱', 'é', '\t'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 2 }),
)
const line = fc
  .tuple(fc.constantFrom('', '', ' ', '  ', '    '), fc.array(word, { maxLength: 6 }))
  .map(([indent, words]) => `${indent}${words.join(' ')}`)
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))

test('every character of a JSON string is found in the file', () => {
  fc.assert(
    fc.property(text, fc.boolean(), (description, isAscii) => {
      const written = JSON.stringify({ summary: 'x', description }, null, 2)
      expectFound('openapi.json', isAscii ? escapeAll(written) : written, description, true)
    }),
  )
})

test('every character of a YAML text of any style is found in the file', () => {
  const options = fc.record({
    indent: fc.integer({ min: 1, max: 4 }),
    lineWidth: fc.constantFrom(-1, 10, 80),
    quoteStyle: fc.constantFrom('single' as const, 'double' as const),
    forceQuotes: fc.boolean(),
  })
  fc.assert(
    fc.property(text, options, fc.boolean(), (description, style, isWindows) => {
      const written = dump({ info: { summary: 'x', description } }, style)
      const source = isWindows ? written.replaceAll('\n', '\r\n') : written
      expectFound('openapi.yaml', source, description, false)
    }),
  )
})

test('every character of a YAML block with any indentation is found in the file', () => {
  const header = fc.constantFrom('|', '|-', '|+', '>', '>-', '>+')
  fc.assert(
    fc.property(text, header, fc.integer({ min: 1, max: 6 }), (written, mark, indent) => {
      const lines = written.split('\n').map((one) => ' '.repeat(indent) + one)
      const source = `info:\n description: ${mark}${indent}\n${lines.join('\n')}\nlast: 1\n`
      expectFound('openapi.yaml', source, undefined, false)
    }),
  )
})

/** Escapes all characters except printable ASCII and line feeds. */
function escapeAll(json: string): string {
  return json.replaceAll(/[^\n -~]/g, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}

function expectFound(
  file: string,
  source: string,
  expected: string | undefined,
  isExact: boolean,
): void {
  const document = parseDocument(file, source, () => {})
  const owner = document?.field(document.root, 'info') ?? document?.root
  const node = document?.field(owner, 'description')
  // Random text may not be valid YAML, and repaired text differs from the file.
  if (document === undefined || node === undefined || document.source !== source) return
  const value = document.text(node)
  if (expected !== undefined) expect(value).toBe(expected)
  const toFile = document.offsets(node)
  const mayEscape = source[toFile(0) - 1] === '"'
  for (let index = 0; index < value.length; index += 1) {
    const offset = toFile(index)
    const character = value[index] ?? ''
    expect(offset).toBeGreaterThanOrEqual(toFile(Math.max(0, index - 1)))
    if (isExact) {
      const written = source.slice(offset, toFile(index + 1))
      expect(JSON.parse(`"${written}"`)).toBe(character)
    } else if (/\S/.test(character) && !(mayEscape && source[offset] === '\\')) {
      expect(source[offset]).toBe(character)
    }
  }
}
