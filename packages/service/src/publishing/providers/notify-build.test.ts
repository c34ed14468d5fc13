/**
 * Tests the job that reports builds to Git hosts, with a real queue, a real database and fake hosts
 * on loopback.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { GARDEN } from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { startGiteaHost } from '../../../testing/git-hosts/gitea-host.ts'
import {
  GITHUB_APP_ID,
  GITHUB_APP_KEY,
  startGitHubHost,
} from '../../../testing/git-hosts/github-host.ts'
import { startGitLabHost } from '../../../testing/git-hosts/gitlab-host.ts'
import { runGapRound } from '../../../testing/run-gap-round.ts'
import { commitOf, createTestBuilds } from '../../../testing/test-builds.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createJobSender } from '../../platform/jobs/job-queue.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { createOnBuildChanged } from './notify-build.ts'
import { requeueLostNotifications } from './requeue-lost-notifications.ts'

const POLL = { interval: 25, timeout: 20_000 }
const TOKEN = 'token-canary-0123456789'
const secretKeys = [{ id: 'k', bytes: Buffer.alloc(32, 1) }]
const repository = 'acme/docs'
const hosts = {
  github: await startGitHubHost({ repository, token: TOKEN }),
  gitlab: await startGitLabHost({ repository, token: TOKEN }),
  gitea: await startGiteaHost({ repository, token: TOKEN }),
}
const { github } = hosts

const folder = mkdtempSync(join(tmpdir(), 'octavo-notify-'))
const blobs = await openFolderStore(folder)
const service = await startTestService({
  blobStore: blobs,
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
  allowPrivateHosts: ['127.0.0.1'],
  secretKeys,
  gitHubUrl: github.url,
  gitHubApp: { id: GITHUB_APP_ID, key: GITHUB_APP_KEY, url: github.url, webhookSecret: undefined },
})
const sender = createJobSender({
  database: service.service.database,
  log: createLog((line) => service.log.push(line), Date.now),
})
const onBuildChanged = createOnBuildChanged(sender)
beforeAll(async () => {
  await sender.start()
  await service.service.startWorker()
})
afterAll(async () => {
  await sender.stop()
  await service.stop()
  for (const host of Object.values(hosts)) host.stop()
  rmSync(folder, { recursive: true, force: true })
  // No log line may contain a token.
  expect(service.log.filter((line) => /canary/.test(line))).toEqual([])
})

async function newProject(
  name: keyof typeof hosts | 'git' = 'github',
  more: { readonly token?: string; readonly installationId?: string } = { token: TOKEN },
) {
  const project = await service.createProject(SCOPES)
  const builds = createTestBuilds(service, project, secretKeys)
  const url = name === 'git' ? github.repositoryUrl : hosts[name].repositoryUrl
  await builds.connect({ provider: name, url, ...more })
  const [row] = await service.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  /** Queues the job in a transaction, as changes to connections and builds do. */
  const changed = () =>
    service.service.database
      .forProject(project.tenant)
      .transaction((query) => onBuildChanged(query, project.tenant))
  const reported = (id: string, state: string) =>
    vi.waitFor(
      async () => expect(await builds.read(id)).toMatchObject({ reported_state: state }),
      POLL,
    )
  return {
    ...project,
    slug: row?.slug ?? '',
    builds,
    changed,
    reported,
    client: clientOf(service.url, project),
  }
}

const problem = (message: string, severity = 'error') => ({
  code: 'link/broken',
  severity,
  message,
  hint: '',
  place: { file: 'guide.mdx', line: 3, column: 1 },
})

/** Returns the statuses of one commit in the Git host's terms. */
const statusesOf = (name: keyof typeof hosts, commit: string) =>
  hosts[name].statuses
    .filter(({ sha }) => sha === commit)
    .map(({ state, description, target_url }) => [state, description, target_url])

