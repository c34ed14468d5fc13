import { describe, expect, test } from 'vitest'
import { parsePageAddress } from './page-address.ts'

const at = (url: string) => ({ url }) as Parameters<typeof parsePageAddress>[0]

describe('page addresses', () => {
  test.each([
    ['/guides/start', '/guides/start', ''],
    ['guides/start/', '/guides/start', ''],
    ['/guides/start.md#install', '/guides/start', 'install'],
    ['https://docs.example.com/guides/start?x=1#a%20b', '/guides/start', 'a b'],
    ['/', '/', ''],
    ['/index.md', '/', ''],
    ['/%C3%A4pfel', '/äpfel', ''],
    ['/a/../secret', '/secret', ''],
  ])('a page address can be written as %s', (written, path, fragment) => {
    expect(parsePageAddress(at('https://docs.example.com'), written)).toEqual({ path, fragment })
  })

  test.each([
    'https://other.example.com/guides/start',
    '//other.example.com/x',
    'https://[',
    '/%E0',
  ])('the address %s is rejected because it is malformed or outside the site', (written) => {
    expect(parsePageAddress(at('https://docs.example.com'), written)).toBeUndefined()
  })

  test('a page address can contain the base path of the site or omit it', () => {
    const site = at('https://example.com/docs')
    for (const written of ['/docs/start', '/start', 'https://example.com/docs/start'])
      expect(parsePageAddress(site, written)?.path).toBe('/start')
    expect(parsePageAddress(site, '/docs')?.path).toBe('/')
    expect(parsePageAddress(site, '/docsearch')?.path).toBe('/docsearch')
  })

  test('a page address in a local folder cannot contain a host', () => {
    expect(parsePageAddress(at(''), '/start.md')?.path).toBe('/start')
    expect(parsePageAddress(at(''), 'https://example.com/start')).toBeUndefined()
  })
})
