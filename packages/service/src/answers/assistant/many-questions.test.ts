/** Tests many simultaneous questions while the database is slow. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answer, startModelServer } from '../../../../assistant/testing/model-server.ts'
import {
  type AssistantSite,
  modelAt,
  newAssistantSite,
  outcomeOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import type { TestService } from '../../../testing/test-service.ts'

const model = await startModelServer()
const ANSWER = 'Use `hose on` [1].\n{"answered": true, "category": "how-to", "sources": [1]}'
const QUESTIONS = 40
/**
 * The delay of each question in the database. For all questions together, it is longer than the two
 * seconds after which waiting for a database connection fails.
 */
const DATABASE_MS = 100

let service: TestService
let site: AssistantSite
beforeAll(async () => {
  service = await startAssistantService({
    assistant: { model: modelAt(model.url), tokensPerDay: undefined, tokensPerMonth: undefined },
    databaseConnections: 4,
  })
  await service.owner.query(`create function take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${DATABASE_MS / 1_000}); return new; end $$`)
  await service.owner.query(
    'create trigger take_time before insert on question for each row execute function take_time()',
  )
})
afterAll(async () => {
  await service.stop()
  model.stop()
})
beforeEach(async () => {
  site = await newAssistantSite(service)
  model.behave(answer(ANSWER, 900))
})

/** Asks all questions at the same time, with two tickets since each is valid for 20 questions. */
async function askAll(): Promise<readonly string[]> {
  const tickets = await Promise.all([site.ticket(), site.ticket()])
  const replies = await Promise.all(
    Array.from({ length: QUESTIONS }, (_, index) => {
      const ticket = tickets[index % tickets.length] ?? ''
      return site.ask(`How do I turn on the hose? ${index}`, { ticket })
    }),
  )
  return replies.map((reply) => outcomeOf(reply)?.status ?? `${reply.status}`)
}

describe('simultaneous questions', () => {
  test('all simultaneous questions are answered, even if this takes longer than the connection timeout', async () => {
    const started = performance.now()
    const statuses = await askAll()
    expect(performance.now() - started).toBeGreaterThan(2_000)
    expect(statuses).toEqual(Array.from({ length: QUESTIONS }, () => 'answered'))
    const [row] = await service.owner.query<{ count: number }>(
      'select count(*)::integer from conversation where project_id = $1',
      [site.project.id],
    )
    expect(row?.count).toBe(QUESTIONS)
  })

  test('simultaneous questions do not block another site and do not use all connections', async () => {
    const other = await newAssistantSite(service)
    let isOver = false
    const all = askAll().finally(() => {
      isOver = true
    })
    const reply = await other.ask('How do I turn on the hose?')
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered' })
    const { status } = await fetch(
      `${service.url}/v1/analytics/${other.project.publicId}/assistant`,
      { headers: { authorization: `Bearer ${other.project.token}` } },
    )
    expect(status).toBe(200)
    expect(isOver).toBe(false)
    expect(new Set(await all)).toEqual(new Set(['answered']))
  })
})
