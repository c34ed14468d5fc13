/** Tests exports and imports between two cells, each with its own database, store and keys. */

import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  countProjectRows,
  FULL_PROJECT_KEY,
  fillProject,
  fixFiles,
  listProjectTables,
} from '../../../testing/full-project.ts'
import { octavo } from '../../../testing/test-connection.ts'
import { clientOf, siteOf, visit } from '../../../testing/test-deployment.ts'
import {
  PEPPER_TEXT,
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createPepperRing } from '../../platform/secrets/pepper-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { eraseProjects } from '../../projects/projects/erase-projects.ts'
import type { Settings } from '../settings/env.ts'
import { CHANGED_TABLES, PROJECT_TABLES } from './project-tables.ts'

const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }
const folder = mkdtempSync(join(tmpdir(), 'octavo-cells-'))
const keyFile = join(folder, 'transfer-key')
writeFileSync(keyFile, `${randomBytes(32).toString('base64')}\n`)

async function startCell(name: string, key: SecretKey, more: Partial<Settings> = {}) {
  const blobs = join(folder, name)
  return startTestService({
    blobStore: await openFolderStore(blobs),
    blobs: { blobs },
    secretKeys: [key],
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
    ...more,
  })
}

const OTHER_KEY: SecretKey = { id: 'other', bytes: Buffer.alloc(32, 5) }
let first: TestService
let second: TestService
beforeAll(async () => {
  first = await startCell('first', FULL_PROJECT_KEY)
  second = await startCell('second', OTHER_KEY)
})
afterAll(async () => {
  await first.stop()
  await second.stop()
  rmSync(folder, { recursive: true, force: true })
})

let exports = 0
async function exportOf({ publicId }: TestProject, key: readonly string[] = []): Promise<string> {
  exports += 1
  const path = join(folder, `export-${exports}`)
  await octavo(first, ['project', 'export', publicId, path, ...key])
  return path
}
const withKey = ['--key-file', keyFile]
const importTo = (cell: TestService, path: string, options: readonly string[] = []) =>
  octavo(cell, ['project', 'import', path, ...options])

/** Creates a small project without secrets. */
async function smallProject(text: string): Promise<TestProject> {
  const project = await first.createProject(KEY_SCOPES)
  const deployed = await clientOf(first.url, project).deploy(
    siteOf({ 'index.html': text, 'a.txt': text }),
  )
  expect(deployed.body).toMatchObject({ state: 'live' })
  for (const questionId of ['1', '2', '3']) await first.publish(project, { ...TURN, questionId })
  return project
}

const readText = async (cell: TestService, slug: string) =>
  (await visit(cell.port, `${slug}.sites.localhost`, '/')).bytes.toString()
const POLL = { interval: 50, timeout: 10_000 }
const slugOf = async (cell: TestService, { id }: TestProject) =>
  (await cell.owner.query<{ slug: string }>('select slug from project where id = $1', [id]))[0]
    ?.slug ?? ''
const isIn = async (cell: TestService, { id }: TestProject) =>
  (await cell.owner.query('select from project where id = $1', [id])).length > 0

async function rowsOf(cell: TestService, table: string, { id }: TestProject) {
  const rows = await cell.owner.query<{ text: string }>(
    `select t::text as text from ${table} t where project_id = $1`,
    [id],
  )
  return rows.map(({ text }) => text).sort()
}

test('every table with project rows is exported and classified for imports', async () => {
  const tables = await listProjectTables(first.owner)
  expect([...PROJECT_TABLES].sort()).toEqual(tables.map(({ name }) => name))
})

