/**
 * Tests the GitHub App: how it signs in, gets tokens for single repositories, and verifies
 * installations.
 */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  GITHUB_APP_ID,
  GITHUB_APP_KEY,
  startGitHubHost,
} from '../../../testing/git-hosts/github-host.ts'
import { findKeyProblem, GitHubApp } from './github-app.ts'
import { openProvider } from './open-provider.ts'

let nowMs = Date.parse('2026-11-16T12:00:00Z')
const now = () => nowMs
const signal = new AbortController().signal
const host = await startGitHubHost({ repository: 'acme/docs', token: 'none', now })
afterAll(() => host.stop())
beforeEach(() => {
  host.requests.length = 0
  Object.assign(host.state, { installed: true, suspended: false, tokenOwner: 'Acme' })
})

const deps = { allowPrivateHosts: ['127.0.0.1'], now }
const settings = { id: GITHUB_APP_ID, key: GITHUB_APP_KEY, url: host.url, webhookSecret: undefined }
const connected = { installationId: host.installationId, url: host.repositoryUrl }
const status = {
  commit: 'a'.repeat(40),
  name: 'octavo/docs',
  state: 'pending',
  description: 'Queued @team <b>',
  url: undefined,
} as const

function open() {
  const gitHubApp = new GitHubApp(settings, deps)
  const { installationId, url } = connected
  const connection = { provider: 'github', url, credential: 'github-app', installationId } as const
  const provider = openProvider(connection, undefined, { ...deps, gitHubApp })
  if (provider === undefined) throw new Error('there is no provider')
  return provider
}

const tokenRequests = () => host.requests.filter(({ path }) => path.endsWith('/access_tokens'))

describe('tokens of the GitHub App', () => {
  test('a token is limited to one repository and is cached until shortly before it expires', async () => {
    const app = new GitHubApp(settings, deps)
    const first = await app.gitToken(connected, signal)
    expect(first).toMatch(/^ghs_/)
    nowMs += 54 * 60_000
    expect(await app.gitToken(connected, signal)).toEqual(first)
    expect(tokenRequests().map(({ body }) => body)).toEqual([
      {
        repositories: ['docs'],
        permissions: {
          contents: 'read',
          metadata: 'read',
          checks: 'write',
          pull_requests: 'write',
        },
      },
    ])
    nowMs += 2 * 60_000
    expect(await app.gitToken(connected, signal)).not.toEqual(first)
  })

  test('the response to a token request says whether the repository is private', async () => {
    const app = new GitHubApp(settings, deps)
    expect(app.isPrivate(connected)).toBeUndefined()
    await app.gitToken(connected, signal)
    expect(app.isPrivate(connected)).toBe(false)
    expect(app.isPrivate({ ...connected, installationId: null })).toBeUndefined()
  })

  test('a token is rejected if the installation belongs to another account', async () => {
    host.state.tokenOwner = 'Mallory'
    const reply = await new GitHubApp(settings, deps).gitToken(connected, signal)
    expect(reply).toMatchObject({ kind: 'failed', isFinal: true })
    expect(JSON.stringify(reply)).toContain('does not belong to acme/docs')
    expect(JSON.stringify(reply)).not.toContain('canary')
  })

  test('a new token is requested after GitHub rejected the old one', async () => {
    const provider = open()
    expect(await provider.setStatus(status, signal)).toBe('done')
    host.appTokens.clear()
    expect(await provider.setStatus(status, signal)).toMatchObject({ kind: 'failed' })
    expect(await provider.setStatus(status, signal)).toBe('done')
  })

  test('no token is issued for another host, without an installation, or for a wrong app id', async () => {
    const app = new GitHubApp(settings, deps)
    const elsewhere = { ...connected, url: 'https://github.com/acme/docs' }
    expect(await app.gitToken(elsewhere, signal)).toMatchObject({ code: 'credentials' })
    const none = { ...connected, installationId: null }
    expect(await app.gitToken(none, signal)).toMatchObject({ isFinal: true })
    expect(host.requests).toEqual([])
    const wrong = new GitHubApp({ ...settings, id: '1' }, deps)
    expect(await wrong.gitToken(connected, signal)).toMatchObject({
      message: expect.stringContaining('Check OCTAVO_GITHUB_APP_ID'),
    })
  })

  test('a token request that hits a rate limit can be retried', async () => {
    host.plan({ status: 403, headers: { 'retry-after': '77' } })
    expect(await new GitHubApp(settings, deps).gitToken(connected, signal)).toMatchObject({
      code: 'unreachable',
      isFinal: false,
    })
  })
})

describe('check runs', () => {
  test('a commit has one check run, which is updated, and is neutral if the build is skipped', async () => {
    const provider = open()
    const commit = 'c'.repeat(40)
    await provider.setStatus({ ...status, commit }, signal)
    await provider.setStatus({ ...status, commit, description: 'Building' }, signal)
    await provider.setStatus({ ...status, commit, state: 'skipped' }, signal)
    const runs = host.checkRuns.filter(({ head_sha }) => head_sha === commit)
    expect(runs).toMatchObject([
      {
        name: 'octavo/docs',
        status: 'completed',
        conclusion: 'neutral',
        output: { title: 'Queued @team <b>', summary: '`Queued @team <b>`' },
      },
    ])
  })
})

describe('installations of the GitHub App', () => {
  test('the App finds its installation on a repository', async () => {
    const app = new GitHubApp(settings, deps)
    expect(await app.proveInstallation(host.repositoryUrl, signal)).toEqual({
      kind: 'proved',
      installationId: host.installationId,
    })
  })

  test('an installation is rejected if the App is missing, suspended, or on another host', async () => {
    const app = new GitHubApp(settings, deps)
    host.state.installed = false
    const missing = await app.proveInstallation(host.repositoryUrl, signal)
    expect(missing).toMatchObject({
      message: expect.stringContaining('is not installed on acme/docs'),
    })
    Object.assign(host.state, { installed: true, suspended: true })
    const suspended = await app.proveInstallation(host.repositoryUrl, signal)
    expect(suspended).toMatchObject({ message: expect.stringContaining('is suspended') })
    const elsewhere = await app.proveInstallation('https://example.com/acme/docs', signal)
    expect(elsewhere).toMatchObject({
      message: expect.stringContaining('the host of the GitHub App'),
    })
  })
})

test('only an RSA key in PEM format is accepted as the key of the App', () => {
  expect(findKeyProblem(GITHUB_APP_KEY)).toBeUndefined()
  expect(findKeyProblem('nonsense')).toContain('PEM')
})
