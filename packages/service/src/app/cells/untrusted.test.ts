/** Tests imports of archives that another operator or a tenant made. */

import { createHash } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEY_SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../../testing/call-project.ts'
import { craftArchive, readCraftedRows } from '../../../testing/craft-archive.ts'
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
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createPepperRing } from '../../platform/secrets/pepper-ring.ts'
import { TRUSTED_TABLES } from './project-tables.ts'

const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }
const folder = mkdtempSync(join(tmpdir(), 'octavo-untrusted-'))
const POLL = { interval: 50, timeout: 20_000 }

const startCell = async (name: string, pepper: string) =>
  startTestService({
    blobStore: await openFolderStore(join(folder, name)),
    blobs: { blobs: join(folder, name) },
    secretKeys: [FULL_PROJECT_KEY],
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
    pepper: createPepperRing({ current: pepper }),
  })

/** Another operator's cell, which makes the archives. */
let theirs: TestService
let ours: TestService
beforeAll(async () => {
  theirs = await startCell('theirs', 'the pepper of somebody else, 32 characters')
  ours = await startCell('ours', 'the pepper of this cell, 32 characters or more')
})
afterAll(async () => {
  await theirs.stop()
  await ours.stop()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const newFolder = () => {
  count += 1
  return join(folder, `archive-${count}`)
}
async function exportOf({ publicId }: TestProject, options: readonly string[] = []) {
  const path = newFolder()
  await octavo(theirs, ['project', 'export', publicId, path, ...options])
  return path
}
async function newSite(cell: TestService, files: Record<string, string>) {
  const project = await cell.createProject(KEY_SCOPES)
  await clientOf(cell.url, project).deploy(siteOf(files))
  const [row] = await cell.owner.query<{ slug: string }>('select slug from project where id = $1', [
    project.id,
  ])
  return { ...project, slug: row?.slug ?? '' }
}
const get = (slug: string, path = '/') => visit(ours.port, `${slug}.sites.localhost`, path)
const bySlug = async (slug: string) =>
  (
    await ours.owner.query<Record<string, unknown> & { id: string; organization_id: string }>(
      'select * from project where slug = $1',
      [slug],
    )
  )[0]

/** Imports an archive as an operator who mistakes it for their own. */
const importAsOwn = (path: string) =>
  octavo(ours, ['project', 'import', path, '--without-keys']).catch((error: Error) => error.message)
const UNSIGNED = expect.stringContaining('It cannot be verified that one of your cells made')
let slugs = 0
const importAs = (path: string, more: readonly string[] = []) => {
  slugs += 1
  const names = ['--organization', `Customer ${slugs}`, '--owner', `owner-${slugs}@example.com`]
  return octavo(ours, ['project', 'import', path, '--untrusted', ...names, ...more])
}

describe('files of other projects', () => {
  const SECRET = 'PRIVATE ROADMAP of the victim'

  test('a private file is not served to an importer who only knows its digest', async () => {
    const victim = await newSite(ours, { 'index.html': 'victim', 'roadmap.txt': SECRET })
    await callerOf(ours.url, victim)('PUT', '/access', { body: { mode: 'members' } })
    await expect.poll(async () => (await get(victim.slug, '/roadmap.txt')).status, POLL).toBe(401)
    const mover = await newSite(theirs, { 'index.html': 'mover', 'stolen.txt': SECRET })
    const path = await exportOf(mover)
    const digest = createHash('sha256').update(SECRET).digest('hex')
    rmSync(join(path, 'blobs', digest.slice(0, 2), digest.slice(2)))
    for (const attempt of [importAsOwn, importAs]) {
      const outcome = await attempt(path).catch((error: Error) => error.message)
      const served = await get(mover.slug, '/stolen.txt')
      expect(served.bytes.toString()).not.toContain(SECRET)
      expect(served.status).toBe(404)
      expect(outcome).toEqual(
        attempt === importAsOwn
          ? UNSIGNED
          : expect.stringContaining(`${digest.slice(2)} is missing`),
      )
    }
    expect(await bySlug(mover.slug)).toBeUndefined()
    expect(await ours.owner.query(`select from app_user where email like 'owner-%'`)).toEqual([])
  })

  test('a site is not served to an importer who only knows its manifest digest', async () => {
    const victim = await newSite(ours, { 'index.html': `${SECRET} 2` })
    const [live] = await ours.owner.query<{ root: string }>(
      'select root::text from deployment where project_id = $1',
      [victim.id],
    )
    const mover = await newSite(theirs, { 'index.html': 'mover' })
    const path = craftArchive(await exportOf(mover), newFolder(), {
      rows: { deployment: (rows) => rows.map((row) => ({ ...row, root: live?.root ?? '' })) },
    })
    const outcome = await importAsOwn(path)
    expect((await get(mover.slug)).status).toBe(404)
    expect(outcome).toEqual(UNSIGNED)
    await expect(importAs(path)).rejects.toThrow('is missing')
    expect((await get(mover.slug)).status).toBe(404)
  })
})

test('a link in the archive is not followed, even to the right bytes', async () => {
  const path = await exportOf(await newSite(theirs, { 'index.html': 'linked words' }))
  const digest = createHash('sha256').update('linked words').digest('hex')
  const file = join(path, 'blobs', digest.slice(0, 2), digest.slice(2))
  renameSync(file, join(folder, 'outside'))
  symlinkSync(join(folder, 'outside'), file)
  await expect(importAs(path)).rejects.toThrow('is not a regular file')
  rmSync(file)
  renameSync(join(folder, 'outside'), file)
  renameSync(join(path, 'blobs', digest.slice(0, 2)), join(folder, 'outside'))
  symlinkSync(join(folder, 'outside'), join(path, 'blobs', digest.slice(0, 2)))
  await expect(importAs(path)).rejects.toThrow(`${digest.slice(0, 2)} is not a folder`)
})

test('members in an archive do not become members of an organization in this cell', async () => {
  await octavo(ours, ['user', 'create', 'boss@acme.example', '--organization', 'Acme'])
  const [acme] = await ours.owner.query<{ id: string; public_id: string }>(
    `select id, public_id from organization where name = 'Acme'`,
  )
  const mover = await newSite(theirs, { 'index.html': 'members' })
  await theirs.owner.query(
    `with person as (insert into app_user (public_id, email, name)
       values ('usr_0000000000000000', 'mallory@evil.example', 'Mallory') returning id)
     insert into membership (organization_id, user_id, role) select $1, id, 'owner' from person`,
    [mover.tenant.organizationId],
  )
  const path = craftArchive(await exportOf(mover), newFolder(), {
    rows: {
      organization_membership: (rows) =>
        rows.map((row) => ({ ...row, organization_id: acme?.id ?? '' })),
    },
  })
  expect(readCraftedRows(path, 'organization_membership').length).toBe(1)
  const owners = () =>
    ours.owner.query(
      `select u.email from membership m join app_user u on u.id = m.user_id
        where m.organization_id = $1`,
      [acme?.id],
    )
  const outcome = await importAsOwn(path)
  expect(await owners()).toEqual([{ email: 'boss@acme.example' }])
  expect(outcome).toEqual(UNSIGNED)
  await importAs(path)
  expect(await owners()).toEqual([{ email: 'boss@acme.example' }])
  expect(await ours.owner.query(`select from app_user where email like 'mallory%'`)).toEqual([])
  // Naming an existing organization and a person as its owner does not make that person an owner.
  const named = ['--organization', acme?.public_id ?? '', '--owner', 'mallory@evil.example']
  await expect(
    octavo(ours, ['project', 'import', path, '--untrusted', '--project', 'in-acme', ...named]),
  ).rejects.toThrow('mallory@evil.example is not one of its owners')
  expect(await owners()).toEqual([{ email: 'boss@acme.example' }])
  await octavo(ours, [
    ...['project', 'import', path, '--untrusted', '--project', 'in-acme'],
    ...['--organization', 'Acme', '--owner', 'boss@acme.example'],
  ])
  expect((await bySlug('in-acme'))?.organization_id).toBe(acme?.id)
  expect(await owners()).toEqual([{ email: 'boss@acme.example' }])
})

test('domains, limits and settings are not taken from an untrusted archive', async () => {
  const mover = await newSite(theirs, { 'index.html': 'words' })
  await theirs.owner.query(
    `insert into domain_claim (project_id, name, token, state, seen_at)
     values ($1, 'docs.bank.example.com', $2, 'active', now()), ($1, 'localhost', $2, 'active', now())`,
    [mover.id, 'a'.repeat(32)],
  )
  const path = craftArchive(await exportOf(mover), newFolder(), {
    rows: {
      organization: (rows) => rows.map((row) => ({ ...row, storage_bytes_max: '9000000000000' })),
      project: (rows) =>
        rows.map((row) => ({
          ...row,
          suspended_reason: 'none of your business',
          archived_at: '2026-01-01 00:00:00+00',
          protection: 'password',
          retention_days: '30',
          settings: '{"trust": ["github:evil/docs"], "webhook": "https://evil.example/"}',
        })),
    },
  })
  const outcome = await importAsOwn(path)
  expect(
    await ours.owner.query(`select name, state from domain_claim where state = 'active'`),
  ).toEqual([])
  expect(outcome).toEqual(UNSIGNED)
  const lines = await importAs(path)
  expect(lines.join('\n')).toContain('verifies them again: docs.bank.example.com.')
  const project = await bySlug(mover.slug)
  expect(project).toMatchObject({
    suspended_reason: null,
    archived_at: null,
    settings: {},
    // Passwords are not imported, so only members can read a private site.
    protection: 'members',
    retention_days: 30,
  })
  expect([project?.id, project?.public_id]).not.toEqual([mover.id, mover.publicId])
  const domains = await ours.owner.query<{ token: string }>(
    'select name, state, seen_at, token from domain_claim where project_id = $1',
    [project?.id],
  )
  expect(domains).toMatchObject([
    { name: 'docs.bank.example.com', state: 'waiting', seen_at: null },
  ])
  expect(domains[0]?.token).not.toBe('a'.repeat(32))
  expect(
    await ours.owner.query('select storage_bytes_max from organization where id = $1', [
      project?.organization_id,
    ]),
  ).toEqual([{ storage_bytes_max: null }])
  expect((await get(mover.slug)).status).toBe(401)
})

describe('untrusted imports', () => {
  test('an untrusted import brings the site, its conversations and exactly one owner', async () => {
    const project = await fillProject(theirs, 'full')
    await fixFiles(theirs.owner, project)
    await theirs.publish(project, { ...TURN, questionId: 'x', query: 'zebra', threadId: 't' })
    const key = join(folder, 'key')
    writeFileSync(key, Buffer.alloc(32, 9).toString('base64'))
    const path = await exportOf(project, ['--key-file', key])
    const lines = await importAs(path, ['--project', 'honest'])
    expect(lines[0]).toMatch(
      /^Created project prj_\w+ \(honest\) of Customer \d+ with a site and \d+ conversations\./,
    )
    const made = await bySlug('honest')
    const counts = await countProjectRows(
      ours.owner,
      await listProjectTables(ours.owner),
      made?.id ?? '',
    )
    for (const table of TRUSTED_TABLES) expect([table, counts[table]]).toEqual([table, 0])
    expect(counts).toMatchObject({ deployment: 1, publication: 1, audit_event: 2, project_slug: 1 })
    // A view would be counted in a table that has to be empty above.
    await expect.poll(async () => (await get('honest')).bytes.toString(), POLL).toContain('full')
    expect(
      await ours.owner.query(
        `select u.email, m.role, m.project_id from membership m join app_user u on u.id = m.user_id
          where m.organization_id = $1`,
        [made?.organization_id],
      ),
    ).toEqual([{ email: `owner-${slugs}@example.com`, role: 'owner', project_id: null }])
    const texts = (cell: TestService, id: string | undefined) =>
      cell.owner.query(
        `select recorded_at, query, response, thread_id from conversation
          where project_id = $1 order by recorded_at, query`,
        [id],
      )
    expect(await texts(ours, made?.id)).toEqual(await texts(theirs, project.id))
    // Later deployments work as usual.
    const [token = ''] = (
      await octavo(ours, ['key', 'create', 'honest', '--kind', 'deploy'])
    ).slice(-1)
    await clientOf(ours.url, { publicId: `${made?.public_id}`, token }).deploy(
      siteOf({ 'index.html': 'newer' }),
    )
    await expect.poll(async () => (await get('honest')).bytes.toString(), POLL).toContain('newer')
  })

  test("an untrusted import respects the organization's storage limit", async () => {
    await octavo(ours, ['user', 'create', 'small@example.com', '--organization', 'Small'])
    await ours.owner.query(`update organization set storage_bytes_max = 10 where name = 'Small'`)
    const path = await exportOf(await newSite(theirs, { 'index.html': 'more than ten bytes' }))
    const names = ['--organization', 'Small', '--owner', 'small@example.com']
    await expect(
      octavo(ours, ['project', 'import', path, '--untrusted', ...names]),
    ).rejects.toThrow('the organization can store 10 more')
  })

  test('an untrusted import rejects a taken slug and options of trusted imports', async () => {
    const mover = await newSite(theirs, { 'index.html': 'twice' })
    const path = await exportOf(mover)
    await importAs(path)
    await expect(importAs(path)).rejects.toThrow(
      `The slug "${mover.slug}" belongs or once belonged to another`,
    )
    await importAs(path, ['--project', 'twice-2'])
    await expect(importAs(path, ['--blobs'])).rejects.toThrow('cannot be combined with')
    await expect(importAs(path, ['--project', 'No!'])).rejects.toThrow('--project')
    const plain = ['project', 'import', path]
    await expect(octavo(ours, [...plain, '--owner', 'a@example.com'])).rejects.toThrow(
      'need --untrusted',
    )
    await expect(
      octavo(ours, [...plain, '--untrusted', '--organization', 'X', '--owner', 'nobody']),
    ).rejects.toThrow('expected an e-mail address')
    await expect(
      octavo(ours, [...plain, '--untrusted', '--owner', 'a@example.com']),
    ).rejects.toThrow('Missing --organization')
  })

  test.each(['', 'a\nb', 'a\u0000b', '\u001b[2J', 'a\u202eb', '\ud800', 'x'.repeat(201)])(
    'an untrusted import rejects a name that the API would reject: %j',
    async (name) => {
      const source = await exportOf(await newSite(theirs, { 'index.html': 'named' }))
      const path = craftArchive(source, newFolder(), {
        rows: { project: (rows) => rows.map((row) => ({ ...row, name })) },
      })
      await expect(importAs(path)).rejects.toThrow('project: name: ')
    },
  )

  test('an untrusted import rejects conversations that the API would reject', async () => {
    const mover = await newSite(theirs, { 'index.html': 'talk' })
    await theirs.publish(mover, { ...TURN, questionId: '1' })
    const source = await exportOf(mover)
    const refused = async (change: Record<string, string | null>, reason: string) => {
      const path = craftArchive(source, newFolder(), {
        rows: { conversation: (rows) => rows.map((row) => ({ ...row, ...change })) },
      })
      await expect(importAs(path)).rejects.toThrow(reason)
      expect(await bySlug(mover.slug)).toBeUndefined()
    }
    await refused({ sources: '{"a": 1}' }, 'sources')
    await refused({ sources: '[' }, 'sources')
    await refused({ recorded_at: '9999-01-01 00:00:00+00' }, 'timestamp')
    await refused({ recorded_at: 'soon' }, 'timestamp')
    await refused({ query: null }, 'query')
    await refused({ query: null, id: '\u001b[2J' }, 'conversation \ufffd[2J')
    await importAs(source)
  })
})
