import { describe, expect, test } from 'vitest'
import { redirectsFile } from './redirects.ts'

function lines(source: string, destination: string): readonly string[] {
  return redirectsFile([{ source, destination, permanent: true }])
    .trim()
    .split('\n')
}

describe('the _redirects file', () => {
  test('names what a star matched as its hosts do', () => {
    expect(lines('/old/:path*', '/new/:path*')).toEqual(['/old/* /new/:splat 308'])
  })

  test('has two lines for a segment that may be missing', () => {
    expect(lines('/old/:page?', '/new/:page')).toEqual([
      '/old /new 308',
      '/old/:page /new/:page 308',
    ])
    expect(lines('/:page?', '/:page')).toEqual(['/ / 308', '/:page /:page 308'])
  })

  test('keeps what a star matched from becoming a host', () => {
    expect(lines('/docs/:path*', '/:path*')).toEqual([
      '/docs//* /docs/:splat 308',
      '/docs/* /:splat 308',
    ])
    expect(lines('/v1-*', '/*')).toEqual(['/v1-/* /v1-:splat 308', '/v1-* /:splat 308'])
    expect(lines('/docs/:path*', ':path*')[1]).toBe('/docs/* /:splat 308')
  })

  test('needs no such line where a star is not first in the destination', () => {
    expect(lines('/docs/:path*', 'https://example.com/:path*')).toHaveLength(1)
    expect(lines('/docs/:path*', '/new-:path*')).toHaveLength(1)
  })
})
