/**
 * Tests blob collection, storage limits and operator commands through the API and the command line.
 */
import { globSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCOPES } from '@octavo/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, clientOf, digest, siteOf, visit } from '../../../testing/test-deployment.ts'
import {
  startTestService,
  type TestProject,
  type TestService,
} from '../../../testing/test-service.ts'
import { runCommand } from '../../app/commands/run-command.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'

const POLL = { interval: 50, timeout: 10_000 }
let folder: string
let store: BlobStore
let service: TestService
let project: TestProject
let client: Client
/**
 * Called during an upload, once the bytes are in the store but before they are recorded in the
 * database.
 */
let afterPut = async () => {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-collect-'))
  store = await openFolderStore(folder)
  service = await startTestService({
    blobStore: {
      ...store,
      put: async (blob, body) => {
        const outcome = await store.put(blob, body)
        await afterPut()
        return outcome
      },
    },
    blobs: { blobs: folder } as never,
    url: 'http://127.0.0.1:8080',
    sitesDomain: 'sites.localhost',
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  afterPut = async () => {}
  project = await service.createProject(SCOPES)
  client = clientOf(service.url, project)
})

const page = (text: string) => siteOf({ 'index.html': text, 'both/index.html': 'Both' })
const has = async (text: string) => (await store.hasMany([digest(text)])).size === 1

async function octavo(...args: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  const { settings } = service
  await runCommand(args, { settings, print: (line) => lines.push(line), now: Date.now })
  return lines
}
const collect = () => octavo('blobs', 'collect')

/** Shifts all times in the store and the database into the past. */
async function age(hours: number): Promise<void> {
  const by = `interval '${hours} hours'`
  await service.owner.query(`update project_blob set stored_at = stored_at - ${by}`)
  await service.owner.query(
    `update deployment set created_at = created_at - ${by}, finished_at = finished_at - ${by},
            published_at = published_at - ${by}, superseded_at = superseded_at - ${by}`,
  )
  for (const name of globSync('??/*', { cwd: folder })) {
    const file = join(folder, name)
    const then = statSync(file).mtimeMs / 1_000 - hours * 3_600
    utimesSync(file, then, then)
  }
}

async function hostOf(): Promise<string> {
  const { body } = await client.call('GET', '')
  return `${body.slug}.sites.localhost`
}
const statusAt = async (host: string, path = '/') => (await visit(service.port, host, path)).status

describe('blob collection', () => {
  test('files of a canceled deployment are deleted after a day', async () => {
    await client.deploy(page('Kept'))
    const { body } = await client.create(page('Cancelled'))
    await client.upload(body.id, page('Cancelled'))
    await client.call('POST', `/deployments/${body.id}/cancel`)
    await age(24)
    await collect()
    expect(await has('Cancelled')).toBe(true)
    await age(2)
    const [line] = (await collect()).slice(-1)
    // The page, the run and the root were deleted.
    expect(line).toBe('Deleted 3 files; 0 deployments expired.')
    expect(await Promise.all(['Cancelled', 'Kept', 'Both'].map(has))).toEqual([false, true, true])
    expect(await statusAt(await hostOf())).toBe(200)
  })

  test('the newest 50 deployments and those that were live in the last 30 days are kept', async () => {
    const first = await client.deploy(page('First'))
    const second = await client.deploy(page('Second'))
    await age(24 * 40)
    // The first deployment was replaced 40 days ago; the second has been live until now.
    const third = await client.deploy(page('Third'))
    await service.owner.query(
      `insert into deployment (project_id, id, number, state, is_draft, root, created_by, finished_at)
       select project_id, 'draft ' || n, number + n, state, true, root, created_by, now()
         from deployment, generate_series(1, 47) as n where id = $1`,
      [third.id],
    )
    await collect()
    expect((await client.call('GET', `/deployments/${first.id}`)).body.state).toBe('superseded')
    await service.owner.query('update publication set last_number = 100 where project_id = $1', [
      project.id,
    ])
    await client.deploy(page('One more draft'), { draft: true })
    await collect()
    await age(26)
    await collect()
    const stateOf = async (id: string) =>
      (await client.call('GET', `/deployments/${id}`)).body.state
    expect(await Promise.all([first.id, second.id, third.id].map(stateOf))).toEqual([
      'expired',
      'superseded',
      'live',
    ])
    expect(await Promise.all(['First', 'Second', 'Third'].map(has))).toEqual([false, true, true])
    const back = { expectedLive: third.id }
    expect(await client.call('POST', `/deployments/${first.id}/publish`, back)).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringMatching(/^Deployment #\d+ is expired, so it cannot be published\.$/),
      },
    })
    expect((await client.call('POST', `/deployments/${second.id}/publish`, back)).status).toBe(200)
  })

  test('a new upload keeps the old files that it needs', async () => {
    const { body } = await client.create(page('Old'))
    await client.upload(body.id, page('Old'))
    await client.call('POST', `/deployments/${body.id}/cancel`)
    await age(26)
    const again = await client.create(page('Old'))
    expect(again.body.missing).toEqual([])
    await collect()
    expect(await client.call('POST', `/deployments/${again.body.id}/finish`)).toMatchObject({
      body: { state: 'live' },
    })
    expect(await has('Old')).toBe(true)
  })

  test('a blob that another project needs stays in the store, but this project has to upload it again', async () => {
    const other = clientOf(service.url, await service.createProject(SCOPES))
    const { body } = await client.create(page('Shared'))
    await client.upload(body.id, page('Shared'))
    await client.call('POST', `/deployments/${body.id}/cancel`)
    await other.deploy(page('Shared'))
    await age(26)
    await collect()
    expect(await has('Shared')).toBe(true)
    const again = await client.create(page('Shared'))
    expect(again.body.missing).toHaveLength(1)
  })

  test('bytes that are uploaded while they are being deleted have to be sent again', async () => {
    const text = 'Sent while it is deleted'
    const bytes = Buffer.from(text)
    // The store contains this blob, but no project has it.
    await store.put(
      { sha256: digest(text), size: bytes.length },
      (async function* () {
        yield bytes
      })(),
    )
    let isFirst = true
    afterPut = async () => {
      if (!isFirst) return
      isFirst = false
      await age(26)
      await collect()
    }
    const send = () => client.sendBlobs([[digest(text), bytes]])
    expect(await send()).toMatchObject({
      status: 503,
      body: { detail: 'Old copies of these files were being deleted. Send the files again.' },
    })
    expect(await has(text)).toBe(false)
    expect(await send()).toMatchObject({ status: 200, body: { stored: 1 } })
    expect(await has(text)).toBe(true)
  })

  test('an interrupted collection is finished by the next one after ten minutes', async () => {
    const text = 'Claimed and not deleted'
    const bytes = Buffer.from(text)
    await service.owner.query('select claim_blobs($1)', [[Buffer.from(digest(text), 'hex')]])
    const send = async () => (await client.sendBlobs([[digest(text), bytes]])).status
    expect(await send()).toBe(503)
    await collect()
    expect(await send()).toBe(503)
    await service.owner.query(
      `update deleted_blob set claimed_at = claimed_at - interval '11 minutes'`,
    )
    await collect()
    expect(await send()).toBe(200)
  })

  test('a missing manifest stops only the collection of its own project', async () => {
    const done = await client.deploy(page('Broken'))
    const [row] = await service.owner.query<{ root: Buffer }>(
      'select root from deployment where id = $1',
      [done.id],
    )
    await store.delete(row?.root.toString('hex') ?? '')
    await age(26)
    const lines = await collect()
    expect(lines.join('\n')).toContain('a project was not collected')
    expect(await has('Broken')).toBe(true)
  })
})

