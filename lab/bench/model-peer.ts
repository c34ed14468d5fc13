/**
 * Checks the protocol of the model client with a real llama.cpp server.
 * Uses the model client, the answerer and `octavo eval --model`, and prints the outcome of each
 * check. The quality of answers is not checked.
 *
 *   llama-server -m chat.gguf -c 2048 --port 18080     and, for embeddings, with --embedding on another port
 *   npm run lab bench/model-peer -- --url http://127.0.0.1:18080 --model tinyllama [--embeddings http://127.0.0.1:18081]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createModelAnswerer, ModelClient } from '@octavo/assistant'
import type { ModelFormat } from '@octavo/contract'
import type { ChatEvent } from '../../packages/assistant/src/models/chat.ts'
import { memoryLibrary } from '../../packages/assistant/testing/memory-library.ts'
import { run } from '../../packages/cli/src/run.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    model: { type: 'string', default: 'tinyllama' },
    embeddings: { type: 'string' },
  },
})
const { url, model, embeddings } = values
if (url === undefined) {
  console.log('Not run: --url names no llama.cpp server.')
  process.exit(0)
}

let failures = 0
const report = (name: string, isRight: boolean, detail: string) => {
  if (!isRight) failures += 1
  console.log(`${isRight ? 'ok    ' : 'WRONG '} ${name.padEnd(24)} ${detail}`)
}
const connect = (format: ModelFormat, address = url) =>
  new ModelClient(
    { format, url: address, model, key: undefined, contextTokens: 2_048, hasTools: false },
    { allowPrivateHosts: [new URL(address).hostname] },
  )
const { signal } = new AbortController()

for (const format of ['openai', 'anthropic'] as const) {
  const started = performance.now()
  const events = await collect(format, 'Say hello.')
  const last = events.at(-1)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  report(`${format}: stream`, last?.type === 'end', `${events.length} events in ${seconds} s`)
  const usage = last?.type === 'end' ? last.usage : undefined
  report(`${format}: usage`, (usage?.inputTokens ?? 0) > 0, JSON.stringify(usage))

  const long = await collect(format, 'The garden had many trees that year. '.repeat(600))
  const end = long.at(-1)
  const refusal = end?.type === 'failed' ? end.failure : undefined
  report(`${format}: overflow`, refusal?.status === 400, refusal?.message ?? 'not refused')

  const control = new AbortController()
  const chat = connect(format).chat(request('Count to a thousand.', 500), control.signal)
  await chat.next()
  control.abort(new Error('enough'))
  const thrown = await chat.next().then(
    () => undefined,
    (error: Error) => error.message,
  )
  report(`${format}: abort`, thrown === 'enough', `threw ${thrown}`)
  // A further request checks that the abort freed the server's only slot.
  const after = await collect(format, 'Say yes.')
  report(`${format}: after an abort`, after.at(-1)?.type === 'end', `${after.length} events`)
}

if (embeddings !== undefined) {
  const embedded = await connect('openai', embeddings).embed(['a tree', 'a plant', 'a tax'], signal)
  const vectors = embedded.kind === 'vectors' ? embedded.vectors : []
  const [tree = [], plant = [], tax = []] = vectors
  const near = cosine(tree, plant)
  report(
    'embeddings',
    near > cosine(tree, tax),
    `${tree.length} dimensions, ${near.toFixed(2)} alike`,
  )
}

const reports: string[] = []
const answerer = createModelAnswerer({
  client: connect('openai'),
  settings: { siteName: 'Tool', contextTokens: 2_048, hasTools: false },
  report: ({ message }) => reports.push(message),
})
let text = ''
const outcome = await answerer(
  { text: 'How do I install the tool?', history: [] },
  {
    library: memoryLibrary({ '/install': 'Install the tool with npm install tool.' }),
    signal,
    give: async (part) => {
      if (part.type === 'text') text += part.text
    },
  },
)
const { status, sources, usage } = outcome
const isHonest = status === 'unanswered' || sources.length > 0
report(
  'answerer',
  isHonest,
  JSON.stringify({ status, sources: sources.length, usage, text, reports }),
)

const table = await evaluate(url)
report('octavo eval', table.code === 0, `exit code ${table.code}`)
console.log(`\n${table.text}`)
process.exitCode = failures > 0 ? 1 : 0

/** Measures the model with two questions about a site of one page. */
async function evaluate(endpoint: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'octavo-model-peer-'))
  const write = (path: string, lines: readonly string[]) =>
    writeFileSync(join(cwd, path), lines.join('\n'))
  write('docs.json', ['{"name": "Tool", "navigation": {"pages": ["install"]}}'])
  write('install.mdx', ['---', 'title: Install', '---', 'Install the tool with npm.'])
  write('questions.jsonl', [
    '{"question": "How do I install the tool?", "page": "/install", "spans": ["with npm"]}',
    '{"question": "How much does the tool cost?", "page": null}',
  ])
  let text = ''
  const print = { write: (piece: string) => (text += piece) }
  const code = await run({
    args: ['eval', 'questions.jsonl', '--model', endpoint],
    cwd,
    env: {
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      OCTAVO_ASSISTANT_MODEL: model,
      OCTAVO_ASSISTANT_CONTEXT_TOKENS: '2048',
      OCTAVO_ASSISTANT_TOOLS: 'false',
    },
    clock: { now: () => performance.now(), sleep: () => Promise.resolve() },
    out: print,
    err: print,
  })
  rmSync(cwd, { recursive: true })
  return { code, text }
}

async function collect(format: ModelFormat, question: string): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of connect(format).chat(request(question, 20), signal)) events.push(event)
  return events
}

function request(question: string, outputTokensMax: number) {
  const messages = [{ role: 'user', text: question }] as const
  return { system: 'Be brief.', messages, tools: [], outputTokensMax }
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
