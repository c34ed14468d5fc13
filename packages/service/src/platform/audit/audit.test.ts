import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { addressPrefix } from './store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('the audit log records the key, object, network and request id of changes made with an API key', async () => {
  const project = await service.createProject()
  const path = `${service.url}/v1/analytics/${project.publicId}/assistant`
  const headers = {
    authorization: `Bearer ${project.token}`,
    'content-type': 'application/json',
  }
  const turn = {
    questionId: 't',
    query: 'q',
    response: 'r',
    sources: [],
    resolutionStatus: 'answered',
  }
  const body = JSON.stringify({ conversations: [turn] })
  const imported = await fetch(path, { method: 'POST', headers, body })
  const { ids } = (await imported.json()) as { ids: readonly string[] }
  const deleted = await fetch(`${path}/${ids[0]}`, { method: 'DELETE', headers })
  expect([imported.status, deleted.status]).toEqual([200, 204])
  const again = await fetch(`${path}/${ids[0]}`, { method: 'DELETE', headers })
  expect(again.status).toBe(404)
  const events = await service.service.database.forProject(project.tenant).query(
    `select actor, action, object, after, address_prefix, request_id from audit_event
        where actor like 'key %' order by at`,
  )
  const actor = expect.stringMatching(/^key \d+$/)
  const place = { actor, address_prefix: '127.0.0.0/24' }
  expect(events).toEqual([
    {
      ...place,
      action: 'conversations.import',
      object: '',
      after: { count: 1 },
      request_id: imported.headers.get('x-request-id'),
    },
    {
      ...place,
      action: 'conversation.delete',
      object: `conversation ${ids[0]}`,
      after: null,
      request_id: deleted.headers.get('x-request-id'),
    },
  ])
})

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2::9', '2001:db8:1::/48'],
  ['2001:db8::9', '2001:db8::/48'],
  ['::1', '::/48'],
  [undefined, undefined],
])('the IP address %s is stored as the network %s', (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix)
})
