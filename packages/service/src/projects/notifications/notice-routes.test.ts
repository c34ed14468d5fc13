import { NoticesReply, SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { NO_SIGN_IN } from '../../people/sign-in-settings.ts'
import { NoticeStore } from './store.ts'

let service: TestService
let project: TestProject
beforeAll(async () => {
  const mail = { smtpUrl: 'smtp://127.0.0.1:9', from: 'octavo@example.com' }
  service = await startTestService({ signIn: { ...NO_SIGN_IN, mail } })
  project = await service.createProject(SCOPES)
})
afterAll(() => service.stop())

async function call(method: 'GET' | 'PUT', body?: object, of = project) {
  const response = await fetch(`${service.url}/v1/projects/${of.publicId}/notifications`, {
    method,
    headers: { authorization: `Bearer ${of.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as object }
}

const DEFAULTS = {
  email: ['build.failed', 'assistant.budget', 'key.expiring', 'domain.lost'],
  addresses: [],
  canEmail: true,
  hasWebhook: false,
  sent: [],
}

describe('notification settings of a project', () => {
  test('all notifications are sent by e-mail by default', async () => {
    expect(await call('GET')).toEqual({ status: 200, body: DEFAULTS })
  })

  test('a change of notification settings keeps the other settings and is in the audit log', async () => {
    const own = await service.createProject(SCOPES)
    await service.owner.query(
      `update project set settings = '{"webhook": "https://example.com/"}' where id = $1`,
      [own.id],
    )
    const first = await call('PUT', { addresses: ['Team@Example.com', 'team@example.com'] }, own)
    expect(first.body).toEqual({ ...DEFAULTS, hasWebhook: true, addresses: ['team@example.com'] })
    const second = await call('PUT', { email: ['key.expiring', 'build.failed'] }, own)
    expect(second.body).toEqual({
      ...DEFAULTS,
      hasWebhook: true,
      email: ['build.failed', 'key.expiring'],
      addresses: ['team@example.com'],
    })
    await call('PUT', {}, own)
    const events = await service.owner.query<{ after: object }>(
      `select after from audit_event where project_id = $1 and action = 'project.notices' order by at`,
      [own.id],
    )
    expect(events.map(({ after }) => after)).toMatchObject([
      { addresses: ['team@example.com'] },
      { email: ['build.failed', 'key.expiring'] },
    ])
  })

  test('the list of notifications has the newest 50 that were sent', async () => {
    const own = await service.createProject(SCOPES)
    const store = new NoticeStore(service.service.database.forProject(own.tenant))
    const facts = { buildId: '1', branch: 'main', commit: 'a'.repeat(40), reason: 'No' }
    for (let number = 0; number < 52; number += 1) {
      const notice = { kind: 'build.failed', subject: String(number) } as const
      await store.insert('build.failed', { ...notice, facts })
      if (number === 51) continue
      await store.markMailed(notice, { address: 'a@example.com', isSent: true })
      await store.markDelivered(notice)
    }
    const { sent } = NoticesReply.parse((await call('GET', undefined, own)).body)
    expect(sent).toHaveLength(50)
    expect(sent[0]).toEqual({
      kind: 'build.failed',
      text: 'The build of main (aaaaaaa) failed',
      at: expect.any(String),
      emails: 1,
      webhook: false,
    })
    expect(sent.map(({ at }) => at)).toEqual(
      sent
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  test('up to 20 additional addresses for notifications are accepted', async () => {
    const own = await service.createProject(SCOPES)
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => `a${index}@example.com`)
    expect((await call('PUT', { addresses: many(20) }, own)).status).toBe(200)
    expect((await call('PUT', { addresses: many(21) }, own)).status).toBe(400)
  })

  test.each([
    { addresses: ['nobody'] },
    { addresses: ['a@example.com\r\nBcc: b@example.com'] },
    { addresses: ['Team <a@example.com>'] },
    { email: ['domain.found'] },
    { emails: [] },
  ])('the notification settings %j are rejected', async (body) => {
    expect((await call('PUT', body)).status).toBe(400)
    expect((await call('GET')).body).toEqual(DEFAULTS)
  })
})
