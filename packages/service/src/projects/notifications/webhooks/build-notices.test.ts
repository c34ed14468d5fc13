/** Tests webhook messages about builds and removals, received by a real server. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startHostServer } from '../../../../testing/git-hosts/host-server.ts'
import { commitOf, createTestBuilds } from '../../../../testing/test-builds.ts'
import { clientOf, siteOf } from '../../../../testing/test-deployment.ts'
import { startTestService } from '../../../../testing/test-service.ts'
import { runCommand } from '../../../app/commands/run-command.ts'
import { openFolderStore } from '../../../platform/blobs/folder-store.ts'
import { createJobSender } from '../../../platform/jobs/job-queue.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import { createOnBuildChanged } from '../../../publishing/providers/notify-build.ts'
import { printNotice } from './print-notice.ts'

const POLL = { interval: 25, timeout: 20_000 }
const secretKeys = [{ id: 'k', bytes: Buffer.alloc(32, 1) }]
const receiver = await startHostServer(() => ({ status: 204 }))
const folder = mkdtempSync(join(tmpdir(), 'octavo-notices-'))
const service = await startTestService({
  blobStore: await openFolderStore(folder),
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
  allowPrivateHosts: ['127.0.0.1'],
  secretKeys,
})
const sender = createJobSender({
  database: service.service.database,
  log: createLog((line) => service.log.push(line), Date.now),
})
const onBuildChanged = createOnBuildChanged(sender)
beforeAll(async () => {
  await sender.start()
  await service.service.startWorker()
})
afterAll(async () => {
  await sender.stop()
  await service.stop()
  receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function operate(...args: string[]): Promise<readonly string[]> {
  const lines: string[] = []
  const print = (line: string) => lines.push(line)
  await runCommand(args, { settings: service.settings, print, now: Date.now })
  return lines
}

async function newProject(path: string | undefined, format?: string) {
  const project = await service.createProject(SCOPES)
  const { publicId, tenant } = project
  const webhook = path === undefined ? [] : ['--webhook', `${receiver.url}${path}`]
  const secret = path && (await operate('project', 'set', publicId, ...webhook)).at(-1)
  if (format !== undefined) await operate('project', 'set', publicId, '--webhook-format', format)
  const builds = createTestBuilds(service, project, secretKeys)
  const changed = () =>
    service.service.database
      .forProject(tenant)
      .transaction((query) => onBuildChanged(query, tenant))
  const received = () => receiver.requests.filter((request) => request.path === path)
  return { ...project, secret, builds, changed, received, client: clientOf(service.url, project) }
}

const error = {
  code: 'link/broken',
  severity: 'error',
  message: 'The page @team does not exist.',
  place: { file: 'guide.mdx', line: 3, column: 1 },
}

describe('webhook messages about builds', () => {
  test('the webhook gets signed messages about failed and superseded builds only, once and in order', async () => {
    const project = await newProject('/builds')
    const commit = commitOf('notice')
    await project.builds.add({ state: 'finished' })
    const failed = await project.builds.add({
      commit,
      state: 'failed',
      error_count: 1,
      diagnostics: [error],
      finished_at: new Date('2026-11-16T12:00:00Z'),
    })
    const superseded = await project.builds.add({
      state: 'superseded',
      target: 'preview',
      ref: 'next',
    })
    await project.builds.add({ state: 'skipped' })
    await project.changed()
    await vi.waitFor(() => expect(project.received()).toHaveLength(2), POLL)
    const [one, two] = project.received()
    expect(one?.body).toEqual({
      type: 'build.failed',
      timestamp: '2026-11-16T12:00:00.000Z',
      data: {
        projectId: project.publicId,
        buildId: failed,
        target: 'production',
        branch: 'main',
        commit,
        reason: 'guide.mdx:3 The page @team does not exist. (1 error)',
        errors: 1,
        warnings: 0,
      },
    })
    expect(two?.body).toMatchObject({
      type: 'build.superseded',
      data: { buildId: superseded, target: 'preview', branch: 'next' },
    })
    const key = Buffer.from((project.secret ?? '').replace(/^whsec_/, ''), 'base64')
    const { 'webhook-id': id, 'webhook-timestamp': time } = one?.headers ?? {}
    const signature = createHmac('sha256', key)
      .update(`${id}.${time}.${JSON.stringify(one?.body)}`)
      .digest('base64')
    expect(one?.headers['webhook-signature']).toBe(`v1,${signature}`)
    // Another build does not repeat earlier messages.
    await project.builds.add({ state: 'failed', reason: 'Again' })
    await project.changed()
    await vi.waitFor(() => expect(project.received()).toHaveLength(3), POLL)
    expect(project.received().at(-1)?.body.data.reason).toBe('Failed: Again')
  })

  test('a build message is retried with the same id until it is accepted', async () => {
    const project = await newProject('/failing')
    receiver.plan({ when: ({ path }) => path === '/failing', status: 500 })
    await project.builds.add({ state: 'failed' })
    await project.changed()
    await vi.waitFor(() => expect(project.received()).toHaveLength(2), POLL)
    expect(new Set(project.received().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('builds from before a webhook was set are not reported later', async () => {
    const project = await newProject(undefined)
    const id = await project.builds.add({ state: 'failed' })
    await project.changed()
    await vi.waitFor(async () => {
      expect(await project.builds.read(id)).toMatchObject({ is_announced: true })
    }, POLL)
  })
})

describe('webhook messages about removals', () => {
  test('the webhook gets a message about a removed deployment only if it was live', async () => {
    const project = await newProject('/removed')
    const first = await project.client.deploy(siteOf({ 'index.md': 'One' }))
    await vi.waitFor(() => expect(project.received()).toHaveLength(1), POLL)
    const second = await project.client.deploy(siteOf({ 'index.md': 'Two' }))
    await vi.waitFor(() => expect(project.received()).toHaveLength(2), POLL)
    const reason = ['--reason', 'Leaked credentials']
    await operate('deployment', 'remove', project.publicId, first.id, ...reason)
    await operate('deployment', 'remove', project.publicId, second.id, ...reason)
    await vi.waitFor(() => expect(project.received()).toHaveLength(3), POLL)
    expect(project.received().at(-1)?.body).toMatchObject({
      type: 'deployment.removed',
      data: { projectId: project.publicId, deploymentId: second.id },
    })
  })
})

describe('the webhook format slack', () => {
  test('a Slack message is one line without mentions', async () => {
    const project = await newProject('/slack', 'slack')
    await project.builds.add({ state: 'failed', error_count: 1, diagnostics: [error] })
    await project.changed()
    await vi.waitFor(() => expect(project.received()).toHaveLength(1), POLL)
    expect(Object.keys(project.received()[0]?.body)).toEqual(['text'])
    expect(project.received()[0]?.body.text).toMatch(
      /^The build of Test \(main \w{7}\) failed: guide\.mdx:3 The page @\u200bteam does not exist\./,
    )
  })

  test('markup in names and reasons is escaped in a Slack message', () => {
    const data = {
      branch: '<!channel>',
      commit: 'abc',
      reason: '<https://evil|x> @here *b*\n& `c`',
    }
    const text = printNotice({ type: 'build.failed', timestamp: '', data }, '<@U1>')
    expect(text).not.toMatch(/[<>\n]|@(?!\u200b)|\*(?!\u200b)|`(?!\u200b)/)
    expect(text).toContain('&lt;!channel&gt;')
  })

  test('an unknown webhook format is rejected', async () => {
    await expect(newProject('/x', 'slak')).rejects.toThrow('expected standard or slack')
  })
})