describe.concurrent.each(['github', 'gitlab', 'gitea'] as const)(
  'builds of a repository on %s',
  (name) => {
    test('a build is reported within five seconds, and its status links to the site', async () => {
      const project = await newProject(name)
      const { body: live, id: deployment } = await project.client.deploy(
        siteOf({ 'index.md': 'One' }),
      )
      const commit = commitOf(`${name} live`)
      const started = performance.now()
      const id = await project.builds.add({ commit })
      await project.changed()
      await project.reported(id, 'queued')
      expect(performance.now() - started).toBeLessThan(5_000)
      await project.builds.change(id, { state: 'building' })
      await project.changed()
      await project.reported(id, 'building')
      await project.builds.change(id, {
        state: 'finished',
        deployment_id: deployment,
        warning_count: 1,
        finished_at: new Date(),
      })
      await project.changed()
      await project.reported(id, 'finished')
      const last = statusesOf(name, commit).at(-1)
      expect(last).toEqual(['success', 'Live (1 warning)', live.url])
      expect(live.url).toContain('sites.localhost')
    })

    test('a failed, skipped, superseded or canceled build is reported with a reason', async () => {
      const project = await newProject(name)
      const commit = (text: string) => commitOf(`${name} ${text}`)
      const rows = [
        {
          commit: commit('f'),
          state: 'failed',
          error_count: 2,
          diagnostics: [problem('Note', 'warning'), problem('Wrong key')],
        },
        { commit: commit('s'), state: 'skipped', reason: 'No file of the documentation changed' },
        { commit: commit('o'), state: 'superseded' },
        { commit: commit('c'), state: 'cancelled', reason: 'By the owner' },
      ] as const
      const ids: string[] = []
      for (const row of rows) ids.push(await project.builds.add(row))
      await project.changed()
      for (const [index, id] of ids.entries()) await project.reported(id, rows[index]?.state ?? '')
      const descriptions = rows.map((row) => statusesOf(name, row.commit).map(([, text]) => text))
      expect(descriptions).toEqual([
        ['guide.mdx:3 Wrong key (2 errors)'],
        ['Skipped: No file of the documentation changed'],
        ['Superseded: a newer commit is built'],
        ['Canceled: By the owner'],
      ])
    })

    test('a pull request gets one comment, which is edited after the next build', async () => {
      const project = await newProject(name)
      const production = await project.client.deploy(
        siteOf({ 'index.md': 'One', 'gone.md': 'Gone', 'old.md': 'Moved' }),
      )
      await project.builds.add({
        state: 'finished',
        reported_state: 'finished',
        deployment_id: production.id,
        diagnostics: [problem('Old problem')],
      })
      const preview = { target: 'preview', branch: 'next' }
      const first = await project.client.deploy(
        siteOf({ 'index.md': 'Two', 'new.md': 'Moved' }),
        preview,
      )
      await project.builds.addRef('next', { pull_request: 11 })
      const id = await project.builds.add({
        target: 'preview',
        ref: 'next',
        state: 'finished',
        deployment_id: first.id,
        diagnostics: [problem('Old problem'), problem('New @problem')],
        error_count: 0,
        warning_count: 2,
        finished_at: new Date('2026-11-16T12:00:00Z'),
      })
      await project.changed()
      await project.reported(id, 'finished')
      const own = () =>
        hosts[name].comments.of(11).filter(({ body }) => body.includes(project.publicId))
      await vi.waitFor(() => expect(own()).toHaveLength(1), POLL)
      const [{ body } = { body: '' }] = own()
      expect(body).toContain(`**[Open the preview](${first.body.url})**`)
      expect(body).toContain(`- [\`/\`](${first.body.url}/)`)
      expect(body).toContain(`- [\`/new\`](${first.body.url}/new), was \`/old\``)
      expect(body).toContain('**1 removed page**\n\n- `/gone`')
      expect(body).toContain('{"source":"/old","destination":"/new"}')
      expect(body).toContain('**1 new problem**\n\n- `docs/guide.mdx:3 New @problem`')
      const failed = await project.builds.add({
        target: 'preview',
        ref: 'next',
        state: 'failed',
        error_count: 1,
        diagnostics: [problem('Broken now')],
      })
      await project.changed()
      await project.reported(failed, 'failed')
      await vi.waitFor(() => expect(own()[0]?.body).toContain('Broken now'), POLL)
      expect(own()).toHaveLength(1)
      expect(own()[0]?.body).toContain('shows an earlier commit')
    })

    test('a comment is rewritten when the answers of the preview have been compared', async () => {
      const project = await newProject(name)
      const question = {
        question: 'How do I turn on the hose?',
        page: '/water',
        spans: ['hose on'],
      }
      const site = { ...GARDEN, 'octavo-questions.jsonl': JSON.stringify(question) }
      await project.client.deploy(await builtSite(site))
      const water = '---\ntitle: Water\n---\nPlants need water.\n'
      const preview = await project.client.deploy(
        await builtSite({ ...site, 'water.mdx': water }),
        { target: 'preview', branch: 'dry' },
      )
      await project.builds.addRef('dry', { pull_request: 12 })
      const build = { target: 'preview', ref: 'dry', state: 'finished' } as const
      await project.builds.add({ ...build, deployment_id: preview.id })
      await project.changed()
      const own = () =>
        hosts[name].comments.of(12).filter(({ body }) => body.includes(project.publicId))
      await vi.waitFor(() => expect(own()).toHaveLength(1), POLL)
      // Usually without the answers, but the worker may have compared them already.
      const [written] = own()
      const { tenant, changed: onNotify } = project
      await runGapRound({ service, blobs, tenant, onNotify })
      const line = '**Answers: 1 lost, 0 gained of 1 question**\n\n- `How do I turn on the hose?`'
      await vi.waitFor(() => expect(own()[0]?.body).toContain(line), POLL)
      expect(own().map(({ id }) => id)).toEqual([written?.id])
    })

    test('a comment says how the change affects the API', async () => {
      const project = await newProject(name)
      const api = (parameters: string) => ({
        'openapi.yaml': `openapi: 3.1.0
info: {title: Plants, version: '1'}
paths: {/plants: {get: {parameters: [${parameters}], responses: {'200': {description: All}}}}}
`,
      })
      await project.client.deploy(siteOf(api('')))
      const preview = await project.client.deploy(
        siteOf(api('{name: garden, in: query, required: true, schema: {type: string}}')),
        { target: 'preview', branch: 'garden' },
      )
      await project.builds.addRef('garden', { pull_request: 13 })
      const build = { target: 'preview', ref: 'garden', state: 'finished' } as const
      await project.builds.add({ ...build, deployment_id: preview.id })
      await project.changed()
      const own = () =>
        hosts[name].comments.of(13).filter(({ body }) => body.includes(project.publicId))
      const line =
        'API: 1 breaking, 0 additive, 0 changes of the documentation**\n\n- breaking: ``GET /plants: The query parameter `garden` is new and required.``'
      await vi.waitFor(() => expect(own()[0]?.body).toContain(line), POLL)
    })
  },
)

