import { contentPolicy } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { addOriginsOfCode, addOriginsOfStyles, NO_ORIGINS, OriginSet } from '../compile/origins.ts'
import { printHeadersFile, siteHeaders } from './headers.ts'

function originsOfImage(url: string) {
  const set = new OriginSet()
  set.add('images', url)
  return set.result()
}

describe('origins in the content security policy', () => {
  test.each([
    "https://a.example;script-src 'unsafe-inline'/x.png",
    'https://a.example;script-src/x.png',
    "https://a'b.example/x.png",
    'https://a,b.example/x.png',
    'https://*.example/x.png',
    'https://*/x.png',
    'https://[::1]/x.png',
  ])('the image URL %s adds no source to the content security policy', (url) => {
    const policy = contentPolicy({ origins: originsOfImage(url), scriptHashes: [] })
    expect(policy).toContain("img-src 'self' data:;")
    expect(policy.match(/script-src/g)).toHaveLength(1)
  })

  test("for a host that is known to redirect, the policy also allows the redirect's target", () => {
    expect(originsOfImage('https://www.github.com/a/b/raw/x.png')?.images).toContain(
      'https://*.githubusercontent.com',
    )
  })

  test("an author's code may connect to the hosts that it names", () => {
    const set = new OriginSet()
    addOriginsOfCode(set, 'fetch("https://api.example/v1"); "http://www.w3.org/2000/svg"')
    expect(set.result()?.connections).toEqual(['https://api.example'])
  })

  test("an author's styles may load images and fonts", () => {
    const set = new OriginSet()
    addOriginsOfStyles(set, '@font-face{src:url("https://fonts.example/a.woff2")} a{b:url(/c.png)}')
    expect(set.result()).toMatchObject({ fonts: ['https://fonts.example'], connections: [] })
  })

  test('if there are too many origins to list, the policy allows `https:` instead', () => {
    const set = new OriginSet()
    for (let index = 0; index < 25; index += 1) set.add('images', `https://h${index}.example/`)
    const policy = contentPolicy({ origins: set.result(), scriptHashes: [] })
    expect(policy).toContain("img-src 'self' data: https:;")
  })
})

describe('site headers', () => {
  const rules = siteHeaders({ origins: undefined, scriptHashes: ['sha256-abc='] })

  test("only the site's own scripts and inline scripts with a known hash are allowed", () => {
    const [{ headers } = { headers: {} }] = rules
    expect(headers).toEqual({
      'Content-Security-Policy':
        "default-src 'self'; script-src 'self' 'sha256-abc='; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      Link: '</llms.txt>; rel="llms-txt", </llms-full.txt>; rel="llms-full-txt"',
      'X-Llms-Txt': '/llms.txt',
    })
  })

  test('rules send Markdown to clients that request it, but `_headers` omits these rules', () => {
    const conditional = rules.filter(({ when }) => when !== undefined)
    expect(conditional.map(({ path, when }) => [path, when?.file])).toEqual([
      ['/', '/index.md'],
      ['/*', '/*.md'],
    ])
    expect(conditional.every(({ headers }) => headers.Vary === 'Accept')).toBe(true)
    expect(printHeadersFile(rules)).not.toContain('Vary')
  })

  test('Markdown is excluded from search engines', () => {
    const markdown = rules.find(({ path }) => path === '/*.md')
    expect(markdown?.headers).toEqual({
      'Content-Type': 'text/markdown; charset=utf-8',
      'X-Robots-Tag': 'noindex',
    })
  })

  test('`_headers` lists each path with its headers', () => {
    const text = printHeadersFile([{ path: '/*.svg', headers: { 'X-A': 'b', 'X-C': 'd' } }])
    expect(text).toBe('/*.svg\n  X-A: b\n  X-C: d\n')
  })

  test('lines of `_headers` stay below the length limit of hosts', () => {
    const many = Array.from({ length: 24 }, (_, index) => `https://host-${index}.example`)
    const origins = { ...NO_ORIGINS, images: many }
    const text = printHeadersFile(siteHeaders({ origins, scriptHashes: [] }))
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(2_000)
  })
})
