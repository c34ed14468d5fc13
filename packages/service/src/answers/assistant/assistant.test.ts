/**
 * Tests readers' questions through the real host, with a real database and a fake model server on
 * loopback.
 */
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  answer,
  DONE,
  finish,
  piece,
  refuse,
  startModelServer,
  stream,
  streamOpen,
} from '../../../../assistant/testing/model-server.ts'
import {
  type AssistantSite,
  GARDEN,
  modelAt,
  newAssistantSite,
  outcomeOf,
  partsOf,
  readerOf,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import type { TestProject, TestService } from '../../../testing/test-service.ts'

const model = await startModelServer()
const ANSWER = 'Use `hose on` [1].\n{"answered": true, "category": "how-to", "sources": [1]}'
const QUESTION = 'How do I turn on the hose?'
let service: TestService
let site: AssistantSite
beforeAll(async () => {
  service = await startAssistantService({
    assistant: { model: modelAt(model.url), tokensPerDay: undefined, tokensPerMonth: undefined },
  })
})
afterAll(async () => {
  await service.stop()
  model.stop()
})
beforeEach(async () => {
  site = await newAssistantSite(service)
  model.behave(answer(ANSWER, 900))
})

async function recorded({ id }: Pick<TestProject, 'id'> = site.project) {
  return service.owner.query<Record<string, unknown>>(
    `select c.query, c.response, c.sources, c.resolution_status as status, c.query_category as category,
            c.thread_id as thread, c.page_url as page, d.reason, d.deployment_id as deployment, d.model,
            d.used_tokens::integer as used, d.is_cached as cached
       from conversation c left join conversation_detail d using (project_id, id)
      where project_id = $1 order by c.id`,
    [id],
  )
}

async function use({ id }: Pick<TestProject, 'id'> = site.project) {
  const [row] = await service.owner.query<Record<string, number>>(
    `select questions, cached, used_tokens::integer as used, reserved_tokens::integer as reserved,
            saved_tokens::integer as saved from assistant_usage where project_id = $1`,
    [id],
  )
  return row
}

describe('answers', () => {
  test('an answer is sent as an AI SDK stream, and the conversation is recorded before the stream ends', async () => {
    const reply = await site.ask(QUESTION, { body: { page: '/water' } })
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store, no-transform',
    })
    const parts = partsOf(reply)
    const types = parts.map(({ type }) => type).filter((type) => type !== 'text-delta')
    expect(types).toEqual([
      'start',
      'text-start',
      'text-end',
      'source-url',
      'data-outcome',
      'finish',
      '[DONE]',
    ])
    const text = parts.map(({ delta = '' }) => delta).join('')
    const source = { title: 'Water › Hose', url: `http://${site.host}:8080/water#hose` }
    expect(parts.find(({ type }) => type === 'source-url')).toMatchObject(source)
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered', deployment: site.deployment })
    expect(await recorded()).toEqual([
      {
        query: QUESTION,
        response: text,
        sources: [source],
        status: 'answered',
        category: 'how-to',
        thread: 'thread-1',
        page: `http://${site.host}:8080/water`,
        reason: null,
        deployment: site.deployment,
        model: 'tiny',
        used: 907,
        cached: false,
      },
    ])
    expect(await use()).toMatchObject({ questions: 1, used: 907, reserved: 0 })
  })

  test('an answer is sent as Markdown or JSON if the client accepts that', async () => {
    const markdown = await site.ask(QUESTION, { headers: { accept: 'text/markdown' } })
    expect(markdown.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'x-octavo-resolution-status': 'answered',
    })
    expect(markdown.text).toContain('Use `hose on`')
    expect(markdown.text).toContain(`- [Water › Hose](<http://${site.host}:8080/water#hose>)`)
    const json = await site.ask(QUESTION, { headers: { accept: 'application/json' } })
    expect(JSON.parse(json.text)).toMatchObject({
      status: 'answered',
      sources: [{ title: 'Water › Hose' }],
      conversation: { id: expect.any(String), token: expect.any(String) },
    })
    expect(await recorded()).toHaveLength(2)
  })

  test('a repeated question is answered from the cache, which is recorded but not charged', async () => {
    await site.ask(QUESTION)
    model.behave(refuse(500))
    const again = await site.ask(' how do I turn on the  HOSE ')
    expect(outcomeOf(again)).toMatchObject({ status: 'answered', category: 'how-to' })
    expect(model.requests).toHaveLength(0)
    expect(await recorded()).toMatchObject([
      { cached: false, used: 907 },
      { cached: true, used: 0, status: 'answered', model: 'tiny' },
    ])
    expect(await use()).toMatchObject({ questions: 2, cached: 1, used: 907, saved: 907 })
  })

  test('an answer of one site is never used for another site', async () => {
    const other = await newAssistantSite(service)
    await site.ask(QUESTION)
    await other.ask(QUESTION)
    expect(model.requests).toHaveLength(2)
    expect(await recorded(other.project)).toMatchObject([{ cached: false }])
  })

  test('a follow-up question is sent with its history and is not answered from the cache', async () => {
    const message = (role: string, text: string) => ({ role, parts: [{ type: 'text', text }] })
    const messages = [
      message('user', 'Hello?'),
      message('assistant', 'Yes?'),
      message('user', QUESTION),
    ]
    await site.ask('', { body: { messages } })
    await site.ask('', { body: { messages } })
    expect(model.requests).toHaveLength(2)
    expect(JSON.stringify(model.requests[0]?.body)).toContain('Hello?')
  })
})

