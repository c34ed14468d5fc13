import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unsafeParts } from '../testing/unsafe-parts.ts'
import { createPageParser } from './parse-page.ts'

/** Generates parts of random pages: valid, broken and hostile ones. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '\n',
    '\n\n',
    '  ',
    '# ',
    '## ',
    '- ',
    '1. ',
    '> ',
    '`',
    '```\n',
    '```js x {1}\n',
    '*',
    '**',
    '_',
    '~~',
    '$',
    '$$\n',
    '|',
    '|-|\n',
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '{',
    '}',
    '{{',
    '}}',
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '{/*',
    '*/}',
    '\\',
    '&amp;',
    '&#x6a;',
    '<Note>',
    '</Note>',
    '<Card title="a" href="javascript:x">',
    '</Card>',
    '<b onclick="x">',
    '</b>',
    '<script>',
    '</script>',
    '<img src="data:text/html,x" />',
    '<iframe src="https://a.example" />',
    '<a href="java\tscript:x">',
    '</a>',
    '<br>',
    '<A.B />',
    'import A from "/a.mdx"\n\n',
    'export const x = [1, { a: 2 }]\n\n',
    '{x.map((y) => <i>{y}</i>)}',
    '{missing}',
    '{x[1].a + "b"}',
    '<div style={{ position: "fixed", color: "red" }} {...x}>',
    '</div>',
    '[^1]',
    '\n\n[^1]: note\n',
    '{#id}',
    '[a]: javascript:x\n',
    '[a]',
    '<A>',
    '</A>',
    'javascript:',
    'https://a.example',
    '---\n',
    'title: a\n',
    '\u0000',
    '\ufeff',
    '\r\n',
    '\ud800',
    '__proto__',
    'constructor',
  ),
)
const pageText = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))

const files: Readonly<Record<string, string>> = {
  'a.mdx': '## Snippet {name}\n\n<b>{children}</b>\n',
}
const newParser = () => createPageParser({ read: (path) => files[path], variables: { v: '1' } })

describe('random pages', () => {
  test('parsing any text never throws and never produces unsafe nodes', () => {
    const parse = newParser()
    fc.assert(
      fc.property(pageText, fc.constantFrom('page.mdx', 'page.md'), (text, file) => {
        expect(unsafeParts(parse(file, text).children)).toEqual([])
      }),
    )
  })

  test('the same text always produces the same page', () => {
    const parse = newParser()
    fc.assert(
      fc.property(pageText, (text) => {
        const first = JSON.stringify(parse('page.mdx', text))
        expect(JSON.stringify(newParser()('page.mdx', text))).toBe(first)
      }),
      { numRuns: 200 },
    )
  })

  test('every heading has a unique id', () => {
    const heading = fc.constantFrom(
      '## a\n',
      '## a {#b}\n',
      '## b\n',
      '# a-2\n',
      '## ???\n',
      '<h2 id="a">c</h2>\n\n',
      '## A\n',
    )
    const parse = newParser()
    fc.assert(
      fc.property(fc.array(heading, { maxLength: 12 }), (parts) => {
        const ids = parse('page.mdx', parts.join('\n')).headings.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })

  test('the place of every diagnostic is inside the file', () => {
    const parse = newParser()
    fc.assert(
      fc.property(pageText, (text) => {
        const lines = text.split(/\r\n|\n|\r/).length
        for (const { place } of parse('page.mdx', text).diagnostics) {
          if (place.file === 'page.mdx') expect(place.line).toBeLessThanOrEqual(lines)
        }
      }),
      { numRuns: 300 },
    )
  })
})
