import { describe, expect, test } from 'vitest'
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts'

function parseRules(...texts: readonly string[]): IgnoreRules {
  return parseIgnoreRules(texts.map((text, index) => ({ file: `ignore-${index}`, text })))
}

describe('ignore files', () => {
  test.each([
    ['drafts', 'drafts/'],
    ['drafts', 'guides/drafts/'],
    ['drafts/', 'drafts/'],
    ['/drafts', 'drafts/a.mdx'],
    ['*.draft.mdx', 'guides/a.draft.mdx'],
    ['guides/*.mdx', 'guides/a.mdx'],
    ['**/private/**', 'a/private/b.mdx'],
    ['private/**', 'private/b/c.mdx'],
    ['a?.mdx', 'ab.mdx'],
    ['[ab].mdx', 'a.mdx'],
    ['# comment\n\ndrafts', 'drafts/'],
    ['a+b(c).mdx', 'a+b(c).mdx'],
    ['drafts\r\nnotes', 'drafts/'],
    ['drafts   ', 'drafts/'],
    ['\\#1.mdx', '#1.mdx'],
    ['[[:digit:]].mdx', '1.mdx'],
    ['drafts/\n!drafts/a.mdx', 'drafts/a.mdx'],
    // Git treats a reversed range as its first letter.
    ['[z-a].mdx', 'z.mdx'],
  ])('the ignore rule %j ignores %s', (rules, path) => {
    expect(parseRules(rules).isIgnored(path)).toBe(true)
  })

  test.each([
    ['drafts/', 'drafts'],
    ['/drafts', 'guides/drafts/'],
    ['guides/*.mdx', 'guides/deep/a.mdx'],
    ['a?.mdx', 'a.mdx'],
    ['*.mdx\n!keep.mdx', 'keep.mdx'],
    ['[!ab].mdx', 'a.mdx'],
    ['', 'a.mdx'],
    ['.mdx', 'amdx'],
    ['Drafts', 'drafts/'],
    ['[z-a].mdx', 'm.mdx'],
    ['[', '['],
  ])('the ignore rule %j does not ignore %s', (rules, path) => {
    expect(parseRules(rules).isIgnored(path)).toBe(false)
  })

  test('a later ignore file can negate a rule of an earlier one, but not the other way around', () => {
    expect(parseRules('*.mdx', '!a.mdx').isIgnored('a.mdx')).toBe(false)
    expect(parseRules('!a.mdx', '*.mdx').isIgnored('a.mdx')).toBe(true)
  })

  test('ignore rules that are too long or exceed the total limit are not used', () => {
    const many = `# a comment\n${'a\n'.repeat(999)}`
    expect(parseRules(many, 'b').unusedRules).toEqual([])
    expect(parseRules(many, 'b\n\nc').unusedRules).toEqual([{ file: 'ignore-1', line: 3 }])
    expect(parseRules(many, 'b\n\nc').isIgnored('c')).toBe(false)
    expect(parseRules('d'.repeat(500)).unusedRules).toEqual([])
    expect(parseRules('d'.repeat(501)).unusedRules).toEqual([{ file: 'ignore-0', line: 1 }])
  })
})
