/** Connects real repositories and changes connections. Each change reads the repository first. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditList, Build, ConnectionReply, CreatedConnection } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SITE } from '../../../testing/build-bench.ts'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openTrialGit, type TrialGit } from '../../../testing/trial-git.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { ConnectionStore } from './store.ts'

const TOKEN = 'canary-token-0123456789'
const inDocs = { 'README.md': '# Site', 'docs/docs.json': SITE['docs.json'], 'docs/index.mdx': 'a' }

let trial: TrialGit
let service: TestService
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-verify-'))
  trial = await openTrialGit()
  service = await startTestService({
    secretKeys: SECRET_KEYS,
    url: 'http://127.0.0.1',
    sitesDomain: 'sites.test',
    allowPrivateHosts: ['127.0.0.1'],
    blobStore: await openFolderStore(folder),
    builds: { git: trial.git },
  })
  await service.service.startWorker()
})
afterAll(async () => {
  await service.stop()
  trial.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newProject() {
  const project = await service.createProject(SCOPES)
  const call = callerOf(service.url, project)
  const bound = service.service.database.forProject(project.tenant)
  return {
    call,
    connect: (body: object) => call<CreatedConnection>('POST', '/connection', { body }),
    change: (body: object) => call<ConnectionReply>('PUT', '/connection', { body }),
    check: () => call<ConnectionReply>('POST', '/connection/check'),
    connection: async () => (await call<ConnectionReply>('GET', '/connection')).body,
    hookId: async () => (await new ConnectionStore(bound).find())?.hookId,
  }
}

const untilEnded = (call: ReturnType<typeof callerOf>, id: string) =>
  vi.waitFor(async () => {
    const { body } = await call<Build>('GET', `/builds/${id}?wait=5`)
    expect(body.finishedAt).toBeDefined()
  }, 50_000)

const problemOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
  const { param, detail } = body as ProblemBody
  return { status, param, detail }
}

describe('connecting', () => {
  test('a repository that does not exist is not connected, and the message quotes Git', async () => {
    const { connect, call } = await newProject()
    const refused = problemOf(await connect({ url: `${trial.server.url}/none.git` }))
    expect(refused).toMatchObject({ status: 422, param: 'url' })
    expect(refused.detail).toContain('There is no repository at')
    expect(refused.detail).toContain('Git said: “')
    expect((await call('GET', '/connection')).status).toBe(404)
  })

  test('a server that does not respond is not connected', async () => {
    const { connect } = await newProject()
    const refused = problemOf(await connect({ url: 'http://127.0.0.1:9/o/n.git' }))
    expect(refused).toMatchObject({ status: 422, param: 'url' })
    expect(refused.detail).toContain('cannot be reached')
  })

  test('a refused connection names the field to correct and does not repeat the token', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE)
    const host = { url: repository.url, provider: 'gitea' }
    const { connect, call } = await newProject()
    trial.server.credential = `oauth2:${TOKEN}`
    try {
      expect(problemOf(await connect(host))).toMatchObject({
        status: 422,
        param: 'url',
        detail: expect.stringContaining('asks for credentials'),
      })
      const wrong = await connect({ ...host, credential: 'token', token: 'canary-wrong' })
      expect(problemOf(wrong)).toMatchObject({ status: 422, param: 'token' })
      expect(wrong.text).not.toContain('canary-wrong')
      expect((await call('GET', '/connection')).status).toBe(404)
      const made = await connect({ ...host, credential: 'token', token: TOKEN })
      expect([made.status, made.body.checks.access]).toEqual([201, 'good'])
    } finally {
      trial.server.credential = undefined
    }
  })

  test('a repository without commits is not connected', async () => {
    const { connect } = await newProject()
    expect(problemOf(await connect({ url: trial.newRepository().url }))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('has no branches yet'),
    })
  })

  test('a folder without docs.json is refused, and the error lists the folders that have one', async () => {
    const repository = trial.newRepository()
    repository.commit(inDocs)
    const { connect } = await newProject()
    const root = problemOf(await connect({ url: repository.url }))
    expect(root).toMatchObject({ status: 422, param: 'folder' })
    expect(root.detail).toBe(
      'There is no docs.json in the root of the repository of the branch "main". There is one in the folder "docs": enter that folder.',
    )
    const made = await connect({ url: repository.url, folder: 'docs' })
    expect([made.status, made.body.checks]).toMatchObject([201, { docsJson: 'good' }])
  })

  test('connecting a missing branch is refused, and the error lists the existing branches', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE)
    repository.commit(SITE, { branch: 'next' })
    const { connect } = await newProject()
    expect(problemOf(await connect({ url: repository.url, branch: 'v9' }))).toMatchObject({
      status: 422,
      param: 'branch',
      detail: 'The branch "v9" does not exist. Push it, or choose another: main, next.',
    })
  })
})

describe('the default branch', () => {
  test('the default branch is the one that HEAD names', async () => {
    const repository = trial.newRepository()
    repository.commit({ 'README.md': 'no site' })
    repository.commit(SITE, { branch: 'next' })
    repository.git(['symbolic-ref', 'HEAD', 'refs/heads/next'])
    const { connect, check } = await newProject()
    expect((await connect({ url: repository.url })).status).toBe(201)
    expect((await check()).body).toMatchObject({ branch: null, publishedBranch: 'next' })
  })

  test('the only branch is published if HEAD names a branch that does not exist', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE, { branch: 'trunk' })
    const { connect, check } = await newProject()
    expect((await connect({ url: repository.url })).status).toBe(201)
    const checked = await check()
    expect(checked.body).toMatchObject({ publishedBranch: 'trunk', problem: null })
    // The published branch stays the same after a second one was pushed.
    repository.commit(SITE, { branch: 'draft' })
    expect((await check()).body).toMatchObject({ publishedBranch: 'trunk', problem: null })
  })

  test('connecting several branches without a default branch is refused, and the error lists them', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE, { branch: 'trunk' })
    repository.commit(SITE, { branch: 'draft' })
    const { connect } = await newProject()
    const refused = problemOf(await connect({ url: repository.url }))
    expect(refused).toMatchObject({ status: 422, param: 'branch' })
    expect(refused.detail).toContain('Choose the branch to publish: draft, trunk.')
    expect(refused.detail).not.toContain('--')
  })
})

describe('changing the URL', () => {
  test('the URL can only be changed to a readable repository, and the webhook address stays the same', async () => {
    const [old, moved] = [trial.newRepository(), trial.newRepository()]
    old.commit(SITE)
    moved.commit(inDocs)
    const { connect, change, connection, hookId } = await newProject()
    await connect({ url: old.url })
    const hook = await hookId()
    for (const [body, param] of [
      [{ url: `${trial.server.url}/none.git` }, 'url'],
      [{ url: moved.url }, 'folder'],
      [{ branch: 'v9' }, 'branch'],
    ] as const)
      expect(problemOf(await change(body))).toMatchObject({ status: 422, param })
    expect(await connection()).toMatchObject({ url: old.url, folder: '', problem: null })
    const changed = await change({ url: moved.url, folder: 'docs' })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { url: moved.url, folder: 'docs', checks: { branch: 'good', docsJson: 'good' } },
    ])
    expect(await hookId()).toBe(hook)
  })

  test('a saved token is not sent to another host', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE)
    const { connect, change, connection } = await newProject()
    trial.server.credential = `oauth2:${TOKEN}`
    const tokens: (string | undefined)[] = []
    const other = await openTrialGit()
    other.server.intercept = ({ headers }) => {
      tokens.push(headers.authorization)
      return false
    }
    try {
      await connect({ url: repository.url, provider: 'gitea', credential: 'token', token: TOKEN })
      const url = `${other.server.url}/repository-1.git`
      expect(problemOf(await change({ url }))).toMatchObject({ status: 400, param: 'token' })
      expect(tokens).toEqual([])
      expect((await connection()).url).toBe(repository.url)
    } finally {
      trial.server.credential = undefined
      other.close()
    }
  })

  test('adding a token to a connection makes a repository readable that became private', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE)
    const { connect, change, check, connection } = await newProject()
    await connect({ url: repository.url, provider: 'gitea' })
    trial.server.credential = `oauth2:${TOKEN}`
    try {
      const bad = (await check()).body
      expect(bad).toMatchObject({
        checks: { reachable: 'good', access: 'bad', branch: 'unknown', docsJson: 'unknown' },
        problem: expect.stringContaining('asks for credentials'),
      })
      expect(bad.failedSince).not.toBeNull()
      expect((await change({ token: TOKEN })).body).toMatchObject({
        credential: 'token',
        checks: { access: 'good', docsJson: 'good' },
        problem: null,
        failedSince: null,
      })
      const refused = await change({ token: null })
      expect(problemOf(refused)).toMatchObject({ status: 422 })
      expect((await connection()).credential).toBe('token')
    } finally {
      trial.server.credential = undefined
    }
  })
})

describe('checks and builds on request', () => {
  test('a build can be started without a webhook, even twice for the same commit', async () => {
    const repository = trial.newRepository()
    const commit = repository.commit(SITE)
    const { connect, call } = await newProject()
    await connect({ url: repository.url })
    const ids: string[] = []
    for (const _ of ['first', 'again']) {
      const { status, body } = await call<Build>('POST', '/builds')
      expect([status, body.commit, body.trigger]).toEqual([202, commit, 'api'])
      ids.push(body.id)
      await untilEnded(call, body.id)
    }
    expect(new Set(ids).size).toBe(2)
    const { body: log } = await call<AuditList>('GET', '/audit?action=build.')
    expect(log.entries.map(({ action, object }) => `${action} ${object}`)).toEqual(
      ids.toReversed().map((id) => `build.create build ${id}`),
    )
  })

  test('a build is refused with the reason while the repository cannot be read', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE)
    const { connect, call } = await newProject()
    await connect({ url: repository.url })
    trial.server.credential = `oauth2:${TOKEN}`
    try {
      const refused = problemOf(await call('POST', '/builds'))
      expect(refused.status).toBe(502)
      expect(refused.detail).toContain('asks for credentials')
    } finally {
      trial.server.credential = undefined
    }
  })

  test('a build that finds no docs.json fails the docs.json check until one is pushed', async () => {
    const repository = trial.newRepository()
    repository.commit(SITE)
    const { connect, call, connection } = await newProject()
    await connect({ url: repository.url })
    const docsJsonAfter = async (files: Readonly<Record<string, string>>) => {
      repository.commit(files)
      const { body } = await call<Build>('POST', '/builds')
      await untilEnded(call, body.id)
      const { checks, problem } = await connection()
      return { docsJson: checks.docsJson, problem }
    }
    expect(await docsJsonAfter({ 'README.md': 'gone' })).toMatchObject({
      docsJson: 'bad',
      problem: expect.stringContaining('found no docs.json in the root'),
    })
    expect(await docsJsonAfter(SITE)).toEqual({ docsJson: 'good', problem: null })
  })
})
