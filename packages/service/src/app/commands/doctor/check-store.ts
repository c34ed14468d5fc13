import { createHash, randomBytes } from 'node:crypto'
import { chown, readdir, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { explainStoreError } from '../../../platform/blobs/explain-store-error.ts'
import {
  type BlobSettings,
  isFolder,
  openBlobStore,
} from '../../../platform/blobs/open-blob-store.ts'
import { readBlob } from '../../../platform/blobs/read-blob.ts'
import { withTimeout } from '../../../platform/with-timeout.ts'
import { type Finding, failed, fine, warning } from './finding.ts'

const PROBE_BYTES = 64
/**
 * The timeout for the store. It is shorter than the timeout of a check, so that a hanging store has
 * its own error message.
 */
const STORE_MS_MAX = 15_000
const GB = 1_000_000_000
const FREE_GB_MIN = 1

/** Writes a test blob, reads it back and deletes it. */
export async function checkStore(settings: BlobSettings): Promise<Finding> {
  try {
    await withTimeout(testStore(settings), STORE_MS_MAX)
  } catch (error) {
    return failed('store', explainStoreError(error, settings))
  }
  if (isFolder(settings)) await restoreFolderOwner(resolve(settings.blobs))
  const works = `Files in ${settings.blobs} can be written, read and deleted`
  if (!isFolder(settings)) return fine('store', works)
  const { bavail, bsize } = await statfs(resolve(settings.blobs))
  const freeGb = (bavail * bsize) / GB
  if (freeGb >= FREE_GB_MIN) return fine('store', `${works}; ${freeGb.toFixed(1)} GB free`)
  return warning('store', {
    code: 'store-nearly-full',
    found: `${settings.blobs} has ${freeGb.toFixed(1)} GB left.`,
    hint: 'Free up space on the disk: deployments fail when it is full.',
  })
}

async function testStore(settings: BlobSettings): Promise<void> {
  // Deleting the test blob is safe, since no file of a project has the same random bytes.
  const body = randomBytes(PROBE_BYTES)
  const sha256 = createHash('sha256').update(body).digest('hex')
  const blobs = await openBlobStore(settings)
  await blobs.put({ sha256, size: body.length }, one(body))
  try {
    const read = await readBlob(blobs, sha256, PROBE_BYTES)
    if (read === undefined || !read.equals(body))
      throw new Error('a written test file cannot be read back')
  } finally {
    await blobs.delete(sha256)
  }
  if ((await blobs.hasMany([sha256])).size > 0) throw new Error('a deleted test file still exists')
}

/**
 * Changes the owner of folders that root may have created for the test blob, so that the service's
 * user can write to them.
 */
async function restoreFolderOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  if (uid === 0) return
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if ((await stat(path)).uid === 0) await chown(path, uid, gid)
  }
}

async function* one(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece
}
