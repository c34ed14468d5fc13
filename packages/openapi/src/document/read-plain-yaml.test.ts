import { describe, expect, test } from 'vitest'
import { readTwice } from '../../testing/read-yaml-twice.ts'
import { OPENAPI_LIMITS } from './limits.ts'
import { readPlainYaml } from './read-plain-yaml.ts'
import { readYaml } from './read-yaml.ts'
import { type Json, SpecDocument } from './spec-document.ts'

describe('plain YAML', () => {
  test.each<[text: string, value: Json]>([
    // Mappings and lists.
    ['a: b', { a: 'b' }],
    ['a: b\nc: d\n', { a: 'b', c: 'd' }],
    ['a:\n  b:\n    c: d\n  e: f', { a: { b: { c: 'd' }, e: 'f' } }],
    ['a:\n- b\n- c\nd: e', { a: ['b', 'c'], d: 'e' }],
    ['a:\n  - b\n  - c', { a: ['b', 'c'] }],
    ['- a\n- b', ['a', 'b']],
    ['- - a\n  - b\n- c', [['a', 'b'], 'c']],
    ['-   a: b\n    c: d\n-\n  e: f', [{ a: 'b', c: 'd' }, { e: 'f' }]],
    ['- a:\n  - b\n- c', [{ a: ['b'] }, 'c']],
    ['- a:\n- b', [{ a: null }, 'b']],
    ['a:\n  b\nc: d', { a: 'b', c: 'd' }],
    // Missing values.
    ['a:\nb:', { a: null, b: null }],
    ['a: # later\nb: c', { a: null, b: 'c' }],
    ['- \n-\n- a', [null, null, 'a']],
    ['"a":\n"b": ', { a: null, b: null }],
    // Keys.
    ['"a b": c', { 'a b': 'c' }],
    ["'it''s' : c", { "it's": 'c' }],
    ['200: a\ntrue: b\nnull: c', { 200: 'a', true: 'b', null: 'c' }],
    ['/a/{b}: c\n$ref: d\na b: e', { '/a/{b}': 'c', $ref: 'd', 'a b': 'e' }],
    ['a:b: c', { 'a:b': 'c' }],
    ['__proto__x: a\nconstructor: b', { __proto__x: 'a', constructor: 'b' }],
    // White space, comments, start and end of the document.
    ['key:    value  # comment', { key: 'value' }],
    ['# c\n\n  # c\na: b # c\n    # c\n\nc: d\n# c', { a: 'b', c: 'd' }],
    ['---\na: b', { a: 'b' }],
    ['# c\n--- # c\n\na: b', { a: 'b' }],
    ['\ufeffa: b\nc: d', { a: 'b', c: 'd' }],
    ['a: b\r\nc:\r\n  - d\r\n\r\n', { a: 'b', c: ['d'] }],
    // Plain scalars.
    ['a: b c', { a: 'b c' }],
    ['a: b#c', { a: 'b#c' }],
    ['a: http://b:80/c', { a: 'http://b:80/c' }],
    ['a: b:c', { a: 'b:c' }],
    ['a: -b\nb: ?c\nc: :d', { a: '-b', b: '?c', c: ':d' }],
    ['a: b, [c] {d} & * ! | > \' " % @', { a: 'b, [c] {d} & * ! | > \' " % @' }],
    ['a: b  \nc: d', { a: 'b', c: 'd' }],
    ['a: b\n  c\n   d', { a: 'b c d' }],
    ['a: b  \n\n\n  c\nd: e', { a: 'b\n\nc', d: 'e' }],
    ['a: b\n  - c\n  "d" #e\n  # f\ng: h', { a: 'b - c "d"', g: 'h' }],
    ['a: b\r\n  c\r\n\r\n  d', { a: 'b c\nd' }],
    ['- a\n b\n- c', ['a b', 'c']],
    ['a\nb', 'a b'],
    // Quoted scalars.
    ["a: 'it''s'", { a: "it's" }],
    ['a: \'b: "c" # d\'', { a: 'b: "c" # d' }],
    ['a: "\\u00e9\\n"', { a: 'é\n' }],
    ['a: "\\x41\\U0001F600\\t\\/\\_\\L\\ b\\\\"', { a: 'A😀\t/\u00a0\u2028 b\\' }],
    ['a: "b  \n\n  c \n  d "', { a: 'b\nc d ' }],
    ['a: "b \\\n   c\\\n\n  d"', { a: 'b cd' }],
    ["a: 'b\n  c''\n\n  d'", { a: "b c'\nd" }],
    ['a: \'\'\nb: ""', { a: '', b: '' }],
    ['a: "tab\tin it"', { a: 'tab\tin it' }],
    ['a: "multi\n  line" # c\nb: c', { a: 'multi line', b: 'c' }],
    // Block scalars.
    ['a: |\n  b\n  c\n', { a: 'b\nc\n' }],
    ['a: |\n  b\n  c', { a: 'b\nc\n' }],
    ['a: |-\n  b\n\nc: d', { a: 'b', c: 'd' }],
    ['a: |+\n  b\n\nc: d', { a: 'b\n\n', c: 'd' }],
    ['a: |2-\n    b\n   c', { a: '  b\n c' }],
    ['a: |-2\n    b', { a: '  b' }],
    ['a: | # c\n  b # d', { a: 'b # d\n' }],
    ['a: |\n\n  b\n\n    c\n', { a: '\nb\n\n  c\n' }],
    ['a: >\n  b\n  c\n\n  d\n    e\n    f\n  g\n', { a: 'b c\nd\n  e\n  f\ng\n' }],
    ['a: >-\n  b  \n  c', { a: 'b   c' }],
    ['a: |\n  x\tb\n  c: d\n  - e', { a: 'x\tb\nc: d\n- e\n' }],
    ['a: |\r\n  b\r\n\r\n  c\r\n', { a: 'b\n\nc\n' }],
    ['- |\n a\n- >-\n b', ['a\n', 'b']],
    ['a: |\nb: |+\n\n\nc: |1\n', { a: '', b: '\n\n', c: '' }],
    ['a: |\n  b\n# c\nd: e', { a: 'b\n', d: 'e' }],
    // Flow collections.
    ['a: []\nb: {}', { a: [], b: {} }],
    ['a: [b, "c", \'d\', 1]', { a: ['b', 'c', 'd', 1] }],
    ['{a: b, c: [d], "e":f, g: {h: i}}', { a: 'b', c: ['d'], e: 'f', g: { h: 'i' } }],
    ['a: [\n  b, # c\n  d,\n  ]\ne: f', { a: ['b', 'd'], e: 'f' }],
    ['a: [b\n  c, "d\n  e"]', { a: ['b c', 'd e'] }],
    ['- [a b, -1]\n- {a:  b c }', [['a b', -1], { a: 'b c' }]],
    ['a: [http://b, c#d, e:f]', { a: ['http://b', 'c#d', 'e:f'] }],
    // The core schema.
    ['- 1\n- -1\n- +1\n- 012\n- 0o17\n- 0x1F', [1, -1, 1, 12, 15, 31]],
    ['- 1.5\n- 1.\n- .5\n- 1e3\n- -1.5E-3', [1.5, 1, 0.5, 1000, -0.0015]],
    ['- 1_000\n- 0b1\n- 1e999\n- 12:30:45', ['1_000', '0b1', '1e999', '12:30:45']],
    ['- 12345678901234567890\n- 2020-01-01', [12345678901234567000, '2020-01-01']],
    ['- .inf\n- -.Inf\n- .NaN', ['.inf', '-.Inf', '.NaN']],
    ['- ~\n- null\n- Null\n- NULL\n- nULL', [null, null, null, null, 'nULL']],
    ['- true\n- True\n- TRUE\n- tRUE\n- false', [true, true, true, 'tRUE', false]],
    ['- yes\n- no\n- on\n- =\n- "true"\n- \'1\'', ['yes', 'no', 'on', '=', 'true', '1']],
  ])('the plain YAML reader returns the same value as js-yaml: %j', (text, value) => {
    const { plain, events } = readTwice(text)
    expect(plain).toEqual(events)
    const read = readYaml(text, OPENAPI_LIMITS)
    if (read.kind !== 'read') throw new Error(read.kind)
    const document = new SpecDocument({ file: 'a.yaml', ...read })
    expect(document.value(document.root)).toEqual(value)
  })
})

