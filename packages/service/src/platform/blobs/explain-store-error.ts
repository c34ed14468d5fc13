/** Explains why the blob store cannot be used, with the same wording at startup and in `doctor`. */
import { reasonOf } from '../reason-of.ts'
import { type BlobSettings, isFolder } from './open-blob-store.ts'

export type StoreFault = {
  readonly code: 'store-failed'
  readonly found: string
  readonly hint: string
}

const KEYS =
  'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. The key needs permission to read, write, list and delete objects in the bucket.'
const ENDPOINT =
  'Check OCTAVO_S3_ENDPOINT, AWS_REGION, and the network between this machine and the store.'
const BUCKET = 'Create the bucket, or correct its name in OCTAVO_BLOBS.'
const FOLDER_HINTS: Readonly<Record<string, string>> = {
  ENOTDIR: 'A part of this path is a file: set OCTAVO_BLOBS to a folder.',
  EEXIST: 'A part of this path is a file: set OCTAVO_BLOBS to a folder.',
  EROFS: 'This file system is read-only: set OCTAVO_BLOBS to a writable folder.',
  ENOSPC: 'Free up disk space.',
}

export function explainStoreError(error: unknown, settings: BlobSettings): StoreFault {
  const reason = reasonOf(error)
  return {
    code: 'store-failed',
    found: `${settings.blobs}: ${reason}.`,
    hint: isFolder(settings) ? folderHint(error, reason) : bucketHint(reason),
  }
}

function folderHint(error: unknown, reason: string): string {
  if (isTimeout(reason)) return 'Check the disk or the network file system that the folder is on.'
  const { code = '' } = error as { readonly code?: string }
  return (
    FOLDER_HINTS[code] ??
    'Give the user that runs octavo-service write access to the folder in OCTAVO_BLOBS.'
  )
}

function bucketHint(reason: string): string {
  if (/NoSuchBucket/.test(reason)) return BUCKET
  if (/status 40[13]|AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch/.test(reason))
    return KEYS
  if (isTimeout(reason) || /ECONN|ENOTFOUND|EAI_|fetch failed/.test(reason)) return ENDPOINT
  return `${ENDPOINT} ${KEYS}`
}

const isTimeout = (reason: string) => /^no answer within|did not respond within/.test(reason)
