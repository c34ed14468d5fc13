import { filled, httpUrl, type ValuesOf } from '../settings-values.ts'
import { type BlobSettings, findBlobsProblem } from './open-blob-store.ts'

export const BLOB_VARIABLES = {
  /** The location of the files of hosted sites: a folder, or `s3://bucket/prefix`. */
  OCTAVO_BLOBS: filled(
    'OCTAVO_BLOBS',
    'a folder or a bucket, such as /var/lib/octavo/blobs or s3://bucket/prefix',
  ).optional(),
  OCTAVO_S3_ENDPOINT: httpUrl(
    'OCTAVO_S3_ENDPOINT',
    'the URL of an S3-compatible store, such as https://minio.example.com',
  ).optional(),
  AWS_REGION: filled('AWS_REGION', 'the region of the bucket, such as eu-central-1').optional(),
  AWS_ACCESS_KEY_ID: filled('AWS_ACCESS_KEY_ID', 'an access key, such as AKIA…').optional(),
  AWS_SECRET_ACCESS_KEY: filled(
    'AWS_SECRET_ACCESS_KEY',
    'the secret that belongs to AWS_ACCESS_KEY_ID, such as wJalr…',
  ).optional(),
}

/** Returns the combined settings, or a message that says what is wrong with them. */
export function readBlobs(
  values: ValuesOf<typeof BLOB_VARIABLES>,
): BlobSettings | string | undefined {
  if (values.OCTAVO_BLOBS === undefined) return undefined
  const blobs = {
    blobs: values.OCTAVO_BLOBS,
    s3Endpoint: values.OCTAVO_S3_ENDPOINT,
    awsRegion: values.AWS_REGION,
    awsAccessKeyId: values.AWS_ACCESS_KEY_ID,
    awsSecretAccessKey: values.AWS_SECRET_ACCESS_KEY,
  }
  return findBlobsProblem(blobs) ?? blobs
}
