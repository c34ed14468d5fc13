import type { ImportedConversation, Overview } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { fillAssistant } from '../../../testing/fill-assistant.ts'
import { createTestBuilds } from '../../../testing/test-builds.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { TurnStore } from '../../answers/assistant/turn-store.ts'
import { expireConversations } from '../../answers/conversations/store.ts'

const DAY_MS = 86_400_000
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    assistant: { model: undefined, tokensPerDay: undefined, tokensPerMonth: 1_000 },
  })
})
afterAll(() => service.stop())

let count = 0
const turn = (query: string, more: Partial<ImportedConversation> = {}): ImportedConversation => {
  count += 1
  const questionId = `t${count}`
  return { questionId, query, response: '', sources: [], resolutionStatus: 'answered', ...more }
}
const unanswered = { resolutionStatus: 'unanswered' } as const

async function newProject() {
  const project = await service.createProject(SCOPES)
  const call = callerOf(service.url, project)
  const overview = async (days = 30) => (await call<Overview>('GET', `/overview?days=${days}`)).body
  return { project, call, overview }
}

/** Compares the counts with the stored conversations. */
async function expectCounts({ id }: TestProject) {
  const counted = await service.owner.query(
    `select day::text, answered, unanswered, helpful, unhelpful from conversation_day
      where project_id = $1 and answered + unanswered > 0 order by 1`,
    [id],
  )
  const stored = await service.owner.query(
    `select (c.recorded_at at time zone 'UTC')::date::text as day,
            (count(*) filter (where resolution_status = 'answered'))::integer as answered,
            (count(*) filter (where resolution_status = 'unanswered'))::integer as unanswered,
            (count(*) filter (where f.is_helpful))::integer as helpful,
            (count(*) filter (where not f.is_helpful))::integer as unhelpful
       from conversation c left join conversation_feedback f on f.project_id = c.project_id and f.id = c.id
      where c.project_id = $1 group by 1 order by 1`,
    [id],
  )
  expect(counted).toEqual(stored)
}

describe('conversation counts per day', () => {
  test('the daily counts follow publishing, importing, rating, deleting and expiring of conversations', async () => {
    const { project } = await newProject()
    const database = service.service.database.forProject(project.tenant)
    const { conversation } = await fillAssistant(database)
    await expectCounts(project)
    const conversations = service.conversationsOf(project)
    const old = Date.UTC(2020, 0, 1)
    await conversations.importBatch([
      { ...turn('a'), atMs: Date.now() - 3 * DAY_MS },
      { ...turn('b', unanswered), atMs: old },
      { ...turn('c'), atMs: null },
      { ...turn('d', unanswered), atMs: null },
    ])
    await service.publish(project, turn('e'), 'reader')
    await expectCounts(project)
    const turns = new TurnStore(database)
    await turns.addFeedback(conversation, { isHelpful: true })
    await turns.addFeedback(conversation, { isHelpful: true, note: 'again' })
    await expectCounts(project)
    await conversations.erase({ id: conversation })
    await conversations.erase({ reader: 'reader' })
    await expectCounts(project)
    await expireConversations(service.service.database, new AbortController().signal)
    await expectCounts(project)
    const days = await service.owner.query<{ total: number }>(
      `select answered + unanswered as total from conversation_day where project_id = $1 and day < '2021-01-01'`,
      [project.id],
    )
    expect(days).toEqual([{ total: 0 }])
  })

  test("a conversation counts for the day of its id's timestamp", async () => {
    const [row] = await service.owner.query<{ days: readonly string[] }>(
      `select array_agg(day_of_ulid(make_ulid(ms, 0))::text order by ms) as days
         from unnest(array[0, 86399999, 86400000, 1769817600000, 1769817599999]::bigint[]) as ms`,
    )
    expect(row?.days).toEqual([
      '1970-01-01',
      '1970-01-01',
      '1970-01-02',
      '2026-01-30',
      '2026-01-31',
    ])
  })
})

