/** Tests the details of conversations, which the export does not contain. */

import type { ConversationDetailsList, ConversationPage } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  LEASE,
  newTurn,
  publishedAnswer,
  unansweredAnswer,
} from '../../../testing/fill-assistant.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { TurnStore } from '../assistant/turn-store.ts'

let service: TestService
let project: TestProject
/** The ids of the conversations, oldest first. */
const ids: string[] = []
beforeAll(async () => {
  service = await startTestService()
  project = await service.createProject(['analytics:read'])
  const turns = new TurnStore(service.service.database.forProject(project.tenant))
  const answers = [
    publishedAnswer('one'),
    unansweredAnswer('two'),
    { ...unansweredAnswer('three'), reason: 'budget', isCached: true, model: 'small' },
    publishedAnswer('four'),
  ]
  for (const answer of answers) {
    const begun = await turns.begin(newTurn(`question ${answer.response}`))
    if (begun.kind !== 'begun') throw new Error('refused')
    ids.push((await turns.publish({ id: begun.id, lease: LEASE }, answer)) ?? '')
  }
  await turns.addFeedback(ids[0] ?? '', { isHelpful: true })
  const feedback = { isHelpful: false, reason: 'outdated', note: 'It has a different name.' }
  await turns.addFeedback(ids[1] ?? '', feedback)
})
afterAll(() => service.stop())

const get = (path: string, token = project.token) =>
  fetch(`${service.url}/v1/projects/${project.publicId}/conversations/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
const list = async (query = '') =>
  (await (await get(`details${query}`)).json()) as ConversationDetailsList
const idsOf = ({ conversations }: ConversationDetailsList) => conversations.map(({ id }) => id)

describe('conversation details', () => {
  test("details contain the sources, the reader's feedback and the reason for a missing answer", async () => {
    const exported = await fetch(
      `${service.url}/v1/analytics/${project.publicId}/assistant?limit=4`,
      { headers: { authorization: `Bearer ${project.token}` } },
    )
    const { conversations } = (await exported.json()) as ConversationPage
    expect(await (await get(`${ids[1]}`)).json()).toEqual({
      ...conversations.find(({ id }) => id === ids[1]),
      id: ids[1],
      query: 'question two',
      response: 'two',
      resolutionStatus: 'unanswered',
      reason: 'declared',
      sources: [],
      nearest: [{ title: 'two', url: 'https://example.com/two' }],
      deployment: 'deployment',
      usedTokens: 10,
      cached: false,
      feedback: {
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        helpful: false,
        reason: 'outdated',
        note: 'It has a different name.',
      },
    })
    const plain = await (await get(`${ids[3]}`)).json()
    expect(plain).toMatchObject({ resolutionStatus: 'answered', nearest: [] })
    expect(plain).not.toHaveProperty('reason')
    expect(plain).not.toHaveProperty('feedback')
  })

  test('the list of details is paginated, and the newest conversation is first', async () => {
    const first = await list('?limit=3')
    expect(idsOf(first)).toEqual(ids.slice(1).toReversed())
    expect(first.conversations[1]).toMatchObject({ reason: 'budget', cached: true, model: 'small' })
    const rest = await list(`?limit=3&cursor=${first.nextCursor}`)
    expect(idsOf(rest)).toEqual([ids[0]])
    expect(rest.nextCursor).toBeNull()
    expect((await list('?limit=4')).nextCursor).toBeNull()
  })

  test.each([
    ['feedback=any', [1, 0]],
    ['feedback=helpful', [0]],
    ['feedback=unhelpful', [1]],
    ['reason=budget', [2]],
    ['reason=declared&feedback=unhelpful', [1]],
    ['reason=budget&feedback=any', []],
  ])('the filter %s selects the expected conversations', async (query, numbers) => {
    expect(idsOf(await list(`?${query}`))).toEqual(numbers.map((number) => ids[number]))
  })

  test('details are rejected for unknown ids, other projects, missing scopes and invalid filters', async () => {
    expect((await get('01ARZ3NDEKTSV4RRFFQ69G5FAV')).status).toBe(404)
    const other = await service.createProject(['analytics:read'])
    const foreign = `${service.url}/v1/projects/${other.publicId}/conversations`
    const headers = { authorization: `Bearer ${other.token}` }
    expect((await fetch(`${foreign}/${ids[1]}`, { headers })).status).toBe(404)
    const own = await (await fetch(`${foreign}/details`, { headers })).json()
    expect(own).toEqual({ conversations: [], nextCursor: null })
    expect((await get('details', other.token)).status).toBe(404)
    const { token } = await service.createProject(['analytics:write'])
    expect([403, 404]).toContain((await get('details', token)).status)
    expect((await get('details?feedback=maybe')).status).toBe(400)
    expect((await get('details?limit=1000')).status).toBe(400)
  })
})
