import { describe, expect, test } from 'vitest'
import { parseIgnoreRules } from './ignore-rules.ts'

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
  ])('%j ignores %s', (rules, path) => {
    expect(parseIgnoreRules(rules).isIgnored(path)).toBe(true)
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
  ])('%j keeps %s', (rules, path) => {
    expect(parseIgnoreRules(rules).isIgnored(path)).toBe(false)
  })
})