describe('moving a project to another cell', () => {
  test('a moved project has all its rows and the same ids', async () => {
    const project = await fillProject(first, 'full')
    await fixFiles(first.owner, project)
    // This row is in a month for which the other cell has no partitions.
    await first.owner.query(`select make_partitions_for('conversation_detail', '{2024-03-05}')`)
    await first.owner.query(
      `insert into conversation_detail (project_id, id, model) values ($1, ulid_floor(timestamptz '2024-03-05 12:00Z'), 'm')`,
      [project.id],
    )
    // The service stores the last use of a key a moment after it responds.
    const used = 'select from api_key where project_id = $1 and last_used_at is not null'
    await expect
      .poll(async () => (await first.owner.query(used, [project.id])).length, POLL)
      .toBe(1)
    const tables = await listProjectTables(first.owner)
    const before = await countProjectRows(first.owner, tables, project.id)
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    const rows = new Map<string, readonly string[]>()
    for (const { name } of tables) rows.set(name, await rowsOf(first, name, project))
    const path = await exportOf(project, withKey)
    const [line] = await importTo(second, path, withKey)
    expect(line).toContain('All of them match the export.')
    // The import itself writes an audit event and a publication.
    const skipped = ['audit_event', 'publication', 'preview', 'connection', 'conversation_sequence']
    for (const { name } of tables) {
      const there = await rowsOf(second, name, project)
      if (name === 'audit_event') expect(there.length).toBe((before[name] ?? 0) + 1)
      else expect([name, there.length]).toEqual([name, before[name]])
      if (!skipped.includes(name) && !CHANGED_TABLES.some((changed) => changed === name))
        expect([name, there]).toEqual([name, rows.get(name)])
    }
    const stored = await second.owner.query(
      'select bytes from storage_usage where organization_id = $1',
      [project.tenant.organizationId],
    )
    expect(stored).toEqual(
      await first.owner.query('select bytes from storage_usage where organization_id = $1', [
        project.tenant.organizationId,
      ]),
    )
    // New rows in tables with generated ids come after the imported ones.
    const conversations = second.conversationsOf(project)
    await conversations.importBatch([{ ...TURN, questionId: 'older', atMs: 2 }])
    const [{ count } = { count: '' }] = await second.owner.query<{ count: string }>(
      'select count(*) as count from backfill where project_id = $1',
      [project.id],
    )
    expect(Number(count)).toBe((before.backfill ?? 0) + 1)
  })

  test('a moved site is served at once, its API keys work, and cursors continue where they were', async () => {
    const project = await smallProject('words of the page')
    const slug = await slugOf(first, project)
    const all = (await (await first.get(project, '?limit=100')).json()) as Page
    const part = (await (await first.get(project, '?limit=2')).json()) as Page
    await importTo(second, await exportOf(project))
    expect(await readText(second, slug)).toContain('words of the page')
    const added = await second.publish(project, { ...TURN, questionId: '4' })
    const rest = (await (
      await second.get(project, `?limit=100&cursor=${part.nextCursor}`)
    ).json()) as Page
    const ids = [...part.conversations, ...rest.conversations].map(({ id }) => id)
    expect(ids).toEqual([...all.conversations.map(({ id }) => id), added])
    const next = siteOf({ 'index.html': 'newer words', 'a.txt': 'words of the page' })
    await clientOf(second.url, project).deploy(next)
    await expect.poll(() => readText(second, slug), POLL).toContain('newer words')
  })

  test('secrets are re-encrypted for the other cell and never in plain text in the export', async () => {
    const project = await smallProject('secret')
    const secrets = (cell: TestService, key: SecretKey) =>
      createSecretStore(cell.service.database.forProject(project.tenant), createKeyRing([key]))
    await secrets(first, FULL_PROJECT_KEY).write('git', 'canary-of-the-secret')
    await expect(exportOf(project)).rejects.toThrow('a transfer key is needed')
    const path = await exportOf(project, withKey)
    for (const name of readdirSync(join(path, 'rows')))
      expect(readFileSync(join(path, 'rows', name), 'latin1')).not.toContain('canary-of')
    const otherKey = join(folder, 'other-key')
    writeFileSync(otherKey, randomBytes(32).toString('base64'))
    await expect(importTo(second, path)).rejects.toThrow('pass the file of its transfer key')
    await expect(importTo(second, path, ['--key-file', otherKey])).rejects.toThrow(
      'not the key that the export was made with',
    )
    await importTo(second, path, withKey)
    expect(await secrets(second, OTHER_KEY).read('git')).toBe('canary-of-the-secret')
  })

  test('people are matched by e-mail address even if their ids differ', async () => {
    const project = await smallProject('people')
    const add = async (cell: TestService, email: string) =>
      (await octavo(cell, ['user', 'create', email, '--organization', email, '--role', 'owner']))
        .length
    await add(first, 'both@example.com')
    await add(second, 'both@example.com')
    await first.owner.query(
      `insert into membership (organization_id, user_id, project_id, role)
       select $1, u.id, p.id, 'owner' from app_user u, (values (null), ($2::bigint)) p (id) where u.email = 'both@example.com'`,
      [project.tenant.organizationId, project.id],
    )
    await importTo(second, await exportOf(project))
    expect(
      await second.owner.query(
        `select u.email, m.project_id, m.role from membership m join app_user u on u.id = m.user_id
          where m.organization_id = $1 order by m.project_id nulls first`,
        [project.tenant.organizationId],
      ),
    ).toEqual([
      { email: 'both@example.com', project_id: null, role: 'owner' },
      { email: 'both@example.com', project_id: project.id, role: 'owner' },
    ])
  })

  test('a second project of the same organization can be imported', async () => {
    const project = await smallProject('one')
    await importTo(second, await exportOf(project))
    const lines = await octavo(first, ['project', 'create', 'Two', '--organization', 'Test'])
    const publicId = lines.at(-1) ?? ''
    await importTo(second, await exportOf({ ...project, publicId }))
    expect((await octavo(second, ['key', 'list', publicId])).length).toBeGreaterThanOrEqual(0)
  })
})

