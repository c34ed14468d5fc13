import { describe, expect, test } from 'vitest'
import { resolvePageLink } from './page-links.ts'

describe('links on guides/start.mdx', () => {
  test.each([
    ['other', '/guides/other'],
    ['./other.mdx', '/guides/other'],
    ['other.md#part', '/guides/other#part'],
    ['../index.mdx?x=1', '/?x=1'],
    ['../../../secret', '/secret'],
    ['files/a.pdf', '/guides/files/a.pdf'],
    ['./', '/guides'],
    ['/api/start.mdx', '/api/start'],
    ['/api/start.md', '/api/start.md'],
    ['/api/start/', '/api/start/'],
    ['#part', '#part'],
    ['?tab=1', '?tab=1'],
    ['https://acme.example/a', 'https://acme.example/a'],
    ['//acme.example', '//acme.example'],
    ['mailto:a@acme.example', 'mailto:a@acme.example'],
    ['', ''],
  ])('the link %j on guides/start.mdx resolves to %j', (url, address) => {
    expect(resolvePageLink(url, 'guides/start.mdx')).toBe(address)
  })
})
