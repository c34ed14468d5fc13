/** Tests the outcome of a question when the model or its server misbehaves. */
import { gzipSync } from 'node:zlib'
import { type AnswerPart, UNANSWERED_TEXT } from '@octavo/search'
import { afterAll, expect, test } from 'vitest'
import { memoryLibrary } from '../../testing/memory-library.ts'
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
} from '../../testing/model-server.ts'
import { ModelClient } from '../models/model-client.ts'
import type { ModelLimits } from '../models/send-to-model.ts'
import { createModelAnswerer } from './create-model-answerer.ts'

const server = await startModelServer()
afterAll(server.stop)

const MODEL = { format: 'openai', model: 'tiny', contextTokens: 32_768, hasTools: true } as const
const LIBRARY = {
  '/install': `Install the tool with npm. ${'It runs on every system that has Node. '.repeat(150)}`,
  '/deploy': 'Deploy the site to a server. The option --dry-run shows what would happen.',
}
const QUESTION = { text: 'How do I install the tool?', history: [] }
const YES = '\n```octavo\n{"answered": true, "category": "how-to", "sources": [1]}\n```'
const GOOD = `Install it with npm [1].${YES}`

async function ask(behaviors: readonly ModelBehavior[], limits: Partial<ModelLimits> = {}) {
  server.behave(...behaviors)
  const reports: string[] = []
  const given: AnswerPart[] = []
  const library = memoryLibrary(LIBRARY)
  const client = new ModelClient(
    { ...MODEL, url: server.url, key: 'sk-secret' },
    { allowPrivateHosts: ['127.0.0.1'], wait: async () => {}, limits },
  )
  const settings = { siteName: 'Tool', contextTokens: 32_768, hasTools: true }
  const answerer = createModelAnswerer({
    client,
    settings,
    report: ({ message }) => reports.push(message),
  })
  const outcome = await answerer(QUESTION, {
    library,
    signal: new AbortController().signal,
    give: async (part) => {
      given.push(part)
    },
  })
  const text = given.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const steps = given.flatMap((part) => (part.type === 'step' ? [`${part.tool} ${part.of}`] : []))
  return { outcome, text, steps, reports, library }
}

type Case = readonly [
  name: string,
  behaviors: readonly ModelBehavior[],
  expected: 'answered' | 'declared' | 'no-sources' | 'provider-error',
  /** The text that the reader sees in the end. */
  text: string | RegExp,
  limits?: Partial<ModelLimits>,
]

const HALF = 'Install it with npm [1].'
const many = (count: number, text: string) => Array.from({ length: count }, () => piece(text))
const calls = (...names: readonly string[]) => {
  const list = names.map((name, index) => ({
    index,
    function: { name, arguments: '{"query":"npm"}' },
  }))
  return stream({ choices: [{ delta: { tool_calls: list } }] }, finish('tool_calls'), DONE)
}

