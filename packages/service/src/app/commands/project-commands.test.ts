import { afterAll, beforeAll, expect, test } from 'vitest'
import { octavo } from '../../../testing/test-connection.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const run = (...args: readonly string[]) => octavo(service, args)
const create = async (slug: string) =>
  (await run('project', 'create', slug, '--project', slug)).at(-1) ?? ''

test('an archived project cannot be archived again, and a restored one cannot be restored again', async () => {
  const id = await create('archived')
  expect(await run('project', 'archive', id)).toEqual([
    `Archived project ${id} (archived). Its site is offline.`,
  ])
  expect(await run('project', 'archive', id)).toEqual([
    `Project ${id} (archived) is already archived.`,
  ])
  expect(await run('project', 'restore', id)).toEqual([`Restored project ${id} (archived).`])
  await expect(run('project', 'restore', id)).rejects.toThrow('is neither archived nor deleted.')
})

test('`project delete` prints what it deletes, and needs the slug as confirmation', async () => {
  const id = await create('deleted')
  for (const yes of [[], ['--yes', id], ['--yes', 'other']])
    await expect(run('project', 'delete', id, ...yes)).rejects.toThrow(
      '(deleted) with 0 deployments, 0 conversations and 0 keys. To confirm, add --yes deleted.',
    )
  expect(await run('project', 'delete', id, '--yes', 'deleted')).toEqual([
    expect.stringMatching(
      /^Deleted project prj_\w+ \(deleted\)\. Everything is permanently removed/,
    ),
  ])
  await expect(run('project', 'delete', id, '--yes', 'deleted')).rejects.toThrow('was deleted.')
  await expect(run('project', 'archive', id)).rejects.toThrow('was deleted.')
  await expect(run('init', '--organization', 'Default', '--project', 'deleted')).rejects.toThrow(
    'Run `project restore deleted` first.',
  )
  expect(await run('project', 'restore', 'deleted')).toEqual([`Restored project ${id} (deleted).`])
})

test('a project that was archived before its deletion is restored as archived', async () => {
  const id = await create('both')
  await run('project', 'archive', id)
  await run('project', 'delete', id, '--yes', 'both')
  await run('project', 'restore', id)
  const state = () =>
    service.owner.query(
      `select archived_at is not null as archived, deleted_at is not null as deleted from project
        where public_id = $1`,
      [id],
    )
  expect(await state()).toEqual([{ archived: true, deleted: false }])
  await run('project', 'restore', id)
  expect(await state()).toEqual([{ archived: false, deleted: false }])
})

test('`project rename` needs a free slug and writes to the audit log', async () => {
  const id = await create('first')
  await create('second')
  await expect(run('project', 'rename', id)).rejects.toThrow('Missing slug.')
  await expect(run('project', 'rename', id, 'second')).rejects.toThrow(
    'The slug "second" belongs or once belonged to another project.',
  )
  await run('project', 'rename', id, 'third')
  const [event] = await service.owner.query(
    `select actor, before ->> 'slug' as before, after ->> 'slug' as after from audit_event
      where action = 'project.settings' and object = $1`,
    [id],
  )
  expect(event).toEqual({ actor: 'operator', before: 'first', after: 'third' })
})
