import { ModelClient } from '@octavo/assistant'
import type { ModelSettings } from '@octavo/contract'
import type { LabeledQuestion } from '@octavo/search'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { memoryLibrary } from '../../../assistant/testing/memory-library.ts'
import {
  answer,
  callTool,
  finish,
  piece,
  refuse,
  startModelServer,
  stream,
  streamOpen,
} from '../../../assistant/testing/model-server.ts'
import { ModelAsker } from './ask-model.ts'

const server = await startModelServer()
afterAll(server.stop)

const MODEL: ModelSettings = {
  format: 'openai',
  url: server.url,
  model: 'tiny',
  key: undefined,
  contextTokens: 8_192,
  hasTools: true,
}
const LIBRARY = {
  '/water': 'Water the roses every morning.',
  '/valve': 'Open the valve of the hose slowly before watering roses.',
}
const ROSES: LabeledQuestion = {
  question: 'When should I water the roses?',
  pages: new Set(['/water']),
  passages: ['every morning'],
}
const END = '\n```octavo\n{"answered": true, "category": "lookup", "sources": [1]}\n```'
const DECLINED =
  'The documentation does not answer this.\n```octavo\n{"answered": false, "sources": []}\n```'

function createAsker(answerMsMax?: number) {
  const limits = { retryMs: 1 }
  return new ModelAsker({
    client: new ModelClient(MODEL, { allowPrivateHosts: ['127.0.0.1'], limits }),
    model: MODEL,
    site: {
      enabled: true,
      name: 'Garden',
      starterQuestions: [],
      instructions: 'Be kind.',
      categories: ['lookup'],
    },
    library: memoryLibrary(LIBRARY),
    now: () => performance.now(),
    ...(answerMsMax !== undefined && { answerMsMax }),
  })
}

let asker = createAsker()
beforeEach(() => {
  asker = createAsker()
})

describe('a model that answers', () => {
  test('an answer is judged by its citations: right, wrong and invented ones', async () => {
    server.behave(answer(`Water roses every morning [1]. Open the valve [2][9].${END}`, 900))
    const result = await asker.ask(ROSES)
    expect(result).toMatchObject({
      status: 'answered',
      text: 'Water roses every morning [1]. Open the valve [2].',
      cited: [
        { url: '/water#main', isRight: true },
        { url: '/valve#main', isRight: false },
      ],
      invented: 1,
      unsupported: [],
      usage: { inputTokens: 900, outputTokens: 7 },
    })
    expect(result.firstMs).toBeLessThanOrEqual(result.totalMs)
    expect(asker.isEstimated).toBe(false)
  })

  test('a sentence without support in the cited sections is listed', async () => {
    server.behave(answer(`Water roses every morning [1]. Tulips hate frozen Kubernetes.${END}`))
    const { sentences, unsupported } = await asker.ask(ROSES)
    expect([sentences, unsupported]).toEqual([2, ['Tulips hate frozen Kubernetes.']])
    expect(asker.isEstimated).toBe(true)
  })

  test('a section that the model found with a tool can be a right citation', async () => {
    server.behave(callTool('read', { url: '/water' }), answer(`Water every morning [1].${END}`))
    const unlike = { ...ROSES, question: 'Timing?' }
    expect(await asker.ask(unlike)).toMatchObject({ cited: [{ url: '/water', isRight: true }] })
  })

  test('without passages, any citation of an expected page is right', async () => {
    server.behave(answer(`Water roses every morning [1][2].${END}`))
    const { cited } = await asker.ask({ ...ROSES, passages: [] })
    expect(cited.map(({ isRight }) => isRight)).toEqual([true, false])
  })

  test('the prompt has the settings of the site', async () => {
    server.behave(answer(DECLINED))
    await asker.ask(ROSES)
    const [system, user] = server.requests[0]?.body.messages ?? []
    expect(system.content).toContain('the documentation of Garden')
    expect(system.content).toContain('Be kind.')
    expect(user.content).toContain('Water the roses every morning.')
  })
})

test.each([
  ['says so', DECLINED],
  ['cites no source', 'Every noon, as I remember.'],
])('a model that %s has declined, and its text is not judged', async (_, text) => {
  server.behave(answer(text))
  expect(await asker.ask(ROSES)).toMatchObject({
    status: 'declined',
    failure: undefined,
    cited: [],
    sentences: 0,
  })
})

describe('a model that fails', () => {
  test.each([
    ['status', refuse(401)],
    ['error', stream({ error: { message: 'out of memory' } })],
    ['cut', stream(piece('Half'))],
    ['length', stream(piece('Half'), finish('length'))],
    ['filtered', stream(piece('Half'), finish('content_filter'))],
  ])('the failure %s is neither an answer nor a refusal', async (failure, behavior) => {
    server.behave(behavior)
    expect(await asker.ask(ROSES)).toMatchObject({ status: 'failed', failure, cited: [] })
    expect(asker.failure?.reason).toBe(failure)
  })

  test('an answer that takes too long fails, and the next question is asked', async () => {
    const hasty = createAsker(50)
    server.behave(streamOpen(piece('Half')), answer(DECLINED))
    expect(await hasty.ask(ROSES)).toMatchObject({ status: 'failed', failure: 'timeout' })
    const patient = createAsker()
    expect(await patient.ask(ROSES)).toMatchObject({ status: 'declined', failure: undefined })
  })
})
