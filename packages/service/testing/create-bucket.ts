import { AwsClient } from 'aws4fetch'

export type BucketLocation = {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Creates a bucket. The service never does this itself, because it is the operator's task. */
export async function createBucket({ endpoint, bucket, ...keys }: BucketLocation): Promise<void> {
  const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1' })
  const { status } = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' })
  if (status !== 200) throw new Error(`The bucket was not created: status ${status}`)
}
