import { LIMITS } from '@octavo/model'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyPageFixes } from '../testing/apply-page-fixes.ts'
import { createPageParser } from './parse-page.ts'

/** Generates a line of a page. Some lines contain a mistake that has a fix. */
const line = fc.constantFrom(
  'Text with `code` and *emphasis*.',
  'One<br>two <hr > three',
  'The path /pots/{id} and {{ name }}',
  'Takes <1 ms for <your-key>, {"a": 1}',
  '<tip>Water it.</tip>',
  '<Crad titel="A">\n\nText\n\n</Crad>',
  '<warning>\n\n- a {x}\n- b<br>\n\n</warning>',
  ':::note\nA {id}\n:::',
  '!!! warning "Hot"\n    Sun <5 hours',
  '=== "A"\n\n    one\n\n=== "B"\n\n    two',
  '{% hint style="info" %}\nA<br>\n{% endhint %}',
  '## Title [#id]',
  'Press ++ctrl+c++ and :tada:',
  '```js title="a" {1,2\nconst a = {b}\n```',
  '```mdx-code-block\n<Tabs>\n```',
  '> A {id}\n> <br>',
  '- item <br>\n\n  :::tip\n  B\n  :::',
  '| a | b |\n|---|---|\n| {x} | <br> |',
  "<TabItem value='a'>text</TabItem>",
  '\\{id} \\<1',
)

const page = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\ufeff'),
    fc.constantFrom('', '---\ntitle: A\n---\n'),
    fc.constantFrom('page.mdx', 'page.md'),
  )
  .map(([lines, end, mark, frontmatter, file]) => ({
    file,
    text: `${mark}${`${frontmatter}${bodyOf(lines)}\n`.replaceAll('\n', end)}`,
  }))

/** Returns the body of a page. Each heading gets a different id. */
function bodyOf(lines: readonly string[]): string {
  return lines.map((line, index) => line.replace('[#id]', `[#id-${index}]`)).join('\n\n')
}

test('a fixed page has no further fixes and no new mistakes', () => {
  const parse = createPageParser({ read: () => undefined })
  fc.assert(
    fc.property(page, ({ file, text }) => {
      const before = parse(file, text).diagnostics
      const { text: fixed, page: after, left } = applyPageFixes(parse, file, text)
      expect(left).toBe(0)
      expect(applyPageFixes(parse, file, fixed).text).toBe(fixed)
      const known = before.map(({ code }) => code)
      for (const { code } of after.diagnostics) expect(known).toContain(code)
      expect(after.diagnostics.length).toBeLessThanOrEqual(before.length)
      expect(after.diagnostics.length).toBeLessThan(LIMITS.diagnosticsMax)
      // Fixes keep the line endings of the file.
      if (text.includes('\r\n')) expect(fixed).not.toMatch(/(?<!\r)\n/)
    }),
  )
}, 60_000)
