import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { migrate } from './database.ts'
import { printSchema } from './print-schema.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('the database', () => {
  test('schema.sql is what the migrations make', async () => {
    const schema = await printSchema(service.owner)
    await expect(schema).toMatchFileSnapshot(join(import.meta.dirname, 'schema.sql'))
  })

  test('migrating again does nothing', async () => {
    expect(await migrate(service.databaseUrl)).toEqual([])
  })

  test('every tenant table has project_id first in its key', async () => {
    const rows = await service.owner.query<{ table_name: string; first: string }>(
      `select c.relname as table_name, a.attname as first
         from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indisprimary and n.nspname = 'public' and c.relname not in ('project', 'migration')`,
      [],
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter(({ first }) => first !== 'project_id')).toEqual([])
  })

  test('row-level security: without a project the role of the service sees nothing at all', async () => {
    const project = await service.createProject()
    await service.conversations.publish(project.id, {
      turnId: 't',
      query: 'q',
      response: 'r',
      sources: [],
      resolutionStatus: 'answered',
    })
    for (const table of ['conversation', 'turn', 'project_sequence', 'backfill']) {
      await expect(service.service.database.query(`select * from ${table}`, [])).rejects.toThrow()
    }
  })

  test('row-level security: the project of the setting, and no other', async () => {
    const other = await service.createProject()
    const seen = await service.service.database.transaction(async (client) => {
      await client.query(`select set_config('octavo.project_id', $1, true)`, [other.id])
      const { rows } = await client.query('select distinct project_id from conversation')
      return rows
    })
    expect(seen).toEqual([])
  })

  test('the role of the service cannot change a conversation, nor a key but for its last use', async () => {
    const { id } = await service.createProject()
    const query = (text: string) =>
      service.service.database.transaction(async (client) => {
        await client.query(`select set_config('octavo.project_id', $1, true)`, [id])
        await client.query(text)
      })
    await expect(query(`update conversation set query = 'x'`)).rejects.toThrow('permission denied')
    await expect(query(`update api_key set scopes = '{}'`)).rejects.toThrow('permission denied')
    await expect(query('delete from project')).rejects.toThrow('permission denied')
  })
})

describe('publishing', () => {
  test('ids strictly increase, even when the clock is behind', async () => {
    const project = await service.createProject()
    const publish = (number: number) =>
      service.conversations.publish(project.id, {
        turnId: `t${number}`,
        query: 'q',
        response: 'r',
        sources: [],
        resolutionStatus: 'answered',
      })
    const first = await publish(1)
    await service.owner.query(
      'update project_sequence set last_ms = last_ms + 3600000 where project_id = $1',
      [project.id],
    )
    const second = await publish(2)
    const third = await publish(3)
    expect([first, second, third].toSorted()).toEqual([first, second, third])
    expect(second.slice(0, 10)).toBe(third.slice(0, 10))
  })

  test('a full millisecond flows into the next one', async () => {
    const project = await service.createProject()
    await service.owner.query(
      `update project_sequence set last_ms = 4102444800000, last_counter = 1048575 where project_id = $1`,
      [project.id],
    )
    const id = await service.conversations.publish(project.id, {
      turnId: 't',
      query: 'q',
      response: 'r',
      sources: [],
      resolutionStatus: 'answered',
    })
    const [row] = await service.owner.query<{ floor: string }>(
      'select ulid_floor(4102444800001) as floor',
      [],
    )
    expect(id.slice(0, 14)).toBe(row?.floor.slice(0, 14))
  })

  test('a closed window is sealed: a later id cannot fall into it, even if the clock is set back', async () => {
    const project = await service.createProject()
    const end = new Date(Date.now() + 5)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const response = await service.get(project, `?dateTo=${end.toISOString()}`)
    expect(await response.json()).toEqual({ conversations: [], nextCursor: null, hasMore: false })
    const [row] = await service.owner.query<{ last_ms: string }>(
      'select last_ms from project_sequence where project_id = $1',
      [project.id],
    )
    expect(Number(row?.last_ms)).toBeGreaterThanOrEqual(end.getTime())
  })

  test('a turn that nobody finished is published as unanswered, once', async () => {
    const project = await service.createProject()
    await service.conversations.accept(project.id, { turnId: 'stuck', query: 'Lost?' })
    expect(await service.conversations.reap(60_000)).toBe(0)
    expect(await service.conversations.reap(0)).toBe(1)
    expect(await service.conversations.reap(0)).toBe(0)
    const body = (await (await service.get(project)).json()) as { conversations: object[] }
    expect(body.conversations).toMatchObject([
      { query: 'Lost?', response: '', resolutionStatus: 'unanswered' },
    ])
  })

  test('a conversation is deleted by id and by reader, and its text is gone from the turn too', async () => {
    const project = await service.createProject()
    const turn = (turnId: string) => ({
      turnId,
      query: 'private',
      response: 'r',
      sources: [],
      resolutionStatus: 'answered' as const,
    })
    const one = await service.conversations.publish(project.id, turn('1'))
    await service.conversations.publish(project.id, turn('2'), 'reader-a')
    await service.conversations.publish(project.id, turn('3'), 'reader-b')
    expect(await service.conversations.remove(project.id, { id: one })).toBe(1)
    expect(await service.conversations.remove(project.id, { reader: 'reader-a' })).toBe(1)
    expect(await service.conversations.remove(project.id, { reader: 'reader-a' })).toBe(0)
    const left = await service.owner.query(
      `select turn_id from turn where project_id = $1 and query <> ''`,
      [project.id],
    )
    expect(left).toEqual([{ turn_id: '3' }])
  })
})
