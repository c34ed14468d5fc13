import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../../testing/test-connection.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { insertDelivery } from '../../publishing/connections/store.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { expire, maintain } from './maintenance.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

function deps(lines: string[]) {
  const log = createLog((line) => lines.push(line), Date.now)
  return { database: service.service.database, now: Date.now, log }
}

test('a question that has no answer after ten minutes is published as unanswered', async () => {
  const project = await service.createProject()
  const conversations = service.conversationsOf(project)
  await conversations.accept({ query: 'Just asked' })
  const old = await conversations.accept({ query: 'Long ago' })
  await service.owner.query('update question set id = ulid_floor($1::bigint) where id = $2', [
    Date.now() - 11 * 60_000,
    old,
  ])
  await maintain(deps([]))
  const body = (await (await service.get(project)).json()) as { conversations: { query: string }[] }
  expect(body.conversations.map(({ query }) => query)).toEqual(['Long ago'])
})

test('the service role creates partitions ahead of time and keeps existing ones', async () => {
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

test('a project loses the conversations that are older than its own retention, and no others', async () => {
  const [short, long] = [await service.createProject(), await service.createProject()]
  await service.owner.query('update project set retention_days = 30 where id = $1', [short.id])
  const day = (ago: number) => Date.now() - ago * 86_400_000
  for (const project of [short, long])
    await service.conversationsOf(project).importBatch(
      [29, 31, 400].map((ago) => ({
        questionId: `t${ago}`,
        query: `${ago} days ago`,
        response: '',
        sources: [],
        resolutionStatus: 'unanswered' as const,
        atMs: day(ago),
      })),
    )
  const lines: string[] = []
  await expire(deps(lines), new AbortController().signal)
  const left = async (project: TestProject) => {
    const reply = (await (await service.get(project)).json()) as {
      conversations: { query: string }[]
    }
    return reply.conversations.map(({ query }) => query)
  }
  expect(await left(short)).toEqual(['29 days ago'])
  expect(await left(long)).toEqual(['400 days ago', '31 days ago', '29 days ago'])
  expect(lines.map((line) => JSON.parse(line).expired)).toEqual([2])
})

test('if all projects have the same retention, conversations are deleted exactly on the day', async () => {
  const own = await startTestService()
  try {
    const project = await own.createProject()
    await own.owner.query('update project set retention_days = 90')
    await own.conversationsOf(project).importBatch(
      [89, 91, 1_000].map((ago) => ({
        questionId: `t${ago}`,
        query: `${ago} days ago`,
        response: '',
        sources: [],
        resolutionStatus: 'unanswered' as const,
        atMs: Date.now() - ago * 86_400_000,
      })),
    )
    const log = createLog(() => {}, Date.now)
    const { database } = own.service
    await expire({ database, now: Date.now, log }, new AbortController().signal)
    const left = await own.owner.query('select query from conversation')
    expect(left).toEqual([{ query: '89 days ago' }])
  } finally {
    await own.stop()
  }
})

test('old questions and import receipts are deleted, except the questions of a day with an open question', async () => {
  const { owner } = service
  const dayAgo = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const nameOf = (day: string) => `question_${day.replaceAll('-', '_')}`
  const [done, open] = [dayAgo(20), dayAgo(21)]
  for (const day of [done, open])
    await owner.query(
      `select attach_partition('question', $1, ulid_floor($2::timestamptz), ulid_floor($2::timestamptz + interval '1 day'))`,
      [nameOf(day), `${day}T00:00:00Z`],
    )
  const project = await service.createProject()
  await owner.query(
    `insert into question (project_id, id, query) values ($1, ulid_floor($2::timestamptz), 'q')`,
    [project.id, `${open}T12:00:00Z`],
  )
  await owner.query(
    `insert into import_receipt values ($1, 'old', 'x', now() - interval '8 days'), ($1, 'new', 'x', now() - interval '6 days')`,
    [project.id],
  )
  const [row] = await service.service.database.query<{ dropped: number }>(
    'select drop_partitions() as dropped',
  )
  expect(row?.dropped).toBe(1)
  const left = await owner.query('select to_regclass($1) as done, to_regclass($2) as open', [
    nameOf(done),
    nameOf(open),
  ])
  expect(left).toEqual([{ done: null, open: nameOf(open) }])
  const receipts = await owner.query(
    'select question_id from import_receipt where project_id = $1',
    [project.id],
  )
  expect(receipts).toEqual([{ question_id: 'new' }])
})

const NEW_DEPLOYMENT = {
  root: Buffer.alloc(32),
  target: 'production',
  isDraft: false,
  branch: null,
  message: null,
  commit: null,
  by: 'test',
  idempotencyKey: null,
} as const

test('an upload that is not finished within a day expires', async () => {
  const project = await service.createProject()
  const deployments = new DeploymentStore(service.service.database.forProject(project.tenant))
  const [old, young] = [
    await deployments.insert(NEW_DEPLOYMENT),
    await deployments.insert(NEW_DEPLOYMENT),
  ]
  await service.owner.query(
    `update deployment set created_at = now() - interval '25 hours' where id = $1`,
    [old.id],
  )
  const lines: string[] = []
  await maintain(deps(lines))
  expect((await deployments.find(old.id))?.state).toBe('expired')
  expect((await deployments.find(young.id))?.state).toBe('uploading')
  expect(lines.map((line) => JSON.parse(line).uploadsExpired)).toEqual([1])
})

test('the metrics show a database clock that was set back', async () => {
  const read = async () => {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text()
    return Number(/^octavo_clock_ahead_seconds (.*)$/m.exec(text)?.[1])
  }
  expect(await read()).toBe(0)
  const project = await service.createProject()
  await service.owner.query('update conversation_sequence set last_ms = $2 where project_id = $1', [
    project.id,
    Date.now() + 60_000,
  ])
  expect(await read()).toBeGreaterThan(50)
})

test('an expired preview is deleted an hour later, when every host has noticed the expiry', async () => {
  const project = await service.createProject()
  const bound = service.service.database.forProject(project.tenant)
  const [deployments, previews] = [new DeploymentStore(bound), new PreviewStore(bound)]
  for (const branch of ['old', 'ended', 'young']) {
    const { id } = await deployments.insert({ ...NEW_DEPLOYMENT, target: 'preview', branch })
    await deployments.end(id, 'ready')
    expect(await previews.publish(id, `name-${branch}`)).toBe('published')
  }
  await service.owner.query(
    `update preview set expires_at = now() - interval '61 minutes' where name = 'name-old'`,
  )
  await previews.end('name-ended')
  const lines: string[] = []
  await maintain(deps(lines))
  expect((await previews.list()).map(({ name }) => name)).toEqual(['name-young'])
  const rows = await service.owner.query('select name from preview order by 1')
  expect(rows).toEqual([{ name: 'name-ended' }, { name: 'name-young' }])
  expect(lines.map((line) => JSON.parse(line).previewsExpired)).toEqual([1])
})

test('webhook deliveries are deleted after 30 days', async () => {
  const project = await service.createProject()
  const bound = service.service.database.forProject(project.tenant)
  for (const [deliveryId, age] of [
    ['old', '30 days 1 minute'],
    ['young', '29 days 23 hours'],
  ] as const) {
    await bound.transaction((query) => insertDelivery(query, { ...DELIVERY, deliveryId }))
    await service.owner.query(
      'update webhook_delivery set received_at = now() - $2::interval where delivery_id = $1',
      [deliveryId, age],
    )
  }
  const lines: string[] = []
  await maintain(deps(lines))
  const rows = await service.owner.query('select delivery_id from webhook_delivery')
  expect(rows).toEqual([{ delivery_id: 'young' }])
  expect(lines.map((line) => JSON.parse(line).hooksForgotten)).toEqual([1])
})