describe('YAML that the plain reader rejects', () => {
  test.each([
    ['an empty text', '', '\n', '# c', '---', '---\n'],
    ['an anchor, an alias, a tag', 'a: &b c', 'a: *b', 'a: !x b', '!!str a: b', '- &a', '[*a]'],
    ['the merge key', '<<: a', 'a: {<<: b}', '- <<: c'],
    ['a key with a question mark', '? x', '? x\n: y', '{? a: b}', 'a: {? b }'],
    ['a key that is not a simple text', '[a]: b', '{a: b}: c', '"a\n b": c', 'a\nb: c', ': a'],
    ['a key without a value in brackets', '{a}', '{a: , b: c}', '{a:}', '{"a"}'],
    ['a pair in a list', '[a: b]', '[a:, b]', '["a":b]'],
    ['a directive', '%YAML 1.2\n---\na: b'],
    [
      'more than one document',
      'a: b\n---\nc: d',
      'a: b\n...',
      'a: b\n... : c',
      '--- a',
      '---\n---\na: b',
      '...\na',
    ],
    ['a tab between values', 'a:\tb', '\ta: b', 'a:\n\tb: c', 'a: b\t# c', '-\ta', 'a: b\tc'],
    ['two values in a line', 'a: b: c', 'a: - b', 'a: "b" c', 'a: [b] c', 'a: "b"#c', '- [a] - b'],
    ['inconsistent indentation', 'a: b\n c: d', '  a: b\nc: d', ' a: b', '- a\n  - b: c\n - d'],
    ['a list in a mapping', 'a: b\n- c', '- a\nb: c', 'a:\n  b: c\n  - d'],
    ['an unterminated text', 'a: "b', "a: 'b", 'a: [b', 'a: {b: c', 'a: "b\\'],
    [
      'a text whose lines are not indented',
      'a: "b\nc"',
      "a: 'b\nc'",
      'a: [\nb]',
      'a: [b,\n]',
      'a: [b\n]',
    ],
    ['an unknown escape', 'a: "\\q"', 'a: "\\x4"', 'a: "\\u12g4"'],
    ['mismatched brackets and commas', '[a}', '{a: b]', '[,]', '[a,,b]', '[a b] c', '[a[b]]'],
    ['a block text with a wrong header', 'a: |x', 'a: |0\n b', 'a: |--\n b', 'a: |12\n b', 'a: |#'],
    ['a block text with wide empty lines', 'a: |\n    \n  b', 'a: |\n  b\n   ', 'a: |\n \tb'],
    ['characters that cannot begin a text', 'a: @b', 'a: `b', 'a: %b', 'a: ]', 'a: ,', '- }'],
    [
      'control characters and lone surrogates',
      'a: \0',
      'a: \x07b',
      'a: b\rc: d',
      'a: \ud800',
      'a: b\ufeff',
    ],
  ])('the plain YAML reader leaves %s to js-yaml', (_, ...texts) => {
    for (const text of texts)
      expect([text, readPlainYaml(text, OPENAPI_LIMITS).kind]).toEqual([text, 'unusual'])
  })
})

