/**
 * Tests the lifecycle of a gap with a real service, real deployments and a model server on
 * loopback.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  modelAt,
  newAssistantSite,
  outcomeOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { answer, type ModelBehavior, startModelServer } from '../../../testing/model-server.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import type { TestSite } from '../../../testing/test-deployment.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { BlobCache } from '../../reading/hosting/blob-cache.ts'
import { openAnswerParts } from '../assistant/open-assistant.ts'
import { createGapJob } from './run-gaps.ts'

const QUESTION = 'Bonsai repotting?'
const SAME_QUESTION = 'repotting a bonsai'
const OTHER_QUESTION = 'Greenhouse heating?'
const BONSAI = '---\ntitle: Bonsai\n---\n\n## Repotting\n\nBonsai repotting is done in spring.\n'
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
let told: number

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
  told = 0
})

/** Runs one round of the job. */
async function runRound(behaviour?: ModelBehavior): Promise<void> {
  if (behaviour !== undefined) model.behave(behaviour)
  const { settings } = service
  const assistant = {
    ...settings.assistant,
    model: behaviour === undefined ? undefined : modelAt(model.url),
  }
  const log = createLog(() => {}, Date.now)
  const cache = new BlobCache(blobs, 10_000_000)
  const now = Date.now
  const parts = openAnswerParts({ settings: { ...settings, assistant }, blobs, cache, log, now })
  const job = createGapJob({
    database: service.service.database,
    parts,
    cache,
    notifyHost: async () => {
      told += 1
    },
    now,
    log,
  })
  const { signal } = new AbortController()
  await job({ data: site.project.tenant, signal, finish: async () => {} })
  parts.libraries.stop()
}

// biome-ignore lint/suspicious/noExplicitAny: replies of the API, to be looked at.
type Reply = any
const gaps = async (query = ''): Promise<Reply[]> =>
  (await site.client.call('GET', `/gaps${query}`)).body.gaps
const change = (id: string, body: object) => site.client.call('POST', `/gaps/${id}`, body)
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
    await askAll(QUESTION)
    await runRound()
    expect((await gaps()).map(({ count }) => count)).toEqual([1, 3])
    const [newest] = await gaps('?limit=1')
    const { body } = await site.client.call('GET', '/gaps?limit=1')
    expect(body.nextCursor).toBe(newest.id)
    expect(await gaps(`?cursor=${newest.id}`)).toMatchObject([{ count: 3 }])
    expect(await gaps('?state=verified')).toEqual([])
  })

  test('a question that failed for other reasons than the docs is not a gap', async () => {
    await askAll(QUESTION, OTHER_QUESTION)
    await service.owner.query(
      `update conversation_detail set reason = 'provider-error'
        where project_id = $1 and id = (select min(id) from conversation where project_id = $1)`,
      [site.project.id],
    )
    await runRound()
    expect(await gaps()).toMatchObject([{ examples: [OTHER_QUESTION] }])
  })

  test('erased conversations disappear from their gap, and an empty gap is deleted', async () => {
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

  test('the gap tables contain no question text', async () => {
    await askAll(QUESTION)
    await runRound()
    for (const table of ['gap', 'gap_conversation', 'gap_forecast', 'gap_work']) {
      const rows = await service.owner.query(`select to_json(t)::text as row from ${table} t`)
      expect(JSON.stringify(rows)).not.toMatch(/bonsai|repotting/i)
    }
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

  test('a new section likely closes a gap, and its removal reopens it', async () => {
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

  test('a gap stays open after an unrelated change', async () => {
    await site.client.deploy(await builtSite(page('rain', '---\ntitle: Rain\n---\nRain is wet.\n')))
    await runRound()
    expect(await onlyGap()).toMatchObject({ state: 'open' })
  })

  test('a gap is not closed by a section that already failed to answer it', async () => {
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

  test("a model that cites its sources verifies a gap at the project's cost", async () => {
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

  test('a gap stays likely if the model invents its citation, and the model is asked once', async () => {
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

  test('a gap stays likely without a model call when the budget is used up', async () => {
    await service.owner.query('insert into assistant (project_id, tokens_per_day) values ($1, 0)', [
      site.project.id,
    ])
    await site.client.deploy(withBonsai)
    await runRound(answer('In spring [1].\n{"answered": true, "sources": [1]}'))
    expect(model.requests).toHaveLength(0)
    expect(await onlyGap()).toMatchObject({ state: 'likely' })
  })

  test('a gap reopens when a reader still gets no answer', async () => {
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

  test('a gap verified only by its owner is not reopened by a deployment', async () => {
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

  test('a preview forecasts gained and lost answers without changing gaps or calling a model', async () => {
    await askAll(QUESTION, OTHER_QUESTION)
    await runRound()
    const { id } = await site.client.deploy(withBonsai, { target: 'preview', branch: 'bonsai' })
    await runRound(answer('x'))
    const [, bonsai] = await gaps()
    expect(await forecast(id)).toEqual({ open: 2, likely: [bonsai.id], lost: [] })
    expect((await gaps()).map(({ state }) => state)).toEqual(['open', 'open'])
    expect([told, model.requests.length]).toEqual([1, 0])
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
