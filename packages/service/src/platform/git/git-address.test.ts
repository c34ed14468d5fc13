import { describe, expect, test } from 'vitest'
import type { GitCredential } from './git.ts'
import { parseGitAddress } from './git-address.ts'

const TOKEN: GitCredential = { kind: 'token', username: 'x', token: 'secret' }
const KEY: GitCredential = { kind: 'ssh-key', privateKey: 'key' }
const parse = (url: string, credential: GitCredential = { kind: 'none' }) =>
  parseGitAddress({ url, credential }, ['git.internal'])

describe('repository addresses', () => {
  test.each([
    ['https://example.com/a/b.git', 'https', 'example.com', 443, 'https://example.com/a/b.git'],
    ['https://EXAMPLE.com:8443/a', 'https', 'example.com', 8443, 'https://example.com:8443/a'],
    ['http://git.internal:3000/a', 'http', 'git.internal', 3000, 'http://git.internal:3000/a'],
    ['ssh://git@example.com/a.git', 'ssh', 'example.com', 22, 'ssh://git@example.com/a.git'],
    ['ssh://example.com:2222/a', 'ssh', 'example.com', 2222, 'ssh://git@example.com:2222/a'],
    ['git@example.com:a/b.git', 'ssh', 'example.com', 22, 'git@example.com:a/b.git'],
    ['git@[2001:db8::1]:a', 'ssh', '[2001:db8::1]', 22, 'git@[2001:db8::1]:a'],
    ['https://[2001:db8::1]/a', 'https', '[2001:db8::1]', 443, 'https://[2001:db8::1]/a'],
  ])('%s is accepted as a repository URL', (text, protocol, host, port, url) => {
    expect(parse(text)).toEqual({ kind: 'address', protocol, host, port, url })
  })

  test.each([
    'ext::sh -c touch% /tmp/x',
    'ext::sh',
    'git@ext::sh',
    'fd::17',
    'file:///etc/passwd',
    '/etc',
    './repository',
    '../repository.git',
    'C:\\repository',
    'git://example.com/a',
    'ftp://example.com/a',
    'https://user:password@example.com/a',
    'https://token@example.com/a',
    'https://example.com/a?upload-pack=x',
    'https://example.com/a#x',
    'https://example.com/a b',
    'https://example.com/a\nb',
    'https://',
    '--upload-pack=touch',
    '-u@example.com:a',
    'git@-oProxyCommand=x:a',
    'ssh://-oProxyCommand=touch/a',
    'ssh://git@-oProxyCommand=touch/a',
    'ssh://-oProxyCommand=x@example.com/a',
    'git@example.com:--upload-pack=x',
    'git@example.com:-x',
    '',
  ])('%j is rejected as a repository URL', (text) => {
    expect(parse(text)).toMatchObject({ kind: 'failed', code: 'refused', isFinal: true })
  })

  test('a repository URL of more than 2,000 characters is rejected', () => {
    const start = 'https://example.com/'
    expect(parse(start.padEnd(2_000, 'a')).kind).toBe('address')
    expect(parse(start.padEnd(2_001, 'a'))).toMatchObject({ code: 'refused' })
  })

  test('a token is only sent over https, or to a host that may be private', () => {
    expect(parse('https://example.com/a', TOKEN).kind).toBe('address')
    expect(parse('http://git.internal/a', TOKEN).kind).toBe('address')
    expect(parse('http://example.com/a', TOKEN)).toMatchObject({ code: 'refused' })
    expect(parse('git@example.com:a', TOKEN)).toMatchObject({ code: 'refused' })
  })

  test('a deploy key requires an ssh URL', () => {
    expect(parse('git@example.com:a', KEY).kind).toBe('address')
    expect(parse('https://example.com/a', KEY)).toMatchObject({ code: 'refused' })
  })
})