describe('outcomes that are recorded exactly once', () => {
  test("a model's statement that there is no answer is recorded as `declared` (requirements S5, C6b)", async () => {
    model.behave(answer('I looked [1].\n{"answered": false, "sources": [1]}', 900))
    const reply = await site.ask(QUESTION)
    expect(outcomeOf(reply)).toMatchObject({ status: 'unanswered', reason: 'declared' })
    expect(await recorded()).toMatchObject([{ status: 'unanswered', reason: 'declared' }])
  })

  test('a failure of the provider is recorded as a provider error and not charged', async () => {
    model.behave(refuse(401))
    const reply = await site.ask(QUESTION)
    expect(outcomeOf(reply)).toMatchObject({ status: 'unanswered', reason: 'provider-error' })
    expect(await recorded()).toMatchObject([{ status: 'unanswered', reason: 'provider-error' }])
    expect(await use()).toMatchObject({ used: 0, reserved: 0 })
  })

  test('an implausible token count from the provider is limited', async () => {
    model.behave(answer(ANSWER, 1e300))
    expect(outcomeOf(await site.ask(QUESTION))).toMatchObject({ status: 'answered' })
    expect(await recorded()).toMatchObject([{ status: 'answered', used: 100_000_007 }])
    // Count this project too in the metrics of used budgets.
    await service.owner.query('insert into notice_work values ($1)', [site.project.id])
    const gauges = await service.owner.query('select * from count_used_budgets(1000, 1000)')
    expect(gauges).toEqual([{ near: 1, spent: 1 }])
  })

  test('a reader who disconnects stops the provider, and the text so far is recorded', async () => {
    const closed = Promise.withResolvers<void>()
    model.behave((response, body) => {
      response.once('close', closed.resolve)
      streamOpen(piece('Use the hose [1]. And then '), piece('there is more '))(response, body)
    })
    const { sent, response } = await site.begin(QUESTION)
    for await (const data of response) if (String(data).includes('Use the hose')) break
    sent.destroy()
    await closed.promise
    await vi.waitFor(async () => expect(await recorded()).toHaveLength(1))
    expect(await recorded()).toMatchObject([
      { status: 'unanswered', reason: 'stopped', response: expect.stringMatching(/^Use the hose/) },
    ])
    // The question is charged for one prompt and one maximum answer, not for all rounds.
    const { used = 0, reserved } = (await use()) ?? {}
    expect([reserved, used > 500, used < 4_000]).toEqual([0, true, true])
  })

  test('a stream that has lost its lease ends with an error, and the saved text is recorded', async () => {
    const release = Promise.withResolvers<void>()
    model.behave((response, body) => {
      streamOpen(piece('Use the hose [1]. '))(response, body)
      void release.promise.then(() => stream(finish(), DONE)(response, body))
    })
    const { response } = await site.begin(QUESTION)
    await once(response, 'data')
    await service.owner.query(
      `update question set leased_until = now() - interval '1 second', saved_text = 'Use' where project_id = $1`,
      [site.project.id],
    )
    await service.owner.query(`select set_config('octavo.project_id', $1, false)`, [
      site.project.id,
    ])
    const bound = service.service.database.forProject(site.project.tenant)
    await bound.query(
      `select publish_question(id, '', '[]', 'unanswered', null) from question where conversation_id is null`,
    )
    release.resolve()
    let text = ''
    for await (const data of response) text += String(data)
    expect(text).toContain('"type":"error"')
    expect(text).not.toContain('"type":"finish"')
    expect(await recorded()).toMatchObject([{ response: 'Use', reason: 'interrupted' }])
  })
})