const CASES: readonly Case[] = [
  ['answers', [answer(GOOD, 3_000)], 'answered', HALF],
  ['is busy once', [refuse(429, 'busy', { 'retry-after': '1' }), answer(GOOD)], 'answered', HALF],
  ['is busy twice', [refuse(429, 'busy')], 'provider-error', ''],
  ['is busy for an hour', [refuse(429, 'x', { 'retry-after': '3600' })], 'provider-error', ''],
  [
    'is busy until a date',
    [refuse(429, 'x', { 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT' }), answer(GOOD)],
    'answered',
    HALF,
  ],
  ['fails for ever', [refuse(500)], 'provider-error', ''],
  ['loads its model first', [refuse(503, 'Loading model'), answer(GOOD)], 'answered', HALF],
  ['is overloaded', [refuse(529, 'Overloaded')], 'provider-error', ''],
  ['does not know the key', [refuse(401, 'key sk-secret')], 'provider-error', ''],
  ['forbids the model', [refuse(403)], 'provider-error', ''],
  ['does not know the model', [refuse(404, 'model not found')], 'provider-error', ''],
  ['has too small a context', [refuse(400, 'context length exceeded')], 'provider-error', ''],
  ['refuses `stream_options`', [refuse(400, 'unknown field'), answer(GOOD)], 'answered', HALF],
  ['refuses tools', [refuse(400, 'model does not support tools'), answer(GOOD)], 'answered', HALF],
  ['refuses everything', [refuse(400, 'tools temperature')], 'provider-error', ''],
  [
    'redirects',
    [(response) => response.writeHead(307, { location: '/x' }).end()],
    'provider-error',
    '',
  ],
  [
    'sends an HTML page',
    [(response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    'provider-error',
    '',
  ],
  [
    'sends JSON',
    [(response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
    'provider-error',
    '',
  ],
  [
    'sends compressed bytes',
    [(response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'))],
    'provider-error',
    '',
  ],
  ['sends nothing', [stream()], 'provider-error', ''],
  ['closes at once', [(response) => response.destroy()], 'provider-error', ''],
  ['is cut before the first word', [streamCut()], 'provider-error', ''],
  [
    'is cut in the middle',
    [streamCut(piece(`${HALF} And`))],
    'provider-error',
    /^Install it with npm \[1\]/,
  ],
  ['does not finish', [stream(piece(GOOD))], 'provider-error', HALF],
  ['is done without a finish', [stream(piece(GOOD), DONE)], 'provider-error', HALF],
  [
    'reports an error in the stream',
    [stream(piece('Half'), { error: { message: 'no memory' } })],
    'provider-error',
    '',
  ],
  ['sends a broken line', [stream(piece('Half'), '{"choices"')], 'provider-error', ''],
  [
    'sends a list instead of an object',
    [stream('[1,2]', 'null', '"x"', '{"choices":7}', ...[piece(GOOD), finish()])],
    'answered',
    HALF,
  ],
  [
    'sends bytes that are not text',
    [(response) => response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0, 10, 10]))],
    'provider-error',
    '',
  ],
  [
    'is silent after the first word',
    [streamOpen(piece('Half'))],
    'provider-error',
    '',
    { silenceMsMax: 30 },
  ],
  ['does not answer', [() => {}], 'provider-error', '', { totalMsMax: 30 }],
  [
    'is slow',
    [
      (response) => {
        startStream(response, piece('Install it '))
        setTimeout(() => {
          startStream(response, piece(`with npm [1].${YES}`), finish())
          response.end()
        }, 20)
      },
    ],
    'answered',
    HALF,
  ],
  [
    'writes without end',
    [stream(...many(3_000, 'more and more [1] '), finish())],
    'provider-error',
    /^more and more \[1\]/,
  ],
  [
    'sends one line without end',
    [
      (response) => {
        const write = () => {
          if (!response.destroyed && response.write('x'.repeat(100_000))) setImmediate(write)
        }
        response.on('drain', write).writeHead(200).write('data: ')
        write()
      },
    ],
    'provider-error',
    '',
  ],
  ['is cut at its length', [stream(piece(HALF), finish('length'))], 'provider-error', /^Install/],
  ['is stopped by a filter', [stream(piece(''), finish('content_filter'))], 'provider-error', ''],
  ['read less than it was sent', [answer(GOOD, 400)], 'provider-error', HALF],
  ['counts nothing', [answer(GOOD)], 'answered', HALF],
  ['makes no statement', [answer(HALF)], 'answered', HALF],
  ['makes a broken statement', [answer(`${HALF}\n{"answered": maybe, `)], 'answered', HALF],
  [
    'says that there is no answer',
    [answer('It is not there.\n{"answered": false}')],
    'declared',
    'It is not there.',
  ],
  ['says only that there is none', [answer('{"answered": false}')], 'declared', UNANSWERED_TEXT],
  ['cites nothing', [answer(`Use brew.\n{"answered": true}`)], 'no-sources', UNANSWERED_TEXT],
  [
    'cites only sources that do not exist',
    [answer('Use brew [7][8].\n{"answered": true, "sources": [7]}')],
    'no-sources',
    UNANSWERED_TEXT,
  ],
  [
    'cites one source that does not exist',
    [answer(`Use npm [1], or brew [9].${YES}`)],
    'answered',
    'Use npm [1], or brew.',
  ],
  ['writes nothing', [stream(finish(), DONE)], 'no-sources', UNANSWERED_TEXT],
  ['thinks aloud', [answer(`<think>secret [1]</think>${GOOD}`)], 'answered', HALF],
  [
    'writes backticks one by one',
    [stream(...many(10_000, '`'), finish())],
    'no-sources',
    UNANSWERED_TEXT,
  ],
  ['thinks without end', [answer('<think>secret [1] and more')], 'no-sources', UNANSWERED_TEXT],
  [
    'calls a tool',
    [callTool('grep', { text: '--dry-run' }, 'a'), answer(`Use \`--dry-run\` [2].${YES}`)],
    'answered',
    'Use `--dry-run` [1].',
  ],
  [
    'calls a tool with wrong arguments',
    [callTool('search', '{"query": '), answer(GOOD)],
    'answered',
    HALF,
  ],
  [
    'calls a tool that does not exist',
    [callTool('shell', { command: 'ls' }), answer(GOOD)],
    'answered',
    HALF,
  ],
  [
    'reads a page that does not exist',
    [callTool('read', { url: '/secret' }), answer(GOOD)],
    'answered',
    HALF,
  ],
  ['calls tools for ever', [calls('search')], 'provider-error', ''],
  [
    'calls 20 tools at once',
    [calls(...Array.from({ length: 20 }, () => 'search')), answer(GOOD)],
    'answered',
    HALF,
  ],
  [
    'writes its call as text',
    [answer('<tool_call>{"name": "read"}</tool_call>')],
    'no-sources',
    UNANSWERED_TEXT,
  ],
  [
    'writes hostile Markdown',
    [answer(`![x](https://evil.example/?q=1) <script>alert(1)</script> [1]${YES}`)],
    'answered',
    '![x](https://evil.example/?q=1) <script>alert(1)</script> [1]',
  ],
  [
    'writes a character that reverses the text direction',
    [answer(`abc\u202edef [1]${YES}`)],
    'answered',
    'abcdef [1]',
  ],
]

test.each(
  CASES.map(([name, behaviors, expected, text, limits]) => ({
    name,
    behaviors,
    expected,
    text,
    limits,
  })),
)(
  'the assistant returns the expected outcome for a model that $name',
  async ({ behaviors, expected, text, limits }) => {
    const result = await ask(behaviors, limits)
    const { status } = result.outcome
    const reason = result.outcome.status === 'answered' ? 'answered' : result.outcome.reason
    expect([reason, status]).toEqual([expected, expected === 'answered' ? expected : 'unanswered'])
    if (typeof text === 'string') expect(result.text).toBe(text)
    else expect(result.text).toMatch(text)
    // Only a failure of the provider is reported to the operator. The report never contains the API
    // key.
    expect(result.reports.length).toBe(expected === 'provider-error' ? 1 : 0)
    expect(result.reports.join()).not.toContain('secret')
    if (expected === 'answered') expect(result.outcome.sources.length).toBeGreaterThan(0)
  },
)

test('an answer includes its sources, category and token usage, and reports its steps', async () => {
  const { outcome, steps, library } = await ask([
    callTool('grep', { text: '--dry-run' }),
    callTool('read', { url: 'https://elsewhere.example/deploy#main' }),
    callTool('list', { path: '/' }),
    answer(`Use the option [2]. See also [3].${YES}`, 5_000),
  ])
  expect(outcome).toMatchObject({
    status: 'answered',
    category: 'how-to',
    sources: [{ url: '/deploy#main', title: 'deploy › Main' }],
    nearest: [],
  })
  expect(outcome.usage?.inputTokens).toBeGreaterThan(5_000)
  expect(steps).toEqual(['grep --dry-run', 'read https://elsewhere.example/deploy#main', 'list /'])
  expect(library.asked).toContain('read /deploy#main')
})

test('the first six tool calls are executed, and the others return that the limit is reached', async () => {
  const { library } = await ask([calls(...Array.from({ length: 9 }, () => 'search')), answer(GOOD)])
  // The answerer itself searches once before the model does.
  expect(library.asked.length).toBe(1 + 6)
  const results = server.requests[1]?.body.messages.filter(
    ({ role }: { role: string }) => role === 'tool',
  )
  expect(results.length).toBe(9)
  expect(results[8].content).toContain('limit of 6 calls')
})

test('the operator gets a report when the server truncates a prompt', async () => {
  const { reports, outcome } = await ask([answer(GOOD, 400)])
  expect(reports[0]).toContain('read 400 tokens')
  expect(reports[0]).toContain('OLLAMA_CONTEXT_LENGTH')
  expect(outcome.nearest).toEqual([{ url: '/install', title: 'install' }])
})

test('an aborted answer rejects with the reason and is not reported to the operator', async () => {
  const control = new AbortController()
  server.behave(streamOpen(piece('Half')))
  const reports: string[] = []
  const client = new ModelClient(
    { ...MODEL, url: server.url, key: undefined },
    { allowPrivateHosts: ['127.0.0.1'] },
  )
  const settings = { siteName: 'Tool', contextTokens: 8_192, hasTools: false }
  const answerer = createModelAnswerer({
    client,
    settings,
    report: ({ message }) => reports.push(message),
  })
  const reason = new Error('the reader left')
  setTimeout(() => control.abort(reason), 20)
  const work = { library: memoryLibrary(LIBRARY), signal: control.signal, give: async () => {} }
  await expect(answerer(QUESTION, work)).rejects.toBe(reason)
  expect(reports).toEqual([])
})
