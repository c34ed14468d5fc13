/**
 * Tests the whole cycle from the point of view of readers, authors and owners: a question is not
 * answered, a pull request adds the answer, and the gap is closed. The service runs as a separate
 * process, and Git is a real server.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readerOf } from '../../../testing/assistant-site.ts'
import { startGitHost } from '../../../testing/git-host.ts'
import {
  type HostedProject,
  type Hosting,
  type ServiceProcess,
  startHosting,
} from '../../../testing/start-hosting.ts'
import { visit } from '../../../testing/test-deployment.ts'

const TOKEN = 'ghp_canaryCanaryCanaryCanaryCanary1234'
const QUESTION = 'Bonsai repotting?'
const POLL = { interval: 500, timeout: 150_000 }

const site = (more: Readonly<Record<string, string>> = {}) => ({
  'docs.json': JSON.stringify({
    name: 'Plants',
    navigation: { pages: ['index', ...Object.keys(more).map((file) => file.slice(0, -4))] },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nPlants like water.\n',
  ...more,
})
const withAnswer = site({
  'bonsai.mdx': '---\ntitle: Bonsai\n---\n\n## Repotting\n\nBonsai repotting is done in spring.\n',
})

let folder: string
let hosting: Hosting
let host: Awaited<ReturnType<typeof startGitHost>>
let project: HostedProject
let service: ServiceProcess
let hook: { url: string; secret: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-circle-'))
  host = await startGitHost(folder, TOKEN)
  hosting = await startHosting({
    environment: {
      OCTAVO_PREVIEWS_DOMAIN: 'previews.localhost',
      OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      OCTAVO_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
  })
  project = hosting.createProject('plants')
  const args = ['connection', 'add', project.projectId, '--url', host.url, '--provider', 'github']
  const added = hosting.commandWith(TOKEN, ...args, '--token-file', '-')
  const [url = ''] = /http:\/\/\S+\/v1\/hooks\/[\w-]+/.exec(added) ?? []
  const [secret = ''] = /whsec_\S+/.exec(added) ?? []
  hook = { url, secret }
  host.repository.commit(site())
  service = await hosting.start('all')
}, 180_000)
afterAll(async () => {
  await hosting?.stop()
  host?.close()
  rmSync(folder, { recursive: true, force: true })
})

const octavo = async (...words: string[]) => {
  const { code, out, err } = await hosting.octavo(project, ...words)
  if (code !== 0) throw new Error(err)
  return out
}
const gaps = async () => JSON.parse(await octavo('gaps', 'list', '--json')).gaps
const ask = async () => {
  const { ask } = readerOf(service.port, project.host)
  return JSON.parse((await ask(QUESTION, { headers: { accept: 'application/json' } })).text)
}

test('an unanswered question becomes a gap, which is closed by a pull request', async () => {
  const began = Date.now()
  const note = (what: string) =>
    console.log(`${((Date.now() - began) / 1_000).toFixed(1)} s: ${what}`)
  const shows = async (path: string, text: string) =>
    expect(`${(await visit(service.port, project.host, path)).bytes}`).toContain(text)
  await vi.waitFor(() => shows('/', 'Plants like water.'), POLL)
  note('the site is live')

  const unanswered = await ask()
  expect(unanswered).toMatchObject({ status: 'unanswered' })
  const exported = await fetch(`${hosting.url}/v1/analytics/${project.projectId}/assistant`, {
    headers: { authorization: `Bearer ${project.adminKey}` },
  })
  expect(await exported.json()).toMatchObject({
    conversations: [{ query: QUESTION, resolutionStatus: 'unanswered' }],
  })
  note('the export shows the question')

  const [gap] = await vi.waitFor(async () => {
    const all = await gaps()
    expect(all).toMatchObject([{ state: 'open', count: 1, examples: [QUESTION] }])
    return all
  }, POLL)
  note('it is a gap')

  const commit = host.repository.commit(withAnswer, { branch: 'bonsai', message: 'Bonsai' })
  const own = { id: 1, full_name: 'acme/docs' }
  host.pulls.push({
    number: 7,
    html_url: 'https://github.com/acme/docs/pull/7',
    head: { sha: commit, ref: 'bonsai', repo: own },
    base: { ref: 'main', repo: own },
  })
  await host.tell(hook, 'pull_request', { action: 'opened', number: 7 })
  await host.tell(hook, 'push', { ref: 'refs/heads/bonsai', after: commit })
  const previews = await vi.waitFor(async () => {
    const all = JSON.parse(await octavo('deployments', 'previews', '--json')).previews
    expect(all).toMatchObject([{ branch: 'bonsai' }])
    return all
  }, POLL)
  note('the preview is there')
  const compared = await vi.waitFor(
    () => octavo('gaps', 'compare', previews[0].deployment, '--json'),
    POLL,
  )
  expect(JSON.parse(compared)).toEqual({ open: 1, likely: [gap.id], lost: [] })
  expect(await octavo('eval', '--gaps', previews[0].deployment)).toBe(
    'This change likely answers 1 of 1 open gap, and loses 0 answers.\n',
  )
  const comment = () => host.api.comments.of(7)[0]?.body ?? ''
  await vi.waitFor(() => expect(comment()).toContain('likely answers 1 of 1 open gap'), POLL)
  expect(comment()).toContain('and loses 0 answers.')
  expect(comment()).not.toContain(QUESTION)
  expect(await gaps()).toMatchObject([{ state: 'open' }])
  note('the pull request says that it likely closes the gap')

  const merged = host.repository.commit(withAnswer, { message: 'Merge bonsai' })
  await host.tell(hook, 'push', { ref: 'refs/heads/main', after: merged })
  await vi.waitFor(() => shows('/bonsai', 'done in spring'), POLL)
  const [likely] = await vi.waitFor(async () => {
    const all = await gaps()
    expect(all).toMatchObject([{ state: 'likely', section: '/bonsai#repotting' }])
    return all
  }, POLL)
  note('it is live, and the gap is likely closed')

  const answered = await ask()
  expect(answered).toMatchObject({ status: 'answered', deployment: likely.closedIn })
  expect(await octavo('gaps', 'verify', gap.id)).toContain(
    `Gap ${gap.id} is verified in deployment ${likely.closedIn}.`,
  )
  expect(await gaps()).toMatchObject([{ state: 'verified', verifiedBy: 'owner' }])
  note('verified by the owner')
}, 600_000)
