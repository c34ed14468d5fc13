import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { createLog } from './log.ts'
import { maintain } from './maintenance.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

function deps(lines: string[]) {
  const log = createLog((line) => lines.push(line), Date.now)
  return { database: service.service.database, conversations: service.conversations, log }
}

test('an accepted question that nobody answered for ten minutes is published as unanswered', async () => {
  const project = await service.createProject()
  await service.conversations.accept(project.id, { turnId: 'new', query: 'Just asked' })
  await service.conversations.accept(project.id, { turnId: 'old', query: 'Long ago' })
  await service.owner.query(
    `update turn set asked_at = now() - interval '11 minutes' where project_id = $1 and turn_id = 'old'`,
    [project.id],
  )
  await maintain(deps([]))
  const body = (await (await service.get(project)).json()) as { conversations: { query: string }[] }
  expect(body.conversations.map(({ query }) => query)).toEqual(['Long ago'])
})

test('partitions are made ahead by the role of the service, and what is there stays', async () => {
  await service.owner.query(
    'drop table conversation_' +
      new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 3))
        .toISOString()
        .slice(0, 7)
        .replace('-', '_'),
    [],
  )
  const lines: string[] = []
  await maintain(deps(lines))
  await maintain(deps(lines))
  expect(lines.map((line) => JSON.parse(line).partitions)).toEqual([1])
})
