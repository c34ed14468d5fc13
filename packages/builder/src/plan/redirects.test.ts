import { describe, expect, test } from 'vitest'
import { redirectsFile } from './redirects.ts'

function lines(source: string, destination: string): readonly string[] {
  return redirectsFile([{ source, destination, permanent: true }])
    .trim()
    .split('\n')
}

describe('the _redirects file', () => {
  test('a wildcard becomes `:splat` in the destination in the _redirects file', () => {
    expect(lines('/old/:path*', '/new/:path*')).toEqual(['/old/* /new/:splat 308'])
  })

  test('a redirect with an optional segment has two lines in the _redirects file', () => {
    expect(lines('/old/:page?', '/new/:page')).toEqual([
      '/old /new 308',
      '/old/:page /new/:page 308',
    ])
    expect(lines('/:page?', '/:page')).toEqual(['/ / 308', '/:page /:page 308'])
  })

  test('the value of a wildcard at the start of a destination cannot become a host', () => {
    expect(lines('/docs/:path*', '/:path*')).toEqual([
      '/docs//* /docs/:splat 308',
      '/docs/* /:splat 308',
    ])
    expect(lines('/v1-*', '/*')).toEqual(['/v1-/* /v1-:splat 308', '/v1-* /:splat 308'])
    expect(lines('/docs/:path*', ':path*')[1]).toBe('/docs/* /:splat 308')
  })

  test('a wildcard elsewhere in a destination needs no additional line', () => {
    expect(lines('/docs/:path*', 'https://example.com/:path*')).toHaveLength(1)
    expect(lines('/docs/:path*', '/new-:path*')).toHaveLength(1)
  })
})