describe.concurrent('builds with the GitHub App', () => {
  test('a build with the GitHub App is reported as a check run', async () => {
    const project = await newProject('github', { installationId: github.installationId })
    const commit = commitOf('check run')
    const id = await project.builds.add({ commit })
    await project.changed()
    await project.reported(id, 'queued')
    await project.builds.change(id, { state: 'skipped', reason: 'Not the branch' })
    await project.changed()
    await project.reported(id, 'skipped')
    expect(github.checkRuns.filter((run) => run.head_sha === commit)).toMatchObject([
      {
        name: `octavo/${project.slug}`,
        conclusion: 'neutral',
        output: { title: 'Skipped: Not the branch' },
      },
    ])
  })
})

describe.concurrent('the order of reported states', () => {
  test('the steps of a running build have one status, and older builds of the commit are not reported', async () => {
    const project = await newProject()
    const commit = commitOf('order')
    const older = await project.builds.add({ commit, state: 'failed' })
    const newer = await project.builds.add({ commit, state: 'fetching' })
    await project.changed()
    await project.reported(newer, 'fetching')
    await project.reported(older, 'failed')
    for (const state of ['building', 'uploading']) {
      await project.builds.change(newer, { state })
      await project.changed()
      await project.reported(newer, state)
    }
    expect(statusesOf('github', commit)).toEqual([['pending', 'Building', undefined]])
  })

  test('a new state is reported after a slow request with an old state', async () => {
    const project = await newProject()
    const commit = commitOf('slow')
    const id = await project.builds.add({ commit })
    const isOurs = ({ path }: { path: string }) => path.includes(commit)
    github.plan({ when: isOurs, status: 201, delayMs: 1_500 })
    await project.changed()
    await vi.waitFor(() => expect(github.requests.filter(isOurs)).toHaveLength(1), POLL)
    await project.builds.change(id, { state: 'failed', reason: 'Out of memory' })
    await project.reported(id, 'failed')
    expect(statusesOf('github', commit)).toEqual([['failure', 'Failed: Out of memory', undefined]])
  })

  test('a worker reports the newest state again if another worker was faster', async () => {
    const project = await newProject()
    const commit = commitOf('overtaken')
    const id = await project.builds.add({ commit })
    const isOurs = ({ path }: { path: string }) => path.includes(commit)
    // While this worker reports "queued", another worker reports the end of the build.
    github.plan({ when: isOurs, status: 201, delayMs: 1_000 })
    await project.changed()
    await vi.waitFor(() => expect(github.requests.filter(isOurs)).toHaveLength(1), POLL)
    await project.builds.change(id, { state: 'failed', reported_state: 'failed' })
    await vi.waitFor(() => expect(statusesOf('github', commit)).toHaveLength(1), POLL)
    expect(statusesOf('github', commit).at(-1)?.[0]).toBe('failure')
    await project.reported(id, 'failed')
  })
})

