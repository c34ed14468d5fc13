/** Tests a project's webhook, received by a real server. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { clientOf, siteOf } from '../../../../testing/test-deployment.ts'
import { startTestService } from '../../../../testing/test-service.ts'
import { runCommand } from '../../../app/commands/run-command.ts'
import { openFolderStore } from '../../../platform/blobs/folder-store.ts'

const POLL = { interval: 50, timeout: 30_000 }

type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
const received: Received[] = []
/** How many attempts the receiver rejects with 500 before it accepts one. */
let failures = 0
const receiver = createServer(async (request, response) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const { url: path = '', headers } = request
  received.push({ path, headers, body: Buffer.concat(pieces).toString() })
  if (path === '/slow') return
  if (path === '/refusing') response.writeHead(400)
  if (path === '/failing' && failures > 0) {
    failures -= 1
    response.writeHead(500)
  }
  response.end()
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const port = (receiver.address() as AddressInfo).port
const RECEIVER = `http://127.0.0.1:${port}`

const folder = mkdtempSync(join(tmpdir(), 'octavo-webhooks-'))
const service = await startTestService({
  blobStore: await openFolderStore(folder),
  url: 'http://127.0.0.1:8080',
  sitesDomain: 'sites.localhost',
  previewsDomain: 'previews.localhost',
  allowPrivateHosts: ['127.0.0.1'],
  secretKeys: [{ id: 'k', bytes: Buffer.alloc(32, 1) }],
})
beforeAll(() => service.service.startWorker())
afterAll(async () => {
  await service.stop()
  receiver.closeAllConnections()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

async function set(publicId: string, webhook: string, settings = service.settings) {
  const lines: string[] = []
  await runCommand(['project', 'set', publicId, '--webhook', webhook], {
    settings,
    print: (line) => lines.push(line),
    now: Date.now,
  })
  return lines
}

async function newProject(webhook?: string) {
  const project = await service.createProject(SCOPES)
  const secret = webhook === undefined ? '' : ((await set(project.publicId, webhook)).at(-1) ?? '')
  return { ...project, secret, client: clientOf(service.url, project) }
}

const jobsOf = async (projectId: string) =>
  (
    await service.owner.query<{ state: string }>(
      `select state::text from jobs.job where name = 'webhook' and data ->> 'projectId' = $1`,
      [projectId],
    )
  ).map(({ state }) => state)

const receivedAt = (path: string) => received.filter((one) => one.path === path)

/** Verifies a message like a receiver that only knows Standard Webhooks. */
function verify(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(content).digest('base64')
  const age = Date.now() / 1_000 - Number(headers['webhook-timestamp'])
  return headers['webhook-signature'] === `v1,${expected}` && Math.abs(age) < 60
}

describe('the test of a webhook', () => {
  test('a webhook test sends one signed message and returns the status of the receiver', async () => {
    const project = await newProject(`${RECEIVER}/tested`)
    const { status, body } = await project.client.call('POST', '/webhook/test')
    expect({ status, body }).toEqual({ status: 200, body: { delivered: true, status: 200 } })
    const [message, ...more] = receivedAt('/tested')
    if (message === undefined) throw new Error('nothing was received')
    expect(more).toEqual([])
    expect(verify(project.secret, message)).toBe(true)
    expect(JSON.parse(message.body)).toMatchObject({
      type: 'test',
      data: { projectId: project.publicId },
    })
  })

  test('if the receiver responds with an error, the webhook test reports the status', async () => {
    const { client } = await newProject(`${RECEIVER}/refusing`)
    const attemptOf = async () => (await client.call('GET', '/settings')).body.webhookAttempt
    expect(await attemptOf()).toBeUndefined()
    const { status, body } = await client.call('POST', '/webhook/test')
    const reason = 'the server responded with status 400'
    expect({ status, body }).toEqual({ status: 200, body: { delivered: false, reason } })
    expect(await attemptOf()).toEqual({ type: 'test', at: expect.any(String), reason })
    await client.call('PUT', '/webhook', { url: `${RECEIVER}/other` })
    expect(await attemptOf()).toBeUndefined()
  })

  test('a project without a webhook cannot send a test message', async () => {
    const { client } = await newProject()
    const { status, body } = await client.call('POST', '/webhook/test')
    expect([status, body.code]).toEqual([409, 'conflict'])
  })
})

describe('webhook messages about publishing', () => {
  test('a publish is reported to the webhook with a signature and the changed pages', async () => {
    const project = await newProject(`${RECEIVER}/live`)
    expect(project.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const first = await project.client.deploy(siteOf({ 'index.md': 'One', 'a.md': 'A' }))
    await vi.waitFor(() => expect(receivedAt('/live')).toHaveLength(1), POLL)
    const second = await project.client.deploy(
      siteOf({ 'index.md': 'One', 'a.md': 'B', 'b.md': 'C' }),
    )
    await vi.waitFor(() => expect(receivedAt('/live')).toHaveLength(2), POLL)
    const [one, two] = receivedAt('/live')
    if (one === undefined || two === undefined) throw new Error('nothing was received')
    expect(verify(project.secret, one)).toBe(true)
    expect(verify(project.secret, { ...one, body: `${one.body} ` })).toBe(false)
    expect(verify(`whsec_${Buffer.alloc(32).toString('base64')}`, one)).toBe(false)
    expect(one.headers['content-type']).toBe('application/json')
    expect(one.headers['webhook-id']).not.toBe(two.headers['webhook-id'])
    expect(JSON.parse(one.body)).toEqual({
      type: 'deployment.live',
      timestamp: first.body.publishedAt,
      data: {
        projectId: project.publicId,
        deploymentId: first.id,
        previous: null,
        url: first.body.url,
        tags: [`p-${project.publicId}`, `d-${first.id}`],
      },
    })
    expect(JSON.parse(two.body)).toMatchObject({
      data: { deploymentId: second.id, previous: first.id, changedPages: ['/a', '/b'] },
    })
  })

  test('publishing an older deployment is reported to the webhook, but a draft is not', async () => {
    const project = await newProject(`${RECEIVER}/back`)
    const first = await project.client.deploy(siteOf({ 'index.html': 'One' }))
    await vi.waitFor(() => expect(receivedAt('/back')).toHaveLength(1), POLL)
    await project.client.deploy(siteOf({ 'index.html': 'Draft' }), { draft: true })
    const second = await project.client.deploy(siteOf({ 'index.html': 'Two' }))
    await vi.waitFor(() => expect(receivedAt('/back')).toHaveLength(2), POLL)
    await project.client.call('POST', `/deployments/${first.id}/publish`, {
      expectedLive: second.id,
    })
    await vi.waitFor(() => expect(receivedAt('/back')).toHaveLength(3), POLL)
    const messages = receivedAt('/back').map(({ body }) => JSON.parse(body).data)
    expect(messages).toMatchObject([
      { deploymentId: first.id, previous: null },
      { deploymentId: second.id, previous: first.id },
      { deploymentId: first.id, previous: second.id },
    ])
  })

  test('a publish after a removal is reported to the webhook without changed pages', async () => {
    const project = await newProject(`${RECEIVER}/removed`)
    const first = await project.client.deploy(siteOf({ 'index.md': 'One' }))
    await vi.waitFor(() => expect(receivedAt('/removed')).toHaveLength(1), POLL)
    await runCommand(
      ['deployment', 'remove', project.publicId, first.id, '--reason', 'Leaked credentials'],
      { settings: service.settings, print: () => {}, now: Date.now },
    )
    await vi.waitFor(() => expect(receivedAt('/removed')).toHaveLength(2), POLL)
    const second = await project.client.deploy(siteOf({ 'index.md': 'Two' }))
    await vi.waitFor(() => expect(receivedAt('/removed')).toHaveLength(3), POLL)
    const [, , { data } = { data: {} }] = receivedAt('/removed').map(({ body }) => JSON.parse(body))
    expect(data).toMatchObject({ deploymentId: second.id, previous: first.id })
    expect(data).not.toHaveProperty('changedPages')
  })

  test('the webhook gets no message about previews or about rejected publishes in a suspended project', async () => {
    const project = await newProject(`${RECEIVER}/suspended`)
    const preview = { target: 'preview', branch: 'next' }
    expect((await project.client.deploy(siteOf({ 'index.md': 'Next' }), preview)).status).toBe(200)
    const draft = await project.client.deploy(siteOf({ 'index.md': 'One' }), { draft: true })
    const operator = { settings: service.settings, print: () => {}, now: Date.now }
    await runCommand(['project', 'suspend', project.publicId, '--reason', 'Phishing'], operator)
    const refused = await project.client.call('POST', `/deployments/${draft.id}/publish`, {
      expectedLive: null,
    })
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Phishing') },
    })
    expect(await jobsOf(project.id)).toEqual([])
  })

  test('a failed webhook message is retried with the same id until it is accepted', async () => {
    failures = 2
    const project = await newProject(`${RECEIVER}/failing`)
    await project.client.deploy(siteOf({ 'index.html': 'One' }))
    await vi.waitFor(async () => expect(await jobsOf(project.id)).toEqual(['completed']), POLL)
    const attempts = receivedAt('/failing')
    expect(attempts).toHaveLength(3)
    expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(attempts.every((one) => verify(project.secret, one))).toBe(true)
    const lines = service.log.filter((line) => line.includes('webhook not delivered'))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('the server responded with status 500')
    const { body } = await project.client.call('GET', '/settings')
    expect(body.webhookAttempt).toMatchObject({ type: 'deployment.live', status: 200 })
  })

  test('slow receivers of other projects do not delay a webhook message', async () => {
    for (let index = 0; index < 4; index += 1) {
      const slow = await newProject(`${RECEIVER}/slow`)
      await slow.client.deploy(siteOf({ 'index.html': 'One' }))
    }
    await vi.waitFor(() => expect(receivedAt('/slow').length).toBeGreaterThan(1), POLL)
    const project = await newProject(`${RECEIVER}/soon`)
    await project.client.deploy(siteOf({ 'index.html': 'One' }))
    const sooner = { ...POLL, timeout: 12_000 }
    await vi.waitFor(() => expect(receivedAt('/soon')).toHaveLength(1), sooner)
  })

  test('webhook retries stop once the project is deleted', async () => {
    failures = 1_000
    const project = await newProject(`${RECEIVER}/failing`)
    const before = receivedAt('/failing').length
    await project.client.deploy(siteOf({ 'index.html': 'One' }))
    await vi.waitFor(() => expect(receivedAt('/failing').length).toBeGreaterThan(before), POLL)
    await service.owner.query('update project set deleted_at = now() where id = $1', [project.id])
    await vi.waitFor(async () => expect(await jobsOf(project.id)).toEqual(['completed']), POLL)
    failures = 0
  })

  test('a publish without an active webhook queues no webhook job', async () => {
    const none = await newProject()
    await none.client.deploy(siteOf({ 'index.html': 'One' }))
    expect(await jobsOf(none.id)).toEqual([])
    const off = await newProject(`${RECEIVER}/off`)
    await set(off.publicId, 'off')
    await off.client.deploy(siteOf({ 'index.html': 'One' }))
    expect(await jobsOf(off.id)).toEqual([])
    expect(receivedAt('/off')).toEqual([])
  })

  test('a webhook at a private address is refused, logged and not retried', async () => {
    const project = await newProject('https://localhost/hook')
    expect((await project.client.deploy(siteOf({ 'index.html': 'One' }))).body.state).toBe('live')
    await vi.waitFor(async () => expect(await jobsOf(project.id)).toEqual(['completed']), POLL)
    const line = service.log.find((one) => one.includes('webhook refused')) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      project: project.publicId,
      reason: 'localhost is not on the public internet',
    })
  })
})

describe('project set --webhook', () => {
  test('`project set --webhook` creates a new secret each time', async () => {
    const project = await newProject(`${RECEIVER}/a`)
    const again = await set(project.publicId, `${RECEIVER}/a`)
    expect(again.at(-1)).not.toBe(project.secret)
  })

  test.each(['plants', 'http://example.com/', 'ftp://example.com/', 'https://a:b@example.com/'])(
    '`project set --webhook` rejects %s',
    async (url) => {
      const project = await newProject()
      await expect(set(project.publicId, url)).rejects.toThrow('Invalid --webhook')
    },
  )

  test('`project set --webhook` needs OCTAVO_SECRET_KEYS', async () => {
    const project = await newProject()
    const settings = { ...service.settings, secretKeys: [] }
    await expect(set(project.publicId, `${RECEIVER}/a`, settings)).rejects.toThrow(
      'OCTAVO_SECRET_KEYS is not set',
    )
  })
})
