/**
 * Tests the lifecycle of a gap with a real service, real deployments and a fake model server on
 * loopback.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Project, Scope } from '@octavo/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  answer,
  type ModelBehavior,
  startModelServer,
} from '../../../../assistant/testing/model-server.ts'
import {
  type AssistantSite,
  GARDEN,
  modelAt,
  newAssistantSite,
  outcomeOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { callerOf } from '../../../testing/call-project.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import { runGapRound } from '../../../testing/run-gap-round.ts'
import type { TestSite } from '../../../testing/test-deployment.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const QUESTION = 'Bonsai repotting?'
const SAME_QUESTION = 'repotting a bonsai'
const OTHER_QUESTION = 'Greenhouse heating?'
const BONSAI = '---\ntitle: Bonsai\n---\n\n## Repotting\n\nBonsai repotting is done in spring.\n'
const GAP_TABLES = [
  'gap',
  'gap_conversation',
  'gap_change',
  'gap_forecast',
  'gap_work',
  'unsorted_question',
]
const page = (file: string, text: string) => ({
  ...GARDEN,
  'docs.json': GARDEN['docs.json'].replace('"soil"', `"soil", "${file}"`),
  [`${file}.mdx`]: text,
})

const blobsFolder = mkdtempSync(join(fastTempFolder(), 'octavo-gaps-'))
const blobs = await openFolderStore(blobsFolder)
const model = await startModelServer()
let service: TestService
let site: AssistantSite
let garden: TestSite
let withBonsai: TestSite
let notifications: number

beforeAll(async () => {
  service = await startAssistantService({ blobStore: blobs })
  garden = await builtSite(GARDEN)
  withBonsai = await builtSite(page('bonsai', BONSAI))
})
afterAll(async () => {
  await service.stop()
  model.stop()
  rmSync(blobsFolder, { recursive: true, force: true })
})
beforeEach(async () => {
  site = await newAssistantSite(service, garden)
  notifications = 0
})

/** Runs one round of the job that processes gaps. */
async function runRound(behavior?: ModelBehavior): Promise<void> {
  if (behavior !== undefined) model.behave(behavior)
  const onNotify = () => {
    notifications += 1
  }
  await runGapRound({
    service,
    blobs,
    tenant: site.project.tenant,
    model: behavior === undefined ? undefined : modelAt(model.url),
    onNotify,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: replies of the API, to be looked at.
type Reply = any
const gaps = async (query = ''): Promise<Reply[]> =>
  (await site.client.call('GET', `/gaps${query}`)).body.gaps
const change = (id: string, body: object) => site.client.call('POST', `/gaps/${id}`, body)
const changeAll = (body: object) => site.client.call('POST', '/gaps/changes', body)
const undo = (id: string) => site.client.call('POST', `/gaps/changes/${id}/undo`)
const askAll = async (...questions: string[]) => {
  for (const question of questions)
    expect(outcomeOf(await site.ask(question))).toMatchObject({ status: 'unanswered' })
}

describe('unanswered questions', () => {
  test('unanswered questions become gaps with a count, examples and a deployment', async () => {
    await askAll(QUESTION, SAME_QUESTION, OTHER_QUESTION)
    await runRound()
    expect(await gaps()).toMatchObject([
      { state: 'open', count: 1, examples: [OTHER_QUESTION], openIn: site.deployment },
      { state: 'open', count: 2, examples: [SAME_QUESTION, QUESTION], openIn: site.deployment },
    ])
    expect((await site.client.call('GET', '')).body.openGaps).toBe(2)
    await askAll(QUESTION)
    await runRound()
    expect((await gaps()).map(({ count }) => count)).toEqual([1, 3])
    const [newest] = await gaps('?limit=1')
    const { body } = await site.client.call('GET', '/gaps?limit=1')
    expect(body.nextCursor).toBe(newest.id)
    expect(await gaps(`?cursor=${newest.id}`)).toMatchObject([{ count: 3 }])
    expect(await gaps('?state=verified')).toEqual([])
  })

  test('the number of open gaps is only shown to callers who may read gaps', async () => {
    const openGapsOf = async (scopes: readonly Scope[]) => {
      const project = await service.createProject(scopes)
      const call = callerOf(service.url, project)
      return (await call<Project>('GET', '')).body.openGaps
    }
    expect(await openGapsOf(['deploy:read', 'gaps:read'])).toBe(0)
    expect(await openGapsOf(['deploy:read'])).toBeUndefined()
  })

  test('a question that failed for other reasons than the documentation does not become a gap', async () => {
    await askAll(QUESTION, OTHER_QUESTION)
    await service.owner.query(
      `update conversation_detail set reason = 'provider-error'
        where project_id = $1 and id = (select min(id) from conversation where project_id = $1)`,
      [site.project.id],
    )
    await runRound()
    expect(await gaps()).toMatchObject([{ examples: [OTHER_QUESTION] }])
  })

  test('an erased conversation is removed from its gap, and a gap without conversations is deleted', async () => {
    await askAll(QUESTION, SAME_QUESTION)
    await runRound()
    const conversations = service.conversationsOf(site.project)
    const rows = await service.owner.query<{ id: string }>(
      'select id from conversation where project_id = $1 order by id',
      [site.project.id],
    )
    await conversations.erase({ id: rows[0]?.id ?? '' })
    expect(await gaps()).toMatchObject([{ count: 1, examples: [SAME_QUESTION] }])
    await conversations.erase({ id: rows[1]?.id ?? '' })
    expect(await gaps()).toEqual([])
    const left = await service.owner.query('select id from gap where project_id = $1', [
      site.project.id,
    ])
    expect(left).toEqual([])
  })

  test('the tables of gaps do not contain the text of questions', async () => {
    await askAll(QUESTION)
    await runRound()
    const [{ id }] = await gaps()
    await change(id, { action: 'dismiss' })
    await askAll(SAME_QUESTION)
    for (const table of GAP_TABLES) {
      const rows = await service.owner.query(`select to_json(t)::text as row from ${table} t`)
      expect(JSON.stringify(rows)).not.toMatch(/bonsai|repotting/i)
    }
  })
})

describe('the list of gaps', () => {
  test('gaps can be sorted by number of questions, last question or state, and paginated in each order', async () => {
    await askAll(QUESTION, SAME_QUESTION, OTHER_QUESTION, 'Lawn mower service?')
    await runRound()
    const [lawn, heating, bonsai] = await gaps()
    await change(heating.id, { action: 'verify' })
    const idsOf = async (query: string) => (await gaps(query)).map(({ id }) => id)
    const [first, second, third] = [bonsai.id, heating.id, lawn.id]
    expect(await idsOf('?sort=-questions')).toEqual([first, third, second])
    expect(await idsOf('?sort=questions')).toEqual([second, third, first])
    expect(await idsOf('?sort=-lastAsked')).toEqual([third, second, first])
    expect(await idsOf('?sort=lastAsked')).toEqual([first, second, third])
    expect(await idsOf('?sort=state')).toEqual([first, third, second])
    expect(await idsOf('?sort=-state')).toEqual([second, third, first])
    expect(await idsOf('?min=2')).toEqual([first])
    expect(await idsOf('?state=verified,linked')).toEqual([second])
    expect((await site.client.call('GET', '/gaps?state=open,x')).status).toBe(400)
    expect(await idsOf('?askedSince=2026-01-31')).toHaveLength(3)
    expect(await idsOf('?askedSince=2100-01-01')).toEqual([])
    expect(await idsOf('?q=REPOTTING+a')).toEqual([first])
    expect(await idsOf('?sort=lastAsked&q=service')).toEqual([third])
    expect(await idsOf('?q=service&state=verified')).toEqual([])
    expect((await site.client.call('GET', '/gaps?q=')).status).toBe(400)
    for (const sort of ['-questions', 'questions', '-lastAsked', 'state', '-state']) {
      const paged: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query: string = `?sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`
        const { body } = await site.client.call('GET', `/gaps${query}`)
        paged.push(...body.gaps.map(({ id }: Reply) => id))
        cursor = body.nextCursor
      }
      expect(paged).toEqual(await idsOf(`?sort=${sort}`))
    }
    const { body } = await site.client.call('GET', '/gaps')
    expect(body).toMatchObject({ counts: { open: 2, verified: 1, likely: 0 }, questions: 4 })
    expect(body.gaps[2].weeks).toEqual([...Array(11).fill(0), 2])
  })

  test('a single question without real words counts as noise until it is asked again', async () => {
    await askAll('asdfgh', QUESTION)
    await runRound()
    const list = async (query = '') => (await site.client.call('GET', `/gaps${query}`)).body
    expect(await list()).toMatchObject({ gaps: [{ examples: [QUESTION] }], noise: 1, questions: 1 })
    expect(await list('?noise=only')).toMatchObject({ gaps: [{ examples: ['asdfgh'] }] })
    const overview = async () => (await site.client.call('GET', '/overview')).body.openGaps
    expect(await overview()).toBe(1)
    await askAll('asdfgh')
    await runRound()
    expect(await list()).toMatchObject({ gaps: [{ count: 1 }, { count: 2 }], noise: 0 })
    expect(await overview()).toBe(2)
  })
})

describe('changes of several gaps', () => {
  beforeEach(async () => {
    await askAll(QUESTION, OTHER_QUESTION)
    await runRound()
  })
  const statesOf = async () => (await gaps()).map(({ state }) => state)

  test('several gaps can be changed at once, and the change can be undone once', async () => {
    const before = await gaps()
    const ids = before.map(({ id }) => id)
    const { status, body } = await changeAll({ action: 'dismiss', ids })
    expect(status).toBe(201)
    expect(body).toMatchObject({ action: 'dismiss', gaps: ids.toSorted(), undone: false })
    expect(body.question).toBe(QUESTION)
    expect(await statesOf()).toEqual(['dismissed', 'dismissed'])
    expect((await undo(body.id)).body).toMatchObject({ id: body.id, undone: true })
    expect(await gaps()).toEqual(before)
    expect((await undo(body.id)).status).toBe(409)
    const read = await site.client.call('GET', `/gaps/changes/${body.id}`)
    expect(read.body).toMatchObject({ undone: true })
  })

  test('a gap that already has the new state is not part of a change', async () => {
    const [heating, bonsai] = await gaps()
    await change(heating.id, { action: 'dismiss' })
    const ids = [heating.id, bonsai.id]
    expect((await changeAll({ action: 'dismiss', ids })).body.gaps).toEqual([bonsai.id])
    expect((await changeAll({ action: 'dismiss', ids })).status).toBe(409)
  })

  test('undoing a change does not affect gaps that were changed again', async () => {
    const [heating, bonsai] = await gaps()
    const { body } = await changeAll({ action: 'dismiss', ids: [heating.id, bonsai.id] })
    await change(heating.id, { action: 'reopen' })
    await change(heating.id, { action: 'link', page: '/heating' })
    expect((await undo(body.id)).status).toBe(200)
    expect(await gaps()).toMatchObject([{ state: 'linked' }, { state: 'open' }])
    const second = await changeAll({ action: 'verify', ids: [bonsai.id] })
    await change(bonsai.id, { action: 'reopen' })
    expect((await undo(second.body.id)).status).toBe(409)
  })

  test('changing gaps that do not exist returns 404', async () => {
    const unknown = '01KG9YS7G0CPZHN1J3EKWGC1Y1'
    expect((await changeAll({ action: 'verify', ids: [unknown] })).status).toBe(404)
    expect((await changeAll({ action: 'verify', ids: ['x'] })).status).toBe(400)
    expect((await changeAll({ action: 'verify', ids: [] })).status).toBe(400)
    expect((await undo(unknown)).status).toBe(404)
  })
})

describe('gaps that an owner creates from a conversation', () => {
  const conversationId = async () =>
    (await site.client.call('GET', '/conversations?limit=1')).body.conversations[0].id
  const make = (body: object) => site.client.call('POST', '/gaps', body)

  test('an answered conversation can be added to a new gap with a linked page, but only once', async () => {
    expect(outcomeOf(await site.ask('How do I turn on the hose?'))).toMatchObject({
      status: 'answered',
    })
    const conversation = await conversationId()
    const { status, body } = await make({ conversation, page: '/bonsai' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ state: 'linked', linkedPage: '/bonsai', openIn: site.deployment })
    expect((await make({ conversation })).body).toMatchObject({ id: body.id, count: 1 })
    const { body: shown } = await site.client.call('GET', `/conversations/${conversation}`)
    expect(shown.gap).toBe(body.id)
  })

  test('a conversation is added to the gap with a similar question', async () => {
    await askAll(QUESTION)
    await runRound()
    await askAll(SAME_QUESTION)
    const [gap] = await gaps()
    expect((await make({ conversation: await conversationId() })).body).toMatchObject({
      id: gap.id,
      count: 2,
    })
    await runRound()
    expect(await gaps()).toMatchObject([{ id: gap.id, count: 2 }])
  })

  test('an older question becomes a gap even after a newer one was added by an owner', async () => {
    await askAll(OTHER_QUESTION, QUESTION)
    await make({ conversation: await conversationId() })
    await runRound()
    expect((await gaps()).map(({ examples: [question] }) => question)).toEqual([
      OTHER_QUESTION,
      QUESTION,
    ])
  })

  test('creating a gap from a conversation that does not exist returns 404', async () => {
    expect((await make({ conversation: '01KG9YS7G0CPZHN1J3EKWGC1Y1' })).status).toBe(404)
  })
})

describe('imported conversations', () => {
  const imported = (questionId: string, query: string, rest: object = {}) => ({
    questionId,
    query,
    response: 'Sorry.',
    sources: [],
    resolutionStatus: 'unanswered',
    timestamp: '2026-01-31T12:00:00Z',
    ...rest,
  })
  const importAll = async (...conversations: object[]) => {
    const { conversationsOf } = service
    const turns = conversations.map((one: Reply) => ({ ...one, atMs: Date.parse(one.timestamp) }))
    expect(await conversationsOf(site.project).importBatch(turns)).toMatchObject({ problem: null })
  }

  test('imported unanswered conversations become gaps, even if they are older than existing gaps', async () => {
    await askAll(OTHER_QUESTION)
    await runRound()
    await importAll(
      imported('1', QUESTION),
      imported('2', SAME_QUESTION),
      imported('3', 'Is it cold?', { resolutionStatus: 'answered' }),
      imported('4', 'What is your name?', { queryCategory: 'off-topic' }),
    )
    await runRound()
    expect(await gaps('?sort=-questions')).toMatchObject([
      { count: 2, state: 'open', openIn: site.deployment, lastAskedAt: '2026-01-31T12:00:00.000Z' },
      { count: 1, examples: [OTHER_QUESTION] },
    ])
  })

  test('an imported question that the live site answers becomes a likely closed gap', async () => {
    await importAll(imported('1', 'How do I turn on the hose?'))
    await runRound()
    expect(await gaps()).toMatchObject([{ state: 'likely', closedIn: site.deployment }])
  })
})

describe('the state of a gap', () => {
  beforeEach(async () => {
    await askAll(QUESTION)
    await runRound()
  })
  const onlyGap = async () => {
    const all = await gaps()
    expect(all).toHaveLength(1)
    return all[0]
  }

  test('a new section makes a gap likely closed, and removing the section reopens the gap', async () => {
    const { id } = await site.client.deploy(withBonsai)
    await runRound()
    expect(await onlyGap()).toMatchObject({
      state: 'likely',
      closedIn: id,
      section: '/bonsai#repotting',
      openIn: site.deployment,
    })
    const { id: again } = await site.client.deploy(garden)
    await runRound()
    const gap = await onlyGap()
    expect(gap).toMatchObject({ state: 'open', openIn: again })
    expect(gap).not.toHaveProperty('closedIn')
  })

  test('a gap stays open after an unrelated change of the site', async () => {
    await site.client.deploy(await builtSite(page('rain', '---\ntitle: Rain\n---\nRain is wet.\n')))
    await runRound()
    expect(await onlyGap()).toMatchObject({ state: 'open' })
  })

  test('a gap is not closed by a section that existed when a reader got no answer', async () => {
    const { id } = await site.client.deploy(withBonsai)
    await service.owner.query(
      `update gap set open_deployment_id = $2, checked_deployment_id = null where project_id = $1`,
      [site.project.id, id],
    )
    const moved = await builtSite(page('trees', BONSAI))
    await site.client.deploy(moved)
    await runRound()
    expect(await onlyGap()).toMatchObject({ state: 'open' })
  })

  test('a gap stays closed when its section moves to another page', async () => {
    await site.client.deploy(withBonsai)
    await runRound()
    await site.client.deploy(await builtSite(page('trees', BONSAI)))
    await runRound()
    expect(await onlyGap()).toMatchObject({ state: 'likely', section: '/trees#repotting' })
  })

  test('a gap is verified by a model that cites its sources, which is charged to the project', async () => {
    const { id } = await site.client.deploy(withBonsai)
    await runRound(
      answer('In spring [1].\n{"answered": true, "category": "how-to", "sources": [1]}', 900),
    )
    expect(await onlyGap()).toMatchObject({ state: 'verified', verifiedBy: 'model', closedIn: id })
    expect(model.requests).toHaveLength(1)
    const [use] = await service.owner.query(
      'select used_tokens::integer as used, reserved_tokens::integer as reserved from assistant_usage where project_id = $1',
      [site.project.id],
    )
    expect(use).toMatchObject({ used: 907, reserved: 0 })
    const page = (await (await service.get(site.project)).json()) as { conversations: object[] }
    expect(page.conversations).toHaveLength(1)
  })

  test('a gap stays likely if the model cites an invented source, and the model is not asked again', async () => {
    await site.client.deploy(withBonsai)
    const invented = answer(
      'In spring [9].\n{"answered": true, "category": "how-to", "sources": [9]}',
    )
    await runRound(invented)
    expect(await onlyGap()).toMatchObject({ state: 'likely' })
    await askAll(OTHER_QUESTION)
    await runRound(invented)
    expect(model.requests).toHaveLength(0)
  })

  test('a gap stays likely, and no model is called, if the budget is used up', async () => {
    await service.owner.query('insert into assistant (project_id, tokens_per_day) values ($1, 0)', [
      site.project.id,
    ])
    await site.client.deploy(withBonsai)
    await runRound(answer('In spring [1].\n{"answered": true, "sources": [1]}'))
    expect(model.requests).toHaveLength(0)
    expect(await onlyGap()).toMatchObject({ state: 'likely' })
  })

  test('a closed gap reopens when a reader gets no answer again', async () => {
    const { id } = await onlyGap()
    await change(id, { action: 'verify' })
    await askAll(SAME_QUESTION)
    await runRound()
    const gap = await onlyGap()
    expect(gap).toMatchObject({ state: 'open', count: 2, openIn: site.deployment })
    expect(gap).not.toHaveProperty('verifiedBy')
  })

  test('an owner can link, verify, dismiss and reopen a gap', async () => {
    const { id } = await onlyGap()
    expect((await change(id, { action: 'link', page: '/bonsai' })).body).toMatchObject({
      state: 'linked',
      linkedPage: '/bonsai',
    })
    expect((await change(id, { action: 'link', page: 'javascript:1' })).status).toBe(400)
    expect((await change(id, { action: 'verify' })).body).toMatchObject({
      state: 'verified',
      verifiedBy: 'owner',
      closedIn: site.deployment,
    })
    expect((await change(id, { action: 'dismiss' })).body).toMatchObject({ state: 'dismissed' })
    await askAll(QUESTION)
    await runRound()
    expect(await onlyGap()).toMatchObject({ state: 'dismissed', count: 2 })
    const { body } = await change(id, { action: 'reopen' })
    expect(body).toMatchObject({ state: 'linked', openIn: site.deployment })
    expect(body).not.toHaveProperty('closedIn')
  })

  test('a gap that only its owner has verified is not reopened by a deployment', async () => {
    const { id } = await onlyGap()
    await change(id, { action: 'verify' })
    await site.client.deploy(await builtSite(page('rain', '---\ntitle: Rain\n---\nRain is wet.\n')))
    await runRound()
    expect(await onlyGap()).toMatchObject({ state: 'verified' })
  })
})

describe('gaps in previews', () => {
  const forecast = async (id: string) =>
    (await site.client.call('GET', `/deployments/${id}/gaps`)).body

  test('a preview has a forecast of likely and lost answers, without a model and without changing gaps', async () => {
    await askAll(QUESTION, OTHER_QUESTION)
    await runRound()
    const { id } = await site.client.deploy(withBonsai, { target: 'preview', branch: 'bonsai' })
    await runRound(answer('x'))
    const [, bonsai] = await gaps()
    expect(await forecast(id)).toEqual({ open: 2, likely: [bonsai.id], lost: [] })
    expect((await gaps()).map(({ state }) => state)).toEqual(['open', 'open'])
    expect([notifications, model.requests.length]).toEqual([1, 0])
    await site.client.deploy(withBonsai)
    const without = await site.client.deploy(garden, { target: 'preview', branch: 'without' })
    await runRound()
    expect(await forecast(without.id)).toEqual({ open: 1, likely: [], lost: [bonsai.id] })
    expect(await gaps('?state=likely')).toMatchObject([{ id: bonsai.id }])
  })

  test('a preview of a project without gaps has no forecast', async () => {
    const { id } = await site.client.deploy(withBonsai, { target: 'preview', branch: 'bonsai' })
    await runRound()
    expect((await site.client.call('GET', `/deployments/${id}/gaps`)).status).toBe(404)
  })
})
