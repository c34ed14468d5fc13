import { AwsClient } from 'aws4fetch'

export type BucketPlace = {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Our store never creates its bucket: operators do. */
export async function createBucket({ endpoint, bucket, ...keys }: BucketPlace): Promise<void> {
  const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1' })
  const { status } = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
  if (status !== 200) throw new Error(`The bucket was not created: status ${status}`)
}
