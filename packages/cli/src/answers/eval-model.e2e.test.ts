import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answer,
  type ModelBehavior,
  refuse,
  startModelServer,
} from '../../../assistant/testing/model-server.ts'
import { run } from '../run.ts'

const server = await startModelServer()
const KEY = 'sk-secret-key'
const WATER = `Water roses every morning [1].
\`\`\`octavo
{"answered": true, "category": "lookup", "sources": [1]}
\`\`\``
const DECLINED = `The documentation does not answer this.
\`\`\`octavo
{"answered": false, "category": "other", "sources": []}
\`\`\``

let cwd = ''
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'octavo-eval-model-'))
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text)
  write(
    'docs.json',
    '{"name": "Garden", "navigation": {"pages": ["water"]}, "assistant": {"instructions": "Be kind."}}',
  )
  write('water.mdx', '---\ntitle: Water\n---\nWater the roses every morning.\n')
  write(
    'questions.jsonl',
    '{"question": "When should I water the roses?", "page": "/water", "spans": ["every morning"]}\n{"question": "Do roses run on Kubernetes?", "page": null}\n',
  )
})
afterAll(() => {
  server.stop()
  rmSync(cwd, { recursive: true, force: true })
})

async function evaluate(args: readonly string[] = [], env: Record<string, string> = {}) {
  const printed = { out: '', err: '' }
  const code = await run({
    args: ['eval', 'questions.jsonl', '--model', server.url, ...args],
    cwd,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_ASSISTANT_MODEL: 'tiny', ...env },
    clock: { now: () => performance.now(), sleep: () => Promise.resolve() },
    out: { write: (text) => (printed.out += text) },
    err: { write: (text) => (printed.err += text) },
  })
  return { code, ...printed }
}

const asModels =
  (...ids: readonly string[]): ModelBehavior =>
  (response) => {
    const data = ids.map((id) => ({ id }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  }

describe('octavo eval --model', () => {
  test('a table shows how a model answers and refuses, and the key is sent but never printed', async () => {
    server.behave(answer(WATER, 1_500), answer(DECLINED, 1_500))
    const { code, out, err } = await evaluate([], { OCTAVO_ASSISTANT_KEY: KEY })
    expect(out).toMatch(
      /^tiny at 127\.0\.0\.1:\d+, 32768 tokens of context, with tools; 2 questions/,
    )
    expect(out).toMatch(/\| answerable, answered +\| 1 of 1 \(100 %\)/)
    expect(out).toMatch(/\| unanswerable, refused \(right\) +\| 1 of 1 \(100 %\)/)
    expect(out).toMatch(/\| citation precision +\| 1 of 1 \(100 %\)/)
    expect([code, err]).toEqual([0, ''])
    const [first] = server.requests
    expect(first?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(first?.body.messages[0].content).toContain('Be kind.')
    expect(out + err).not.toContain(KEY)
  })

  test('the JSON has the figures and the result of each question', async () => {
    server.behave(answer(DECLINED), answer(WATER))
    const { out } = await evaluate(['--json'])
    const { results, ...run } = JSON.parse(out)
    expect(run).toMatchObject({
      model: 'tiny',
      contextTokens: 32_768,
      answerable: { total: 1, answered: 0, declined: 1, failed: 0 },
      unanswerable: { total: 1, answered: 1, declined: 0, failed: 0 },
      tokens: { isEstimated: true },
      failures: {},
    })
    expect(results).toMatchObject([
      { question: 'When should I water the roses?', status: 'declined' },
      { question: 'Do roses run on Kubernetes?', status: 'answered', cited: [{ isRight: false }] },
    ])
    expect(out.trim()).not.toContain('\n')
  })

  test('a failure is counted by its reason and does not end the evaluation', async () => {
    server.behave(refuse(400, 'context exceeded'), answer(DECLINED))
    const { code, out } = await evaluate()
    expect(out).toMatch(/\| failed +\| 1: status 1/)
    expect(out).toMatch(/\| unanswerable, refused \(right\) +\| 1 of 1/)
    expect(code).toBe(0)
  })

  test('if no question can be answered, the command fails with the reason', async () => {
    server.behave(refuse(401, `wrong key ${KEY}`))
    const { code, out, err } = await evaluate([], { OCTAVO_ASSISTANT_KEY: KEY })
    expect(err).toContain('the first 2 questions failed. The model at 127.0.0.1')
    expect(err).toContain('status 401')
    expect(out + err).not.toContain(KEY)
    expect([code, out]).toEqual([1, ''])
  })

  test('without a name, the only model of the server is measured', async () => {
    server.behave(asModels('small'), answer(DECLINED))
    const { out } = await evaluate([], { OCTAVO_ASSISTANT_MODEL: undefined as never })
    expect(out).toMatch(/^small at /)
    server.behave(asModels('small', 'large'))
    const several = await evaluate([], { OCTAVO_ASSISTANT_MODEL: undefined as never })
    expect(several.err).toContain('Set OCTAVO_ASSISTANT_MODEL to the name of the model.')
    expect(several.err).toContain('lists 2 models')
    expect(several.code).toBe(2)
  })

  test.each([
    [['--out', 'x'], {}, '--model cannot be combined with --out'],
    [['--model', 'ftp://example.com'], {}, 'Invalid --model'],
    [[], { OCTAVO_ASSISTANT_FORMAT: 'soap' }, 'OCTAVO_ASSISTANT_FORMAT must be openai or'],
    [[], { OCTAVO_ASSISTANT_CONTEXT_TOKENS: '12' }, 'OCTAVO_ASSISTANT_CONTEXT_TOKENS must be'],
    [[], { OCTAVO_ASSISTANT_TOOLS: 'maybe' }, 'OCTAVO_ASSISTANT_TOOLS must be true or false'],
  ])('the options %j with %j are rejected', async (args, env, reason) => {
    const { code, err } = await evaluate(args, env)
    expect(err).toContain(reason)
    expect(code).toBe(2)
  })
})
