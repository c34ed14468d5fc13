import type { ModelFormat } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import {
  answer,
  type ModelBehavior,
  refuse,
  startModelServer,
  stream,
  streamCut,
} from '../../testing/model-server.ts'
import type { ChatEvent, ChatMessage } from './chat.ts'
import { ModelClient } from './model-client.ts'

const server = await startModelServer()
afterAll(server.stop)
const { signal } = new AbortController()

const connect = (format: ModelFormat) =>
  new ModelClient(
    { format, url: server.url, model: 'tiny', key: 'k', contextTokens: 8_192, hasTools: true },
    { allowPrivateHosts: ['127.0.0.1'], wait: async () => {} },
  )

const TOOL = { name: 'search', description: 'Finds.', parameters: { type: 'object' } }
const MESSAGES: readonly ChatMessage[] = [
  { role: 'user', text: 'Hello?' },
  {
    role: 'assistant',
    text: '',
    calls: [
      { id: 'a', name: 'search', arguments: '{"query":"x"}' },
      { id: 'b', name: 'search', arguments: 'broken' },
    ],
  },
  { role: 'tool', callId: 'a', text: 'found' },
  { role: 'tool', callId: 'b', text: 'wrong' },
]

async function chat(format: ModelFormat, behavior: ModelBehavior): Promise<ChatEvent[]> {
  server.behave(behavior)
  const events: ChatEvent[] = []
  const request = { system: 'Be brief.', messages: MESSAGES, tools: [TOOL], outputTokensMax: 50 }
  for await (const event of connect(format).chat(request, signal)) events.push(event)
  return events
}

test('each tool result is sent to OpenAI as a message of its own', async () => {
  await chat('openai', answer('x'))
  expect(server.requests[0]?.body).toMatchObject({
    model: 'tiny',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', tool_calls: [{ id: 'a' }, { function: { arguments: 'broken' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
      { role: 'tool', tool_call_id: 'b', content: 'wrong' },
    ],
    tools: [{ type: 'function', function: TOOL }],
    max_tokens: 50,
    stream_options: { include_usage: true },
  })
})

describe('the Anthropic format', () => {
  const start = {
    type: 'message_start',
    message: { usage: { input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 1 } },
  }
  const text = (words: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: words },
  })
  const stop = (stop_reason: string) => ({
    type: 'message_delta',
    delta: { stop_reason },
    usage: { output_tokens: 9 },
  })

  test("requests to Anthropic have alternating roles, objects as arguments, and Anthropic's headers", async () => {
    await chat('anthropic', stream(start, stop('end_turn')))
    expect(server.requests[0]).toMatchObject({
      url: '/v1/messages',
      headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body: {
        system: 'Be brief.',
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'a', input: { query: 'x' } },
              { type: 'tool_use', id: 'b', input: {} },
            ],
          },
          { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }] },
        ],
        tools: [{ name: 'search', input_schema: { type: 'object' } }],
        max_tokens: 50,
      },
    })
  })

  test('an Anthropic stream yields text, calls and token usage, but no thinking', async () => {
    const events = await chat(
      'anthropic',
      stream(
        start,
        { type: 'ping' },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        text('Hel'),
        text('lo'),
        {
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'thinking_delta', thinking: 'hm' },
        },
        {
          type: 'content_block_start',
          index: 2,
          content_block: { type: 'tool_use', id: 'c', name: 'search', input: {} },
        },
        { type: 'content_block_delta', index: 2, delta: { partial_json: '{"query":' } },
        { type: 'content_block_delta', index: 2, delta: { partial_json: '"y"}' } },
        stop('tool_use'),
        { type: 'message_stop' },
      ),
    )
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      {
        type: 'end',
        reason: 'stop',
        calls: [{ id: 'c', name: 'search', arguments: '{"query":"y"}' }],
        usage: { inputTokens: 105, outputTokens: 9 },
      },
    ])
  })

  test.each([
    [
      'an error in the stream',
      stream(start, { type: 'error', error: { message: 'Overloaded' } }),
      'error',
    ],
    ['a stream without a stop reason', stream(start, text('Half')), 'cut'],
    ['a connection that is cut', streamCut(start, text('Half')), 'cut'],
    ['a status that only Anthropic uses', refuse(529, 'Overloaded'), 'status'],
  ])('the Anthropic client reports %s as a failure', async (_, behavior, reason) => {
    const events = await chat('anthropic', behavior)
    expect(events.at(-1)).toMatchObject({ type: 'failed', failure: { reason } })
  })

  test.each([
    ['max_tokens', 'length'],
    ['refusal', 'filtered'],
  ])(
    'the Anthropic stop reason %s is reported as the matching finish reason',
    async (reason, expected) => {
      const events = await chat('anthropic', stream(start, text('x'), stop(reason)))
      expect(events.at(-1)).toMatchObject({ type: 'end', reason: expected })
    },
  )
})

describe('embeddings', () => {
  const reply =
    (write: (input: readonly string[]) => object): ModelBehavior =>
    (response, body) =>
      response.end(JSON.stringify(write((body as { input: readonly string[] }).input)))

  test('embeddings are requested 32 at a time and returned in the order of the texts', async () => {
    server.behave(
      reply((input) => ({
        data: input.map((text, index) => ({ index, embedding: [Number(text), 1] })).reverse(),
      })),
    )
    const texts = Array.from({ length: 70 }, (_, index) => String(index))
    const outcome = await connect('openai').embed(texts, signal)
    expect(outcome).toEqual({ kind: 'vectors', vectors: texts.map((text) => [Number(text), 1]) })
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([32, 32, 6])
    expect(server.requests[0]?.url).toBe('/v1/embeddings')
  })

  test.each([
    ['too few', () => ({ data: [{ index: 0, embedding: [1] }] })],
    ['of different lengths', () => ({ data: [{ embedding: [1] }, { embedding: [1, 2] }] })],
    [
      'two for the same text',
      () => ({
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      }),
    ],
    ['not numbers', () => ({ data: [{ embedding: ['a'] }, { embedding: ['b'] }] })],
  ])('a response with embeddings that are %s is rejected', async (_, write) => {
    server.behave(reply(write))
    const outcome = await connect('openai').embed(['a', 'b'], signal)
    expect(outcome).toMatchObject({ kind: 'failed', failure: { reason: 'format' } })
  })

  test('embeddings fail if the response is not JSON or the server refuses the request', async () => {
    server.behave((response) => response.end('<html>'))
    const client = connect('openai')
    expect(await client.embed(['a'], signal)).toMatchObject({ failure: { reason: 'format' } })
    server.behave(refuse(501, 'not offered'))
    expect(await client.embed(['a'], signal)).toMatchObject({ failure: { status: 501 } })
  })
})

test('the client lists the models of a server', async () => {
  server.behave((response) =>
    response.end(JSON.stringify({ data: [{ id: 'tiny' }, { id: 'big' }] })),
  )
  expect(await connect('anthropic').listModels(signal)).toEqual({
    kind: 'models',
    ids: ['tiny', 'big'],
  })
})
