import type { ConversationList, ImportedConversation } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { TurnStore } from '../assistant/turn-store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

let count = 0
const turn = (query: string, more: Partial<ImportedConversation> = {}): ImportedConversation => {
  count += 1
  return {
    questionId: `t${count}`,
    query,
    response: 'Every week.',
    sources: [],
    resolutionStatus: 'answered',
    ...more,
  }
}

async function newProject() {
  const project = await service.createProject()
  const call = callerOf(service.url, project)
  const find = async (search: string) => {
    const { status, body } = await call<ConversationList>('GET', `/conversations?${search}`)
    expect(status).toBe(200)
    return body
  }
  const queries = async (search: string) =>
    (await find(search)).conversations.map(({ query }) => query)
  return { project, call, find, queries }
}

const rate = (project: TestProject, id: string, isHelpful: boolean) =>
  new TurnStore(service.service.database.forProject(project.tenant)).addFeedback(id, {
    isHelpful,
  })

/** Inserts conversations of the last seconds, one per millisecond, oldest first. */
async function fill(project: TestProject, rows: number) {
  await service.owner.query(
    `insert into conversation (project_id, id, recorded_at, query, response, sources, resolution_status)
     select $1, base32(ms, 10) || '0000000000000000', to_timestamp(ms / 1000.0), 'Question ' || n, 'Answer', '[]', 'answered'
       from generate_series(1, $2::integer) as n,
            lateral (select (extract(epoch from now()) * 1000)::bigint - ($2 - n) as ms) m`,
    [project.id, rows],
  )
}

