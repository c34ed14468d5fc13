import type { ModelSettings } from '@octavo/contract'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  answer,
  callTool,
  DONE,
  finish,
  type ModelBehavior,
  piece,
  refuse,
  startModelServer,
  startStream,
  stream,
  streamCut,
  streamOpen,
  usage,
} from '../../testing/model-server.ts'
import type { ChatEvent, ChatRequest } from './chat.ts'
import { ModelClient, type ModelClientOptions } from './model-client.ts'

const server = await startModelServer()
afterAll(server.stop)

const SETTINGS: ModelSettings = {
  format: 'openai',
  url: server.url,
  model: 'tiny',
  key: 'sk-secret-key',
  contextTokens: 8_192,
  hasTools: true,
}
const REQUEST: ChatRequest = {
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello?' }],
  tools: [],
  outputTokensMax: 100,
}

let waits: number[]
beforeEach(() => {
  waits = []
})

const connect = (
  settings: Partial<ModelSettings> = {},
  options: Partial<ModelClientOptions> = {},
) =>
  new ModelClient(
    { ...SETTINGS, ...settings },
    {
      allowPrivateHosts: ['127.0.0.1'],
      wait: async (ms) => {
        waits.push(ms)
      },
      ...options,
    },
  )

async function chat(client = connect(), request: Partial<ChatRequest> = {}) {
  const events: ChatEvent[] = []
  for await (const event of client.chat({ ...REQUEST, ...request }, new AbortController().signal))
    events.push(event)
  const text = events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
  const last = events.at(-1)
  return {
    text,
    end: last?.type === 'end' ? last : undefined,
    failure: last?.type === 'failed' ? last.failure : undefined,
  }
}

const asked = (...behaviors: ModelBehavior[]) => {
  server.behave(...behaviors)
  return chat()
}