describe('budgets', () => {
  test('questions are answered without a model after the budget is used up', async () => {
    await service.owner.query(
      'insert into assistant (project_id, tokens_per_day) values ($1, 900)',
      [site.project.id],
    )
    await site.ask(QUESTION)
    expect(model.requests).toHaveLength(1)
    const reply = await site.ask('How much compost for tomatoes?')
    expect(model.requests).toHaveLength(1)
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered' })
    const none = await site.ask('zzzz qqqq xxxx?')
    expect(outcomeOf(none)).toMatchObject({ status: 'unanswered', reason: 'budget' })
    expect(model.requests).toHaveLength(1)
    expect(await recorded()).toMatchObject([
      { model: 'tiny', used: 907 },
      { model: null, used: 0, status: 'answered' },
      { status: 'unanswered', reason: 'budget', used: 0 },
    ])
  })

  test('concurrent questions exceed the budget by at most one answer', async () => {
    await service.owner.query(
      'insert into assistant (project_id, tokens_per_day) values ($1, 20000)',
      [site.project.id],
    )
    const tickets = await Promise.all([1, 2].map(() => site.ticket()))
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        site.ask(`${QUESTION} ${index}`, { ticket: tickets[index % 2] ?? '' }),
      ),
    )
    // Each question reserves 8,000 tokens but uses only 907.
    const { used = 0, reserved } = (await use()) ?? {}
    expect(used).toBeLessThanOrEqual(20_000 + 8_000)
    expect(reserved).toBe(0)
    expect(used).toBe(model.requests.length * 907)
    expect(await recorded()).toHaveLength(30)
  })
})

describe('project models', () => {
  const setModel = (url: string, name = 'own') =>
    service.owner.query('insert into assistant (project_id, model) values ($1, $2)', [
      site.project.id,
      JSON.stringify({ ...modelAt(url), key: undefined, model: name }),
    ])

  test("the model of a project is used instead of the service's model", async () => {
    await setModel('https://nowhere.invalid')
    expect(outcomeOf(await site.ask(QUESTION))).toMatchObject({ reason: 'provider-error' })
    expect(await recorded()).toMatchObject([{ model: 'own' }])
  })

  test("the model of a project cannot be on a private network, unlike the operator's model", async () => {
    await setModel(model.url)
    expect(outcomeOf(await site.ask(QUESTION))).toMatchObject({ reason: 'provider-error' })
    expect(model.requests).toHaveLength(0)
  })

  test("a project cannot use the operator's private model, even with identical settings", async () => {
    expect(outcomeOf(await site.ask(QUESTION))).toMatchObject({ status: 'answered' })
    site = await newAssistantSite(service)
    model.behave(answer(ANSWER, 900))
    await setModel(model.url, 'tiny')
    expect(outcomeOf(await site.ask(QUESTION))).toMatchObject({ reason: 'provider-error' })
    expect(model.requests).toHaveLength(0)
  })
})

