import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { startTestService } from '../../../testing/test-service.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { createLog } from '../../platform/telemetry/log.ts'
import { collectBlobs } from '../deployments/collect-blobs.ts'
import { DeploymentStore } from '../deployments/store.ts'
import { singleChunk, Uploads } from '../deployments/uploads.ts'
import { restoreCache, saveCache } from './build-cache.ts'
import { packFolder, unpackFolder } from './cache-archive.ts'
import { BuildStore } from './store.ts'
import { openWorkFolder } from './work-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'octavo-build-cache-'))
const blobs: BlobStore = await openFolderStore(join(root, 'blobs'))
const service = await startTestService({ blobStore: blobs })
afterAll(async () => {
  await service.stop()
  rmSync(root, { recursive: true, force: true })
})

async function open() {
  const project = await service.createProject()
  const bound = service.service.database.forProject(project.tenant)
  const store = new BuildStore(bound, async () => {})
  const deployments = new Uploads(new DeploymentStore(bound), blobs)
  return { project, store, deps: { store, blobs, deployments } }
}
const workerOf = (name: string) => openWorkFolder(join(root, name), 'test')

test('another worker restores the cache, but another project does not', async () => {
  const { project, deps } = await open()
  const first = workerOf('first').open(project.id, Date.now())
  mkdirSync(join(first.cache, 'specifications'))
  writeFileSync(join(first.cache, 'pages-1.pack'), 'compiled')
  writeFileSync(join(first.cache, 'specifications', 'a'), 'copy')
  expect(await saveCache(deps, first, { compiledCount: 1, pageCount: 1 })).toBeGreaterThan(0)
  const second = workerOf('second').open(project.id, Date.now())
  expect(await restoreCache(deps, second)).toBe(true)
  expect(readFileSync(join(second.cache, 'pages-1.pack'), 'utf8')).toBe('compiled')
  expect(readFileSync(join(second.cache, 'specifications/a'), 'utf8')).toBe('copy')
  // A worker that has a cache keeps it: its cache is newer than the saved one.
  expect(await restoreCache(deps, second)).toBe(false)
  const other = await open()
  const folders = workerOf('second').open(other.project.id, Date.now())
  expect(await restoreCache(other.deps, folders)).toBe(false)
})

test('the cache is saved again only after enough pages were compiled', async () => {
  const { project, deps } = await open()
  const folders = workerOf('third').open(project.id, Date.now())
  writeFileSync(join(folders.cache, 'pages'), '1')
  const save = (compiledCount: number) =>
    saveCache(deps, folders, { compiledCount, pageCount: 100 })
  expect(await save(1)).toBeDefined()
  expect(await save(10)).toBeUndefined()
  expect(await save(9)).toBeUndefined()
  expect(await save(1)).toBeDefined()
})

test('blob collection keeps the current cache and deletes the previous one', async () => {
  const { project, store, deps } = await open()
  const folders = workerOf('fourth').open(project.id, Date.now())
  const digests: string[] = []
  for (const text of ['before', 'now']) {
    writeFileSync(join(folders.cache, 'pages'), text)
    await saveCache(deps, folders, { compiledCount: 20, pageCount: 1 })
    digests.push((await store.cache())?.sha256 ?? '')
  }
  const bound = new DeploymentStore(service.service.database.forProject(project.tenant))
  const { id } = await bound.insert({
    root: Buffer.alloc(32),
    target: 'production',
    isDraft: false,
    branch: null,
    message: null,
    commit: null,
    by: 'test',
    idempotencyKey: null,
  })
  await bound.end(id, 'cancelled')
  const log = createLog(() => {}, Date.now)
  const { database } = service.service
  await collectBlobs({ database, blobs, now: Date.now, log }, new AbortController().signal, -60)
  expect(await blobs.hasMany(digests)).toEqual(new Set([digests[1]]))
})

test('a modified archive is rejected, and names in an archive cannot point outside the folder', async () => {
  const { project, store, deps } = await open()
  const folders = workerOf('fifth').open(project.id, Date.now())
  const entry = (name: string) => `${JSON.stringify({ name, size: 1 })}\nx`
  for (const name of ['../outside', '/etc/x', 'a/b', '.hidden', 'specifications/../../x'])
    expect(await unpackFolder(zstdCompressSync(Buffer.from(entry(name))), folders.cache)).toBe(
      false,
    )
  expect(await unpackFolder(Buffer.from('no archive'), folders.cache)).toBe(false)
  expect(await unpackFolder(zstdCompressSync(Buffer.from(entry('fine'))), folders.cache)).toBe(true)
  // Packing a cache does not follow symbolic links.
  const linked = join(root, 'linked')
  mkdirSync(linked)
  symlinkSync('/etc/passwd', join(linked, 'passwd'))
  expect(await unpackFolder((await packFolder(linked)) ?? Buffer.alloc(0), linked)).toBe(true)
  // This stored blob is not an archive.
  const bytes = Buffer.from('other')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await deps.deployments.put({ sha256, size: bytes.length }, singleChunk(bytes))
  await store.setCache({ sha256, size: bytes.length })
  const empty = workerOf('sixth').open(project.id, Date.now())
  expect(await restoreCache(deps, empty)).toBe(false)
})
