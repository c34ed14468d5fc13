import type { Build } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { type BuildProject, SITE, startBuildBench } from '../../../testing/build-bench.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { BuildStore } from './store.ts'

const bench = await startBuildBench({ withoutWorker: true })
const live = await startBuildBench()
afterAll(() => Promise.all([bench.stop(), live.stop()]))
const COMMIT = 'c'.repeat(40)

test('the list of builds is newest first, paginated, and can be filtered by branch and state', async () => {
  const project = await bench.createProject()
  const main = await project.push(COMMIT)
  const side = await project.push(COMMIT, { ref: 'side', target: 'preview' })
  const newer = await project.push('d'.repeat(40))
  const list = async (search: string) => {
    const reply = await project.get(`/builds${search}`)
    return (await reply.json()) as { builds: Build[]; nextCursor: string | null }
  }
  const ids = async (search: string) => (await list(search)).builds.map(({ id }) => id)
  expect(await ids('')).toEqual([newer, side, main])
  expect(await ids('?ref=side')).toEqual([side])
  expect(await ids('?state=superseded')).toEqual([main])
  const { nextCursor } = await list('?limit=2')
  expect(await ids(`?limit=2&cursor=${nextCursor}`)).toEqual([main])
  expect((await project.get('/builds?state=nothing')).status).toBe(400)
})

test("the response with a build log continues after the client's last line and ends with the build", async () => {
  const project = await bench.createProject()
  const id = await project.push(COMMIT)
  const store = new BuildStore(
    bench.service.service.database.forProject(project.tenant),
    async () => {},
  )
  await store.appendLog(id, ['two', 'three'])
  const reply = await project.get(`/builds/${id}/log?after=1`)
  expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
  // The response has started and continues with lines that are appended later.
  await store.appendLog(id, ['four'])
  expect((await project.post(`/builds/${id}/cancel`)).status).toBe(200)
  const lines = (await reply.text()).trim().split('\n')
  expect(lines.map((line) => [JSON.parse(line).line, JSON.parse(line).text])).toEqual([
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
    [5, 'Canceled by an API request.'],
  ])
  expect((await project.get(`/builds/01ARZ3NDEKTSV4RRFFQ69G5FAV/log`)).status).toBe(404)
})

type Answer = {
  readonly statusId: string
  readonly previewUrl: string
  readonly commit: object
}

describe('Mintlify-compatible calls', () => {
  const callOf =
    ({ token }: BuildProject) =>
    async (method: string, path: string, body?: object) => {
      const reply = await fetch(`${live.service.url}/v1/project/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer: Answer = JSON.parse(await reply.text())
      return { status: reply.status, headers: reply.headers, body: answer }
    }

  test('an update builds the newest commit even without changes (requirements E14, G12)', async () => {
    const project = await live.createProject()
    const call = callOf(project)
    const update = () => call('POST', `update/${project.publicId}`)
    for (const message of ['one', 'two']) {
      const commit = project.repository.commit(message === 'one' ? SITE : {}, { message })
      const started = await update()
      expect(started.status).toBe(202)
      const { statusId } = started.body
      expect((await call('GET', `update-status/${statusId}`)).body).toMatchObject({
        _id: statusId,
        commit: { sha: commit, ref: 'main' },
      })
      // No file that the site reads has changed, but the commit is built anyway.
      const build = await project.ended(statusId)
      expect(build).toMatchObject({ state: 'finished', trigger: 'api', commit })
    }
    const before = await update()
    expect(await project.ended(before.body.statusId)).toMatchObject({ state: 'finished' })
    const { builds } = (await (await project.get('/builds')).json()) as { builds: Build[] }
    expect(builds.map(({ state }) => state)).toEqual(Array(3).fill('finished'))
    const logged = await live.service.owner.query(
      `select object from audit_event where project_id = $1 and action = 'build.create'`,
      [project.id],
    )
    expect(logged).toHaveLength(3)
  })

  test('a preview builds the head of a branch and rejects a missing branch', async () => {
    const project = await live.createProject()
    const call = callOf(project)
    project.repository.commit(SITE)
    const commit = project.repository.commit({}, { branch: 'next' })
    const preview = await call('POST', `preview/${project.publicId}`, { branch: 'next' })
    expect(preview.status).toBe(202)
    expect(preview.body.previewUrl).toMatch(/^http:\/\/test-\d+-next-\w{20}\.previews\.test$/)
    const status = await call('GET', `update-status/${preview.body.statusId}`)
    expect(status.body.commit).toMatchObject({ sha: commit, ref: 'next' })
    expect(await call('POST', `preview/${project.publicId}`, { branch: 'nowhere' })).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('"nowhere" does not exist') },
    })
    await live.service.owner.query(
      `update build set state = 'skipped', reason = 'No change.', finished_at = now() where id = $1`,
      [preview.body.statusId],
    )
    expect((await call('GET', `update-status/${preview.body.statusId}`)).body).toMatchObject({
      status: 'skipped',
    })
  })

  test('an update reports why the repository cannot be read, and builds no older commit', async () => {
    const project = await live.createProject()
    const call = callOf(project)
    const { owner } = live.service
    const update = () => call('POST', `update/${project.publicId}`)
    expect(await update()).toMatchObject({
      status: 502,
      body: { code: 'upstream-failed', detail: expect.stringContaining('has no branches yet') },
    })
    project.repository.commit(SITE)
    const started = await update()
    await project.ended(started.body.statusId)
    // No server listens on this port.
    await owner.query('update connection set url = $2 where project_id = $1', [
      project.id,
      'http://127.0.0.1:9/gone.git',
    ])
    for (const reply of [
      await update(),
      await call('POST', `preview/${project.publicId}`, { branch: 'main' }),
    ])
      expect(reply).toMatchObject({
        status: 502,
        body: { code: 'upstream-failed', detail: expect.stringContaining('127.0.0.1') },
      })
    await owner.query('delete from connection where project_id = $1', [project.id])
    expect((await update()).status).toBe(409)
    const { builds } = (await (await project.get('/builds')).json()) as { builds: Build[] }
    expect(builds.map(({ id }) => id)).toEqual([started.body.statusId])
  })

  test('update calls have their own rate limit', async () => {
    const project = await live.createProject()
    await live.service.owner.query('delete from connection where project_id = $1', [project.id])
    const call = callOf(project)
    const replies = []
    for (let count = 0; count < 120; count += 1)
      replies.push((await call('POST', `update/${project.publicId}`)).status)
    expect(new Set(replies)).toEqual(new Set([409]))
    const refused = await call('POST', `update/${project.publicId}`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate-limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
    // The limit does not affect other calls.
    expect((await project.get('/builds')).status).toBe(200)
  })
})

test('exports and deployments have separate request limits', async () => {
  const service = await startTestService({ requestsPerHour: 2 })
  const project = await service.createProject(SCOPES)
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${project.token}` }
    const reply = await fetch(`${service.url}/v1/${path}`, { headers })
    return [reply.status, reply.headers.has('retry-after')]
  }
  const exported = () => get(`analytics/${project.publicId}/assistant`)
  const deployed = () => get(`projects/${project.publicId}/builds`)
  expect([await exported(), await exported()]).toEqual([
    [200, false],
    [200, false],
  ])
  expect(await exported()).toEqual([429, true])
  expect([await deployed(), await deployed()]).toEqual([
    [200, false],
    [200, false],
  ])
  expect(await deployed()).toEqual([429, true])
  await service.stop()
})
