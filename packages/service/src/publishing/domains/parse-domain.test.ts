import { counterpartOf } from '@octavo/contract'
import { describe, expect, test } from 'vitest'
import { parseDomain } from './parse-domain.ts'

const OWN = ['octavo.example.com', 'sites.example.net', 'previews.example.org']
const LABEL_63 = 'a'.repeat(63)
const longName = (length: number) => {
  const end = '.example.com'
  const labels = `${LABEL_63}.`.repeat(3)
  return labels + 'b'.repeat(length - labels.length - end.length) + end
}

describe('domain names', () => {
  test.each([
    ['docs.example.com', 'docs.example.com'],
    ['example.com', 'example.com'],
    ['Docs.EXAMPLE.com', 'docs.example.com'],
    ['  docs.example.com ', 'docs.example.com'],
    ['bücher.example', undefined],
    ['bücher.de', 'xn--bcher-kva.de'],
    ['BÜCHER.de', 'xn--bcher-kva.de'],
    ['xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['docs。example。com', 'docs.example.com'],
    ['a.b.c.example.co.uk', 'a.b.c.example.co.uk'],
    ['someone.github.io', 'someone.github.io'],
    ['https://docs.example.com/', 'docs.example.com'],
    [' HTTP://Docs.example.com', 'docs.example.com'],
    ['https://docs.example.com./', 'docs.example.com'],
    ['docs.example.com/', 'docs.example.com'],
    ['docs.example.com.', 'docs.example.com'],
    ['docs.example.com。', 'docs.example.com'],
    ['octavo.example.com.au', 'octavo.example.com.au'],
    ['notsites.example.net', 'notsites.example.net'],
    [`${LABEL_63}.example.com`, `${LABEL_63}.example.com`],
    [longName(253), longName(253)],
  ])('the domain name %s is normalized or rejected', (text, name) => {
    expect(parseDomain(text, OWN)).toEqual(
      name === undefined ? expect.objectContaining({ kind: 'refused' }) : { kind: 'domain', name },
    )
  })

  test.each([
    ['', 'is not a host name'],
    ['*.example.com', 'is a wildcard'],
    ['docs.example.com..', 'is not a host name'],
    ['https://', 'is not a host name'],
    ['https://https://docs.example.com', 'has a port, path or query'],
    ['ftp://docs.example.com', 'has a port, path or query'],
    ['https://docs.example.com:8080/', 'has a port, path or query'],
    ['https://docs.example.com/path', 'has a port, path or query'],
    ['https://docs.example.com//', 'has a port, path or query'],
    ['https://docs.example.com/?a=b', 'has a port, path or query'],
    ['https://evil.example@docs.example.com/', 'has a port, path or query'],
    ['docs.example.com\\@evil.example.com', 'has a port, path or query'],
    ['docs.example.com:8080', 'has a port, path or query'],
    ['192.0.2.1', 'is an IP address'],
    ['3221225985', 'is an IP address'],
    ['0x7f.1', 'is an IP address'],
    ['[::1]', 'has a port, path or query'],
    ['com', 'is a public suffix'],
    ['co.uk', 'is a public suffix'],
    ['github.io', 'is a public suffix'],
    ['localhost', 'does not end with a public suffix'],
    ['docs.localhost', 'does not end with a public suffix'],
    ['docs.internal', 'does not end with a public suffix'],
    ['docs.local', 'does not end with a public suffix'],
    ['docs.corp', 'does not end with a public suffix'],
    ['docs.example', 'does not end with a public suffix'],
    ['-docs.example.com', 'is not a host name'],
    ['docs-.example.com', 'is not a host name'],
    ['_octavo-challenge.example.com', 'is not a host name'],
    ['docs..example.com', 'is not a host name'],
    ['docs.ex%61mple.com', 'is not a host name'],
    ['docs example.com', 'is not a host name'],
    ['docs\u0000.example.com', 'is not a host name'],
    ['docs.exam\u00adple.com', 'is not a host name'],
    [`${LABEL_63}a.example.com`, 'is not a host name'],
    [longName(254), 'longer than 253'],
    ['a'.repeat(501), 'longer than 253'],
    ['octavo.example.com', 'belongs to this service'],
    ['plants.sites.example.net', 'belongs to this service'],
    ['SITES.example.net', 'belongs to this service'],
    ['a.b.previews.example.org', 'belongs to this service'],
  ])('the domain name %j is rejected because it %s', (text, reason) => {
    expect(parseDomain(text, OWN)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    })
  })

  test('the counterpart of a name is the same name with or without www.', () => {
    expect(counterpartOf('example.com')).toBe('www.example.com')
    expect(counterpartOf('www.example.com')).toBe('example.com')
  })
})
