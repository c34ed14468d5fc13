import { createHash, randomBytes } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type BlobSettings, isFolder, openBlobStore } from '../../blobs/open-blob-store.ts'
import { readBlob } from '../../blobs/read-blob.ts'
import { type Finding, failed, fine, reasonOf, warning } from './finding.ts'

const PROBE_BYTES = 64
const GB = 1_000_000_000
const FREE_GB_MIN = 1

/** Writes a blob of its own, reads it back and deletes it. */
export async function checkStore(settings: BlobSettings): Promise<Finding> {
  // Random bytes are nobody's file, so deleting them takes nothing away.
  const body = randomBytes(PROBE_BYTES)
  const sha256 = createHash('sha256').update(body).digest('hex')
  try {
    const blobs = await openBlobStore(settings)
    await blobs.put({ sha256, size: body.length }, one(body))
    try {
      const read = await readBlob(blobs, sha256, PROBE_BYTES)
      if (read === undefined || !read.equals(body))
        throw new Error('what was written cannot be read back')
    } finally {
      await blobs.delete(sha256)
    }
    if ((await blobs.hasMany([sha256])).size > 0) throw new Error('what was deleted is still there')
  } catch (error) {
    return failed('store', {
      code: 'store-failed',
      found: `${settings.blobs}: ${reasonOf(error)}`,
      hint: isFolder(settings)
        ? 'Let the user that runs octavo-service write to the folder in OCTAVO_BLOBS.'
        : 'Check OCTAVO_BLOBS, OCTAVO_S3_ENDPOINT and the AWS credentials; they have to allow reading, writing, listing and deleting.',
    })
  }
  const works = `${settings.blobs} writes, reads and deletes`
  if (!isFolder(settings)) return fine('store', works)
  const { bavail, bsize } = await statfs(resolve(settings.blobs))
  const freeGb = (bavail * bsize) / GB
  if (freeGb >= FREE_GB_MIN) return fine('store', `${works}; ${freeGb.toFixed(1)} GB free`)
  return warning('store', {
    code: 'store-nearly-full',
    found: `${settings.blobs} has ${freeGb.toFixed(1)} GB left.`,
    hint: 'Make room on its disk: deployments fail when it is full.',
  })
}

async function* one(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece
}