describe('limits of the plain reader', () => {
  const nested = (depth: number, innermost: string) =>
    Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('') +
    ' '.repeat(depth) +
    innermost

  test('the plain reader reads documents as deep as real ones', () => {
    expect(readPlainYaml(nested(100, '- [a]'), OPENAPI_LIMITS).kind).toBe('read')
  })

  test('the plain reader does not read documents that are too deep for js-yaml', () => {
    const inner = [
      'a',
      '[]',
      '- a',
      '- - [a]',
      '- {a: [b]}',
      '[[a]]',
      '"a"',
      '|\n         a',
      'a: []',
    ]
    for (const innermost of inner) {
      for (let depth = 0; depth <= 8; depth += 1) {
        const { plain, events } = readTwice(nested(depth, innermost), { depthMax: 8 })
        if (plain !== 'unusual') expect(plain).toEqual(events)
      }
    }
  })

  test('YAML values are counted like JSON values', () => {
    const limits = { depthMax: 128, repeatedNodesMax: 0 }
    expect(readYaml('a: [b, c]', { ...limits, nodesMax: 5 }).kind).toBe('read')
    expect(readYaml('a: [b, c]', { ...limits, nodesMax: 4 })).toEqual({
      kind: 'too-many',
      repeated: false,
    })
  })
})
