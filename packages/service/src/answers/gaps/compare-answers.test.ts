/** Tests the comparison of answers with a real service and real deployments. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { callerOf } from '../../../testing/call-project.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import { runGapRound } from '../../../testing/run-gap-round.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { queueGapWork } from './queue-gap-work.ts'

const HOSE = {
  question: 'How do I turn on the hose?',
  page: '/water',
  spans: ['hose on every morning'],
}
const SOIL = { question: 'What do I mix into heavy soil?', page: '/soil', spans: ['Mix compost'] }
const BONSAI = { question: 'When is bonsai repotting?', page: '/water', spans: ['in spring'] }
const FILE = 'octavo-questions.jsonl'
const lines = (...questions: object[]) => questions.map((one) => JSON.stringify(one)).join('\n')
const QUESTIONS = lines(HOSE, SOIL, BONSAI, { question: 'Is there a phone app?', page: null })
const SITE = { ...GARDEN, [FILE]: QUESTIONS }
const WITHOUT_HOSE = {
  ...SITE,
  'water.mdx': '---\ntitle: Water\n---\nPlants need water.\n\n## Hose\n\nThe hose is green.\n',
}

const WITHOUT_WATER = { ...GARDEN, 'water.mdx': '---\ntitle: Water\n---\nPlants are green.\n' }

const blobsFolder = mkdtempSync(join(fastTempFolder(), 'octavo-answers-'))
const blobs = await openFolderStore(blobsFolder)
let service: TestService
let site: AssistantSite
let notifications: number

beforeAll(async () => {
  service = await startAssistantService({ blobStore: blobs })
})
afterAll(async () => {
  await service.stop()
  rmSync(blobsFolder, { recursive: true, force: true })
})
beforeEach(async () => {
  site = await newAssistantSite(service, await builtSite(GARDEN))
  notifications = 0
})

/** Deploys a preview, and runs a round of the job if the deployment has queued one. */
async function forecastOf(files: Readonly<Record<string, string>>) {
  const preview = { target: 'preview', branch: 'change' }
  const { id } = await site.client.deploy(await builtSite(files), preview)
  const { tenant } = site.project
  const queued: (string | undefined)[] = []
  await queueGapWork(service.service.database, {
    send: async (_, data) => {
      queued.push(data.projectId)
    },
  })
  const onNotify = () => {
    notifications += 1
  }
  if (queued.includes(tenant.projectId)) await runGapRound({ service, blobs, tenant, onNotify })
  return site.client.call('GET', `/deployments/${id}/gaps`)
}

describe('answers in previews', () => {
  test('a preview that removes an answer has one lost question in its forecast', async () => {
    const { status, body } = await forecastOf(WITHOUT_HOSE)
    expect(status).toBe(200)
    const answers = { questions: 4, lostCount: 1, lost: [HOSE.question], gained: 0 }
    expect(body).toMatchObject({ open: 0, likely: [], lost: [], answers })
    expect(notifications).toBe(1)
  })

  test('a harmless edit loses no answer', async () => {
    const soil = GARDEN['soil.mdx'].replace('Mix compost', 'Dig first, then: Mix compost')
    const { body } = await forecastOf({ ...SITE, 'soil.mdx': `${soil}\nEarthworms help.\n` })
    expect(body.answers).toMatchObject({ questions: 4, lostCount: 0, lost: [], gained: 0 })
  })

  test('a new section gains an answer', async () => {
    const water = `${GARDEN['water.mdx']}\n## Bonsai repotting\n\nBonsai repotting is done in spring.\n`
    const { body } = await forecastOf({ ...SITE, 'water.mdx': water })
    expect(body.answers).toMatchObject({ lostCount: 0, gained: 1 })
  })

  test('a preview without questions is not compared', async () => {
    const { [FILE]: _, ...files } = WITHOUT_HOSE
    expect((await forecastOf(files)).status).toBe(404)
    expect(notifications).toBe(0)
  })

  test('questions of a preview are not compared without a live deployment', async () => {
    await service.owner.query('update publication set deployment_id = null where project_id = $1', [
      site.project.id,
    ])
    const { status, body } = await forecastOf(WITHOUT_HOSE)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('answers')
  })

  test('at most 20 lost questions are stored, even with characters that a database rejects', async () => {
    const hostile = Array.from({ length: 21 }, (_, index) => {
      return { ...HOSE, question: `How do I turn on hose ${index}?\u0000\ud800` }
    })
    const { body } = await forecastOf({ ...WITHOUT_HOSE, [FILE]: lines(...hostile) })
    expect(body.answers).toMatchObject({ questions: 21, lostCount: 21 })
    expect(body.answers.lost).toHaveLength(20)
    expect(body.answers.lost[0]).toBe('How do I turn on hose 0?\ufffd\ufffd')
  })
})