describe('the project overview', () => {
  test('the overview contains every day, the sums, and the sums of the previous period', async () => {
    const { project, overview } = await newProject()
    const at = (days: number) => Date.now() - days * DAY_MS
    await service.conversationsOf(project).importBatch([
      { ...turn('a'), atMs: at(1) },
      { ...turn('b', unanswered), atMs: at(6) },
      { ...turn('c', unanswered), atMs: at(7) },
      { ...turn('d'), atMs: at(13) },
      { ...turn('e'), atMs: at(14) },
    ])
    const body = await overview(7)
    expect(body.days).toHaveLength(7)
    expect(body.days.at(-1)?.day).toBe(new Date().toISOString().slice(0, 10))
    expect(body.days[0]).toMatchObject({ answered: 0, unanswered: 1, deployments: 0 })
    expect([body.questions, body.answered]).toEqual([2, 1])
    expect(body.before).toEqual({
      questions: 2,
      answered: 1,
      helpful: { yes: 0, no: 0 },
    })
    expect((await overview(30)).questions).toBe(5)
    expect((await overview(90)).days).toHaveLength(90)
  })

  test('the overview contains feedback, gaps, tokens and deployments', async () => {
    const { project, overview } = await newProject()
    await fillAssistant(service.service.database.forProject(project.tenant))
    await service.owner.query(
      `insert into deployment (project_id, id, number, root, created_by, state, published_at)
       values ($1, make_ulid(now_ms(), 1), 1, $2, 'test', 'ready', now())`,
      [project.id, Buffer.alloc(32)],
    )
    const body = await overview()
    expect(body).toMatchObject({
      helpful: { yes: 0, no: 1 },
      openGaps: 1,
      tokens: { month: 30, monthMax: 1_000 },
    })
    expect(body.days.at(-1)?.deployments).toBe(1)
  })

  test('questions that differ only in punctuation and case are counted as one top question', async () => {
    const { project, overview } = await newProject()
    for (const query of ['Water a cactus', 'Soil?', 'water a  Cactus?', 'Soil', 'WATER A CACTUS!'])
      await service.publish(project, turn(query))
    expect((await overview(7)).topQuestions).toMatchObject([
      { question: 'WATER A CACTUS!', count: 3 },
      { question: 'Soil', count: 2 },
    ])
  })

  test('the overview hides questions from callers who may not read conversations', async () => {
    const { project, call } = await newProject()
    await service.publish(project, turn('Secret?'))
    const token = await service.createKey(project, { scopes: ['gaps:read'] })
    const { body, text } = await call<Overview>('GET', '/overview', { token })
    expect(body.questions).toBe(1)
    expect(body.topQuestions).toEqual([])
    expect(text).not.toContain('Secret')
  })

  test.each(['8', '0', '030', 'x'])('an overview of %s days is rejected', async (days) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('GET', `/overview?days=${days}`)
    expect([refused.status, refused.body.param]).toEqual([400, 'days'])
  })
})

describe('what needs attention', () => {
  test('the overview reports a failed build with its first errors until a newer build succeeds', async () => {
    const { project, overview } = await newProject()
    const builds = createTestBuilds(service, project, [])
    expect((await overview()).failedBuild).toBeNull()
    await builds.connect({ provider: 'git', url: 'https://git.example/x' })
    const problem = (severity: string, line: number) => ({
      severity,
      code: 'content/syntax',
      message: `Problem ${line}`,
      place: { file: 'guide.mdx', line, column: 1 },
    })
    const id = await builds.add({
      state: 'failed',
      reason: 'The site has 4 errors.',
      error_count: 4,
      finished_at: new Date('2026-11-18T12:00:00Z'),
      diagnostics: [problem('warning', 1), ...[2, 3, 4, 5].map((line) => problem('error', line))],
    })
    const { failedBuild } = await overview()
    expect(failedBuild).toEqual({
      id,
      number: expect.any(Number),
      branch: 'main',
      errors: 4,
      finishedAt: '2026-11-18T12:00:00.000Z',
      reason: 'The site has 4 errors.',
      problems: [2, 3, 4].map((line) => ({
        file: 'guide.mdx',
        line,
        code: 'content/syntax',
        message: `Problem ${line}`,
      })),
    })
    await builds.add({ state: 'finished', finished_at: new Date() })
    expect((await overview()).failedBuild).toBeNull()
  })

  test('the overview names the previously live deployment, even after a rollback', async () => {
    const { project, overview } = await newProject()
    const insert = (id: string, number: number, superseded: string | null) =>
      service.owner.query(
        `insert into deployment (project_id, id, number, root, created_by, state, published_at, superseded_at)
         values ($1, $2, $3, $4, 'test', 'ready', now(), $5)`,
        [project.id, id, number, Buffer.alloc(32), superseded],
      )
    await insert('A', 1, '2026-01-01')
    await insert('B', 2, null)
    await insert('C', 3, '2026-01-02')
    expect((await overview()).previous).toBeNull()
    await service.owner.query(
      `insert into publication (project_id, deployment_id) values ($1, 'B')`,
      [project.id],
    )
    expect((await overview()).previous).toEqual({ id: 'C', number: 3 })
  })

  test('the overview reports comments, domains, keys and the connection if they need attention', async () => {
    const { project, overview } = await newProject()
    const builds = createTestBuilds(service, project, [])
    await builds.connect({ provider: 'git', url: 'https://git.example/x' })
    const query = (text: string) => service.owner.query(text, [project.id])
    await query(`update connection set check_error = 'Access refused.' where project_id = $1`)
    await query(
      `insert into feedback (project_id, id, key, source, path, comment, status)
       select $1, 'F' || n, gen_random_uuid(), 'contextual', '/', case when n < 4 then 'Hm' end,
              case n when 1 then 'resolved' else 'pending' end from generate_series(1, 5) n`,
    )
    await query(
      `insert into domain_claim (project_id, name, token, state, missing_since, checks)
       values ($1, 'a.example', repeat('a', 32), 'active', null, '{"certificate": {"state": "ok"}}'),
              ($1, 'b.example', repeat('b', 32), 'active', now(), '{"certificate": {"state": "ok"}}'),
              ($1, 'c.example', repeat('c', 32), 'lapsed', null, null)`,
    )
    await query(
      `update api_key set name = 'CI', created_at = now() - interval '80 days', expires_at = now() + interval '3 days'
        where project_id = $1`,
    )
    const { attention, gapQuestions } = await overview()
    expect(attention).toEqual({
      comments: 2,
      connection: 'Access refused.',
      domains: ['b.example', 'c.example'],
      expiring: [{ kind: 'key', name: 'CI', expiresAt: expect.any(String) }],
    })
    expect(gapQuestions).toBe(0)
  })
})
