/** Tests each provider with a small server that imitates the API of the Git host. */
import { afterAll, describe, expect, test } from 'vitest'
import { GITEA_USER, giteaPull, startGiteaHost } from '../../../testing/git-hosts/gitea-host.ts'
import { GITHUB_USER, gitHubPull, startGitHubHost } from '../../../testing/git-hosts/github-host.ts'
import {
  GITLAB_USER,
  mergeRequest,
  startGitLabHost,
} from '../../../testing/git-hosts/gitlab-host.ts'
import type { Fault } from '../../../testing/git-hosts/host-server.ts'
import type { CommitStatus } from '../../projects/notifications/print-status.ts'
import { openProvider, type ProviderConnection } from './open-provider.ts'
import type { Provider } from './provider.ts'
import { pullRef } from './pull-ref.ts'
import { filesUrl, readRepositoryAddress } from './repository-address.ts'

const TOKEN = 'token-canary-0123456789'
const COMMIT = 'a'.repeat(40)
const NOW = Date.parse('2026-11-16T12:00:00Z')
const signal = new AbortController().signal
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const github = await startGitHubHost({
  repository: 'acme/docs',
  token: TOKEN,
  pulls: [
    ...numbers(148).map((number) => gitHubPull(number)),
    gitHubPull(149, 2),
    gitHubPull(150, null),
  ],
})
const gitlab = await startGitLabHost({
  repository: 'acme/team/docs',
  token: TOKEN,
  mergeRequests: [...numbers(149).map((iid) => mergeRequest(iid)), mergeRequest(150, 2)],
})
const gitea = await startGiteaHost({
  repository: 'acme/docs',
  token: TOKEN,
  pulls: [...numbers(149).map((number) => giteaPull(number)), giteaPull(150, 2)],
})
const hosts = { github, gitlab, gitea }
const USERS = { github: GITHUB_USER, gitlab: GITLAB_USER, gitea: GITEA_USER }
afterAll(() => {
  for (const host of Object.values(hosts)) host.stop()
})

type HostName = keyof typeof hosts
const NAMES = ['github', 'gitlab', 'gitea'] as const

function open(name: HostName, token = TOKEN, url = hosts[name].repositoryUrl): Provider {
  const connection: ProviderConnection = {
    provider: name,
    url,
    credential: 'token',
    installationId: null,
  }
  const deps = { allowPrivateHosts: ['127.0.0.1'], now: () => NOW, gitHubApp: undefined }
  const provider = openProvider(connection, token, deps)
  if (provider === undefined) throw new Error('there is no provider')
  return provider
}

const status = (more: Partial<CommitStatus> = {}): CommitStatus => ({
  commit: COMMIT,
  name: 'octavo/docs',
  state: 'pending',
  description: 'Queued',
  url: undefined,
  ...more,
})