describe("readers' questions in previews", () => {
  const WATER = [{ title: 'Water', url: 'https://docs.example.com/water#hose' }]
  const asked = (query: string, more: object = {}) => {
    return {
      query,
      response: 'Every morning.',
      sources: WATER,
      resolutionStatus: 'answered',
      ...more,
    }
  }

  const analytics = ({ project }: AssistantSite, path: string, request: object) =>
    fetch(`${service.url}/v1/analytics/${project.publicId}/assistant${path}`, {
      headers: { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' },
      ...request,
    })

  /** Stores answered questions, and returns the ids of their conversations. */
  async function store(at: AssistantSite, ...questions: readonly object[]) {
    const conversations = questions.map((one, index) => ({ questionId: `q${index}`, ...one }))
    const body = JSON.stringify({ conversations })
    const response = await analytics(at, '', { method: 'POST', body })
    return ((await response.json()) as { ids: readonly string[] }).ids
  }

  const setAsking = (askInPreviews: boolean, { project } = site) =>
    callerOf(service.url, project)('PUT', '/assistant', { body: { askInPreviews } })

  test('an answer that a preview loses is reported by the id of its conversation, without its text', async () => {
    await setAsking(true)
    const [id] = await store(site, asked('When is the hose turned on?'))
    const { status, body } = await forecastOf(WITHOUT_WATER)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('answers')
    expect(body.readerAnswers).toEqual({
      questions: 1,
      lostCount: 1,
      lost: [id],
      gained: 0,
      changed: 0,
    })
    expect(JSON.stringify(body)).not.toContain('When is the hose')
    expect(notifications).toBe(1)
  })

  test('a harmless edit loses no answer', async () => {
    await setAsking(true)
    await store(site, asked('When is the hose turned on?'))
    const water = `${GARDEN['water.mdx']}\nWater early.\n`
    const { body } = await forecastOf({ ...GARDEN, 'water.mdx': water })
    expect(body.readerAnswers).toMatchObject({ questions: 1, lostCount: 0, lost: [] })
  })

  test.each([
    ['has never chosen it', async () => {}],
    ['has turned it off again', async () => [await setAsking(true), await setAsking(false)]],
  ])('no question is asked if the owner %s', async (_, choose) => {
    await choose()
    await store(site, asked('When is the hose turned on?'))
    expect((await forecastOf({ ...WITHOUT_WATER, [FILE]: QUESTIONS })).body).not.toHaveProperty(
      'readerAnswers',
    )
  })

  test('questions of another project, without an answer, about other sites and deleted ones are not asked', async () => {
    await setAsking(true)
    const other = await newAssistantSite(service, await builtSite(GARDEN))
    await setAsking(true, other)
    await store(other, asked('When is the hose turned on?'))
    const [deleted] = await store(
      site,
      asked('Is the hose on in the morning?'),
      asked('When is the hose on?', { resolutionStatus: 'unanswered' }),
      asked('What is on the blog?', { sources: [{ title: 'Blog', url: 'mailto:a@example.com' }] }),
    )
    expect((await analytics(site, `/${deleted}`, { method: 'DELETE' })).status).toBe(204)
    const { status, body } = await forecastOf(WITHOUT_WATER)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('readerAnswers')
  })

  test('a question that several readers asked counts once, as its newest conversation', async () => {
    await setAsking(true)
    const [, newest] = await store(
      site,
      asked('When is the hose on?'),
      asked(' when is the HOSE on?'),
    )
    const { body } = await forecastOf(WITHOUT_WATER)
    expect(body.readerAnswers).toMatchObject({ questions: 1, lost: [newest] })
  })
})

test.each([
  ['site', {}],
  ['preview', { target: 'preview', branch: 'change' }],
])('no reader of a %s can fetch its questions', async (_, target) => {
  const { call } = await newAssistantSite(service, await builtSite(SITE), target)
  expect((await call('GET', '/water')).status).toBe(200)
  for (const path of ['/_octavo/questions.jsonl', `/${FILE}`])
    expect([path, (await call('GET', path)).status]).toEqual([path, 404])
})