describe('faulty servers', () => {
  test('a busy server is tried again once, after its Retry-After time', async () => {
    const { text } = await asked(refuse(429, 'slow down', { 'retry-after': '7' }), answer('Hello'))
    expect([text, waits, server.requests.length]).toEqual(['Hello', [7_000], 2])
  })

  test('a server that asks to retry after an hour is not tried again', async () => {
    const { failure } = await asked(refuse(429, 'slow down', { 'retry-after': '3600' }))
    expect(failure).toMatchObject({ reason: 'status', status: 429 })
    expect([waits, server.requests.length]).toEqual([[], 1])
  })

  test('a server that stays down is tried twice', async () => {
    const { failure } = await asked(refuse(503, 'loading model'))
    expect(failure).toMatchObject({ status: 503 })
    expect(failure?.message).toContain('status 503: loading model')
    expect(server.requests.length).toBe(2)
  })

  test('a server that rejects the API key is not tried again, and the error does not contain the key', async () => {
    const { failure } = await asked(refuse(401, 'wrong key sk-secret-key'))
    expect(failure).toMatchObject({ status: 401 })
    expect(failure?.message).not.toContain('secret')
    expect(server.requests.length).toBe(1)
  })

  test('an answer whose connection is closed is reported as incomplete', async () => {
    const { text, failure } = await asked(streamCut(piece('Half')))
    expect([text, failure?.reason]).toEqual(['Half', 'cut'])
  })

  test.each([
    ['ends', stream(piece('Half'))],
    ['is done', stream(piece('Half'), DONE)],
  ])(
    'an answer whose stream %s without a finish reason is reported as cut off',
    async (_, behavior) => {
      expect((await asked(behavior)).failure?.reason).toBe('cut')
    },
  )

  test('an error in the stream is reported as a failure', async () => {
    const { failure } = await asked(stream(piece('Half'), { error: { message: 'out of memory' } }))
    expect(failure).toMatchObject({ reason: 'error' })
    expect(failure?.message).toContain('out of memory')
  })

  test('a malformed line in the stream is a format failure', async () => {
    expect((await asked(stream(piece('Half'), '{"choices":[', DONE))).failure?.reason).toBe(
      'format',
    )
  })

  test('an answer that stops after the first word times out', async () => {
    server.behave(streamOpen(piece('Half')))
    const { text, failure } = await chat(connect({}, { limits: { silenceMsMax: 30 } }))
    expect([text, failure?.reason]).toEqual(['Half', 'silence'])
  })

  test.each(['firstWordMsMax', 'totalMsMax'])(
    'a request to a server that never responds times out after %s',
    async (name) => {
      server.behave(() => {})
      const { failure } = await chat(connect({}, { limits: { [name]: 30 } }))
      expect(failure?.reason).toBe('timeout')
    },
  )

  test('keep-alive comments while the server reads the prompt are accepted up to a time limit', async () => {
    server.behave((response) => {
      response.writeHead(200).write(': reading\n\n')
      const timer = setInterval(() => response.write(': reading\n\n'), 5)
      setTimeout(() => {
        startStream(response, piece('Hello'), finish())
        response.end()
      }, 40)
      response.on('close', () => clearInterval(timer))
    })
    const patient = connect({}, { limits: { silenceMsMax: 10 } })
    expect((await chat(patient)).text).toBe('Hello')
    const hasty = connect({}, { limits: { firstWordMsMax: 20 } })
    expect((await chat(hasty)).failure?.reason).toBe('timeout')
  })

  test('a server that keeps writing slowly times out', async () => {
    server.behave((response) => {
      const timer = setInterval(() => startStream(response, piece('more ')), 5)
      response.on('close', () => clearInterval(timer))
    })
    const { failure } = await chat(connect({}, { limits: { totalMsMax: 60 } }))
    expect(failure?.reason).toBe('timeout')
  })

  test('an answer that does not end is aborted', async () => {
    server.behave((response) => {
      const write = () => {
        if (response.destroyed) return
        startStream(response, ...Array.from({ length: 20 }, () => piece('blah '.repeat(10))))
        setImmediate(write)
      }
      write()
    })
    const { text, failure } = await chat()
    expect(failure?.reason).toBe('endless')
    expect(text.length).toBeLessThanOrEqual(1_200)
  })

  test('a stream with too many events without text is aborted', async () => {
    const events = 'data: {}\n\n'.repeat(50_001)
    const { failure } = await asked((response) => response.writeHead(200).end(events))
    expect(failure?.reason).toBe('endless')
  })

  test.each([
    ['a line', 200, 'data: ', 'cut'],
    ['an error', 500, '', 'status'],
  ])(
    'a response with %s that does not end is aborted before it fills the memory',
    async (_, ...sent) => {
      const [status, start, reason] = sent
      let written = 0
      server.behave((response) => {
        response.writeHead(status, { 'content-type': 'text/event-stream' }).write(start)
        const write = () => {
          if (response.destroyed) return
          written += 20_000
          response.write('x'.repeat(20_000), () => setImmediate(write))
        }
        write()
      })
      expect((await chat()).failure?.reason).toBe(reason)
      // Both attempts read an error response, and the buffers of the connection contain some more
      // bytes.
      expect(written).toBeLessThan(8_000_000)
    },
  )

  test('arguments of tool calls are returned as the model wrote them, even if they are invalid', async () => {
    const { end } = await asked(callTool('search', '{"query": '))
    expect(end?.calls).toEqual([{ id: 'call-1', name: 'search', arguments: '{"query": ' }])
  })

  test('the token usage is undefined if the server does not report it', async () => {
    const { text, end } = await asked(answer('Hello'))
    expect([text, end]).toEqual([
      'Hello',
      { type: 'end', reason: 'stop', calls: [], usage: undefined },
    ])
  })

  test.each([
    ['HTML', 'text/html', '<html>'],
    ['JSON', 'application/json', '{"choices":[]}'],
  ])(
    'a response of type %s instead of a stream is reported as a format failure',
    async (_, type, body) => {
      const { failure } = await asked((response) =>
        response.writeHead(200, { 'content-type': type }).end(body),
      )
      expect(failure?.reason).toBe('format')
    },
  )

  test('an unreachable server is tried twice', async () => {
    const { failure } = await chat(connect({ url: 'http://127.0.0.1:1' }))
    expect([failure?.reason, waits]).toEqual(['connection', [1_000]])
  })

  test('a redirect of a model server is not followed, so its key is not sent elsewhere', async () => {
    const { failure } = await asked((response) =>
      response.writeHead(307, { location: `${server.url}/elsewhere` }).end(),
    )
    expect([failure?.status, server.requests.length]).toEqual([307, 1])
  })
})

test('an aborted chat closes the connection and rejects with the reason of the caller', async () => {
  const closed = Promise.withResolvers<void>()
  server.behave((response) => {
    response.on('close', closed.resolve)
    startStream(response, piece('Half'))
  })
  const control = new AbortController()
  const events = connect().chat(REQUEST, control.signal)
  expect((await events.next()).value).toEqual({ type: 'text', text: 'Half' })
  const reason = new Error('the reader left')
  control.abort(reason)
  await expect(events.next()).rejects.toBe(reason)
  await closed.promise
})

test('a chat closes its connection when the caller stops reading', async () => {
  const closed = Promise.withResolvers<void>()
  server.behave((response) => {
    response.on('close', closed.resolve)
    startStream(response, piece('Half'))
  })
  for await (const _ of connect().chat(REQUEST, new AbortController().signal)) break
  await closed.promise
})

