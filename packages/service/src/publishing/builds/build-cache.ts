/**
 * A project's compile cache, stored as a blob (decision 0037). It is saved only after enough pages
 * were compiled: a cache without the last few pages is nearly as good, and saving it after every
 * edit would cost too much.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import { singleChunk } from '../deployments/uploads.ts'
import { ARCHIVE_BYTES_MAX, packFolder, unpackFolder } from './cache-archive.ts'
import type { BuildStore } from './store.ts'
import type { ProjectFolders } from './work-folder.ts'

export type CacheDeps = {
  readonly store: BuildStore
  readonly blobs: BlobStore
  readonly deployments: Pick<DeploymentService, 'put'>
}

/**
 * The cache is saved again once this many pages, or this share of the site's pages, were compiled.
 */
const NEW_PAGES_MIN = 20
const NEW_SHARE_MIN = 0.02

/** Restores the saved cache if this worker has none for the project. Returns true if it did. */
export async function restoreCache(
  { store, blobs }: Omit<CacheDeps, 'deployments'>,
  { cache }: ProjectFolders,
): Promise<boolean> {
  if (readdirSync(cache).length > 0) return false
  const saved = await store.cache()
  if (saved === undefined) return false
  const bytes = await readBlob(blobs, saved.sha256, ARCHIVE_BYTES_MAX)
  if (bytes === undefined || digestOf(bytes) !== saved.sha256) return false
  return unpackFolder(bytes, cache)
}

/**
 * Saves the cache if that is worthwhile. Returns the size of the stored blob, or undefined if no
 * blob was stored.
 */
export async function saveCache(
  { store, deployments }: CacheDeps,
  { cache }: ProjectFolders,
  built: { readonly compiledCount: number; readonly pageCount: number },
): Promise<number | undefined> {
  const counter = join(dirname(cache), 'unsaved')
  const unsaved = readCount(counter) + built.compiledCount
  const isEnough = unsaved >= Math.max(NEW_PAGES_MIN, built.pageCount * NEW_SHARE_MIN)
  const isFirst = (await store.cache()) === undefined
  if (!isEnough && !isFirst) {
    writeFileSync(counter, String(unsaved))
    return undefined
  }
  const bytes = await packFolder(cache)
  if (bytes === undefined) return undefined
  const blob = { sha256: digestOf(bytes), size: bytes.length }
  if ((await deployments.put(blob, singleChunk(bytes))) !== 'stored') return undefined
  await store.setCache(blob)
  writeFileSync(counter, '0')
  return blob.size
}

function readCount(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8')) || 0
  } catch {
    return 0
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
