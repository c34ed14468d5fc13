import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessProvider } from './guess-provider.ts'
import { parseCloneUrl } from './parse-clone-url.ts'

describe('clone URLs', () => {
  test.each([
    ['https://github.com/owner/name.git', 'https', 'github.com', 'owner/name'],
    ['https://GitHub.com/Owner/Name', 'https', 'github.com', 'Owner/Name'],
    ['https://gitlab.com/group/sub/name.git/', 'https', 'gitlab.com', 'group/sub/name'],
    ['https://git.example.com:8443/docs.git', 'https', 'git.example.com', 'docs'],
    ['http://127.0.0.1:3000/a/b', 'http', '127.0.0.1', 'a/b'],
    ['https://[2001:db8::1]/a/b', 'https', '[2001:db8::1]', 'a/b'],
    [
      'https://dev.azure.com/o/My%20Project/_git/docs',
      'https',
      'dev.azure.com',
      'o/My%20Project/_git/docs',
    ],
    ['ssh://git@example.com:2222/srv/docs.git', 'ssh', 'example.com', 'srv/docs'],
    ['ssh://example.com/~user/docs', 'ssh', 'example.com', '~user/docs'],
    ['git@github.com:owner/name.git', 'ssh', 'github.com', 'owner/name'],
    ['git@example.com:/srv/git/docs.git', 'ssh', 'example.com', 'srv/git/docs'],
  ])('the clone URL %s is accepted', (text, protocol, host, path) => {
    expect(parseCloneUrl(text)).toMatchObject({ kind: 'url', protocol, host, path })
  })

  test.each([
    ['', 'empty'],
    ['owner/name', 'Expected a URL'],
    ['/srv/git/docs.git', 'Expected a URL'],
    ['./docs', 'Expected a URL'],
    ['file:///srv/git/docs.git', 'scheme file:'],
    ['git://example.com/docs.git', 'scheme git:'],
    ['ext::sh -c touch% /tmp/x', 'spaces'],
    ['ext::sh', 'Expected a URL'],
    ['fd::17/foo', 'Expected a URL'],
    ['git+ssh://example.com/a', 'scheme git+ssh:'],
    ['javascript:alert(1)', 'Expected a URL'],
    ['--upload-pack=touch /tmp/x', 'spaces'],
    ['--upload-pack=x', 'starts with a hyphen'],
    ['-oProxyCommand=x@example.com:a/b', 'starts with a hyphen'],
    ['ssh://-oProxyCommand=x/a', 'not valid'],
    ['ssh://-oProxyCommand@example.com/a', 'user name'],
    ['git@-oProxyCommand=x:a/b', 'host'],
    ['git@example.com:-a/b', 'path'],
    ['https://example.com/-a/b', 'path'],
    ['https://example.com/%2da/b', 'path'],
    ['https://user@example.com/a/b', 'user name or a password'],
    ['https://user:token@example.com/a/b', 'user name or a password'],
    ['ssh://git:secret@example.com/a/b', 'user name or a password'],
    ['https://:token@example.com/a/b', 'user name or a password'],
    ['https://example.com', 'path'],
    ['https://example.com/', 'path'],
    ['https://example.com/.git', 'path'],
    ['https://example.com/a//b', 'path'],
    ['https://example.com/a/../b', 'path'],
    ['https://example.com/a/%2e%2e/b', 'path'],
    ['https://example.com/a%2fb', 'path'],
    ['https://example.com/a%00b', 'path'],
    ['https://example.com/a%zz', 'path'],
    ['https://example.com/a?b', 'query'],
    ['https://example.com/a#b', 'query'],
    ['https://example.com\\@evil.example/a', 'backslash'],
    ['https://example.com/a;touch', 'path'],
    ['git@example.com:a/$(touch)', 'path'],
    ["git@example.com:a/'b", 'path'],
    ['https://exa mple.com/a', 'spaces'],
    ['https://example.com/a\nb', 'control'],
    ['https://example.com/\u0000', 'control'],
    ['https://exämple.com/a', 'ASCII'],
    ['https://example.com:0/a', 'port'],
    ['https://example.com:99999/a', 'not a valid URL'],
    [`https://example.com/${'a'.repeat(2_000)}`, '2000'],
  ])('the clone URL %j is rejected', (text, reason) => {
    expect(parseCloneUrl(text)).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining(reason),
    })
  })

  const part = fc.string({ minLength: 1, maxLength: 12, unit: 'binary' })
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'ssh://', 'ssh://git@', 'git@', 'file://', ''),
        part,
        fc.constantFrom('/', ':', ':/', '@', '//', '\\'),
        part,
      )
      .map((parts) => parts.join('')),
  )

  test('an accepted clone URL is never a command-line option, has no credentials and parses to itself', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const parsed = parseCloneUrl(text)
        if (parsed.kind === 'invalid') return parsed.reason !== ''
        expect(parsed.url).toMatch(/^(?:https?:\/\/[^@]+$|ssh:\/\/|[\w.-]+@[^-])/)
        expect(parsed.url).not.toMatch(/^-|:\/\/-|@-|::|[\s\\'"`$;|&<>?#\p{C}]/u)
        expect(parseCloneUrl(parsed.url)).toEqual(parsed)
        return true
      }),
    )
  })
})

test.each([
  ['github.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['gitlab.example.com', 'gitlab'],
  ['codeberg.org', 'gitea'],
  ['gitea.example.com', 'gitea'],
  ['github.com.evil.example', 'git'],
  ['git.example.com', 'git'],
])('the Git provider at the host %s is guessed as %s', (host, provider) => {
  expect(guessProvider(host)).toBe(provider)
})
