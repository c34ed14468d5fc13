import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { estimateTokens } from '@octavo/assistant'
import { afterAll, expect, test } from 'vitest'
import {
  answer,
  callTool,
  type ModelBehavior,
  refuse,
  startModelServer,
} from '../../../../assistant/testing/model-server.ts'
import { startTestService } from '../../../testing/test-service.ts'
import { AssistantSettingsStore, NO_SETTINGS } from '../../answers/assistant/settings-store.ts'
import { runCommand } from './run-command.ts'

const server = await startModelServer()
const service = await startTestService()
const folder = mkdtempSync(join(tmpdir(), 'octavo-assistant-'))
afterAll(async () => {
  server.stop()
  rmSync(folder, { recursive: true })
  await service.stop()
})

type ModelRequest = {
  readonly messages?: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly object[]
  readonly input?: readonly string[]
}

/** Returns the behavior of a capable model whose context window has this many tokens. */
function capable(contextTokens: number): ModelBehavior {
  return (response, body) => {
    const { messages = [], tools, input } = (body ?? {}) as ModelRequest
    const send = (value: object) => response.end(JSON.stringify(value))
    if (body === undefined) return send({ data: [{ id: 'good' }, { id: 'other' }] })
    if (input !== undefined)
      return send({ data: input.map((_, index) => ({ index, embedding: [1, 2, 3] })) })
    const prompt = messages.map(({ content }) => content).join('\n')
    const read = Math.min(contextTokens, Math.round(estimateTokens(prompt) * 0.8))
    if (tools !== undefined && !prompt.includes('tamarind'))
      return callTool('look_up', { day: 'today' })(response, body)
    const words = prompt.includes('tamarind')
      ? 'It is tamarind.'
      : 'With npm [1].\n{"answered": true} 48151623'
    answer(words, read)(response, body)
  }
}

async function run(...args: readonly string[]): Promise<string> {
  return runWith({}, ...args)
}

async function runWith(
  settings: Partial<typeof service.settings>,
  ...args: readonly string[]
): Promise<string> {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  await runCommand(['assistant', 'test', ...args], {
    settings: { ...service.settings, ...settings },
    print,
    now: Date.now,
  }).catch((error: Error) => lines.push(error.message))
  return lines.join('\n')
}

test('`assistant test` prints the settings to use if a model passes all eight probes', async () => {
  server.behave(capable(100_000))
  const key = join(folder, 'key')
  writeFileSync(key, 'sk-secret\n')
  const printed = await run(...['--url', server.url], ...['--model', 'good', '--key-file', key])
  const verdicts = [...printed.matchAll(/^(\w+) +(fine|warning|failed) /gm)]
  expect(verdicts.map(([, name, verdict]) => `${name} ${verdict}`)).toEqual([
    'models fine',
    'stream fine',
    'usage fine',
    'latency fine',
    'tools fine',
    'context fine',
    'embeddings fine',
    'JSON fine',
  ])
  expect(printed).toContain('OCTAVO_ASSISTANT_CONTEXT_TOKENS=32768\nOCTAVO_ASSISTANT_TOOLS=true')
  expect(printed).not.toContain('secret')
  expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-secret')
})

test('`assistant test` warns about a server that silently truncates prompts', async () => {
  server.behave(capable(4_096))
  const printed = await run('--url', server.url, '--model', 'good')
  expect(printed).toMatch(
    /context +warning +4096 tokens; a longer prompt is silently cut to 4096 tokens/,
  )
  expect(printed).toContain('OCTAVO_ASSISTANT_CONTEXT_TOKENS=4096')
})

test('`assistant test` fails and prints the reason if a server rejects all requests', async () => {
  server.behave(refuse(401, 'wrong key'))
  const printed = await run('--url', server.url, '--model', 'good')
  expect(printed).toMatch(/stream +failed .*status 401: wrong key/)
  expect(printed).toContain(
    'The model cannot be used. Failed checks: stream, usage, latency, context, JSON.',
  )
})

const MODEL = { format: 'openai', model: 'good', contextTokens: 4_096, hasTools: true } as const

test('`assistant test` uses the model from the environment variables by default', async () => {
  server.behave(capable(100_000))
  const model = { ...MODEL, url: server.url, key: 'sk-secret' }
  const printed = await runWith({ assistant: { ...service.settings.assistant, model } })
  expect(printed).toContain('OCTAVO_ASSISTANT_CONTEXT_TOKENS=4096')
})

test("`assistant test` does not connect to a project's model on a private network", async () => {
  const { tenant, publicId } = await service.createProject()
  expect(await run(publicId)).toBe(`Project ${publicId} does not have its own model.`)
  const store = new AssistantSettingsStore(service.owner.forProject(tenant))
  await store.write({ ...NO_SETTINGS, model: { ...MODEL, url: server.url } })
  server.behave(capable(100_000))
  expect(await run(publicId)).toMatch(/stream +failed .*127.0.0.1 is not on the public internet/)
  const printed = await runWith({ allowPrivateHosts: ['127.0.0.1'] }, publicId)
  expect(printed).toMatch(/context +fine +4096 tokens/)
})

test.each([
  [['--model', 'x'], 'Missing --url.'],
  [['--url', 'http://127.0.0.1'], 'Missing --model.'],
  [['--url', 'ftp://x', '--model', 'x'], 'Invalid --url: The address of the model must be a URL'],
  [['--url', 'http://127.0.0.1', '--model', 'x', '--format', 'x'], 'Invalid --format'],
  [
    ['--url', 'http://127.0.0.1', '--model', 'x', '--context-tokens', '7'],
    'Invalid --context-tokens',
  ],
  [
    ['--url', 'http://127.0.0.1', '--model', 'x', '--key-file', '/nowhere'],
    '--key-file: expected one',
  ],
])('`assistant test` rejects the options %s', async (args, message) => {
  expect(await run(...args)).toContain(message)
})
