import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../run.ts'

let cwd = ''
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'octavo-cli-ask-'))
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text)
  write('docs.json', '{"name": "Garden", "navigation": {"pages": ["water", "prune", "secret"]}}')
  write(
    'water.mdx',
    '---\ntitle: Water\n---\nEvery morning.\n\n## With a hose\n\nOpen the valve:\n\n```sh\nvalve open --slowly\n```\n',
  )
  write('prune.mdx', '---\ntitle: Prune\n---\nPrune roses in winter, before buds open.\n')
  write('secret.mdx', '---\ntitle: Secret\ngroups: [staff]\n---\nThe treasure is below the oak.\n')
  write(
    'questions.jsonl',
    '{"question": "How do I open the valve of a hose?", "page": "/water"}\n{"question": "Can I deploy it to Heroku with Terraform?", "page": null}\n',
  )
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

async function octavo(...args: readonly string[]) {
  const printed = { out: '', err: '' }
  const code = await run({
    args,
    cwd,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    out: { write: (text) => (printed.out += text) },
    err: { write: (text) => (printed.err += text) },
  })
  return { code, ...printed }
}

describe('octavo ask', () => {
  test('an answer quotes the matching section with its link', async () => {
    const { code, out } = await octavo('ask', 'How do I open the valve of a hose?')
    expect(out).toContain('Open the valve:\n\n```sh\nvalve open --slowly\n```')
    expect(out).toContain('Water › With a hose  /water#with-a-hose')
    expect(code).toBe(0)
  })

  test('an unanswered question lists the nearest pages', async () => {
    const { code, out } = await octavo('ask', 'Can I prune with a Heroku Terraform provider?')
    expect(out).toContain('The documentation does not answer this.\n\nNearest pages:\n')
    expect(code).toBe(1)
  })

  test('a page that requires a group is never quoted or named', async () => {
    const { out } = await octavo('ask', 'Where is the treasure below the oak?', '--json')
    expect(out).not.toMatch(/secret|The treasure is/i)
    expect(JSON.parse(out)).toMatchObject({ status: 'unanswered', reason: 'low-support' })
  })

  test.each([
    [['ask'], 'Missing argument'],
    [['ask', 'a', '.', 'b'], 'Unexpected argument "b"'],
    [['ask', 'a', '--vectors', 'remote'], 'Invalid --vectors "remote"'],
    [['ask', 'a', 'nowhere'], 'does not exist'],
    [['ask', 'a', '--scope', 'fr'], 'has no scope "fr"'],
    [['ask', 'a', '--vectors', 'local'], 'is not installed'],
    [['eval', 'none.jsonl'], 'cannot be read'],
  ])('the arguments %j are rejected', async (args, reason) => {
    const { code, err } = await octavo(...args)
    expect(err).toContain(reason)
    expect(code).toBe(2)
  })
})

test('octavo eval prints the metrics as text or as one line of JSON', async () => {
  const { code, out } = await octavo('eval', 'questions.jsonl')
  expect(out).toMatch(/^2 questions\nrecall@1 +1\.000\n/)
  expect(code).toBe(0)
  const { out: json } = await octavo('eval', 'questions.jsonl', '--json')
  expect(JSON.parse(json)).toMatchObject({
    questions: 2,
    recall: { 1: 1, 5: 1, 10: 1 },
    agreement: { balanced: 1 },
  })
  expect(json.trim()).not.toContain('\n')
})
