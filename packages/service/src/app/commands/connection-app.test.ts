/**
 * Tests `connection add --github-app` with a fake GitHub that reports a repository's installation.
 */
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  GITHUB_APP_ID,
  GITHUB_APP_KEY,
  startGitHubHost,
} from '../../../testing/git-hosts/github-host.ts'
import { connectProject, octavo, SECRET_KEYS } from '../../../testing/test-connection.ts'
import { startTestService } from '../../../testing/test-service.ts'
import type { Git, GitRemote } from '../../platform/git/git.ts'
import { ConnectionStore } from '../../publishing/connections/store.ts'

const host = await startGitHubHost({ repository: 'acme/docs', token: 'none' })
const app = { id: GITHUB_APP_ID, key: GITHUB_APP_KEY, url: host.url, webhookSecret: 'secret' }
const service = await startTestService({
  secretKeys: SECRET_KEYS,
  allowPrivateHosts: ['127.0.0.1'],
  gitHubApp: app,
})
afterAll(async () => {
  await service.stop()
  await host.stop()
})
beforeEach(() => Object.assign(host.state, { installed: true, suspended: false }))

const add = (...options: string[]) =>
  connectProject(service, ['--url', host.repositoryUrl, '--provider', 'github', ...options])

test('a connection uses the installation that GitHub reports and needs no webhook setup', async () => {
  for (const options of [['--github-app'], ['--installation', host.installationId]]) {
    const project = await add(...options)
    const bound = service.service.database.forProject(project.tenant)
    const connection = await new ConnectionStore(bound).find()
    expect(connection).toMatchObject({
      credential: 'github-app',
      installationId: host.installationId,
    })
    expect(project.lines.at(-1)).toContain('the GitHub App reports them')
    expect(project.lines.join()).not.toContain('whsec_')
  }
})

test('an installation id that GitHub does not report for the repository is rejected', async () => {
  await expect(add('--installation', '1')).rejects.toThrow('not in installation 1')
  expect((await octavo(service, ['connection', 'list'])).join()).not.toContain('installation 1')
})

test('a repository is rejected if the GitHub App is suspended or not installed there', async () => {
  host.state.installed = false
  await expect(add('--github-app')).rejects.toThrow('not installed on acme/docs')
  Object.assign(host.state, { installed: true, suspended: true })
  await expect(add('--github-app')).rejects.toThrow('suspended for acme/docs')
})

test("`connection test` reads the repository with the app's token", async () => {
  const { publicId } = await add('--github-app')
  const seen: GitRemote[] = []
  const git: Pick<Git, 'listRefs'> = {
    listRefs: async (remote) => {
      seen.push(remote)
      return { kind: 'refs', defaultBranch: 'main', branches: new Map([['main', 'a'.repeat(40)]]) }
    },
  }
  const [first] = await octavo(service, ['connection', 'test', publicId], { git })
  expect(first).toMatch('can be read')
  expect(seen).toMatchObject([
    {
      credential: {
        kind: 'token',
        username: 'x-access-token',
        token: expect.stringMatching(/^ghs_/),
      },
    },
  ])
})
