/**
 * Tests that a deleted project is erased from every table after 7 days, without affecting other
 * projects.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { countProjectRows, fillProject, listProjectTables } from '../../../testing/full-project.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { clientOf, siteOf } from '../../../testing/test-deployment.ts'
import { startTestService, type TestProject } from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { collectBlobs } from '../../publishing/deployments/collect-blobs.ts'
import { eraseProjects } from './erase-projects.ts'
import { ProjectLifecycleStore } from './lifecycle-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'octavo-erase-'))
const blobs = await openFolderStore(folder)
const service = await startTestService({ blobStore: blobs })
const { owner, service: own } = service
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const deps = { database: own.database, blobs, now: Date.now, log: createLog(() => {}, Date.now) }
const erase = (rowsAtATime?: number, signal = new AbortController().signal) =>
  eraseProjects(deps, signal, rowsAtATime)

const tables = await listProjectTables(owner)
const countRows = ({ id }: TestProject) => countProjectRows(owner, tables, id)
const createFullProject = (text: string) => fillProject(service, text)

const lifeOf = ({ tenant }: TestProject) => new ProjectLifecycleStore(owner.forProject(tenant))
const waitDays = ({ id }: TestProject, days: number) =>
  owner.query(`update project set deleted_at = now() - make_interval(days => $2) where id = $1`, [
    id,
    days,
  ])
const jobsOf = ({ id }: TestProject) =>
  owner.query('select id from jobs.job where singleton_key = $1', [id])
const projectExists = async ({ id }: TestProject) =>
  (await owner.query('select id from project where id = $1', [id])).length > 0

describe('erasing deleted projects', () => {
  test('a deleted project is kept for 7 days and then erased from every table', async () => {
    const project = await createFullProject('first')
    const kept = await createFullProject('second')
    const full = await countRows(project)
    // Every table contains rows of the project, so that the test covers all tables.
    expect(Object.entries(full).filter(([, count]) => count === 0)).toEqual([])
    expect(await jobsOf(project)).not.toEqual([])
    const before = await countRows(kept)

    await lifeOf(project).removeAsOperator()
    await waitDays(project, 6)
    expect(await erase()).toBe(0)
    expect((await countRows(project)).conversation).toBe(full.conversation)

    await waitDays(project, 8)
    expect(await erase()).toBe(1)
    expect(Object.entries(await countRows(project)).filter(([, count]) => count > 0)).toEqual([])
    expect(await projectExists(project)).toBe(false)
    expect(await jobsOf(project)).toEqual([])
    expect(await countRows(kept)).toEqual(before)
    expect(await projectExists(kept)).toBe(true)
    expect(
      await owner.query(
        `select action, actor, project_id, object from audit_event where organization_id = $1 and project_id is null
          and action like 'project.%' order by at`,
        [project.tenant.organizationId],
      ),
    ).toEqual([
      { action: 'project.delete', actor: 'operator', project_id: null, object: project.publicId },
      { action: 'project.erase', actor: 'service', project_id: null, object: project.publicId },
    ])
    const [usage] = await owner.query(
      'select bytes from storage_usage where organization_id = $1',
      [project.tenant.organizationId],
    )
    expect(usage).toEqual({ bytes: '0' })
  })

  test('a project is erased in small batches, even after an interruption', async () => {
    const project = await createFullProject('third')
    await lifeOf(project).removeAsOperator()
    await waitDays(project, 8)
    const total = async () =>
      Object.values(await countRows(project)).reduce((sum, count) => sum + count, 0)
    const before = await total()
    const [first] = await owner.query<{ more: boolean }>('select erase_project($1, 2) as more', [
      project.id,
    ])
    expect(first).toEqual({ more: true })
    // No batch exceeds its limit: rows are never deleted by a cascade.
    expect(before - (await total())).toBeLessThanOrEqual(2)
    const aborted = new AbortController()
    aborted.abort()
    expect(await erase(2, aborted.signal)).toBe(0)
    expect(await projectExists(project)).toBe(true)
    let left = await total()
    for (;;) {
      const [row] = await owner.query<{ more: boolean }>('select erase_project($1, 2) as more', [
        project.id,
      ])
      const now = await total()
      expect(left - now).toBeLessThanOrEqual(2)
      left = now
      if (row?.more !== true) break
    }
    expect([left, await projectExists(project)]).toEqual([0, false])
  })

  test('the files of an erased project are collected, but not those of other projects', async () => {
    const [project, kept] = [
      await service.createProject(KEY_SCOPES),
      await service.createProject(KEY_SCOPES),
    ]
    const shared = { 'shared.txt': 'of both' }
    const alone = siteOf({ ...shared, 'alone.txt': 'of one' })
    const other = siteOf({ ...shared, 'other.txt': 'of the other' })
    await clientOf(service.url, project).deploy(alone)
    await clientOf(service.url, kept).deploy(other)
    await lifeOf(project).removeAsOperator()
    await waitDays(project, 8)
    await erase()
    // Simulate a later time.
    const later = { ...deps, now: () => Date.now() + 1_000_000 }
    await collectBlobs(later, new AbortController().signal, 0)
    const stored = new Set<string>()
    for await (const { sha256 } of blobs.list()) stored.add(sha256)
    for (const sha256 of other.blobs.keys()) expect(stored.has(sha256)).toBe(true)
    const erased = [...alone.blobs.keys()].filter((sha256) => !other.blobs.has(sha256))
    expect(erased.length).toBeGreaterThan(0)
    for (const sha256 of erased) expect(stored.has(sha256)).toBe(false)
  })

  test('the operator can restore a deleted project within 7 days', async () => {
    const project = await service.createProject(KEY_SCOPES)
    const status = async () => (await service.get(project)).status
    await lifeOf(project).removeAsOperator()
    await expect.poll(status).toBe(401)
    await expect(octavo(service, ['key', 'list', project.publicId])).rejects.toThrow('was deleted')
    expect(await octavo(service, ['project', 'restore', project.publicId])).toEqual([
      expect.stringContaining('Restored project'),
    ])
    await expect.poll(status).toBe(200)
    await lifeOf(project).removeAsOperator()
    await waitDays(project, 8)
    await expect(octavo(service, ['project', 'restore', project.publicId])).rejects.toThrow(
      'more than 7 days ago',
    )
  })

  test('the service cannot erase a project that was not deleted', async () => {
    const project = await service.createProject()
    expect(await own.database.query('select erase_project($1, 10) as more', [project.id])).toEqual([
      { more: false },
    ])
    expect(await projectExists(project)).toBe(true)
  })
})
