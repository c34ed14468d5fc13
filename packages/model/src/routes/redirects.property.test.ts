import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RedirectTable } from './redirects.ts'

const SITE = 'https://docs.example'

/** Decoded request paths, built from pieces that browsers can interpret in more than one way. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...['/', '//', '\\', '\t', '\n', '\0', ' ', '.', '..', '%2f', '%5c', '@', ':', '?', '#'],
      ...['evil.example', 'https:', 'javascript:alert(1)', 'a', '_octavo', ':slug', '*', '\u2028'],
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''))

const wildcard = fc.constantFrom(':slug*', ':slug', ':slug?', '*', ':other', 'old')

/** A redirect source with a path that it probably matches. */
const asked = fc
  .tuple(fc.constantFrom('/', '/old/', '/old-', '/old/:other/'), wildcard, hostile)
  .map(([before, last, text]) => ({
    source: before + last,
    path: before.replace(':other', 'x') + text,
  }))

/** Destinations with wildcards in every position, even where a browser may expect a host. */
const path = fc
  .tuple(
    fc.constantFrom('', '/', '/new', '/new/', '/\\', '\\', './', '/-'),
    wildcard,
    fc.constantFrom('', '/', '/:slug*', '?to=:slug', '#:slug', ':slug*'),
  )
  .map((parts) => parts.join(''))
  .filter((written) => !written.startsWith('//') && !/^[a-z][a-z\d+.-]*:/i.test(written))

type Asked = { readonly source: string; readonly path: string }

function originOf({ source, path }: Asked, destination: string): string | undefined {
  const table = new RedirectTable([{ source, destination, permanent: true }], () => false)
  const match = table.match(path)
  // All our hosts encode the `Location` header in this way.
  return match && new URL(encodeURI(match.destination), `${SITE}/a/b`).origin
}

describe('the host of a redirect', () => {
  test('a destination that is a path never leaves the site', () => {
    fc.assert(
      fc.property(asked, path, (one, to) => {
        expect([SITE, undefined]).toContain(originOf(one, to))
      }),
    )
  })

  test('a redirect to another host cannot be manipulated to lead to a different host', () => {
    const tail = path.map((text) => (/^[/?#]/.test(text) ? text : `/${text}`))
    fc.assert(
      fc.property(asked, tail, (one, to) => {
        const origin = originOf(one, `https://other.example:8443${to}`)
        expect(['https://other.example:8443', undefined]).toContain(origin)
      }),
    )
  })

  test('no path below /_octavo/ is redirected', () => {
    fc.assert(
      fc.property(asked, path, hostile, ({ source }, to, text) => {
        for (const below of ['/_octavo', `/_octavo/${text}`, `//_octavo/${text}`])
          expect(originOf({ source, path: below }, to)).toBeUndefined()
      }),
    )
  })
})
