/** Tests a project during its move: it can be read but not changed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { listProjectTables } from '../../../testing/full-project.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { beginMove } from './move-project.ts'

const POLL = { interval: 50, timeout: 20_000 }
const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' }
const folder = mkdtempSync(join(tmpdir(), 'octavo-moving-'))
const startCell = async (name: string) =>
  startTestService({
    blobStore: await openFolderStore(join(folder, name)),
    blobs: { blobs: join(folder, name) },
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
    previewsDomain: 'previews.localhost',
  })
const first = await startCell('first')
const second = await startCell('second')
afterAll(async () => {
  await first.stop()
  await second.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newSite(): Promise<TestProject & { readonly slug: string }> {
  const project = await first.createProject(KEY_SCOPES)
  await clientOf(first.url, project).deploy(siteOf({ 'index.html': 'words' }))
  const [row] = await first.owner.query<{ slug: string }>(
    'select slug from project where id = $1',
    [project.id],
  )
  return { ...project, slug: row?.slug ?? '' }
}
const move = (cell: TestService, { publicId }: TestProject, step: string) =>
  octavo(cell, ['project', 'move', publicId, step])
const write = (cell: TestService, { publicId, token }: TestProject, questionId: string) =>
  fetch(`${cell.url}/v1/analytics/${publicId}/assistant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ conversations: [{ ...TURN, questionId }] }),
  })
const statusOf = async (cell: TestService, slug: string) =>
  (await visit(cell.port, `${slug}.sites.localhost`, '/')).status

describe('projects during a move', () => {
  test('a moving project can be read and exported, and writes get 503 with Retry-After', async () => {
    const project = await newSite()
    expect((await write(first, project, 'before')).status).toBe(200)
    expect((await move(first, project, 'begin'))[0]).toContain('the project is read-only')
    const refused = await write(first, project, 'during')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ code: 'unavailable' })
    const settings = await callerOf(first.url, project)('PUT', '/settings', {
      body: { name: 'Other' },
    })
    expect(settings.status).toBe(503)
    const key = octavo(first, ['key', 'create', project.publicId])
    await expect(key).rejects.toThrow('is being moved to another cell')
    expect(await statusOf(first, project.slug)).toBe(200)
    const page = await first.get(project)
    expect([
      page.status,
      ((await page.json()) as { conversations: [] }).conversations.length,
    ]).toEqual([200, 1])
    // Beginning twice has no effect.
    await move(first, project, 'begin')
    await move(first, project, 'cancel')
    expect((await write(first, project, 'during')).status).toBe(200)
    await expect(move(first, project, 'cancel')).rejects.toThrow('is not being moved')
    await expect(move(first, project, 'sideways')).rejects.toThrow('begin, end or cancel')
  })

  test('a move waits for writes in progress', async () => {
    const project = await newSite()
    const bound = first.service.database.forProject(project.tenant)
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    let hasWritten = () => {}
    const written = new Promise<void>((resolve) => {
      hasWritten = resolve
    })
    const writer = bound.transaction(async (query) => {
      await query(`select count_action('slow', 60)`)
      hasWritten()
      await finished
    })
    await written
    let isMoving = false
    const begun = beginMove(first.owner, project.id).then(() => {
      isMoving = true
    })
    await sleep(1_500)
    expect(isMoving).toBe(false)
    finish()
    await writer
    await begun
    await expect(bound.query(`select count_action('late', 60)`)).rejects.toThrow('is being moved')
  })

  test('a moved project is served by the other cell, removed here, and can move back', async () => {
    const project = await newSite()
    const carry = async (from: TestService, to: TestService, name: string) => {
      const path = join(folder, `${project.publicId}-${name}`)
      await octavo(from, ['project', 'export', project.publicId, path])
      await octavo(to, ['project', 'import', path, '--blobs'])
      await move(from, project, 'begin')
      await octavo(from, ['project', 'export', project.publicId, path])
      await octavo(to, ['project', 'import', path])
    }
    await carry(first, second, 'there')
    expect([await statusOf(first, project.slug), await statusOf(second, project.slug)]).toEqual([
      200, 200,
    ])
    expect((await write(second, project, 'there')).status).toBe(200)
    await move(first, project, 'end')
    await expect.poll(() => statusOf(first, project.slug), POLL).toBe(404)
    await carry(second, first, 'back')
    await expect.poll(() => statusOf(first, project.slug), POLL).toBe(200)
    const page = (await (await first.get(project)).json()) as { conversations: { query: string }[] }
    expect(page.conversations.length).toBe(1)
    expect((await write(first, project, 'back')).status).toBe(200)
  })

  test("the list of routes for the edge contains a project's hosts and id", async () => {
    const project = await newSite()
    await octavo(first, ['project', 'rename', project.publicId, `${project.slug}-new`])
    expect(await octavo(first, ['project', 'routes', project.publicId])).toEqual(
      [
        `${project.slug}-new.sites.localhost`,
        `${project.slug}.sites.localhost`,
        project.publicId,
      ].sort(),
    )
  })

  test('while a project moves, all tables reject writes except the two that read requests write to', async () => {
    const guarded = async () => {
      const rows = await first.owner.query<{ name: string }>(
        `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where t.tgname = 'refuse_moving' and t.tgenabled = 'O' order by 1`,
      )
      return rows.map(({ name }) => name)
    }
    const [one, other] = [await newSite(), await newSite()]
    await move(first, one, 'begin')
    await move(first, other, 'begin')
    const tables = (await listProjectTables(first.owner)).map(({ name }) => name)
    const open = ['conversation_sequence', 'reader_session']
    const expected = [...tables.filter((name) => !open.includes(name)), 'project'].sort()
    expect(await guarded()).toEqual(expected)
    await move(first, one, 'cancel')
    expect(await guarded()).toEqual(expected)
    await first.owner.query('update project set moving_since = null where id <> $1', [other.id])
    await move(first, other, 'cancel')
    expect(await guarded()).toEqual([])
  })

  test('writes are rejected during a move that begins while another move ends', async () => {
    const projects = [await newSite(), await newSite()]
    let last: TestProject | undefined
    for (let round = 0; round < 6; round += 1) {
      const project = projects[round % 2]
      if (project === undefined) throw new Error('there is no project')
      await Promise.all([
        move(first, project, 'begin'),
        ...(last === undefined ? [] : [move(first, last, 'cancel')]),
      ])
      expect((await write(first, project, `round ${round}`)).status).toBe(503)
      last = project
    }
  })
})
