import { describe, expect, test } from 'vitest'
import { LIMITS } from '../diagnostics/limits.ts'
import { RedirectTable } from './redirects.ts'

function table(pairs: Readonly<Record<string, string>>, pages: readonly string[] = []) {
  const redirects = Object.entries(pairs).map(([source, destination]) => ({
    source,
    destination,
    permanent: true,
  }))
  return new RedirectTable(redirects, (url) => pages.includes(url))
}

describe('matching redirects', () => {
  test.each([
    ['/old', '/old', '/new', '/new'],
    ['/old', '/old/', '/new', '/new'],
    ['old', '/old', '/new', '/new'],
    ['/old/:slug*', '/old/a/b', '/new/:slug*', '/new/a/b'],
    ['/old/:slug*', '/old', '/new/:slug*', '/new/'],
    ['/old/:slug*', '/old/a', '/new', '/new'],
    ['/old/*', '/old/a/b', '/new/*', '/new/a/b'],
    ['/old/*', '/old/a', '/new/:splat', '/new/a'],
    ['/v1-*', '/v1-beta/x', '/v2-*', '/v2-beta/x'],
    ['/:lang/old/:page', '/fr/old/a', '/:page/:lang', '/a/fr'],
    ['/old/:slug*', '/old/a', 'https://example.com:8080/:slug', 'https://example.com:8080/a'],
    ['/a.b', '/a.b', '/c', '/c'],
    ['/old/:page?', '/old', '/new', '/new'],
    ['/old/:page?', '/old/a', '/new/:page', '/new/a'],
    ['/old/:page?/', '/old/a', '/new', '/new'],
  ])(
    'the source %s matches %s, and the destination %s becomes %s',
    (source, path, destination, end) => {
      expect(table({ [source]: destination }).match(path)?.destination).toBe(end)
    },
  )

  test.each([
    ['/old', '/older'],
    ['/old/*', '/old'],
    ['/old/:page', '/old/a/b'],
    ['/a.b', '/axb'],
    ['/old#part', '/old'],
    ['/old?x=1', '/old'],
    ['/old/:page?', '/old/a/b'],
    ['/old/:page?x=1', '/old/a'],
  ])('the source %s does not match %s', (source, path) => {
    expect(table({ [source]: '/new' }).match(path)).toBeUndefined()
  })

  test('a page takes precedence over a redirect', () => {
    expect(table({ '/old': '/new' }, ['/old']).match('/old')).toBeUndefined()
  })

  test('an exact source takes precedence over patterns, and earlier patterns over later ones', () => {
    const redirects = table({ '/a/:x*': '/first', '/a/b': '/exact', '/a/:y*': '/second' })
    expect(redirects.match('/a/b')?.destination).toBe('/exact')
    expect(redirects.match('/a/c')?.destination).toBe('/first')
  })
})

describe('wildcards', () => {
  test.each([
    ['/:slug*', '/docs//evil.example/login', '/evil.example/login'],
    ['/:slug*', '/docs///evil.example', '/evil.example'],
    ['/:slug*', '/docs/\\evil.example', '/evil.example'],
    ['/:slug*', '/docs/\t/evil.example', '/evil.example'],
    [':slug*', '/docs/https://evil.example', '/https://evil.example'],
    ['/\\:slug*', '/docs/evil.example', '/evil.example'],
    ['//other.example/:slug*', '/docs//evil.example', '//other.example//evil.example'],
    ['https://other.example:slug*', '/docs/.evil.example', 'https://other.example:slug*'],
    ['https://:slug*/x', '/docs/evil.example', 'https://:slug*/x'],
    ['//:slug*', '/docs/evil.example', '//:slug*'],
    ['https:/:slug*', '/docs/evil.example', 'https:/:slug*'],
    ['https:///:slug*', '/docs/evil.example', 'https:///:slug*'],
  ])(
    'a wildcard in the destination %s never becomes a host: %j leads to %j',
    (destination, path, end) => {
      expect(table({ '/docs/:slug*': destination }).match(path)?.destination).toBe(end)
    },
  )
})

describe('reserved paths below /_octavo/', () => {
  test.each([
    ['/_octavo/scripts/x.js', '/_octavo/scripts/x.js'],
    ['/:path*', '/_octavo/scripts/x.js'],
    ['/:path*', '/_octavo'],
    ['/:path*', '//_octavo/scripts/x.js'],
    ['/_octavo/:path*', '/_octavo/host.js'],
  ])('the source %s does not redirect the reserved path %s', (source, path) => {
    expect(table({ [source]: '/evil.js' }).match(path)).toBeUndefined()
  })

  test.each(['/_octavos', '/docs/_octavo/x', '/x'])(
    'the path %s is not reserved, so a wildcard matches it',
    (path) => {
      expect(table({ '/:path*': '/new' }).match(path)?.destination).toBe('/new')
    },
  )
})

describe('following redirects', () => {
  test('a redirect chain ends at a page and returns every step', () => {
    const { steps, endless } = table({ '/a': '/b', '/b': '/c' }, ['/c']).follow('/a')
    expect(steps.map(({ destination }) => destination)).toEqual(['/b', '/c'])
    expect(endless).toBe(false)
  })

  test.each([
    ['to itself', { '/a': '/a' }],
    ['in a circle', { '/a': '/b', '/b': '/a' }],
    ['to an ever longer path', { '/a/:x*': '/a/b/:x*' }],
  ])('a redirect %s never ends', (_, pairs) => {
    expect(table(pairs as unknown as Record<string, string>).follow('/a').endless).toBe(true)
  })

  test('a redirect to a section of the same page ends if that page exists', () => {
    expect(table({ '/a': '/a#part' }, ['/a']).follow('/a').endless).toBe(false)
    expect(table({ '/a': '/a#part' }).follow('/a').endless).toBe(true)
  })

  test('a path that is too long matches no redirect', () => {
    const long = `/${'a'.repeat(LIMITS.redirectPathLengthMax)}`
    expect(table({ '/:x*': '/b' }).match(long)).toBeUndefined()
  })
})
