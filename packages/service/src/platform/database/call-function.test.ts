import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import type { ProjectDatabase } from './database.ts'

let service: TestService
let database: ProjectDatabase
beforeAll(async () => {
  service = await startTestService()
  const { tenant } = await service.createProject()
  database = service.service.database.forProject(tenant)
  await service.owner.query(
    `create function echo(wanted text, number bigint, out text text, out twice bigint, out nothing text)
     language sql as 'select wanted, number * 2, null::text'`,
    [],
  )
  await service.owner.query(
    `create function end_connection(out gone boolean) language sql security definer
     as 'select pg_terminate_backend(pg_backend_pid())'`,
    [],
  )
})
afterAll(() => service.stop())

const echo = async (text: string) => (await database.call('echo', [text, 21]))[0]?.toString()

describe('database functions that return bytes', () => {
  test('columns of a function are returned in order, and SQL null as null', async () => {
    const [text, twice, nothing] = await database.call('echo', ['Größe', 21])
    expect([text?.toString(), twice?.readBigInt64BE(), nothing]).toEqual(['Größe', 42n, null])
    expect((await database.call('echo', [null, null])).every((column) => column === null)).toBe(
      true,
    )
  })

  test('special characters in an argument arrive unchanged, and invalid arguments are rejected', async () => {
    for (const text of [
      '',
      "'",
      "''; select 1; --",
      '\\',
      "\\' \\n",
      '$1',
      '$$',
      '"a"\r\n\t',
      '👩‍🌾',
    ])
      expect(await echo(text)).toBe(text)
    await expect(database.call('echo', ['a', 1.5])).rejects.toThrow('not a whole number')
    await expect(database.call('echo', ['a\0b', 1])).rejects.toThrow('zero byte')
  })

  test('large texts from concurrent calls are complete and do not overwrite each other', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index}-`.repeat(index * 2_500))
    // Runs only as many calls at once as there are connections. On a slow machine, more calls could
    // time out while they wait for a connection.
    for (let first = 0; first < texts.length; first += 8) {
      const some = texts.slice(first, first + 8)
      expect(await Promise.all(some.map(echo))).toEqual(some)
    }
  })

  test('a failed call throws the error of the database, and the next call works', async () => {
    await expect(database.call('no_such_function', [])).rejects.toThrow('no_such_function')
    await expect(database.call('echo', ['a', 'b'])).rejects.toThrow('bigint')
    expect(await echo('again')).toBe('again')
  })

  test('a call throws if its connection is lost, without crashing the process', async () => {
    await expect(database.call('end_connection', [])).rejects.toThrow('terminat')
    const ended = database.query('select end_connection()')
    await expect(ended).rejects.toThrow('terminat')
    expect(await echo('again')).toBe('again')
  })
})