describe.each(NAMES)('%s', (name) => {
  const host = hosts[name]
  const provider = open(name)

  test('the client lists open pull requests on all pages and recognizes forks', async () => {
    const pulls = await provider.openPullRequests(signal)
    if ('kind' in pulls) throw new Error(pulls.message)
    expect(pulls).toHaveLength(150)
    expect(pulls[0]).toMatchObject({
      number: 1,
      headCommit: '1'.padStart(40, '0'),
      headBranch: 'topic-1',
      baseBranch: 'main',
      isFork: false,
    })
    expect(pulls.at(-1)).toMatchObject({ number: 150, isFork: true })
    expect(pullRef(name, 7)).toBe(
      name === 'gitlab' ? 'refs/merge-requests/7/head' : 'refs/pull/7/head',
    )
  })

  test("the client maps every commit state to the host's terms", async () => {
    const states = ['pending', 'pending', 'success', 'failure', 'skipped', 'error'] as const
    for (const [index, state] of states.entries()) {
      const commit = String(index).repeat(40)
      const url = state === 'success' ? 'https://docs.example.com' : undefined
      expect(await provider.setStatus(status({ commit, state, url }), signal)).toBe('done')
      expect(await provider.setStatus(status({ commit, state, url }), signal)).toBe('done')
    }
    const reports = numbers(5).map((digit) => {
      const one = host.statuses.findLast(({ sha }) => sha === String(digit).repeat(40))
      return one?.state
    })
    expect(reports).toEqual(
      name === 'gitlab'
        ? ['pending', 'success', 'failed', 'success', 'canceled']
        : ['pending', 'success', 'failure', 'success', 'error'],
    )
    const success = host.statuses.find(({ sha }) => sha === '2'.repeat(40))
    expect(success).toMatchObject({ target_url: 'https://docs.example.com' })
    expect(success?.[name === 'gitlab' ? 'name' : 'context']).toBe('octavo/docs')
  })

  test('a status description that is too long for the host is shortened', async () => {
    const description = 'x'.repeat(1_000)
    const commit = 'b'.repeat(40)
    expect(await provider.setStatus(status({ commit, description }), signal)).toBe('done')
    expect(String(host.statuses.at(-1)?.description)).toHaveLength(name === 'github' ? 140 : 255)
  })

  test('a comment is written once, then edited, and found again if its id was lost', async () => {
    const input = { pullRequest: 7, marker: '<!-- octavo:prj -->', commentId: undefined }
    // This comment by another user contains our marker.
    host.comments.add(7, 1, '<!-- octavo:prj --> mine')
    const first = await provider.comment({ ...input, markdown: `${input.marker}\nOne` }, signal)
    if (first.kind === 'failed') throw new Error(first.message)
    const second = await provider.comment(
      { ...input, commentId: first.id, markdown: `${input.marker}\nTwo` },
      signal,
    )
    const third = await provider.comment({ ...input, markdown: `${input.marker}\nThree` }, signal)
    expect([second, third]).toEqual([first, first])
    expect(host.comments.of(7).map(({ author, body }) => [author, body])).toEqual([
      [1, '<!-- octavo:prj --> mine'],
      [USERS[name], '<!-- octavo:prj -->\nThree'],
    ])
  })

  test('the earlier comment is found even on the second page of a long conversation', async () => {
    const marker = '<!-- octavo:long -->'
    for (const number of numbers(120)) host.comments.add(8, 1, `Comment ${number}`)
    const own = host.comments.add(8, USERS[name], `${marker}\nOld`)
    const reply = await provider.comment(
      { pullRequest: 8, marker, commentId: undefined, markdown: `${marker}\nNew` },
      signal,
    )
    expect(reply).toEqual({ kind: 'comment', id: String(own.id) })
    expect(host.comments.of(8)).toHaveLength(121)
  })

  test('a deleted comment is created again', async () => {
    const input = {
      pullRequest: 9,
      marker: '<!-- m -->',
      commentId: undefined,
      markdown: '<!-- m -->',
    }
    const first = await provider.comment(input, signal)
    if (first.kind === 'failed') throw new Error(first.message)
    host.comments.remove(Number(first.id))
    const second = await provider.comment({ ...input, commentId: first.id }, signal)
    expect(second).toMatchObject({ kind: 'comment' })
    expect(second).not.toEqual(first)
    expect(host.comments.of(9)).toHaveLength(1)
  })

  const faults: readonly [string, Fault, number | undefined, RegExp][] = [
    ['a server error', { status: 502, body: '<html>' }, 10, /status 502/],
    [
      'a server error that names a time',
      { status: 503, headers: { 'retry-after': '42' } },
      42,
      /503/,
    ],
    ['a rate limit', { status: 429, headers: { 'retry-after': '120' } }, 120, /status 429/],
    [
      'a rate limit that names its end',
      { status: 429, headers: { 'ratelimit-reset': String(NOW / 1_000 + 300) } },
      301,
      /status 429/,
    ],
    [
      'a rate limit of years',
      { status: 429, headers: { 'retry-after': '999999999' } },
      3_600,
      /429/,
    ],
    ['a response that is not JSON', { status: 200, body: '<html>' }, 10, /not as documented/],
    ['a response of another shape', { status: 200, body: { id: 'x' } }, 10, /not as documented/],
    [
      'a redirect to another host',
      { status: 301, headers: { location: 'http://127.0.0.2/' } },
      undefined,
      /redirects to another host/,
    ],
    [
      'a missing permission',
      { status: 404, body: { message: 'Not Found' } },
      undefined,
      /Check that the token/,
    ],
    ['a repeated token', { status: 401, body: { message: `bad ${TOKEN}` } }, undefined, /bad …/],
  ]
  test.each(faults)(
    '%s is reported as a failure with the expected retry time',
    async (_, fault, seconds, text) => {
      host.plan({ ...fault, times: 1 })
      const reply = await provider.openPullRequests(signal)
      expect(reply).toMatchObject({ kind: 'failed', retryAfterSeconds: seconds })
      expect(JSON.stringify(reply)).toMatch(text)
      expect(JSON.stringify(reply)).not.toContain(TOKEN)
    },
  )

  test('a redirect of a renamed repository is followed if it stays on the same host', async () => {
    const path = new URL(host.requests[0] === undefined ? '/' : host.requests[0].path, host.url)
    host.plan({
      status: 301,
      headers: {
        location: `${path.pathname}?state=${name === 'gitlab' ? 'opened' : 'open'}&page=9`,
      },
    })
    expect(await provider.openPullRequests(signal)).toEqual([])
  })

  test('a wrong token is rejected, and the error message does not contain it', async () => {
    const reply = await open(name, 'wrong-canary').setStatus(status(), signal)
    expect(reply).toMatchObject({ kind: 'failed', retryAfterSeconds: undefined })
    expect(JSON.stringify(reply)).not.toContain('wrong-canary')
  })
})

