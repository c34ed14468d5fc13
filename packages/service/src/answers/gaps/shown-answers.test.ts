/** Tests `octavo eval --against` with a real service and real deployments. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../../cli/src/run.ts'
import { writeFiles } from '../../../../cli/testing/run-in.ts'
import {
  type AssistantSite,
  GARDEN,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import { builtSite } from '../../../testing/built-site.ts'
import { callerOf } from '../../../testing/call-project.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import type { TestService } from '../../../testing/test-service.ts'

const HOSE = {
  question: 'How do I turn on the hose?',
  page: '/water',
  spans: ['hose on every morning'],
}
const SECRET = { question: 'Where is the treasure below the oak?', pages: ['/secret'] }
const SITE = {
  ...GARDEN,
  'docs.json': GARDEN['docs.json'].replace('"soil"', '"soil", "secret"'),
  'secret.mdx': '---\ntitle: Secret\ngroups: [staff]\n---\nThe treasure is below the oak.\n',
  'octavo-questions.jsonl': `${JSON.stringify(HOSE)}\n{"question": "Is there an app?", "page": null}`,
}

let service: TestService
let site: AssistantSite
let other: AssistantSite
const folder = mkdtempSync(join(fastTempFolder(), 'octavo-shown-'))

beforeAll(async () => {
  service = await startAssistantService()
  const built = await builtSite(SITE)
  ;[site, other] = [await newAssistantSite(service, built), await newAssistantSite(service, built)]
  writeFiles(folder, SITE)
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function evaluate(...args: readonly string[]) {
  let [out, err] = ['', '']
  const code = await run({
    args: ['eval', '.', ...args, '--project', site.project.publicId, '--service', service.url],
    cwd: folder,
    env: { NO_COLOR: '1', FORCE_COLOR: undefined, OCTAVO_API_KEY: site.project.token },
    clock: { now: Date.now, sleep: async () => {} },
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  })
  return { code, out, err }
}

describe('octavo eval --against with a deployment', () => {
  test('an edit that loses an answer of the live site is found', async () => {
    const same = await evaluate('--against', 'live')
    expect(same).toEqual({ code: 0, out: '0 answers lost, 0 gained, 0 changed.\n', err: '' })
    writeFiles(folder, { 'water.mdx': '---\ntitle: Water\n---\nPlants need water.\n' })
    for (const name of ['1', site.deployment, `http://${site.host}:8080`]) {
      const lost = await evaluate('--against', name)
      expect(lost).toMatchObject({ code: 1, err: '' })
      expect(lost.out).toContain(`lost: ${HOSE.question}\n`)
      expect(lost.out).toContain('before (answered, /water#hose)')
      expect(lost.out).toContain('1 answer lost, 0 gained, 0 changed.')
    }
    writeFiles(folder, SITE)
  })

  test('an unknown deployment and the URL of another site are rejected', async () => {
    expect((await evaluate('--against', '99')).err).toContain('There is no deployment #99.')
    const url = await evaluate('--against', 'https://example.com')
    expect(url.err).toContain(`The URL of this project is http://${site.host}`)
  })
})

describe('shown answers', () => {
  type Asking = { readonly at?: AssistantSite; readonly token?: string }
  const ask = (questions: readonly object[], { at = site, token }: Asking = {}) =>
    callerOf(service.url, at.project)<{ answers: readonly { matches: readonly object[] }[] }>(
      'POST',
      `/deployments/${site.deployment}/shown-answers`,
      { body: { questions }, ...(token !== undefined && { token }) },
    )
  const hose = { question: HOSE.question, pages: ['/water'], passages: HOSE.spans }

  test('the answer to a question has its excerpts, and nothing of a page that requires a group', async () => {
    const { status, body, text } = await ask([hose, { ...SECRET, passages: [] }])
    expect(status).toBe(200)
    expect(body.answers[0]).toMatchObject({ status: 'answered', isShown: true, isWritten: true })
    expect(text).not.toMatch(/The treasure is|"\/secret/)
  })

  test.each(['deploy:read', 'gaps:read'] as const)(
    'a key with only the scope %s cannot ask, since it may not read protected pages',
    async (scope) => {
      const token = await service.createKey(site.project, { scopes: [scope] })
      expect((await ask([hose], { token })).status).toBe(403)
    },
  )

  test('a deployment of another project is not found', async () => {
    expect((await ask([hose])).status).toBe(200)
    expect((await ask([hose], { at: other })).status).toBe(404)
  })

  test('at most 20 questions can be asked at once', async () => {
    const many = (count: number) => Array.from({ length: count }, () => hose)
    expect((await ask(many(20))).status).toBe(200)
    expect((await ask(many(21))).status).toBe(400)
    expect((await ask([])).status).toBe(400)
  })
})