describe('restoring a project from an export', () => {
  test('an export restores a deleted project, even while its rows still exist', async () => {
    const project = await smallProject('back again')
    const slug = await slugOf(first, project)
    const path = await exportOf(project)
    await expect(importTo(first, path)).rejects.toThrow('is already in this cell')
    await first.publish(project, { ...TURN, questionId: 'after the export' })
    await octavo(first, ['project', 'delete', project.publicId, '--yes', slug])
    await importTo(first, path)
    await expect.poll(() => readText(first, slug), POLL).toContain('back again')
    const page = (await (await first.get(project)).json()) as Page
    expect(page.conversations.length).toBe(3)
  })

  test('an export restores an erased project', async () => {
    const project = await smallProject('erased')
    const slug = await slugOf(first, project)
    const path = await exportOf(project)
    await octavo(first, ['project', 'delete', project.publicId, '--yes', slug])
    await first.owner.query(
      `update project set deleted_at = now() - interval '8 days' where id = $1`,
      [project.id],
    )
    const log = createLog(() => {}, Date.now)
    await eraseProjects({ database: first.service.database, log }, new AbortController().signal)
    expect(await isIn(first, project)).toBe(false)
    await importTo(first, path)
    await expect.poll(() => readText(first, slug), POLL).toContain('erased')
  })
})

