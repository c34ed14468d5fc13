import { afterAll, expect, test } from 'vitest'
import type { Build } from '../contract.ts'
import { startBuildBench } from '../testing/build-bench.ts'
import { createBuildStore } from './store.ts'

const bench = await startBuildBench({ withoutWorker: true })
afterAll(() => bench.stop())
const COMMIT = 'c'.repeat(40)

test('builds are listed newest first, by branch and by state, a page at a time', async () => {
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

test('the log goes on after the last line that the client has, and ends with the build', async () => {
  const project = await bench.createProject()
  const id = await project.push(COMMIT)
  const store = createBuildStore(
    bench.service.service.database.forProject(project.tenant),
    async () => {},
  )
  await store.appendLog(id, ['two', 'three'])
  const reply = await project.get(`/builds/${id}/log?after=1`)
  expect(reply.headers.get('content-type')).toBe('application/x-ndjson')
  // The reply has begun and follows the build.
  await store.appendLog(id, ['four'])
  expect((await project.post(`/builds/${id}/cancel`)).status).toBe(200)
  const lines = (await reply.text()).trim().split('\n')
  expect(lines.map((line) => [JSON.parse(line).line, JSON.parse(line).text])).toEqual([
    [2, 'two'],
    [3, 'three'],
    [4, 'four'],
    [5, 'Cancelled by an API request.'],
  ])
  expect((await project.get(`/builds/01ARZ3NDEKTSV4RRFFQ69G5FAV/log`)).status).toBe(404)
})

test('the compatible calls build what is known of the connected repository, and refuse without one', async () => {
  const project = await bench.createProject()
  const { url, service, owner } = bench.service
  const call = (method: string, path: string, body?: object) =>
    fetch(`${url}/v1/project/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${project.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const update = () => call('POST', `update/${project.publicId}`)
  // Connected, and nothing seen yet.
  expect((await update()).status).toBe(409)
  const bound = service.database.forProject(project.tenant)
  await bound.query(
    `insert into git_ref (project_id, name, commit_sha) values (current_project(), 'main', $1), (current_project(), 'next', $1)`,
    [COMMIT],
  )
  const started = await update()
  expect(started.status).toBe(202)
  const { statusId } = (await started.json()) as { statusId: string }
  expect(await (await call('GET', `update-status/${statusId}`)).json()).toMatchObject({
    _id: statusId,
    status: 'queued',
    commit: { sha: COMMIT, ref: 'main' },
    logs: ['Queued: main at ccccccc.'],
  })
  const preview = await call('POST', `preview/${project.publicId}`, { branch: 'next' })
  expect(preview.status).toBe(202)
  const { previewUrl } = (await preview.json()) as { previewUrl: string }
  expect(previewUrl).toMatch(/^http:\/\/test-\d+-next-\w{20}\.previews\.test$/)
  const unknown = await call('POST', `preview/${project.publicId}`, { branch: 'nowhere' })
  expect(unknown.status).toBe(409)
  await owner.query(`update build set state = 'skipped', reason = 'No change.' where id = $1`, [
    statusId,
  ])
  expect(await (await call('GET', `update-status/${statusId}`)).json()).toMatchObject({
    status: 'skipped',
  })
  await owner.query('delete from connection where project_id = $1', [project.id])
  expect((await update()).status).toBe(409)
})