describe('server differences', () => {
  test('an answer ends even if the server leaves the connection open', async () => {
    server.behave(streamOpen(piece('Hello'), finish(), usage(9)))
    const { text, end } = await chat(connect({}, { limits: { afterEndMsMax: 20 } }))
    expect([text, end?.usage]).toEqual(['Hello', { inputTokens: 9, outputTokens: 7 }])
  })

  test('a field that the server has rejected once is omitted from later requests', async () => {
    server.behave(refuse(400, 'unknown field'), answer('Hello'), answer('Again'))
    const client = connect()
    expect((await chat(client)).text).toBe('Hello')
    expect((await chat(client)).text).toBe('Again')
    expect(server.requests.map(({ body }) => 'stream_options' in body)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('a server that requires other fields gets `max_completion_tokens` and no temperature', async () => {
    server.behave(
      refuse(400, "'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      refuse(400, "'temperature' does not support 0.1 with this model."),
      answer('Hello'),
    )
    expect((await chat()).text).toBe('Hello')
    const { body } = server.requests.at(-1) ?? {}
    expect(body).toMatchObject({ max_completion_tokens: 100, stream: true })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['max_tokens', 'temperature']))
  })

  test('a server that rejects all variants of a request is tried four times', async () => {
    const { failure } = await asked(refuse(400, 'max_completion_tokens temperature'))
    expect([failure?.status, server.requests.length]).toEqual([400, 4])
  })

  test('tool calls can arrive in pieces, without ids or without an index', async () => {
    const delta = (...tool_calls: object[]) => ({ choices: [{ delta: { tool_calls } }] })
    const { end } = await asked(
      stream(
        delta({ index: 0, id: 'a', function: { name: 'read', arguments: '{"url"' } }),
        delta({ index: 0, function: { arguments: ':"/x"}' } }),
        delta({ function: { name: 'list', arguments: {} } }),
        finish('stop'),
      ),
    )
    expect(end?.calls).toEqual([
      { id: 'a', name: 'read', arguments: '{"url":"/x"}' },
      { id: 'call-2', name: 'list', arguments: '{}' },
    ])
  })

  test('the lengths of tool calls and the reported token counts are limited', async () => {
    const long = 'x'.repeat(50_000)
    const called = { index: 0, id: long, function: { name: long, arguments: long } }
    const { end } = await asked(
      stream({ choices: [{ delta: { tool_calls: [called] } }] }, finish(), usage(1e308, -1)),
    )
    const [call] = end?.calls ?? []
    expect([call?.id.length, call?.name.length, call?.arguments.length]).toEqual([200, 200, 4_000])
    expect(end?.usage).toEqual({ inputTokens: 100_000_000, outputTokens: 0 })
  })

  test('the reasoning of a model is removed, but an answer about thinking tags is kept', async () => {
    const thought = { choices: [{ delta: { reasoning_content: 'hm', reasoning: 'hm' } }] }
    const said = '\n<think>secret </thin</think>\nThe tag <think> is plain.'
    const pieces = said.match(/.{1,3}/gsu) ?? []
    const { text } = await asked(stream(thought, ...pieces.map(piece), finish()))
    expect(text.trim()).toBe('The tag <think> is plain.')
  })

  test('an answer that was cut off or filtered has this as its reason', async () => {
    expect((await asked(stream(piece('a'), finish('length')))).end?.reason).toBe('length')
    expect((await asked(stream(piece('a'), finish('content_filter')))).end?.reason).toBe('filtered')
  })

  test.each([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/v1beta/openai/', '/v1beta/openai/chat/completions'],
    ['/openai/deployments/x?api-version=1', '/openai/deployments/x/chat/completions?api-version=1'],
  ])('requests for a base URL that ends in "%s" are sent to %s', async (typed, path) => {
    server.behave(answer('Hello'))
    await chat(connect({ url: `${server.url}${typed}` }))
    expect(server.requests[0]?.url).toBe(path)
  })

  test('a server whose URL has no /v1 is found, and its URL is remembered', async () => {
    server.behave(refuse(404, 'not found'), answer('Hello'), answer('Again'))
    const client = connect({ url: `${server.url}/api` })
    await chat(client)
    expect((await chat(client)).text).toBe('Again')
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/chat/completions',
      '/api/chat/completions',
      '/api/chat/completions',
    ])
  })

  test('a missing model is reported with the URL that was tried', async () => {
    const { failure } = await asked(refuse(404, 'model "tiny" not found'))
    expect(failure?.message).toContain('/v1/chat/completions: model "tiny" not found')
  })

  test('each kind of server gets the API key in the header that it expects', async () => {
    server.behave(answer('Hello'))
    await chat()
    await chat(connect({ url: `${server.url}/d?api-version=1` }))
    await chat(connect({ key: undefined }))
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      { authorization: 'Bearer sk-secret-key' },
      { 'api-key': 'sk-secret-key' },
      expect.not.objectContaining({ authorization: expect.anything() }),
    ])
  })
})

test('a model server on a private network is rejected unless it is allowed', async () => {
  server.behave(answer('Hello'))
  const { failure } = await chat(connect({}, { allowPrivateHosts: [] }))
  expect([failure?.reason, server.requests.length]).toEqual(['address', 0])
})
