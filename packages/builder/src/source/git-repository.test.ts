import { describe, expect, test } from 'vitest'
import { describeRepository } from './git-repository.ts'

const editUrlOf = (remote: string) =>
  describeRepository({ remote, prefix: 'docs/', branch: 'main' })?.editUrl('a b/c.mdx')

describe('edit and issue URLs', () => {
  test.each([
    ['git@github.com:acme/garden.git', 'https://github.com/acme/garden/edit/main/docs/a%20b/c.mdx'],
    ['https://github.com/acme/garden', 'https://github.com/acme/garden/edit/main/docs/a%20b/c.mdx'],
    [
      'ssh://git@gitlab.acme.example:2222/team/sub/garden.git',
      'https://gitlab.acme.example/team/sub/garden/-/edit/main/docs/a%20b/c.mdx',
    ],
    [
      'https://bitbucket.org/acme/garden.git',
      'https://bitbucket.org/acme/garden/src/main/docs/a%20b/c.mdx?mode=edit',
    ],
  ])('pages have an edit URL if the Git remote is %s', (remote, url) => {
    expect(editUrlOf(remote)).toBe(url)
  })

  test('an edit URL never contains the credentials of the remote', () => {
    expect(editUrlOf('https://user:secret@github.com/acme/garden.git')).not.toMatch(/user|secret/)
  })

  test.each([
    '',
    'https://git.acme.example/garden.git',
    '/srv/git/garden.git',
    'https://notgithub.com/acme/garden',
    'https://github.com/acme/gar"den',
    'https://github.com/javascript:alert(1)',
  ])('pages have no edit URL if the Git remote is %j', (remote) => {
    expect(editUrlOf(remote)).toBeUndefined()
  })

  test('the URL for reporting an issue contains the page', () => {
    const found = describeRepository({ remote: 'git@github.com:a/b.git', prefix: '', branch: 'm' })
    expect(found?.issueUrl('/guides/a&b')).toContain('body=Page%3A%20%2Fguides%2Fa%26b')
  })
})