describe.concurrent('failing Git hosts', () => {
  const jobsOf = (projectId: string) =>
    service.owner.query<{ state: string; wait: number }>(
      `select state::text, extract(epoch from start_after - created_on)::float as wait from jobs.job
        where name = 'notify-build' and data ->> 'projectId' = $1 order by created_on`,
      [projectId],
    )

  test('a report of a build is retried after server errors and rate limits', async () => {
    const project = await newProject('gitea')
    const commit = commitOf('later')
    const isOurs = ({ path }: { path: string }) => path.includes(commit)
    hosts.gitea.plan(
      { when: isOurs, status: 503, headers: { 'retry-after': '1' } },
      { when: isOurs, status: 429, headers: { 'retry-after': '1' } },
    )
    const id = await project.builds.add({ commit, state: 'failed', reason: 'No docs.json' })
    await project.changed()
    await project.reported(id, 'failed')
    expect(hosts.gitea.requests.filter(isOurs)).toHaveLength(3)
    expect(statusesOf('gitea', commit)).toEqual([['failure', 'Failed: No docs.json', undefined]])
  })

  test('a single retry is queued after the time that the Git host asks for', async () => {
    const project = await newProject()
    const commit = commitOf('rate limit')
    const isOurs = ({ path }: { path: string }) => path.includes(commit)
    github.plan({ when: isOurs, status: 403, headers: { 'retry-after': '300' }, times: 5 })
    const id = await project.builds.add({ commit })
    await project.changed()
    await vi.waitFor(async () => {
      const [first, second] = await jobsOf(project.id)
      expect(first?.state).toBe('completed')
      expect(second).toMatchObject({ state: 'created' })
      expect(second?.wait).toBeGreaterThan(290)
    }, POLL)
    await project.changed()
    expect(await jobsOf(project.id)).toHaveLength(2)
    expect(await project.builds.read(id)).toMatchObject({ reported_state: null })
  })

  test('a missing permission is not retried, and the owner can read the reason', async () => {
    const project = await newProject('gitlab')
    const commit = commitOf('forbidden')
    const isOurs = ({ path }: { path: string }) => path.includes(commit)
    hosts.gitlab.plan({ when: isOurs, status: 404, body: { message: `404 ${TOKEN}` }, times: 9 })
    const id = await project.builds.add({ commit, state: 'skipped' })
    await project.changed()
    await project.reported(id, 'skipped')
    expect(hosts.gitlab.requests.filter(isOurs)).toHaveLength(1)
    const { report_error } = await project.builds.read(id)
    expect(report_error).toMatch(/status 404.*scope api/)
    expect(report_error).not.toContain(TOKEN)
  })

  test('reports of a build stop after a day of failures', async () => {
    const project = await newProject()
    const commit = commitOf('a day')
    const isOurs = ({ path }: { path: string }) => path.includes(commit)
    github.plan({ when: isOurs, status: 500, times: 9 })
    const created_at = new Date(Date.now() - 25 * 3_600_000)
    const id = await project.builds.add({ commit, state: 'failed', created_at })
    await project.changed()
    await project.reported(id, 'failed')
    expect((await project.builds.read(id)).report_error).toContain('status 500')
  })

  test('a lost notification job is queued again', async () => {
    const project = await newProject()
    const created_at = new Date(Date.now() - 90_000)
    const id = await project.builds.add({ state: 'failed', created_at })
    const sent: unknown[] = []
    await requeueLostNotifications(service.service.database, {
      send: async (_, data) => {
        sent.push(data)
      },
    })
    expect(sent).toContainEqual(project.tenant)
    await project.changed()
    await project.reported(id, 'failed')
  })
})

