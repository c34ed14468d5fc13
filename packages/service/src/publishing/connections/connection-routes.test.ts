import type { AuditList, ConnectionReply, CreatedConnection, DeliveryList } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { DELIVERY, GIT_REF, SECRET_KEYS } from '../../../testing/test-connection.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import type { Git, GitRefs } from '../../platform/git/git.ts'
import { readRemote } from './read-remote.ts'
import { listGitRefs, saveGitRefs } from './ref-store.ts'
import { ConnectionStore } from './store.ts'

const CANARY = 'canary-token-0123456789'
const REFS: GitRefs = {
  kind: 'refs',
  defaultBranch: 'main',
  branches: new Map(['main', 'v2'].map((name) => [name, '1'.repeat(40)])),
} as GitRefs

let service: TestService
const asked: string[] = []
beforeAll(async () => {
  service = await startTestService({
    secretKeys: SECRET_KEYS,
    url: 'https://octavo.example.com',
    builds: {
      git: {
        listRefs: async (remote: { readonly url: string }) => {
          asked.push(remote.url)
          return remote.url.includes('gone')
            ? { kind: 'failed', code: 'not-found', message: 'Not found.', isFinal: true }
            : REFS
        },
        findFiles: async () => ({ kind: 'files', paths: ['docs.json', 'docs/docs.json'] }),
      } as unknown as Git,
    },
  })
})
afterAll(() => service.stop())

async function newProject() {
  const project = await service.createProject(SCOPES)
  const call = callerOf(service.url, project)
  const connect = (body: object) =>
    call<z.infer<typeof CreatedConnection>>('POST', '/connection', { body })
  const bound = service.service.database.forProject(project.tenant)
  return { project, call, connect, bound }
}

const TOPIC = { name: 'topic', isProduction: false }
const GITHUB = { url: 'https://github.com/o/n.git' }

describe('connecting a repository', () => {
  test("connecting returns the webhook's URL and secret once and queues a check", async () => {
    const { project, call, connect } = await newProject()
    const made = await connect({ ...GITHUB, folder: './docs/', branch: 'v2' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      ...GITHUB,
      provider: 'github',
      credential: 'none',
      branch: 'v2',
      folder: 'docs',
      publishedBranch: 'v2',
      problem: null,
      checks: {
        reachable: 'good',
        access: 'good',
        branch: 'good',
        docsJson: 'good',
        webhook: 'unknown',
      },
    })
    expect(made.body.checkedAt).not.toBeNull()
    expect(made.body.webhook?.url).toMatch(/^https:\/\/octavo\.example\.com\/v1\/hooks\/[\w-]{24}$/)
    expect(made.body.webhook?.secret).toMatch(/^whsec_/)
    expect(made.body.webhook?.steps.join()).toContain('Settings → Webhooks')
    const jobs = await service.owner.query(
      `select id from jobs.job where name = 'check' and data->>'projectId' = $1`,
      [project.tenant.projectId],
    )
    expect(jobs).toHaveLength(1)
    const read = await call<ConnectionReply>('GET', '/connection')
    const audit = await call<AuditList>('GET', '/audit?action=connection.')
    expect(audit.body.entries).toMatchObject([
      { action: 'connection.add', after: { branch: 'v2' } },
    ])
    const hookId = made.body.webhook?.url.split('/').at(-1) ?? 'nothing'
    expect(read.text + audit.text).not.toContain(made.body.webhook?.secret ?? 'nothing')
    expect(read.text + audit.text).not.toContain(hookId)
    expect((await connect(GITHUB)).status).toBe(409)
  })

  test('a token is stored for Git and never shown', async () => {
    const { call, connect, bound } = await newProject()
    const made = await connect({ ...GITHUB, credential: 'token', token: CANARY })
    const read = await call('GET', '/connection')
    const audit = await call('GET', '/audit')
    expect(made.text + read.text + audit.text).not.toContain(CANARY)
    const connection = await new ConnectionStore(bound).find()
    if (connection === undefined) throw new Error('no connection')
    const { signal } = new AbortController()
    const remote = await readRemote({ secretKeys: SECRET_KEYS }, bound, connection, signal)
    expect(remote).toMatchObject({ credential: { token: CANARY } })
  })

  test('connecting with a deploy key returns the key, and queues no check until the key is added', async () => {
    const { project, call, connect } = await newProject()
    const made = await connect({ url: 'git@github.com:o/n.git', credential: 'ssh-key' })
    expect(made.body.deployKey).toMatch(/^ssh-ed25519 /)
    // The repository was not read yet, so its access is unknown.
    expect([made.body.checkedAt, made.body.checks.access]).toEqual([null, 'unknown'])
    expect((await call<ConnectionReply>('GET', '/connection')).body.deployKey).toBe(
      made.body.deployKey,
    )
    const jobs = await service.owner.query(
      `select id from jobs.job where name = 'check' and data->>'projectId' = $1`,
      [project.tenant.projectId],
    )
    expect(jobs).toEqual([])
  })

  test.each([
    [{ url: 'nothing' }, 'url'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ ...GITHUB, provider: 'other' }, 'provider'],
    [{ ...GITHUB, branch: '--upload-pack=x' }, 'branch'],
    [{ ...GITHUB, folder: '../..' }, 'folder'],
    [{ ...GITHUB, credential: 'token' }, 'token'],
    [{ ...GITHUB, token: CANARY }, 'token'],
    [{ ...GITHUB, credential: 'token', token: 'two words' }, 'token'],
    [{ ...GITHUB, credential: 'ssh-key' }, 'credential'],
    [{ url: 'git@github.com:o/n.git' }, 'credential'],
    [{ url: 'http://git.example.com/o/n', credential: 'token', token: CANARY }, 'credential'],
    // API keys cannot use the GitHub App; otherwise they could read repositories for which others
    // installed it.
    [{ ...GITHUB, credential: 'github-app' }, 'credential'],
  ])('a connection with the settings %j is rejected', async (body, param) => {
    const { call, connect } = await newProject()
    const refused = await connect(body)
    const problem = refused.body as unknown as ProblemBody
    expect([refused.status, problem.param]).toEqual([400, param])
    expect((await call('GET', '/connection')).status).toBe(404)
  })
})

