import type { AssistantAnswer, AssistantReply, AuditList } from '@octavo/contract'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAssistantSite, startAssistantService } from '../../../testing/assistant-site.ts'
import { callerOf, type ProblemBody } from '../../../testing/call-project.ts'
import { SECRET_KEYS } from '../../../testing/test-connection.ts'

let service: Awaited<ReturnType<typeof startAssistantService>>
beforeAll(async () => {
  service = await startAssistantService({
    secretKeys: SECRET_KEYS,
    assistant: { model: undefined, tokensPerDay: 500, tokensPerMonth: undefined },
  })
})
afterAll(() => service.stop())

async function newProject() {
  const project = await service.createProject(SCOPES)
  return { project, call: callerOf(service.url, project) }
}

const CANARY = 'sk-canary-0123456789'
const MODEL = { format: 'openai', url: 'https://models.example.com/v1', model: 'tiny' }

describe('assistant settings', () => {
  test('a project without settings uses those of the service', async () => {
    const { call } = await newProject()
    const { body } = await call<AssistantReply>('GET', '/assistant')
    const use = { questions: 0, cached: 0, tokens: 0 }
    expect(body).toEqual({
      isOn: true,
      mask: true,
      proofOfWork: false,
      askInPreviews: false,
      model: null,
      serviceModel: null,
      tokensPerDay: null,
      tokensPerMonth: null,
      today: { ...use, tokensMax: 500 },
      month: { ...use, tokensMax: null },
    })
  })

  test('only the given settings change, and the API key is stored but never shown', async () => {
    const { call } = await newProject()
    const first = await call<AssistantReply>('PUT', '/assistant', {
      body: { model: { ...MODEL, key: CANARY }, tokensPerDay: 100 },
    })
    expect(first.status).toBe(200)
    expect(first.body.model).toEqual({
      ...MODEL,
      contextTokens: 32_768,
      hasTools: true,
      hasKey: true,
    })
    const second = await call<AssistantReply>('PUT', '/assistant', {
      body: { mask: false, tokensPerMonth: 0 },
    })
    expect(second.body).toMatchObject({
      mask: false,
      model: { ...MODEL, hasKey: true },
      tokensPerDay: 100,
      month: { tokensMax: 0 },
    })
    const audit = await call<AuditList>('GET', '/audit?action=assistant.')
    expect(audit.body.entries).toHaveLength(2)
    expect(first.text + second.text + audit.text).not.toContain(CANARY)
  })

  test('an API key is kept for the same server and removed for another one', async () => {
    const { call } = await newProject()
    const set = async (model: object | null) =>
      (await call<AssistantReply>('PUT', '/assistant', { body: { model } })).body.model
    await set({ ...MODEL, key: CANARY })
    expect(await set({ ...MODEL, model: 'larger' })).toMatchObject({ hasKey: true })
    expect(await set({ ...MODEL, url: 'https://evil.example.com/v1' })).toMatchObject({
      hasKey: false,
    })
    expect(await set(MODEL)).toMatchObject({ hasKey: false })
    expect(await set(null)).toBeNull()
  })

  test('the assistant can be turned off and on again', async () => {
    const { call } = await newProject()
    expect((await call('DELETE', '/assistant')).status).toBe(204)
    expect((await call<AssistantReply>('GET', '/assistant')).body.isOn).toBe(false)
    expect((await call<AssistantReply>('PUT', '/assistant', { body: {} })).body.isOn).toBe(true)
    const { body } = await call<AuditList>('GET', '/audit?action=assistant.')
    expect(body.entries.map(({ action }) => action)).toEqual(['assistant.set', 'assistant.off'])
  })

  test.each([
    [{ model: { ...MODEL, url: 'ftp://example.com' } }, 'model.url'],
    [{ model: { ...MODEL, format: 'other' } }, 'model.format'],
    [{ model: { ...MODEL, contextTokens: 5 } }, 'model.contextTokens'],
    [{ model: { ...MODEL, key: 'two words' } }, 'model.key'],
    [{ model: { url: MODEL.url } }, 'model.format'],
    [{ tokensPerDay: -1 }, 'tokensPerDay'],
    [{ mask: 'off' }, 'mask'],
    [{ isOn: false }, undefined],
  ])('the assistant settings %j are rejected', async (body, param) => {
    const { call } = await newProject()
    const refused = await call<ProblemBody>('PUT', '/assistant', { body })
    expect([refused.status, refused.body.param]).toEqual([400, param])
  })
})

describe('test questions to the assistant', () => {
  test('a test question is answered from the live site and is neither counted nor recorded', async () => {
    const { project, deployment } = await newAssistantSite(service)
    const call = callerOf(service.url, project)
    const { status, body } = await call<AssistantAnswer>('POST', '/assistant/test', {
      body: { question: 'How do I turn on the hose?' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ resolutionStatus: 'answered', deployment, usedTokens: 0 })
    expect(body.response).toContain('hose on')
    expect(body.sources[0]?.url).toMatch(/^http:\/\/[\w-]+\.sites\.localhost:8080\/water/)
    const no = await call<AssistantAnswer>('POST', '/assistant/test', {
      body: { question: 'Who won the chess championship in 1972?' },
    })
    expect(no.body.resolutionStatus).toBe('unanswered')
    const rows = await service.owner.query(
      'select id from conversation where project_id = $1 union all select id from question where project_id = $1',
      [project.id],
    )
    expect(rows).toEqual([])
    const settings = await call<AssistantReply>('GET', '/assistant')
    expect(settings.body).toMatchObject({ today: { questions: 0 }, month: { questions: 0 } })
  })

  test('a test question is rejected if no site is live or the assistant is off', async () => {
    const { call } = await newProject()
    const ask = () => call<ProblemBody>('POST', '/assistant/test', { body: { question: 'Why?' } })
    expect((await ask()).status).toBe(409)
    await call('DELETE', '/assistant')
    expect((await ask()).body.detail).toContain('off')
  })

  test.each(['', ' ', 'a\0b', 'x'.repeat(4_001)])(
    'the test question %j is rejected',
    async (question) => {
      const { call } = await newProject()
      const refused = await call<ProblemBody>('POST', '/assistant/test', { body: { question } })
      expect([refused.status, refused.body.param]).toEqual([400, 'question'])
    },
  )
})