describe('rate limits of GitHub', () => {
  test.each<[string, Fault, number]>([
    [
      'primary',
      {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 90) },
      },
      91,
    ],
    ['secondary', { status: 403, headers: { 'retry-after': '30' } }, 30],
    [
      'secondary without a time',
      { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
      60,
    ],
  ])("the retry time follows GitHub's rate limit: %s", async (_, fault, seconds) => {
    github.plan(fault)
    expect(await open('github').openPullRequests(signal)).toMatchObject({
      retryAfterSeconds: seconds,
    })
  })
})

describe('repository addresses', () => {
  test.each([
    ['https://github.com/acme/docs.git', 'https://github.com', 'acme/docs'],
    ['https://gitlab.com/a/b/c/', 'https://gitlab.com', 'a/b/c'],
    ['git@github.com:acme/docs.git', 'https://github.com', 'acme/docs'],
    ['ssh://git@git.example.com:2222/acme/docs.git', 'https://git.example.com', 'acme/docs'],
  ])('the host and path of the repository are read from %s', (url, origin, path) => {
    expect(readRepositoryAddress(url)).toEqual({ origin, segments: path.split('/') })
  })

  test.each([
    'https://github.com/acme',
    'file:///etc/passwd',
    'https://h/a/..%2f..',
    'https://h/a/b?c',
    '',
  ])('no invalid repository path is read from "%s"', (url) => {
    const address = readRepositoryAddress(url)
    expect(address === undefined || address.segments.join('/') === 'a/b').toBe(true)
  })

  test('a connection without a token or to plain Git has no API', () => {
    const deps = { allowPrivateHosts: [], now: () => NOW, gitHubApp: undefined }
    const connection = {
      provider: 'github',
      url: github.repositoryUrl,
      credential: 'ssh-key',
      installationId: null,
    } as const
    expect(openProvider(connection, undefined, deps)).toBeUndefined()
    expect(openProvider({ ...connection, provider: 'git' }, TOKEN, deps)).toBeUndefined()
  })
})

test.each([
  ['github', 'git@github.com:acme/docs.git', '', 'https://github.com/acme/docs/blob/abc/'],
  ['github', 'https://github.com/acme/docs', 'a b', 'https://github.com/acme/docs/blob/abc/a%20b/'],
  ['gitlab', 'https://gitlab.com/a/b/c.git', 'docs', 'https://gitlab.com/a/b/c/-/blob/abc/docs/'],
  ['gitea', 'https://x.org/a/b', 'docs', 'https://x.org/a/b/src/commit/abc/docs/'],
  ['git', 'https://x.org/a/b', '', undefined],
  ['github', 'https://github.com/', '', undefined],
] as const)(
  'the URL of files in a commit is correct for the provider %s, the repository %s and the folder "%s"',
  (provider, url, folder, expected) => {
    expect(filesUrl({ provider, url, folder }, 'abc')).toBe(expected)
  },
)