describe('the conversation list', () => {
  test('the list is newest first, contains feedback and is paginated', async () => {
    const { project, find, queries } = await newProject()
    const ids: string[] = []
    for (const query of ['one', 'two', 'three', 'four', 'five'])
      ids.push(await service.publish(project, turn(query)))
    await rate(project, ids[1] ?? '', true)
    await rate(project, ids[3] ?? '', false)
    const first = await find('limit=2')
    expect(first.conversations).toMatchObject([{ query: 'five' }, { query: 'four' }])
    expect(first.conversations[0]).not.toHaveProperty('feedback')
    expect(first.conversations[1]?.feedback).toBe('unhelpful')
    expect(first.nextCursor).toBe(ids[3])
    expect(await queries(`limit=2&cursor=${ids[3]}`)).toEqual(['three', 'two'])
    const last = await find(`limit=2&cursor=${ids[1]}`)
    expect([last.conversations.length, last.nextCursor]).toEqual([1, null])
    expect((await find('limit=5')).nextCursor).toBeNull()
  })

  test('the list contains the number of matching conversations and how long they are stored', async () => {
    const { project, find } = await newProject()
    const unanswered = { resolutionStatus: 'unanswered' } as const
    await service.publish(project, turn('one', { queryCategory: 'how-to' }))
    const rated = await service.publish(project, turn('two', unanswered))
    await service.publish(project, turn('three', unanswered))
    await rate(project, rated, false)
    const total = async (search: string) => (await find(search)).total
    expect(await find('limit=1')).toMatchObject({ total: 3, retentionDays: 730 })
    expect(await total('resolutionStatus=unanswered')).toBe(2)
    expect(await total('feedback=unhelpful')).toBe(1)
    expect(await total('feedback=none')).toBe(2)
    expect(await total('dateFrom=2100-01-01')).toBe(0)
    expect(await total('dateFrom=2000-01-01&dateTo=2100-01-01')).toBe(3)
    expect(await total('dateFrom=2000-01-01T12:00:00Z')).toBeNull()
    expect(await total('queryCategory=how-to')).toBeNull()
    expect(await total('text=one')).toBeNull()
    expect(await total('resolutionStatus=unanswered&feedback=none')).toBeNull()
  })

  test('the categories of a project are listed once each, in alphabetical order', async () => {
    const { project, call } = await newProject()
    for (const queryCategory of ['sales', 'how-to', undefined, 'how-to', '', 'Zebra'])
      await service.publish(
        project,
        turn('?', { ...(queryCategory !== undefined && { queryCategory }) }),
      )
    const { body } = await call<object>('GET', '/conversations/categories')
    expect(body).toEqual({ categories: ['how-to', 'sales', 'Zebra'] })
  })

  test('the list can be filtered by status, category, feedback and text, also in combination', async () => {
    const { project, queries } = await newProject()
    const unanswered = { resolutionStatus: 'unanswered' } as const
    await service.publish(project, turn('Water a CACTUS?', { queryCategory: 'how-to' }))
    const bad = await service.publish(
      project,
      turn('Price?', { ...unanswered, queryCategory: 'sales' }),
    )
    const good = await service.publish(project, turn('Soil?', { response: 'Sand, for cactuses' }))
    await service.publish(project, turn('100%?', { ...unanswered, queryCategory: 'how-to' }))
    await rate(project, bad, false)
    await rate(project, good, true)
    expect(await queries('resolutionStatus=unanswered')).toEqual(['100%?', 'Price?'])
    expect(await queries('resolutionStatus=answered')).toEqual(['Soil?', 'Water a CACTUS?'])
    expect(await queries('queryCategory=how-to')).toEqual(['100%?', 'Water a CACTUS?'])
    expect(await queries('feedback=helpful')).toEqual(['Soil?'])
    expect(await queries('feedback=unhelpful')).toEqual(['Price?'])
    expect(await queries('feedback=none')).toEqual(['100%?', 'Water a CACTUS?'])
    expect(await queries('text=cactus')).toEqual(['Soil?', 'Water a CACTUS?'])
    expect(await queries('text=0%25')).toEqual(['100%?'])
    expect(await queries('text=%25%25')).toEqual([])
    expect(await queries('queryCategory=how-to&resolutionStatus=unanswered&text=100')).toEqual([
      '100%?',
    ])
    expect(await queries('feedback=unhelpful&queryCategory=sales')).toEqual(['Price?'])
    expect(await queries('feedback=helpful&queryCategory=sales')).toEqual([])
  })

  test('dates in the list have the same meaning as in the export', async () => {
    const { project, queries } = await newProject()
    await service.conversationsOf(project).importBatch([
      { ...turn('first'), atMs: Date.UTC(2024, 0, 1) },
      { ...turn('second'), atMs: Date.UTC(2024, 0, 2) },
    ])
    expect(await queries('dateFrom=2024-01-01&dateTo=2024-01-02')).toEqual(['first'])
    expect(await queries('dateFrom=2024-01-02')).toEqual(['second'])
  })

  test('the list finds a rare match after several partial pages', async () => {
    const { project, find, call } = await newProject()
    await service.conversationsOf(project).importBatch([{ ...turn('Needle'), atMs: 1_000 }])
    await fill(project, 10_050)
    const first = await find('text=needle')
    expect(first.conversations).toEqual([])
    expect(first.nextCursor).not.toBeNull()
    expect(Date.parse(first.searchedTo ?? '')).toBeGreaterThan(1_000)
    // Each page ends after 10,000 conversations or after a quarter of a second.
    let page = first
    let pages = 1
    while (page.conversations.length === 0 && page.nextCursor !== null) {
      page = await find(`text=needle&cursor=${page.nextCursor}`)
      pages += 1
    }
    expect(pages).toBeGreaterThan(1)
    expect(page).toMatchObject({
      conversations: [{ query: 'Needle' }],
      nextCursor: null,
      searchedTo: null,
    })
    const lines = await call('GET', '/conversations?text=needle', {
      headers: { accept: 'application/x-ndjson' },
    })
    expect(lines.text.trimEnd().split('\n')).toHaveLength(1)
  })

  test('NDJSON and CSV contain all conversations that match the filter', async () => {
    const { project, call } = await newProject()
    await fill(project, 2_500)
    const id = await service.publish(project, turn('=1+1', { response: 'a "b",\nc' }))
    await rate(project, id, true)
    const ndjson = await call('GET', '/conversations?limit=5', {
      headers: { accept: 'application/x-ndjson' },
    })
    const rows = ndjson.text.trimEnd().split('\n')
    expect(rows).toHaveLength(2_501)
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({ query: '=1+1', feedback: 'helpful' })
    expect(JSON.parse(rows[1] ?? '')).toMatchObject({ query: 'Question 2500' })
    const csv = await call('GET', '/conversations?feedback=helpful', {
      headers: { accept: 'text/csv' },
    })
    const [header, row] = csv.text.split('\r\n')
    expect(header).toMatch(/^id,timestamp,query,.*,feedback$/)
    expect(csv.text).toContain(`,'=1+1,"a ""b"",\nc",[],answered,,,,helpful\r\n`)
    expect(row).toContain(id)
  })

  test.each([
    ['text=a', 'text'],
    ['text=%00%00', 'text'],
    ['feedback=yes', 'feedback'],
    ['resolutionStatus=open', 'resolutionStatus'],
    ['dateFrom=2024-02-01&dateTo=2024-01-01', 'dateFrom'],
    ['cursor=x', 'cursor'],
    ['limit=101', 'limit'],
    ['reader=me', 'reader'],
  ])('the list parameters %s are rejected', async (search, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('GET', `/conversations?${search}`)
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })
})
