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
})
