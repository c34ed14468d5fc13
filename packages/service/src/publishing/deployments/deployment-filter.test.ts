import type { DeploymentList } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ blobStore: await openFolderStore(fastTempFolder()) })
})
afterAll(() => service.stop())

/**
 * Creates `count` deployments. Every hundredth one is from the branch `rare`, and the oldest one
 * has a unique message.
 */
async function newProject(count: number) {
  const project = await service.createProject(SCOPES)
  await service.owner.query(
    `insert into deployment (project_id, id, number, root, created_by, state, branch, message, commit_sha, published_at)
     select $1, make_ulid(1700000000000 + n, 1), n, $2, 'test',
            case when n % 2 = 0 then 'ready' else 'failed' end,
            case when n % 100 = 0 then 'rare' else 'main' end,
            case when n = 1 then 'Needle' else 'Message ' || n end, md5(n::text),
            case when n % 4 = 0 then now() end
       from generate_series(1, $3::integer) as n`,
    [project.id, Buffer.alloc(32), count],
  )
  const call = callerOf(service.url, project)
  const list = async (search: string) =>
    (await call<DeploymentList>('GET', `/deployments?${search}`)).body
  return { call, list }
}

describe('the list of deployments', () => {
  test('deployments can be filtered by branch, state, text and number', async () => {
    const { list } = await newProject(200)
    const numbers = async (search: string) =>
      (await list(search)).deployments.map(({ number }) => number)
    expect(await numbers('branch=rare')).toEqual([200, 100])
    expect(await numbers('state=failed&limit=2')).toEqual([199, 197])
    expect(await numbers('state=superseded&limit=2')).toEqual([200, 196])
    expect(await numbers('state=ready&limit=2')).toEqual([198, 194])
    expect(await numbers('state=live')).toEqual([])
    expect(await numbers('number=7')).toEqual([7])
    expect(await numbers('number=201')).toEqual([])
    expect(await numbers('q=message+17&limit=2')).toEqual([179, 178])
    expect(await numbers('branch=rare&state=superseded&q=100')).toEqual([100])
  })

  test('the list finds a rare match after an empty first page', async () => {
    const { list } = await newProject(1_050)
    const first = await list('q=needle')
    expect(first.deployments).toEqual([])
    const second = await list(`q=needle&cursor=${first.nextCursor}`)
    expect(second.deployments).toMatchObject([{ message: 'Needle' }])
    expect(second.nextCursor).toBeNull()
  })

  test.each([
    ['state=open', 'state'],
    ['q=', 'q'],
    ['number=x', 'number'],
    ['branch=%00', 'branch'],
  ])('the list of deployments rejects the filter %s', async (search, param) => {
    const { call } = await newProject(1)
    const refused = await call<ProblemBody>('GET', `/deployments?${search}`)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })
})