describe('database outages', () => {
  test('a question fails with 503 while the database is down, and the model is not called', async () => {
    const own = await startAssistantService({ assistant: { ...service.settings.assistant } })
    try {
      const asked = await newAssistantSite(own)
      const ticket = await asked.ticket()
      const name = new URL(own.databaseUrl).pathname.slice(1)
      await service.owner.query(`alter database ${name} allow_connections false`)
      await service.owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`,
        [name],
      )
      const reply = await asked.ask(QUESTION, { ticket })
      await service.owner.query(`alter database ${name} allow_connections true`)
      expect(reply.status).toBe(503)
      expect(model.requests).toHaveLength(0)
      // A connection pooler such as PgBouncer waits for a while before it connects again.
      await expect
        .poll(async () => outcomeOf(await asked.ask(QUESTION, { ticket })), { timeout: 20_000 })
        .toMatchObject({ status: 'answered' })
    } finally {
      await own.stop()
    }
  }, 40_000)
})

describe('previews', () => {
  test('questions in a preview are answered, and only their cost is recorded', async () => {
    const preview = await newAssistantSite(service, undefined, {
      target: 'preview',
      branch: 'next',
    })
    expect(preview.host).toMatch(/previews\.localhost$/)
    const reply = await preview.ask('my private question about the hose')
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered' })
    expect(outcomeOf(reply).conversation).toBeUndefined()
    expect(await recorded(preview.project)).toEqual([])
    const turns = await service.owner.query('select * from question where project_id = $1', [
      preview.project.id,
    ])
    expect(turns).toEqual([])
    expect(await use(preview.project)).toMatchObject({ used: 907, reserved: 0 })
  })
})

describe('secrets in questions', () => {
  test('secrets in a question are masked before they reach the database or the model', async () => {
    const canary = `me.canary@example.com`
    await site.ask(`${QUESTION} I am ${canary}, my card is 4111 1111 1111 1111`, {
      body: { selection: `password: canary12345`, page: '/water' },
    })
    expect(JSON.stringify(model.requests)).not.toMatch(/canary|4111/)
    expect(JSON.stringify(model.requests)).toContain('<masked: e-mail>')
    expect(await recorded()).toMatchObject([
      { query: `${QUESTION} I am <masked: e-mail>, my card is <masked: card number>` },
    ])
    expect(service.log.join('')).not.toMatch(/canary|4111 1111/)
  })
})

describe('base paths', () => {
  test('the assistant works below a base path, which its sources and the recorded page contain', async () => {
    const based = await newAssistantSite(service, await builtSite(GARDEN, 'https://x.example/docs'))
    expect((await based.ticketReply()).status).toBe(404)
    const reply = await based.ask(QUESTION, {
      base: '/docs',
      body: { page: 'https://proxy.example/docs/water/?x#y' },
    })
    expect(outcomeOf(reply)).toMatchObject({ status: 'answered' })
    expect(await recorded(based.project)).toMatchObject([
      {
        page: `http://${based.host}:8080/docs/water`,
        sources: [{ url: `http://${based.host}:8080/docs/water#hose` }],
      },
    ])
  })
})

const siteWith = (assistant: object) =>
  builtSite({
    ...GARDEN,
    'docs.json': JSON.stringify({ ...JSON.parse(GARDEN['docs.json']), assistant }),
  })

test('assistant settings in docs.json reach the panel and the model but are not served', async () => {
  const assistant = {
    starterQuestions: ['How do I start?'],
    instructions: 'Speak like a gardener.',
    categories: ['tools', 'how-to', 'other'],
  }
  const own = await newAssistantSite(service, await siteWith(assistant))
  expect(JSON.parse((await own.ticketReply()).text)).toMatchObject({
    questions: 20,
    starterQuestions: ['How do I start?'],
  })
  expect(JSON.parse((await own.call('GET', '/_octavo/version.json')).text)).toMatchObject({
    assistant: true,
  })
  await own.ask(QUESTION)
  expect(JSON.stringify(model.requests)).toContain('Speak like a gardener.')
  expect((await own.call('GET', '/_octavo/assistant.json')).status).toBe(404)
})

describe('rejected requests', () => {
  const refused = async (options: Parameters<AssistantSite['ask']>[1], status: number) => {
    const reply = await site.ask(QUESTION, options)
    expect(reply.status).toBe(status)
    expect(model.requests).toHaveLength(0)
    expect(await recorded()).toEqual([])
    return JSON.parse(reply.text)
  }

  test('a cross-site request and a form submission are rejected', async () => {
    await refused({ headers: { 'sec-fetch-site': 'cross-site' } }, 403)
    await refused({ headers: { 'sec-fetch-site': 'same-site' } }, 403)
    await refused({ headers: { 'content-type': 'text/plain' } }, 400)
  })

  test('a forged or changed ticket and a ticket of another site are rejected', async () => {
    const ticket = await site.ticket()
    const other = await newAssistantSite(service)
    for (const wrong of ['', 'a.b', `${ticket}x`, `x${ticket}`, await other.ticket()]) {
      const problem = await refused({ ticket: wrong }, 401)
      expect(problem).toMatchObject({ code: 'invalid-ticket', param: 'ticket' })
    }
  })

  test('a body that is too long, empty or malformed is rejected', async () => {
    const message = (text: string, role = 'user') => ({ role, parts: [{ type: 'text', text }] })
    for (const body of [
      { messages: [] },
      { messages: [message('')] },
      { messages: [message('x'.repeat(4_001))] },
      { messages: [message('q', 'assistant')] },
      { messages: 'q' },
      { selection: 'x'.repeat(4_001) },
      { page: 1 },
    ])
      await refused({ body }, 400)
    await refused({ body: { extra: 'x'.repeat(600_000) } }, 413)
  })

  test('requests with other methods or to other paths are rejected', async () => {
    expect((await site.call('GET', '/_octavo/assistant/messages')).status).toBe(405)
    const refused = await site.call('PUT', '/_octavo/assistant/ticket')
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, POST'])
    expect(JSON.parse(refused.text).detail).toBe('Allowed methods: GET, POST.')
    expect((await site.call('GET', '/_octavo/assistant/constructor')).status).toBe(404)
    expect((await site.call('DELETE', '/x/_octavo/assistant/ticket')).status).toBe(405)
  })

  test('a site has no assistant if the project or docs.json turns it off', async () => {
    const off = await newAssistantSite(service, await siteWith({ enabled: false }))
    expect((await off.ticketReply()).status).toBe(404)
    expect(JSON.parse((await off.call('GET', '/_octavo/version.json')).text)).not.toHaveProperty(
      'assistant',
    )
    await service.owner.query('insert into assistant (project_id, is_on) values ($1, false)', [
      site.project.id,
    ])
    expect((await site.ticketReply()).status).toBe(404)
  })
})

