import { resolve } from 'node:path'
import type { BlobStore } from './blob-store.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store } from './s3-store.ts'

export type BlobSettings = {
  /** A folder path, or `s3://bucket/prefix`. */
  readonly blobs: string
  readonly s3Endpoint?: string | undefined
  readonly awsRegion?: string | undefined
  readonly awsAccessKeyId?: string | undefined
  readonly awsSecretAccessKey?: string | undefined
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i
const S3_ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./-]*))?$/
const DEFAULT_REGION = 'us-east-1'

/** Returns whether the blobs are in a folder rather than a bucket. */
export const isFolder = ({ blobs }: Pick<BlobSettings, 'blobs'>) => !SCHEME.test(blobs)

/**
 * Returns what is wrong with the store settings, without opening the store; undefined if they are
 * valid.
 */
export function findBlobsProblem(settings: BlobSettings): string | undefined {
  if (settings.blobs === '')
    return 'OCTAVO_BLOBS is empty. Set it to a folder or s3://bucket/prefix.'
  if (isFolder(settings)) return undefined
  if (!S3_ADDRESS.test(settings.blobs))
    return (
      'Invalid OCTAVO_BLOBS: expected a folder or s3://bucket/prefix, such as s3://example-octavo/blobs. ' +
      'A prefix can contain letters, digits, ".", "_", "-" and "/".'
    )
  if (settings.awsAccessKeyId === undefined || settings.awsSecretAccessKey === undefined)
    return 'OCTAVO_BLOBS uses S3, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are required.'
  return undefined
}

/** Opens the store that OCTAVO_BLOBS specifies. */
export async function openBlobStore(settings: BlobSettings): Promise<BlobStore> {
  const problem = findBlobsProblem(settings)
  if (problem !== undefined) throw new Error(problem)
  const { blobs, awsAccessKeyId = '', awsSecretAccessKey = '' } = settings
  if (isFolder(settings)) return openFolderStore(resolve(blobs))
  const [, bucket = '', prefix = ''] = S3_ADDRESS.exec(blobs) ?? []
  const { awsRegion = DEFAULT_REGION } = settings
  return openS3Store({
    endpoint: settings.s3Endpoint ?? `https://s3.${awsRegion}.amazonaws.com`,
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    region: awsRegion,
    accessKeyId: awsAccessKeyId,
    secretAccessKey: awsSecretAccessKey,
  })
}
