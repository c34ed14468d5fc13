/**
 * Tests that each batch of counts from a host is stored only once, and that the number of subjects
 * per hour is limited.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { createBatchStore } from './batch-store.ts'
import { EventBuffer, type EventCount } from './event-buffer.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const batches = () => createBatchStore(service.service.database)
const view = (project: TestProject, subject: string, count = 1): EventCount => {
  const { projectId } = project.tenant
  return { projectId, hour: Date.now(), event: 'view', subject, detail: 'people', count }
}
async function stored(project: TestProject, table = 'event_hour') {
  const rows = await service.owner.query<{ subject: string; count: string }>(
    `select subject, count from ${table} where project_id = $1 and event = 'view' order by subject`,
    [project.id],
  )
  return Object.fromEntries(rows.map(({ subject, count }) => [subject, Number(count)]))
}

test('a batch that is sent again or late is counted once', async () => {
  const project = await service.createProject()
  const host = crypto.randomUUID()
  await batches().storeCounts(host, 1, [view(project, '/a', 3)])
  await batches().storeCounts(host, 1, [view(project, '/a', 3)])
  await batches().storeCounts(host, 2, [view(project, '/a', 1), view(project, '/b', 1)])
  await batches().storeCounts(host, 1, [view(project, '/a', 3)])
  await batches().storeCounts(crypto.randomUUID(), 1, [view(project, '/b', 5)])
  expect(await stored(project)).toEqual({ '/a': 4, '/b': 6 })
  expect(await stored(project, 'event_day')).toEqual({ '/a': 4, '/b': 6 })
})

test('at most 1,000 subjects are stored per hour, and the least frequent are counted as (other)', async () => {
  const project = await service.createProject()
  const many = Array.from({ length: 1_200 }, (_, number) => view(project, `/${number}`, 2))
  await batches().storeCounts(crypto.randomUUID(), 1, [...many, view(project, '/often', 9)])
  const first = await stored(project)
  expect(Object.keys(first)).toHaveLength(1_001)
  expect(first).toMatchObject({ '/often': 9, '(other)': 402 })
  await batches().storeCounts(crypto.randomUUID(), 1, [
    view(project, '/new', 7),
    view(project, '/often'),
  ])
  const second = await stored(project)
  expect(second).toMatchObject({ '/often': 10, '(other)': 409 })
  expect(Object.keys(second)).toHaveLength(1_001)
})

test('counts of earlier hours are stored, and counts of deleted projects are dropped', async () => {
  const project = await service.createProject()
  const old = { ...view(project, '/old'), hour: Date.UTC(2020, 0, 1) }
  const gone = { ...view(project, '/gone'), projectId: '999999999' }
  await batches().storeCounts(crypto.randomUUID(), 1, [old, gone])
  expect(await stored(project)).toEqual({ '/old': 1 })
})

test('visitors are counted exactly up to 511 and approximately above, and repeated visits do not count', async () => {
  const project = await service.createProject()
  const { projectId } = project.tenant
  const day = new Date().toISOString().slice(0, 10)
  await batches().saltOf(day)
  const visits = (count: number) =>
    Array.from({ length: count }, () => {
      const hash = Math.floor(Math.random() * 2 ** 48)
      return { projectId, day, subject: '', detail: 'people', hash }
    })
  const counted = async () => {
    const [row] = await service.owner.query<{ count: string }>(
      `select count from event_day where project_id = $1 and event = 'visitor'`,
      [project.id],
    )
    return Number(row?.count)
  }
  const few = visits(511)
  for (const part of [few.slice(0, 300), few.slice(200), few]) await batches().storeVisits(part)
  expect(await counted()).toBe(511)
  for (let part = 0; part < 10; part += 1) await batches().storeVisits(visits(2_000))
  // Allows four times the standard error of the estimate.
  expect(Math.abs((await counted()) - 20_511) / 20_511).toBeLessThan(0.18)
})

test('an event buffer returns all counts, and its number of keys is limited', () => {
  const name = fc.constantFrom('/a', '/b', '/c', 'x'.repeat(400))
  const one = fc.record({
    projectId: fc.constantFrom('1', '2'),
    subject: name,
    detail: fc.constantFrom('people', 'agents'),
    at: fc.constantFrom(0, 3_599_999, 3_600_000),
  })
  fc.assert(
    fc.property(fc.array(one), (all) => {
      const buffer = new EventBuffer()
      for (const { projectId, at, ...what } of all)
        buffer.add(projectId, at, { event: 'view', ...what })
      const { counts } = buffer.take()
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(all.length)
      const keys = counts.map(({ projectId, hour, subject, detail }) =>
        [projectId, hour, subject, detail].join(),
      )
      expect(new Set(keys).size).toBe(keys.length)
      expect(buffer.take()).toEqual({ counts: [], visitors: [] })
    }),
  )
  const full = new EventBuffer()
  for (let number = 0; number < 10_000; number += 1)
    full.add('1', 0, { event: 'not-found', subject: `/${number}`, detail: 'bots' })
  const { counts } = full.take()
  expect(counts).toHaveLength(4_001)
  expect(counts.find(({ subject }) => subject === '(other)')?.count).toBe(6_000)
})
