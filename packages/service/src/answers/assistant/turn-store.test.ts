/** Tests the leases, budgets and outcomes of questions in the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { publishOpenTurns } from '../conversations/store.ts'
import { JoinedTurns } from './joined-turns.ts'
import { AssistantSettingsStore } from './settings-store.ts'
import { type NewTurn, type PublishedAnswer, TurnStore } from './turn-store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const TURN: NewTurn = {
  query: 'How?',
  threadId: 'thread',
  pageUrl: 'https://docs.example/start',
  deploymentId: '01KG9YS7G0CPZHN1J3EKWGC1Y1',
  lease: 'mine',
  ticket: 't',
  ticketMax: 100,
  projectMax: 100,
  tokens: 1_000,
  tokensPerDay: undefined,
  tokensPerMonth: undefined,
}
const ANSWER: PublishedAnswer = {
  response: 'So.',
  sources: [{ url: 'https://docs.example/start', title: 'Start' }],
  status: 'answered',
  nearest: [],
  usedTokens: 300,
  savedTokens: 0,
  isCached: false,
}

const turnsOf = ({ tenant }: TestProject) =>
  new TurnStore(service.service.database.forProject(tenant))
const useOf = async ({ tenant }: TestProject) =>
  (await new AssistantSettingsStore(service.service.database.forProject(tenant)).use()).day

async function begin(project: TestProject, turn: Partial<NewTurn> = {}) {
  const begun = await turnsOf(project).begin({ ...TURN, ...turn })
  if (begun.kind === 'refused') throw new Error(begun.by)
  return { id: begun.id, lease: turn.lease ?? TURN.lease, hasBudget: begun.hasBudget }
}

/** Lets a lease expire. */
const endLease = ({ id }: { readonly id: string }) =>
  service.owner.query(
    `update question set leased_until = now() - interval '1 second' where id = $1`,
    [id],
  )

const reap = () => publishOpenTurns(service.service.database, Date.now() - 600_000)

async function published(project: TestProject) {
  return service.owner.query(
    `select c.query, c.response, c.resolution_status as status, d.reason, d.used_tokens::integer as used
       from conversation c left join conversation_detail d using (project_id, id)
      where project_id = $1 order by id`,
    [project.id],
  )
}

