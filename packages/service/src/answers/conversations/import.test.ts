import type { ImportedConversation } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { ulidMs } from '../../platform/ulid.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const turn = (
  questionId: string,
  more: Partial<ImportedConversation> = {},
): ImportedConversation => ({
  questionId,
  query: `q ${questionId}`,
  response: 'r',
  sources: [],
  resolutionStatus: 'answered',
  ...more,
})

function post(
  project: TestProject,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${service.url}/v1/analytics/${project.publicId}/assistant`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function exported(
  project: TestProject,
): Promise<readonly { id: string; query: string; timestamp: string }[]> {
  const body = (await (await service.get(project, '?limit=1000')).json()) as {
    conversations: never[]
  }
  return body.conversations
}

describe('NDJSON', () => {
  const NDJSON = { 'content-type': 'application/x-ndjson' }
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

  test('an export can be imported into another project, keeps its ids, and is imported only once', async () => {
    const [from, to] = [await service.createProject(), await service.createProject()]
    const timestamp = '2026-01-31T12:00:00.000Z'
    const turns = [turn('a', { queryCategory: 'how-to' }), turn('b', { pageUrl: '/x' })]
    await post(from, { conversations: turns.map((one) => ({ ...one, timestamp })) })
    const file = await (await service.get(from, '', { accept: 'application/x-ndjson' })).text()
    expect(file.trimEnd().split('\n')).toHaveLength(2)
    const first = await post(to, file, NDJSON)
    expect(first.status).toBe(200)
    expect(await exported(to)).toEqual(await exported(from))
    expect((await post(to, file, NDJSON)).status).toBe(200)
    expect(await exported(to)).toHaveLength(2)
  })

  test('an imported line can have a question id instead of an id, and ratings in it are ignored', async () => {
    const project = await service.createProject()
    const { questionId: id, ...rest } = turn('rated')
    const response = await post(
      project,
      lines([{ id, ...rest, feedback: 'helpful' }, turn('other')]),
      NDJSON,
    )
    expect(response.status).toBe(200)
    expect((await exported(project)).map(({ query }) => query)).toEqual(['q rated', 'q other'])
  })

  test.each([
    ['{"id":1}\n', 'conversations.0.questionId'],
    ['{"id":"a"}\nnot JSON\n', 'body'],
    ['[]', 'conversations.0'],
    ['', 'conversations'],
  ])('an NDJSON import with the body %j is rejected', async (body, param) => {
    const response = await post(await service.createProject(), body, NDJSON)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ param })
  })
})

describe('POST /v1/analytics/{projectId}/assistant', () => {
  test('conversations without a timestamp are recorded as new, in the order in which they were sent', async () => {
    const project = await service.createProject()
    const before = Date.now()
    const response = await post(project, { conversations: [turn('a'), turn('b'), turn('c')] })
    expect(response.status).toBe(200)
    const { ids } = (await response.json()) as { ids: string[] }
    const rows = await exported(project)
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(rows.map(({ query }) => query)).toEqual(['q a', 'q b', 'q c'])
    expect(ulidMs(ids[0] ?? '')).toBeGreaterThanOrEqual(before - 1)
  })

  test('importing a batch again changes nothing and returns the same ids', async () => {
    const project = await service.createProject()
    const batch = { conversations: [turn('a'), turn('b')] }
    const first = await (await post(project, batch)).json()
    const second = await (
      await post(project, { conversations: [...batch.conversations, turn('c')] })
    ).json()
    expect((second as { ids: string[] }).ids.slice(0, 2)).toEqual((first as { ids: string[] }).ids)
    expect(await exported(project)).toHaveLength(3)
  })

  test('a question that appears twice in a batch becomes one conversation', async () => {
    const project = await service.createProject()
    const { ids } = (await (
      await post(project, { conversations: [turn('a'), turn('a')] })
    ).json()) as { ids: string[] }
    expect(ids[0]).toBe(ids[1])
    expect(await exported(project)).toHaveLength(1)
  })

  test('imported history is sorted by time, and the range of its ids is returned and listed', async () => {
    const project = await service.createProject()
    await post(project, { conversations: [turn('now')] })
    const response = await post(project, {
      conversations: [
        turn('old', { timestamp: '2024-02-29T12:00:00.123Z' }),
        turn('older', { timestamp: '2023-01-01' }),
      ],
    })
    const { ids, backfill } = (await response.json()) as { ids: string[]; backfill: object }
    expect(backfill).toEqual({ firstId: ids[1], lastId: ids[0], count: 2 })
    const rows = await exported(project)
    expect(rows.map(({ query, timestamp }) => [query, timestamp]).slice(0, 2)).toEqual([
      ['q older', '2023-01-01T00:00:00.000Z'],
      ['q old', '2024-02-29T12:00:00.123Z'],
    ])
    const listed = await service.get(project, '/backfills')
    expect(await listed.json()).toMatchObject({
      backfills: [{ firstId: ids[1], lastId: ids[0], count: 2 }],
    })
  })

  test('a batch is rejected as a whole if a timestamp is after the newest conversation', async () => {
    const project = await service.createProject()
    await post(project, { conversations: [turn('now')] })
    const response = await post(project, {
      conversations: [
        turn('old', { timestamp: '2024-01-01' }),
        turn('future', { timestamp: '2199-01-01' }),
      ],
    })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'conflict', param: 'timestamp' })
    expect(await exported(project)).toHaveLength(1)
  })

  test('a project without conversations accepts any history, but no timestamps in the future', async () => {
    const project = await service.createProject()
    const old = await post(project, { conversations: [turn('old', { timestamp: '2024-01-01' })] })
    expect(old.status).toBe(200)
    const future = await post(project, {
      conversations: [turn('future', { timestamp: '2199-01-01' })],
    })
    expect(future.status).toBe(409)
    expect(await exported(project)).toHaveLength(1)
  })

  test.each([
    ['invalid JSON', '{', 'body'],
    ['a list', [], undefined],
    ['an empty batch', { conversations: [] }, 'conversations'],
    ['an unknown field', { conversations: [{ ...turn('a'), extra: 1 }] }, 'conversations.0'],
    ['a missing field', { conversations: [{ questionId: 'a' }] }, 'conversations.0.query'],
    [
      'a wrong status',
      { conversations: [{ ...turn('a'), resolutionStatus: 'maybe' }] },
      'conversations.0.resolutionStatus',
    ],
    [
      'a bad timestamp',
      { conversations: [turn('a', { timestamp: 'yesterday' })] },
      'conversations.0.timestamp',
    ],
    [
      'NUL in a text',
      { conversations: [turn('a', { query: 'a\u0000b' })] },
      'conversations.0.query',
    ],
    [
      'a lone surrogate',
      { conversations: [turn('a', { query: '\ud800' })] },
      'conversations.0.query',
    ],
    [
      '1,001 conversations',
      { conversations: Array.from({ length: 1_001 }, (_, n) => turn(`${n}`)) },
      'conversations',
    ],
  ])('an import with %s is rejected', async (_, body, param) => {
    const project = await service.createProject()
    const response = await post(project, body)
    expect(response.status).toBe(400)
    const problem = (await response.json()) as { param?: string }
    expect(problem.param).toBe(param)
    expect(await exported(project)).toEqual([])
  })

  test('a batch of 1,000 conversations is accepted', async () => {
    const project = await service.createProject()
    const conversations = Array.from({ length: 1_000 }, (_, number) => turn(`${number}`))
    expect((await post(project, { conversations })).status).toBe(200)
    expect(await exported(project)).toHaveLength(1_000)
  })

  test('a body without a JSON content type is rejected', async () => {
    const project = await service.createProject()
    const response = await post(project, '{}', { 'content-type': 'text/plain' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ param: 'Content-Type' })
  })
})

describe('DELETE /v1/analytics/{projectId}/assistant/{conversationId}', () => {
  test('a conversation can be deleted once, and a second attempt returns 404', async () => {
    const project = await service.createProject()
    const { ids } = (await (
      await post(project, { conversations: [turn('a'), turn('b')] })
    ).json()) as { ids: string[] }
    const remove = () =>
      fetch(`${service.url}/v1/analytics/${project.publicId}/assistant/${ids[0]}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${project.token}` },
      })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect((await exported(project)).map(({ id }) => id)).toEqual([ids[1]])
  })

  test('a deleted conversation is not restored when it is imported again', async () => {
    const project = await service.createProject()
    const history = { conversations: [turn('a', { timestamp: '2026-01-02T03:04:05.000Z' })] }
    const { ids } = (await (await post(project, history)).json()) as { ids: string[] }
    await fetch(`${service.url}/v1/analytics/${project.publicId}/assistant/${ids[0]}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${project.token}` },
    })
    expect((await post(project, history)).status).toBe(200)
    expect(await exported(project)).toEqual([])
  })
})
