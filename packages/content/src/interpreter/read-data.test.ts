import { SourceText } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { type DataSource, readModuleData } from './read-data.ts'

const moduleOf = (file: string, code: string): DataSource => ({
  source: new SourceText(file, code),
  code,
  toOffset: (offset) => offset,
})

function read(code: string, files: Readonly<Record<string, string>> = {}) {
  return readModuleData(moduleOf('config.js', code), (_, written) => {
    const name = written.replace('./', '')
    const text = files[name]
    if (text === undefined) return undefined
    return name.endsWith('.json') ? { json: JSON.parse(text) } : { module: moduleOf(name, text) }
  })
}

describe('a configuration module read as data', () => {
  test.each<[string, string, unknown]>([
    ['an object', 'export default { a: 1 }', { a: 1 }],
    ['module.exports', 'module.exports = { a: [1, "b"] }', { a: [1, 'b'] }],
    ['a constant', 'const a = { b: `x` }\nexport default a', { b: 'x' }],
    ['a spread', 'const a = { b: 1 }\nexport default { ...a, c: [...[2]] }', { b: 1, c: [2] }],
    [
      'a function that returns it',
      'export default async function make() { const a = 1; return { a } }',
      { a: 1 },
    ],
    ['a call of its own function', 'const f = (x) => x + 1\nexport default { a: f(1) }', { a: 2 }],
    [
      'a path',
      "export default { a: require.resolve('./b.js'), c: path.resolve(__dirname, './d') }",
      { a: './b.js', c: './d' },
    ],
    [
      'an environment variable, which is not set',
      "export default { a: process.env.B ?? 'c' }",
      { a: 'c' },
    ],
    ['the members of a constant', 'const { a } = { a: 1 }\nexport default { b: a }', { b: 1 }],
  ])('%s is read', (_, code, data) => {
    expect(read(code)).toEqual({ data, problems: [] })
  })

  test('imports of data and of other modules are read', () => {
    const files = { 'a.json': '["1.0"]', 'b.js': 'module.exports = { c: 2 }' }
    const code = "import a from './a.json'\nconst b = require('./b.js')\nexport default { a, b }"
    expect(read(code, files).data).toEqual({ a: ['1.0'], b: { c: 2 } })
  })

  test('what is code is omitted with its line and keys, and the rest stays', () => {
    const code =
      "import fs from 'node:fs'\n\nexport default {\n  title: 'A',\n  list: [{ b: fs.readFileSync('c') }],\n}"
    expect(read(code)).toEqual({
      data: { title: 'A', list: [{}] },
      problems: [
        {
          file: 'config.js',
          line: 5,
          path: 'list.0.b',
          message: '`node:fs` is code that is not run',
        },
      ],
    })
  })

  test('a function as a value is omitted without a problem', () => {
    expect(read('export default { a: 1, b: () => 2 }')).toEqual({ data: { a: 1 }, problems: [] })
  })

  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['a loop', 'export default { a: (() => { let x = 0; while (true) x++; })() }', {}],
    ['recursion', 'const f = () => f()\nexport default { a: f() }', {}],
    [
      'a module that imports itself',
      "import a from './b.js'\nexport default { a }",
      { 'b.js': "import a from './b.js'\nexport default { a }" },
    ],
    ['text that is not JavaScript', 'export default {', {}],
    ['deep nesting', `export default ${'['.repeat(50_000)}${']'.repeat(50_000)}`, {}],
    [
      'a text that doubles',
      `let a = 'xxxxxxxx'\n${'const b = 1\n'}export default { a: (() => { for (let i = 0; i < 60; i++) a += a; return a })() }`,
      {},
    ],
  ])('%s ends with a problem', (_, code, files) => {
    expect(read(code, files).problems).not.toEqual([])
  })

  test('prototypes and constructors cannot be reached', () => {
    const { data } = read(
      "export default { a: ({}).constructor, b: [].constructor, c: (() => 1).constructor('return process')() }",
    )
    expect(JSON.stringify(data ?? {})).toBe('{}')
  })
})
