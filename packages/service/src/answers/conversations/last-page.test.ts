import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { ulidMs } from '../../platform/ulid.ts'

let service: TestService
let writer: pg.Client
beforeAll(async () => {
  service = await startTestService()
  writer = new pg.Client(service.databaseUrl)
  await writer.connect()
})
afterAll(async () => {
  await writer.end()
  await service.stop()
})

/** Publishes an answer in a transaction that is not committed yet. */
async function beginPublish(project: TestProject, questionId: string): Promise<string> {
  const accepted = await service.conversationsOf(project).accept({ query: questionId })
  await writer.query('begin')
  await writer.query(`select set_config('octavo.project_id', $1, true)`, [project.id])
  const { rows } = await writer.query<{ id: string }>(
    `select publish_question($1, 'r', '[]', 'answered', null) as id`,
    [accepted],
  )
  return rows[0]?.id ?? ''
}

/** Waits until a connection to this database is blocked by a lock. */
async function untilLockIsAwaited(): Promise<void> {
  let waiting = 0
  while (waiting === 0) {
    const rows = await service.owner.query(
      `select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    )
    waiting = rows.length
  }
}

describe('the last page of the export', () => {
  for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
    test(`the last page waits for a concurrent publish and includes it: ${accept}`, async () => {
      const project = await service.createProject()
      for (const questionId of ['first', 'second']) {
        const id = await beginPublish(project, questionId)
        const reply = service.get(project, '', { accept }).then((response) => response.text())
        await untilLockIsAwaited()
        await writer.query('commit')
        expect(await reply).toContain(id)
      }
    })
  }

  test('the last page of a range in the past also waits, and then no conversation is added to the range', async () => {
    const project = await service.createProject()
    const id = await beginPublish(project, 'in the window')
    const endMs = ulidMs(id) + 1
    const search = `?dateTo=${new Date(endMs).toISOString()}`
    const reply = service.get(project, search).then((response) => response.text())
    await untilLockIsAwaited()
    await writer.query('commit')
    expect(await reply).toContain(id)
    const later = await beginPublish(project, 'after the window')
    await writer.query('commit')
    expect(ulidMs(later)).toBeGreaterThanOrEqual(endMs)
  })

  test('a page that is not the last one does not wait for a publish', async () => {
    const project = await service.createProject()
    for (const questionId of ['a', 'b', 'c']) {
      await beginPublish(project, questionId)
      await writer.query('commit')
    }
    const open = await beginPublish(project, 'd')
    const response = await service.get(project, '?limit=2')
    const page = (await response.json()) as { conversations: unknown[]; hasMore: boolean }
    expect([page.conversations.length, page.hasMore]).toEqual([2, true])
    await writer.query('commit')
    expect(await (await service.get(project)).text()).toContain(open)
  })
})

test('a client that reads its page slowly does not block the publishing of answers', async () => {
  const project = await service.createProject()
  const turn = (number: number) => ({
    questionId: `turn-${number}`,
    query: 'q',
    response: 'x'.repeat(30_000),
    sources: [],
    resolutionStatus: 'answered' as const,
  })
  for (let number = 0; number < 300; number += 1) {
    await service.publish(project, turn(number))
  }
  // This connection requests 9 MB and then reads nothing, so that the server has to wait.
  const slow = new pg.Client(service.settings.databaseUrl)
  await slow.connect()
  await slow.query(`select set_config('octavo.project_id', $1, false)`, [project.id])
  const connection = (slow as unknown as { connection: { stream: NodeJS.ReadableStream } })
    .connection
  const page = slow.query(`select * from conversations_page('', '', '8', 1000, ',')`)
  connection.stream.pause()
  await service.publish(project, turn(300))
  connection.stream.resume()
  await page
  await slow.end()
})