describe.concurrent('projects without a Git host API', () => {
  test.each(['git', 'github'] as const)(
    'a build from %s without API access is marked as reported, but no status is sent',
    async (name) => {
      const project = await newProject(name, name === 'git' ? { token: TOKEN } : {})
      const commit = commitOf(`nobody ${name}`)
      const id = await project.builds.add({ commit, state: 'failed' })
      await project.changed()
      await project.reported(id, 'failed')
      expect(statusesOf('github', commit)).toEqual([])
    },
  )
})

describe.concurrent('comments on pull requests', () => {
  const own = (project: { publicId: string }, pull: number) =>
    github.comments.of(pull).filter(({ body }) => body.includes(project.publicId))

  test('opening a pull request for a branch that is already built adds a comment', async () => {
    const project = await newProject()
    await project.builds.addRef('topic')
    const id = await project.builds.add({ target: 'preview', ref: 'topic', state: 'finished' })
    await project.changed()
    await project.reported(id, 'finished')
    expect(own(project, 21)).toEqual([])
    await project.builds.changeRef('topic', { pull_request: 21 })
    await project.changed()
    await vi.waitFor(() => expect(own(project, 21)).toHaveLength(1), POLL)
    // The first pull request was closed, and another one was opened for the same branch.
    await project.builds.changeRef('topic', { pull_request: 22 })
    await project.changed()
    await vi.waitFor(() => expect(own(project, 22)).toHaveLength(1), POLL)
    expect(own(project, 21)).toHaveLength(1)
  })

  test('the comment for a fork says that scripts are off until a maintainer approves', async () => {
    const project = await newProject()
    await project.builds.addRef('pull/23', { pull_request: 23, is_fork: true })
    await project.builds.add({ target: 'preview', ref: 'pull/23', state: 'finished' })
    await project.changed()
    await vi.waitFor(() => expect(own(project, 23)[0]?.body).toContain('scripts are off'), POLL)
    await project.builds.approve('pull/23')
    await project.changed()
    await vi.waitFor(() => expect(own(project, 23)[0]?.body).not.toContain('scripts are off'), POLL)
    expect(own(project, 23)).toHaveLength(1)
  })

  test('a pull request without documentation changes gets no comment', async () => {
    const project = await newProject()
    await project.builds.addRef('code', { pull_request: 24 })
    const id = await project.builds.add({
      target: 'preview',
      ref: 'code',
      state: 'skipped',
      reason: 'No change',
    })
    await project.changed()
    await project.reported(id, 'skipped')
    await vi.waitFor(async () => {
      const [row] = await service.owner.query<{ comment_key: string }>(
        'select comment_key from git_ref where project_id = $1',
        [project.id],
      )
      expect(row?.comment_key).toBe(`24/${id}`)
    }, POLL)
    expect(own(project, 24)).toEqual([])
  })

  test('a failed comment is retried without repeating the status', async () => {
    const project = await newProject()
    const commit = commitOf('comment later')
    github.plan({
      when: ({ method, path }) => method === 'POST' && path.endsWith('/issues/25/comments'),
      status: 502,
      headers: { 'retry-after': '1' },
    })
    await project.builds.addRef('later', { pull_request: 25 })
    await project.builds.add({ target: 'preview', ref: 'later', state: 'failed', commit })
    await project.changed()
    await vi.waitFor(() => expect(own(project, 25)).toHaveLength(1), POLL)
    expect(statusesOf('github', commit)).toHaveLength(1)
  })
})
