import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const textOf = ({ text }: { readonly text: string }) => text

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
  test('`octavo ask --json` prints the excerpts of several sections, each with its URL', async () => {
    const { out } = await octavo('ask', 'When should I prune or water?', '--json')
    const { text, status, sources, matches } = JSON.parse(out)
    const texts = [...(status === 'answered' ? [text] : []), ...matches.map(textOf)]
    expect(texts.join(' ')).toContain('Prune roses in winter, before buds open.')
    expect(texts.join(' ')).toContain('Every morning.')
    const urls = [...sources, ...matches].map(({ url }: { readonly url: string }) => url)
    expect(urls).toContain('/prune')
    expect(urls).toContain('/water')
  })

  test('if no section answers the question, the best sections are shown without the claim of an answer', async () => {
    const { code, out } = await octavo('ask', 'How much does a new hose for the oak tree cost?')
    expect(out).toMatch(/^These sections match the question best\.\n\n/)
    expect(out).toContain('Water › With a hose  /water#with-a-hose\n\nOpen the valve:')
    expect(code).toBe(1)
  })

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

  test('`octavo ask` never quotes or names a page that requires a group', async () => {
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
  ])('the arguments %j of `octavo ask` and `octavo eval` are rejected', async (args, reason) => {
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
    agreement: { answerable: 1, unanswerable: 1 },
  })
  expect(json.trim()).not.toContain('\n')
})

test('octavo eval uses octavo-questions.jsonl if no other file is named', async () => {
  const missing = await octavo('eval')
  expect(missing).toMatchObject({
    code: 2,
    err: 'octavo: octavo-questions.jsonl: the file cannot be read.\n',
  })
  const question = { question: 'How do I open the valve?', page: '/water' }
  writeFileSync(join(cwd, 'octavo-questions.jsonl'), JSON.stringify(question))
  for (const args of [['eval'], ['eval', '.'], ['eval', cwd]])
    expect(await octavo(...args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^1 question\nrecall@1 +1\.000\n/),
    })
  rmSync(join(cwd, 'octavo-questions.jsonl'))
})

test('octavo eval fails if an edit loses an answer, and prints the excerpts before and after it', async () => {
  const questions = { question: 'How do I open the valve?', page: '/water', spans: ['valve open'] }
  const file = join(cwd, 'water.mdx')
  const before = readFileSync(file, 'utf8')
  writeFileSync(join(cwd, 'spans.jsonl'), JSON.stringify(questions))
  expect(await octavo('eval', 'spans.jsonl', '--out', 'shown.jsonl')).toMatchObject({ code: 0 })
  const same = await octavo('eval', 'spans.jsonl', '--against', 'shown.jsonl')
  expect(same).toMatchObject({ code: 0, out: '0 answers lost, 0 gained, 0 changed.\n' })
  writeFileSync(file, before.replace('valve open --slowly', 'turn it'))
  const lost = await octavo('eval', 'spans.jsonl', '--against', 'shown.jsonl')
  expect(lost.code).toBe(1)
  expect(lost.out).toMatch(/^lost: How do I open the valve\?\n {2}its passage is no longer/)
  expect(lost.out).toContain('valve open --slowly')
  expect(lost.out).toContain('turn it')
  expect(lost.out).toContain('1 answer lost, 0 gained, 0 changed.')
  writeFileSync(file, before)
  const other = await octavo('eval', 'spans.jsonl', '--against', 'questions.jsonl')
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('line 1') })
})
