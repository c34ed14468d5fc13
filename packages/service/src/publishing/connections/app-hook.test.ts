/** Sends deliveries of the GitHub App to a real service, as GitHub would. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readResponse } from '../../../testing/expect-problem.ts'
import { createTestBuilds } from '../../../testing/test-builds.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'

const SECRET = 'the secret of the app'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const APP = {
  id: '1',
  key: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  url: 'https://github.com',
}
let service: TestService
let docs: TestProject
let guide: TestProject
let stranger: TestProject
beforeAll(async () => {
  service = await startTestService({ gitHubApp: { ...APP, webhookSecret: SECRET } })
  docs = await connect('https://github.com/acme/plants.git', '41')
  guide = await connect('https://github.com/Acme/Plants', '41')
  stranger = await connect('https://github.com/acme/plants', '42')
})
afterAll(() => service.stop())

async function connect(url: string, installationId: string): Promise<TestProject> {
  const project = await service.createProject()
  await createTestBuilds(service, project, []).connect({ provider: 'github', url, installationId })
  return project
}

let count = 0
function pushOf(repository: string, installation = 41) {
  count += 1
  const body = JSON.stringify({
    ref: 'refs/heads/main',
    installation: { id: installation },
    repository: { full_name: repository },
  })
  return { body, id: `delivery-${count}`, event: 'push' }
}
const sign = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

type Sent = ReturnType<typeof pushOf> & { readonly signature?: string | undefined }
const send = (sent: Sent, to = service) =>
  fetch(`${to.url}/v1/hooks/github-app`, {
    method: 'POST',
    body: sent.body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': sent.event,
      'x-github-delivery': sent.id,
      ...('signature' in sent
        ? sent.signature !== undefined && { 'x-hub-signature-256': sent.signature }
        : { 'x-hub-signature-256': sign(sent.body) }),
    },
  })
const resultOf = async (sent: Sent) => {
  const { status, body } = await readResponse(await send(sent))
  return [status, JSON.parse(body).result]
}
const deliveriesOf = (project: TestProject) =>
  service.owner.query<{ ref: string; delivery_id: string; headers: object }>(
    'select ref, delivery_id, headers from webhook_delivery where project_id = $1 order by id',
    [project.id],
  )
const checksOf = (project: TestProject) =>
  service.owner.query(`select from jobs.job where name = 'check' and data ->> 'projectId' = $1`, [
    project.id,
  ])

test('a push queues one check for each project that uses the repository and the installation', async () => {
  const sent = pushOf('acme/plants')
  expect(await resultOf(sent)).toEqual([202, 'accepted'])
  for (const project of [docs, guide]) {
    expect(await deliveriesOf(project)).toMatchObject([{ ref: 'main', delivery_id: sent.id }])
    expect(await checksOf(project)).toHaveLength(1)
    expect(JSON.stringify(await deliveriesOf(project))).not.toContain(sign(sent.body))
  }
  expect(await deliveriesOf(stranger)).toEqual([])
  expect(await checksOf(stranger)).toEqual([])
  expect(await resultOf(sent)).toEqual([202, 'duplicate'])
  expect(await deliveriesOf(docs)).toHaveLength(1)
})

test('a ping, a push to another repository and a push of another installation are ignored', async () => {
  const before = await deliveriesOf(docs)
  const ping = { body: JSON.stringify({ zen: 'x', webhook_id: 1 }), id: 'ping-1', event: 'ping' }
  expect(await resultOf(pushOf('acme/other'))).toEqual([202, 'ignored'])
  expect(await resultOf(pushOf('acme/plants', 43))).toEqual([202, 'ignored'])
  expect(await resultOf(ping)).toEqual([202, 'ignored'])
  expect(await deliveriesOf(docs)).toEqual(before)
})

test.each<[string, (sent: Sent) => Sent]>([
  ['without a signature', (sent) => ({ ...sent, signature: undefined })],
  [
    'with a signature of another secret',
    (sent) => ({ ...sent, signature: sign(sent.body, 'other') }),
  ],
  ['with a signature of other bytes', (sent) => ({ ...sent, signature: sign(`${sent.body} `) })],
])('a delivery %s is rejected', async (_, change) => {
  const before = await deliveriesOf(docs)
  const reply = await readResponse(await send(change(pushOf('acme/plants'))))
  expect([reply.status, JSON.parse(reply.body).code]).toEqual([401, 'invalid-signature'])
  expect(await deliveriesOf(docs)).toEqual(before)
})

test('the webhook address of the GitHub App returns 404 without an app or a webhook secret', async () => {
  for (const gitHubApp of [undefined, { ...APP, webhookSecret: undefined }]) {
    const other = await startTestService({ gitHubApp })
    const unknown = await readResponse(
      await fetch(`${other.url}/v1/hooks/aaaaaaaaaaaaaaaaaaaaaaaa`, { method: 'POST', body: '{}' }),
    )
    const { status, body } = await readResponse(await send(pushOf('acme/plants'), other))
    expect([status, JSON.parse(body).detail]).toEqual([404, JSON.parse(unknown.body).detail])
    await other.stop()
  }
})