describe('storage limits', () => {
  const usage = async () => (await client.call('GET', '/usage')).body
  const limit = (bytes: number | null) =>
    service.owner.query('update organization set storage_bytes_max = $2 where id = $1', [
      project.tenant.organizationId,
      bytes,
    ])

  test('storage counts each blob of a project once and is freed by collection', async () => {
    const { body } = await client.create(page('Counted'))
    await client.upload(body.id, page('Counted'))
    await client.sendBlobs([[digest('Both'), Buffer.from('Both')]])
    const { storage, toDate } = await usage()
    const { root, blobs } = page('Counted')
    const sizes = [...blobs.values()].map(({ length }) => length)
    const sum = sizes.reduce((a, b) => a + b, Buffer.byteLength(root))
    expect({ storage, deployments: toDate.deployments }).toEqual({
      storage: { bytes: sum, bytesMax: null },
      deployments: 1,
    })
    await client.call('POST', `/deployments/${body.id}/cancel`)
    await age(26)
    await collect()
    expect((await usage()).storage.bytes).toBe(0)
  })

  test('uploads that exceed the storage limit are rejected with 507', async () => {
    await limit(10)
    const send = (text: string) => client.sendBlobs([[digest(text), Buffer.from(text)]])
    expect((await send('12345')).status).toBe(200)
    expect(await send('123456')).toMatchObject({
      status: 507,
      body: {
        code: 'insufficient-storage',
        detail: 'The upload has 6 bytes, but the organization can store only 5 more.',
      },
    })
    expect((await send('67890')).status).toBe(200)
    expect((await client.create(page('Too much'))).status).toBe(507)
    expect((await usage()).storage).toEqual({ bytes: 10, bytesMax: 10 })
  })

  test('an operator sets the storage limit with a command, in gigabytes', async () => {
    const [row] = await service.owner.query<{ public_id: string }>(
      'select public_id from organization where id = $1',
      [project.tenant.organizationId],
    )
    const set = (text: string) =>
      octavo('organization', 'set', row?.public_id ?? '', '--storage', text)
    expect(await set('0.5')).toEqual([`Organization ${row?.public_id} can store up to 0.5 GB.`])
    expect((await usage()).storage.bytesMax).toBe(500_000_000)
    expect((await octavo('usage')).join('\n')).toContain(
      `${row?.public_id}         1  0.000 GB (0.500 GB)`,
    )
    expect(await set('none')).toEqual([`Organization ${row?.public_id} can store any amount.`])
    await expect(set('much')).rejects.toThrow(
      '--storage must be a number of gigabytes, or the word none.',
    )
    await expect(octavo('organization', 'set', 'Nobody', '--storage', '1')).rejects.toThrow(
      'Organization "Nobody" does not exist.',
    )
  })
})