describe('questions', () => {
  test('the lease holder publishes a question once and releases the reserved tokens', async () => {
    const project = await service.createProject()
    const turn = await begin(project)
    expect(await useOf(project)).toMatchObject({ questions: 1, used: 0, reserved: 1_000 })
    const id = await turnsOf(project).publish(turn, ANSWER)
    expect(id).toBeDefined()
    expect(await turnsOf(project).publish(turn, { ...ANSWER, response: 'Other' })).toBe(id)
    expect(await published(project)).toEqual([
      { query: 'How?', response: 'So.', status: 'answered', reason: null, used: 300 },
    ])
    expect(await useOf(project)).toMatchObject({ questions: 1, used: 300, reserved: 0 })
  })

  test('a question with a valid lease cannot be published by another process', async () => {
    const project = await service.createProject()
    const turn = await begin(project)
    expect(await turnsOf(project).publish({ ...turn, lease: 'other' }, ANSWER)).toBeUndefined()
    expect(await reap()).toBe(0)
    const conversations = service.conversationsOf(project)
    const plain = { response: '', sources: [], resolutionStatus: 'answered' as const }
    expect(await conversations.publish(turn.id, plain)).toBeUndefined()
    expect(await published(project)).toEqual([])
    await turnsOf(project).publish(turn, ANSWER)
  })

  test('an abandoned question is recorded as interrupted, with its saved text and its maximum cost', async () => {
    const project = await service.createProject()
    const turn = await begin(project)
    expect(await turnsOf(project).renew(turn, 'So f')).toBe(true)
    expect(await turnsOf(project).renew(turn, 'So far')).toBe(true)
    await endLease(turn)
    expect(await reap()).toBe(1)
    expect(await reap()).toBe(0)
    expect(await published(project)).toEqual([
      {
        query: 'How?',
        response: 'So far',
        status: 'unanswered',
        reason: 'interrupted',
        used: 1_000,
      },
    ])
    expect(await useOf(project)).toMatchObject({ used: 1_000, reserved: 0 })
    // The process that held the lease continues.
    expect(await turnsOf(project).renew(turn, 'So far and on')).toBe(false)
    expect(await turnsOf(project).publish(turn, ANSWER)).toBeUndefined()
    expect(await published(project)).toHaveLength(1)
  })

  test('the holder of an expired lease can still publish before the reaper does', async () => {
    const project = await service.createProject()
    const turn = await begin(project)
    await endLease(turn)
    expect(await turnsOf(project).publish(turn, ANSWER)).toBeDefined()
    expect(await reap()).toBe(0)
    expect(await published(project)).toMatchObject([{ status: 'answered' }])
  })

  test('a question is published once when its stream and the reaper try at the same time', async () => {
    const project = await service.createProject()
    for (let round = 0; round < 10; round += 1) {
      const turn = await begin(project)
      await endLease(turn)
      await Promise.all([reap(), turnsOf(project).publish(turn, ANSWER), reap()])
    }
    expect(await published(project)).toHaveLength(10)
    expect(await useOf(project)).toMatchObject({ reserved: 0 })
  })

  test('answers that are published together get ascending ids, and each is settled on its own terms', async () => {
    const project = await service.createProject()
    const [first, second, lost, preview] = [
      await begin(project),
      await begin(project, { lease: 'other' }),
      await begin(project),
      await begin(project, { query: undefined }),
    ]
    const turns = [
      first,
      second,
      { ...lost, lease: 'not mine' },
      { id: 'unknown', lease: 'mine' },
      preview,
      first,
    ]
    const answers = turns.map((turn, index) => ({
      ...turn,
      answer: { ...ANSWER, response: `${index}`, isCached: index === 1 },
    }))
    const ids = await turnsOf(project).publishAll(answers)
    expect(ids).toEqual([
      expect.any(String),
      expect.any(String),
      undefined,
      undefined,
      preview.id,
      ids[0],
    ])
    expect(`${ids[1]}` > `${ids[0]}`).toBe(true)
    expect(await published(project)).toMatchObject([{ response: '0' }, { response: '1' }])
    expect(await useOf(project)).toMatchObject({ used: 900, cached: 1, reserved: 1_000 })
    expect(await turnsOf(project).publishAll(answers.slice(0, 2))).toEqual(ids.slice(0, 2))
  })

  test('concurrent answers of a process are published once each, and an invalid one affects no other', async () => {
    const project = await service.createProject()
    const turns = new JoinedTurns(10).of(service.service.database.forProject(project.tenant))
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, index) => turns.begin({ ...TURN, lease: `${index}` })),
    )
    const leased = begun.map((one, index) => ({
      id: one.kind === 'begun' ? one.id : '',
      lease: `${index}`,
    }))
    expect(await Promise.all(leased.map((one) => turns.renew(one, 'So')))).not.toContain(false)
    const invalid = { ...ANSWER, response: 'A zero byte: \0.' }
    const ids = await Promise.allSettled(
      leased.map((one, index) => turns.publish(one, index === 7 ? invalid : ANSWER)),
    )
    expect(ids.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7])
    expect(await published(project)).toHaveLength(19)
    expect(await useOf(project)).toMatchObject({ questions: 20, used: 5_700, reserved: 1_000 })
  })

  test('only the cost of a preview question is recorded', async () => {
    const project = await service.createProject()
    const [answered, lost] = [
      await begin(project, { query: undefined }),
      await begin(project, { query: undefined, lease: 'lost' }),
    ]
    await turnsOf(project).publish(answered, ANSWER)
    await endLease(lost)
    await reap()
    expect(await published(project)).toEqual([])
    expect(
      await service.owner.query('select from question where project_id = $1', [project.id]),
    ).toEqual([])
    expect(await useOf(project)).toMatchObject({ questions: 2, used: 1_300, reserved: 0 })
  })

  test('a published question leaves no text in the table of running questions', async () => {
    const project = await service.createProject()
    const turn = await begin(project, { query: 'private question' })
    await turnsOf(project).renew(turn, 'private text')
    await turnsOf(project).publish(turn, { ...ANSWER, response: 'private text' })
    const rows = await service.owner.query('select * from question where project_id = $1', [
      project.id,
    ])
    expect(JSON.stringify(rows)).not.toContain('private')
  })
})

