/**
 * The compile cache of a project in the blob store (decision 0037). It is saved when enough is new: one
 * that lacks the last few pages is nearly as good, and an edit must not cost what a whole site does.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { DeploymentService } from '../deployments/deployment-service.ts'
import { onePiece } from '../deployments/uploads.ts'
import { ARCHIVE_BYTES_MAX, packFolder, unpackFolder } from './cache-archive.ts'
import type { BuildStore } from './store.ts'
import type { ProjectFolders } from './work-folder.ts'

export type CacheDeps = {
  readonly store: BuildStore
  readonly blobs: BlobStore
  readonly deployments: Pick<DeploymentService, 'put'>
}

/** Saved again when so many pages were compiled since, or this share of all. */
const NEW_PAGES_MIN = 20
const NEW_SHARE_MIN = 0.02

/** Fills the cache of a project that was built by other workers only. Gives whether it did. */
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

/** Gives how many bytes were saved; nothing if it was not worth it. */
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
  if ((await deployments.put(blob, onePiece(bytes))) !== 'stored') return undefined
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