describe('limits', () => {
  test('a ticket is valid for 20 questions, after which a new ticket is needed', async () => {
    const ticket = await site.ticket()
    for (let count = 0; count < 20; count += 1)
      expect((await site.ask(QUESTION, { ticket })).status).toBe(200)
    const reply = await site.ask(QUESTION, { ticket })
    expect(reply.status).toBe(401)
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'invalid-ticket' })
    expect((await site.ask(QUESTION)).status).toBe(200)
  })

  test('a ticket expires after half an hour', async () => {
    let now = Date.now()
    const own = await startAssistantService({ now: () => now })
    try {
      const asked = await newAssistantSite(own)
      const ticket = await asked.ticket()
      now += 30 * 60_000 - 1
      expect((await asked.ask(QUESTION, { ticket })).status).toBe(200)
      now += 1
      expect((await asked.ask(QUESTION, { ticket })).status).toBe(401)
    } finally {
      await own.stop()
    }
  })

  test('a network gets 60 tickets per hour, and each network is counted separately', async () => {
    const own = await startAssistantService({ trustedProxies: ['127.0.0.1/32'] })
    try {
      const asked = await newAssistantSite(own)
      const from = (address: string) =>
        asked.call('GET', '/_octavo/assistant/ticket', { headers: { 'x-forwarded-for': address } })
      for (let count = 0; count < 60; count += 1)
        expect((await from(`2001:db8::${count.toString(16)}`)).status).toBe(200)
      expect((await from('2001:db8::ffff')).status).toBe(429)
      expect((await from('2001:db8:0:1::1')).status).toBe(200)
      expect((await from('192.0.2.1')).status).toBe(200)
    } finally {
      await own.stop()
    }
  })
})

describe('feedback', () => {
  const send = (body: object, to = site) =>
    to.call('POST', '/_octavo/assistant/feedback', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('feedback with the token of the answer is stored and can be changed', async () => {
    const { conversation } = outcomeOf(await site.ask(QUESTION))
    const sent = { conversation: conversation.id, token: conversation.token }
    expect((await send({ ...sent, helpful: false, note: 'I am a.b@example.com' })).status).toBe(200)
    expect((await send({ ...sent, helpful: true, reason: 'other' })).status).toBe(200)
    const rows = await service.owner.query(
      'select is_helpful, reason, note from conversation_feedback where project_id = $1',
      [site.project.id],
    )
    expect(rows).toEqual([{ is_helpful: true, reason: 'other', note: null }])
  })

  test('feedback with a wrong token, for another site or with a long note is rejected', async () => {
    const { conversation } = outcomeOf(await site.ask(QUESTION))
    const sent = { conversation: conversation.id, token: conversation.token, helpful: true }
    const other = await newAssistantSite(service)
    expect((await send({ ...sent, token: 'x' })).status).toBe(403)
    expect((await send(sent, other)).status).toBe(403)
    expect((await send({ ...sent, note: 'x'.repeat(1_001) })).status).toBe(400)
    expect((await send({ ...sent, note: 'x'.repeat(1_000) })).status).toBe(200)
  })
})

test('a host name without a site answers no questions', async () => {
  const ticket = await site.ticket()
  const { status } = await readerOf(service.port, 'nobody.sites.localhost').ask(QUESTION, {
    ticket,
  })
  expect(status).toBe(404)
})