describe('rejected imports', () => {
  let project: TestProject
  let path: string
  beforeAll(async () => {
    project = await smallProject('refused')
    path = await exportOf(project)
  })
  const copy = () => {
    exports += 1
    const target = join(folder, `copy-${exports}`)
    cpSync(path, target, { recursive: true })
    return target
  }
  const changeManifest = (change: (manifest: Record<string, unknown>) => void) => {
    const target = copy()
    const file = join(target, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    change(manifest)
    writeFileSync(file, JSON.stringify(manifest))
    return target
  }
  const refused = async (target: string, reason: string | RegExp) => {
    await expect(importTo(second, target)).rejects.toThrow(reason)
    expect(await isIn(second, project)).toBe(false)
  }

  test('an incomplete export is rejected', async () => {
    const target = copy()
    rmSync(join(target, 'manifest.json'))
    await refused(target, 'the export was not completed')
    await refused(join(folder, 'nothing'), 'the folder is not an export')
  })

  test('an export with a damaged or missing row file is rejected', async () => {
    const target = copy()
    const file = join(target, 'rows/conversation.ndjson')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"q"', '"z"'))
    await refused(target, 'conversation.ndjson is damaged')
    rmSync(file)
    await refused(target, 'conversation.ndjson cannot be read')
  })

  test('an export with a damaged or missing blob is rejected', async () => {
    const target = copy()
    const [first = ''] = readdirSync(join(target, 'blobs'))
    const [rest = ''] = readdirSync(join(target, 'blobs', first))
    writeFileSync(join(target, 'blobs', first, rest), 'other bytes')
    await refused(target, 'is damaged')
    rmSync(join(target, 'blobs', first, rest))
    await refused(target, 'is missing')
  })

  test('an export with another format or schema version is rejected', async () => {
    const set = (name: string, value: unknown) =>
      changeManifest((manifest) => {
        manifest[name] = value
      })
    await refused(set('format', 'octavo-project/2'), 'octavo-project/1')
    await refused(set('migration', 'migrations/9999-later.sql'), 'Upgrade this cell first')
    await refused(set('migration', 'migrations/0000-earlier.sql'), 'Upgrade the other cell')
  })

  test('an export with a slug that another project has or had is rejected', async () => {
    const slug = await slugOf(first, project)
    await octavo(second, ['project', 'create', 'x', '--project', slug])
    await refused(path, `The slug "${slug}" belongs or once belonged to another project`)
    await octavo(second, ['project', 'rename', slug, 'elsewhere'])
    await refused(path, `The slug "${slug}" belongs or once belonged to another project`)
  })

  test('an export whose keys need another pepper is rejected unless --without-keys is set', async () => {
    const third = await startCell('third', OTHER_KEY, {
      pepper: createPepperRing({ current: 'another pepper of 32 characters or more' }),
    })
    try {
      await expect(importTo(third, path, ['--without-keys'])).rejects.toThrow(
        'It cannot be verified that one of your cells made',
      )
      // Both operators have this transfer key, so the cells trust each other.
      const signed = await exportOf(project, withKey)
      await expect(importTo(third, signed, withKey)).rejects.toThrow('--without-keys')
      const lines = await importTo(third, signed, ['--without-keys', ...withKey])
      expect(lines.at(-1)).toContain('1 API keys, invitations and reader sessions were skipped')
      expect(await octavo(third, ['key', 'list', project.publicId])).toEqual([
        'This project has no keys.',
      ])
      const again = importTo(third, signed, ['--without-keys', ...withKey])
      await expect(again).rejects.toThrow('already')
    } finally {
      await third.stop()
    }
  })

  test('an export signed with an old pepper of this cell is accepted, with its keys', async () => {
    const rotated = await startCell('rotated', OTHER_KEY, {
      pepper: createPepperRing({ current: 'the next pepper of this cell, 32', old: [PEPPER_TEXT] }),
    })
    try {
      await importTo(rotated, path)
      const { publicId, token } = project
      const reply = await fetch(`${rotated.url}/v1/analytics/${publicId}/assistant`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(reply.status).toBe(200)
    } finally {
      await rotated.stop()
    }
  })

  test('a malformed transfer key file is rejected', async () => {
    const bad = join(folder, 'bad-key')
    writeFileSync(bad, 'short')
    await expect(importTo(second, path, ['--key-file', bad])).rejects.toThrow('32 bytes in base64')
  })
})

type Page = {
  readonly conversations: readonly { readonly id: string }[]
  readonly nextCursor?: string
}