describe('operator commands', () => {
  test('a suspended project is offline and cannot deploy until it is resumed', async () => {
    const done = await client.deploy(page('Suspended'))
    const host = await hostOf()
    expect(await statusAt(host)).toBe(200)
    await octavo('project', 'suspend', project.publicId, '--reason', 'Phishing')
    await expect.poll(() => statusAt(host), POLL).toBe(404)
    const refused = { status: 403, body: { detail: 'The project is suspended: Phishing' } }
    expect(await client.create(page('Next'))).toMatchObject(refused)
    expect(await client.sendBlobs([[digest('x'), Buffer.from('x')]])).toMatchObject(refused)
    const publish = { expectedLive: done.id }
    const draft = await service.owner.query<{ id: string }>(
      `update deployment set state = 'ready' where id = $1 returning id`,
      [done.id],
    )
    expect(draft).toHaveLength(1)
    expect(await client.call('POST', `/deployments/${done.id}/publish`, publish)).toMatchObject(
      refused,
    )
    await octavo('project', 'resume', project.publicId)
    await expect.poll(() => statusAt(host), POLL).toBe(200)
    await expect(octavo('project', 'suspend', project.publicId)).rejects.toThrow('Missing --reason')
  })

  test('a deployment that an operator removed is never served again, nor are its files', async () => {
    const styled = (name: string) =>
      siteOf({ 'index.html': name, [`_octavo/styles/theme-${name}.css`]: name })
    const bad = await client.deploy(styled('bad'))
    const good = await client.deploy(styled('good'))
    const host = await hostOf()
    expect(await statusAt(host, '/_octavo/styles/theme-bad.css')).toBe(200)
    expect(
      await octavo('deployment', 'remove', project.publicId, bad.id, '--reason', 'Key'),
    ).toEqual([`Removed deployment ${bad.id}. Live: ${good.id}.`])
    await expect.poll(() => statusAt(host, '/_octavo/styles/theme-bad.css'), POLL).toBe(404)
    await octavo('deployment', 'remove', project.publicId, good.id, '--reason', 'Key')
    await expect.poll(() => statusAt(host), POLL).toBe(404)
    expect(
      await client.call('POST', `/deployments/${good.id}/publish`, { expectedLive: null }),
    ).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringMatching(/^Deployment #\d+ is removed, so it cannot be published\.$/),
      },
    })
    await expect(
      octavo('deployment', 'remove', project.publicId, good.id, '--reason', 'Key'),
    ).rejects.toThrow(`has no deployment ${good.id}`)
    await age(26)
    await collect()
    expect(await has('bad')).toBe(false)
  })
})

test('requests and bytes that readers load are counted', async () => {
  await client.deploy(page('Read by many'))
  const host = await hostOf()
  for (let number = 0; number < 3; number += 1) await visit(service.port, host, '/')
  await service.service.flush()
  const { toDate } = (await client.call('GET', '/usage')).body
  expect(toDate.requests).toBe(3)
  expect(toDate.sentBytes).toBeGreaterThan(3 * 'Read by many'.length)
})

test('a read-only service rejects changes but still serves sites', async () => {
  await client.deploy(page('Still here'))
  const host = await hostOf()
  const { settings } = service
  const readOnly = await startTestService({
    blobStore: store,
    url: settings.url,
    sitesDomain: settings.sitesDomain,
    databaseUrl: settings.databaseUrl,
    isReadOnly: true,
  })
  try {
    const other = clientOf(readOnly.url, project)
    expect(await other.create(page('No'))).toMatchObject({
      status: 503,
      body: { detail: 'The service is read-only at the moment. Please try again later.' },
    })
    // Requests without an API key are rejected too.
    const exchange = await fetch(`${readOnly.url}/v1/oidc/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectId: project.publicId, token: 'x' }),
    })
    expect([exchange.status, exchange.headers.get('retry-after')]).toEqual([503, '60'])
    expect((await other.call('GET', '/deployments')).status).toBe(200)
    expect((await visit(readOnly.port, host, '/')).status).toBe(200)
  } finally {
    await readOnly.stop()
  }
})