describe('connected repositories', () => {
  test('a change of branch or folder starts a build, and settings that are not sent stay unchanged', async () => {
    const { project, call, connect, bound } = await newProject()
    await connect({ ...GITHUB, credential: 'token', token: CANARY })
    await bound.transaction((query) => saveGitRefs(query, [GIT_REF, { ...GIT_REF, ...TOPIC }]))
    const change = (body: object) => call<ConnectionReply>('PUT', '/connection', { body })
    const refs = () => bound.transaction(listGitRefs)
    const first = await change({ branch: 'v2', forks: false })
    expect(first.body).toMatchObject({ branch: 'v2', folder: '', previews: true, forks: false })
    expect(await refs()).toHaveLength(2)
    const second = await change({ branch: null, folder: 'docs/', token: 'canary-new' })
    expect(second.body).toMatchObject({ branch: null, folder: 'docs', forks: false })
    // The live commit has to be built again from the new folder, so its ref was removed.
    expect((await refs()).map(({ name }) => name)).toEqual(['topic'])
    const connection = await new ConnectionStore(bound).find()
    if (connection === undefined) throw new Error('no connection')
    const { signal } = new AbortController()
    const remote = await readRemote({ secretKeys: SECRET_KEYS }, bound, connection, signal)
    expect(remote).toMatchObject({ credential: { token: 'canary-new' } })
    const audit = await call<AuditList>('GET', '/audit?action=connection.change')
    expect(audit.body.entries).toMatchObject([
      { before: { folder: '' }, after: { folder: 'docs', token: 'new' } },
      { before: { forks: true }, after: { forks: false } },
    ])
    expect(first.text + second.text + audit.text).not.toContain('canary')
    const jobs = await service.owner.query(
      `select id from jobs.job where name = 'check' and data->>'projectId' = $1`,
      [project.tenant.projectId],
    )
    expect(jobs.length).toBeGreaterThan(0)
  })

  test('removing the token deletes it, and the repository is then read without one', async () => {
    const { project, call, connect } = await newProject()
    await connect({ ...GITHUB, credential: 'token', token: CANARY })
    const change = (body: object) => call<ConnectionReply>('PUT', '/connection', { body })
    expect((await change({ token: null })).body.credential).toBe('none')
    const secrets = await service.owner.query<{ name: string }>(
      'select name from secret where project_id = $1',
      [project.id],
    )
    expect(secrets.map(({ name }) => name)).not.toContain('git-token')
    const { body } = await call<AuditList>('GET', '/audit?action=connection.change')
    expect(body.entries).toMatchObject([
      { before: { credential: 'token' }, after: { credential: 'none', token: 'removed' } },
    ])
    // Without a saved token, nothing changes.
    expect((await change({ token: null })).body.credential).toBe('none')
  })

  test('a token cannot be removed from a connection with a deploy key', async () => {
    const { call, connect } = await newProject()
    await connect({ url: 'git@github.com:o/n.git', credential: 'ssh-key' })
    const refused = await call<ProblemBody>('PUT', '/connection', { body: { token: null } })
    expect([refused.status, refused.body.param]).toEqual([400, 'token'])
  })

  test.each([
    [{ branch: '--upload-pack=x' }, 'branch'],
    [{ folder: '../..' }, 'folder'],
    [{ token: 'two words' }, 'token'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ url: 'git@github.com:o/n.git' }, 'credential'],
  ])('changing a connection to %j is rejected', async (body, param) => {
    const { call, connect } = await newProject()
    await connect(GITHUB)
    const before = await call('GET', '/connection')
    const refused = await call<ProblemBody>('PUT', '/connection', { body })
    expect([refused.status, refused.body.param]).toEqual([400, param])
    expect((await call('GET', '/connection')).text).toBe(before.text)
  })

  test('a connection that does not exist cannot be changed', async () => {
    const { call } = await newProject()
    expect((await call('PUT', '/connection', { body: { previews: false } })).status).toBe(404)
  })

  test('the API lists the latest webhooks of a connection', async () => {
    const { call, connect, bound } = await newProject()
    await connect(GITHUB)
    await new ConnectionStore(bound).addRejectedDelivery(DELIVERY, 401, 'The signature is wrong.')
    const { body } = await call<z.infer<typeof DeliveryList>>('GET', '/connection/deliveries')
    expect(body.deliveries).toMatchObject([
      { event: 'push', ref: 'main', status: 401, reason: 'The signature is wrong.' },
    ])
  })

  test('disconnecting deletes the stored secrets', async () => {
    const { project, call, connect } = await newProject()
    await connect({ ...GITHUB, credential: 'token', token: CANARY })
    expect((await call('DELETE', '/connection')).status).toBe(204)
    for (const [method, path] of [
      ['DELETE', ''],
      ['GET', ''],
      ['GET', '/deliveries'],
      ['POST', '/check'],
    ] as const)
      expect((await call(method, `/connection${path}`)).status).toBe(404)
    const secrets = await service.owner.query('select name from secret where project_id = $1', [
      project.id,
    ])
    expect(secrets).toEqual([])
  })
})