describe('limits', () => {
  test('questions are limited per ticket, and per project and hour', async () => {
    const project = await service.createProject()
    const ask = (ticket: string, max: Partial<NewTurn>) =>
      turnsOf(project).begin({ ...TURN, ...max, ticket })
    expect(await ask('a', { ticketMax: 2 })).toMatchObject({ kind: 'begun' })
    expect(await ask('a', { ticketMax: 2 })).toMatchObject({ kind: 'begun' })
    expect(await ask('a', { ticketMax: 2 })).toEqual({ kind: 'refused', by: 'ticket' })
    expect(await ask('b', { ticketMax: 2 })).toMatchObject({ kind: 'begun' })
    expect(await ask('c', { projectMax: 4 })).toMatchObject({ kind: 'begun' })
    expect(await ask('d', { projectMax: 4 })).toEqual({ kind: 'refused', by: 'project' })
    expect(await useOf(project)).toMatchObject({ questions: 4 })
  })

  test('used and reserved tokens count against a budget, which at most one answer can exceed', async () => {
    const project = await service.createProject()
    const limits = { tokensPerDay: 2_500 }
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, index) => begin(project, { ...limits, lease: `${index}` })),
    )
    const paid = begun.filter(({ hasBudget }) => hasBudget)
    expect(paid).toHaveLength(3)
    expect(await useOf(project)).toMatchObject({ questions: 20, reserved: 3_000 })
    for (const turn of begun) await turnsOf(project).publish(turn, { ...ANSWER, usedTokens: 0 })
    expect(await useOf(project)).toMatchObject({ used: 0, reserved: 0 })
    expect((await begin(project, limits)).hasBudget).toBe(true)
  })

  test('a monthly budget includes earlier days, and a zero budget allows nothing', async () => {
    const project = await service.createProject()
    await service.owner.query(
      `insert into assistant_usage (project_id, day, used_tokens)
       select $1, day, 600 from generate_series(date_trunc('month', now() at time zone 'UTC') - interval '1 day',
         (now() at time zone 'UTC') - interval '1 day', interval '1 day') as day`,
      [project.id],
    )
    const [row] = await service.owner.query<{ day: number }>(
      `select extract(day from now() at time zone 'UTC')::integer as day`,
    )
    const before = 600 * ((row?.day ?? 1) - 1)
    expect((await begin(project, { tokensPerMonth: before })).hasBudget).toBe(false)
    expect((await begin(project, { tokensPerMonth: before + 1 })).hasBudget).toBe(true)
    expect((await begin(project, { tokensPerDay: 0 })).hasBudget).toBe(false)
  })
})

describe('data stored with a conversation', () => {
  async function answeredWithFeedback(project: TestProject) {
    const turn = await begin(project)
    const id = (await turnsOf(project).publish(turn, ANSWER)) ?? ''
    expect(await turnsOf(project).addFeedback(id, { isHelpful: false, note: 'No.' })).toBe(true)
    expect(await turnsOf(project).addFeedback(id, { isHelpful: true })).toBe(true)
    return id
  }
  const kept = async (project: TestProject) => {
    const [row] = await service.owner.query<{ details: number; feedback: number }>(
      `select (select count(*)::integer from conversation_detail where project_id = $1) as details,
              (select count(*)::integer from conversation_feedback where project_id = $1) as feedback`,
      [project.id],
    )
    return row
  }

  test('details and feedback are erased with their conversation', async () => {
    const project = await service.createProject()
    const [gone] = [await answeredWithFeedback(project), await answeredWithFeedback(project)]
    expect(await service.conversationsOf(project).erase({ id: gone })).toBe(1)
    expect(await kept(project)).toEqual({ details: 1, feedback: 1 })
    expect(await turnsOf(project).addFeedback(gone, { isHelpful: true })).toBe(false)
  })

  test('details and feedback expire with their conversation', async () => {
    const project = await service.createProject()
    await answeredWithFeedback(project)
    const old = { questionId: 'old', query: '', response: '', sources: [], atMs: 1_000 }
    const { ids } = await service
      .conversationsOf(project)
      .importBatch([{ ...old, resolutionStatus: 'answered' }])
    for (const name of ['detail', 'feedback'])
      await service.owner.query(
        `select attach_partition('conversation_' || $1, 'conversation_' || $1 || '_old', '', '01')`,
        [name],
      )
    const more = [project.id, ids[0]]
    await service.owner.query('insert into conversation_detail values ($1, $2)', more)
    await service.owner.query(
      'insert into conversation_feedback values ($1, $2, now(), true)',
      more,
    )
    expect(await kept(project)).toEqual({ details: 2, feedback: 2 })
    const bound = service.service.database.forProject(project.tenant)
    await bound.query('select expire_conversations(10)')
    expect(await kept(project)).toEqual({ details: 1, feedback: 1 })
  })

  test('the export of conversations contains neither details nor feedback', async () => {
    const project = await service.createProject()
    await answeredWithFeedback(project)
    const body = (await (await service.get(project)).json()) as { conversations: object[] }
    expect(body.conversations.map((one) => Object.keys(one).toSorted())).toEqual([
      [
        'id',
        'pageUrl',
        'query',
        'resolutionStatus',
        'response',
        'sources',
        'threadId',
        'timestamp',
      ],
    ])
  })

  test("erasing a reader's questions during an answer charges the reserved tokens", async () => {
    const project = await service.createProject()
    const turn = await begin(project)
    await service.owner.query(`update question set reader = 'me' where id = $1`, [turn.id])
    await service.conversationsOf(project).erase({ reader: 'me' })
    expect(await turnsOf(project).publish(turn, ANSWER)).toBeUndefined()
    expect(await useOf(project)).toMatchObject({ used: 1_000, reserved: 0 })
  })
})
