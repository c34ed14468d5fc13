/**
 * Stores blobs in a bucket of any S3-compatible store. Bodies can be streamed safely: an object
 * becomes visible only when its request is complete, `verifyBody` never completes a wrong body, and
 * the signed `x-amz-content-sha256` makes the store reject bytes that changed in transit.
 */
import { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import {
  type BlobName,
  type BlobStore,
  BodyMismatchError,
  type ByteRange,
  blobPath,
  checkRange,
  digestOfPath,
  forEachLimited,
  type ListedBlob,
  type PutOutcome,
  rangePastEnd,
  type StoredBytes,
  verifyBody,
} from './blob-store.ts'

export type S3Location = {
  /** The URL of the store, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly bucket: string
  /**
   * The prefix of every key, including the final `/`, or empty. It may contain letters, digits,
   * `.`, `_`, `-` and `/`.
   */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const REQUEST_CONCURRENCY = 32
const RETRIES_MAX = 4
const RESPONSE_TIMEOUT_MS = 60_000
/** Timeout until the first bytes of a blob, for which a reader is waiting. */
const GET_TIMEOUT_MS = 10_000
/** Timeout from the last byte of a body to the response. */
const PUT_TIMEOUT_MS = 20_000
const REASON_BYTES_MAX = 16_384

export function openS3Store({ endpoint, bucket, prefix, ...access }: S3Location): BlobStore {
  const opened: Bucket = {
    client: new AwsClient({ ...access, service: 's3', retries: RETRIES_MAX }),
    url: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    prefix,
  }
  return {
    put: (blob, body) => put(opened, blob, body),
    hasMany: (digests) => hasMany(opened, digests),
    get: (sha256, range) => get(opened, sha256, range),
    delete: async (sha256) => {
      await ask(opened, { method: 'DELETE', url: placeOf(opened, sha256) }, (answer) =>
        expectStatus(answer, [200, 204, 404]),
      )
    },
    list: () => list(opened),
    // An interrupted request leaves no visible object.
    removeLeftovers: async () => {},
  }
}

type Bucket = { readonly client: AwsClient; readonly url: string; readonly prefix: string }

const placeOf = ({ url, prefix }: Bucket, sha256: string) => `${url}/${prefix}${blobPath(sha256)}`

/**
 * Sends a request and reads its response within a time limit. Retries the request when the store is
 * busy.
 */
function ask<Result>(
  { client }: Bucket,
  { method, url }: { readonly method: string; readonly url: string },
  read: (answer: Response) => Promise<Result>,
): Promise<Result> {
  const deadline = createDeadline()
  deadline.start(RESPONSE_TIMEOUT_MS)
  const { signal } = deadline
  return deadline
    .race(client.fetch(url, { method, redirect: 'error', signal }).then(read))
    .finally(deadline.stop)
}

async function put(
  bucket: Bucket,
  blob: BlobName,
  body: AsyncIterable<Uint8Array>,
): Promise<PutOutcome> {
  let wrong: BodyMismatchError | undefined
  const deadline = createDeadline()
  async function* pieces() {
    try {
      yield* verifyBody(blob, body)
      // The sender may be slow, but once the store has the whole body it must respond in time.
      deadline.start(PUT_TIMEOUT_MS)
    } catch (error) {
      if (error instanceof BodyMismatchError) wrong = error
      throw error
    }
  }
  try {
    // A put is not retried here, because its body can be read only once. The caller can send it
    // again.
    const request = await bucket.client.sign(placeOf(bucket, blob.sha256), {
      method: 'PUT',
      redirect: 'error',
      headers: { 'x-amz-content-sha256': blob.sha256, 'content-length': String(blob.size) },
      body: await openBody(blob, pieces()),
      duplex: 'half',
    })
    const answer = await deadline.race(fetch(request, { signal: deadline.signal }))
    // The deadline also applies to a store that rejects the put before it has the whole body.
    deadline.start(PUT_TIMEOUT_MS)
    if (wrong === undefined) await deadline.race(expectStatus(answer, [200]))
    else await answer.body?.cancel()
  } catch (error) {
    if (wrong === undefined) throw error
  } finally {
    deadline.stop()
  }
  return wrong?.outcome ?? 'stored'
}

async function hasMany(bucket: Bucket, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  await forEachLimited(digests, {
    atOnce: REQUEST_CONCURRENCY,
    call: async (sha256) => {
      const question = { method: 'HEAD', url: placeOf(bucket, sha256) }
      const status = await ask(bucket, question, (answer) => expectStatus(answer, [200, 404]))
      if (status === 200) found.add(sha256)
    },
  })
  return found
}

async function get(
  bucket: Bucket,
  sha256: string,
  range?: ByteRange,
): Promise<StoredBytes | undefined> {
  if (range !== undefined) checkRange(range)
  const deadline = createDeadline()
  deadline.start(GET_TIMEOUT_MS)
  const response = bucket.client.fetch(placeOf(bucket, sha256), {
    redirect: 'error',
    headers: range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` },
    signal: deadline.signal,
  })
  return deadline
    .race(response.then((answer) => readGetResponse(answer, range)))
    .finally(deadline.stop)
}

/** Checks the status and range of a response and returns its unread body. */
async function readGetResponse(answer: Response, range: ByteRange | undefined) {
  if (answer.status === 416 && range !== undefined) {
    await answer.body?.cancel()
    throw rangePastEnd(range)
  }
  if (answer.status === 404) {
    const reason = await readReason(answer)
    if (reason === 'NoSuchKey') return undefined
    throw unexpected(404, reason)
  }
  if (answer.status !== (range === undefined ? 200 : 206) || answer.body === null)
    throw unexpected(answer.status, await readReason(answer))
  const size = range === undefined ? lengthOf(answer) : sizeOfRange(answer, range)
  if (size !== undefined) return { size, body: answer.body }
  await answer.body.cancel()
  throw unexpected(answer.status, 'the returned bytes are not in the requested range')
}

async function* list(bucket: Bucket): AsyncIterable<ListedBlob> {
  const { prefix } = bucket
  let after: string | undefined
  do {
    const query = new URLSearchParams({ 'list-type': '2', prefix })
    if (after !== undefined) query.set('start-after', after)
    const page = readListing(
      await ask(bucket, { method: 'GET', url: `${bucket.url}?${query}` }, async (answer) => {
        if (answer.status !== 200) throw unexpected(answer.status, await readReason(answer))
        return answer.text()
      }),
    )
    for (const { key, size, storedAt } of page.objects) {
      const sha256 = key.startsWith(prefix) ? digestOfPath(key.slice(prefix.length)) : undefined
      if (sha256 !== undefined) yield { sha256, size, storedAt }
    }
    const last = page.objects.at(-1)?.key ?? ''
    if (!page.isLast && last <= (after ?? ''))
      throw new Error('S3 returned the same page of objects twice')
    after = page.isLast ? undefined : last
  } while (after !== undefined)
}

/**
 * Aborts a request that gets no response, but not one whose body is slow. The signal alone is not
 * enough: a `Request` that was garbage-collected does not forward it, and the request would never
 * end.
 */
function createDeadline() {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  return {
    signal: controller.signal,
    race: <Result>(answer: Promise<Result>) => Promise.race([answer, late.promise]),
    start(timeoutMs: number): void {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const error = new Error(`S3 did not respond within ${timeoutMs} ms`)
        controller.abort(error)
        late.reject(error)
      }, timeoutMs)
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * Opens the body of a put. If the blob is empty, the body is checked before the request, because a
 * request without a body would not read it.
 */
async function openBody(blob: BlobName, pieces: AsyncIterable<Uint8Array>) {
  if (blob.size > 0) return ReadableStream.from(pieces)
  for await (const _ of pieces) {
    // An empty body has no chunks, and any other body throws.
  }
  return ''
}

async function expectStatus(answer: Response, expected: readonly number[]): Promise<number> {
  if (!expected.includes(answer.status)) throw unexpected(answer.status, await readReason(answer))
  await answer.body?.cancel()
  return answer.status
}

/**
 * Reads only the start of the error body and returns only its code, because the rest may repeat
 * credentials from the request.
 */
async function readReason(answer: Response): Promise<string> {
  let text = ''
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString('latin1')
    if (text.length > REASON_BYTES_MAX) break
  }
  const reason = readElement(text, 'Code')
  return /^\w{1,100}$/.test(reason) ? reason : 'no reason given'
}

/** Returns undefined if the store does not send the length. */
function lengthOf({ headers }: Response): number | undefined {
  const text = headers.get('content-length')
  return text === null ? undefined : Number(text)
}

/**
 * Returns the size of the whole blob; undefined if the response contains a different range. The end
 * of the requested range may be past the last byte.
 */
function sizeOfRange({ headers }: Response, { start, end }: ByteRange): number | undefined {
  const [, first, last, size] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  const isRight = Number(first) === start && Number(last) === Math.min(end, Number(size)) - 1
  return isRight ? Number(size) : undefined
}

/**
 * Creates the error for a failure of the store itself: permissions, a missing bucket, an outage.
 */
function unexpected(status: number, reason: string): Error {
  return new Error(`S3 responded with status ${status} (${reason})`)
}

type ListedObject = { readonly key: string; readonly size: number; readonly storedAt: Date }

/**
 * Parses a listing without unescaping XML. Our keys need no escaping, and `list` skips other keys.
 */
function readListing(xml: string): { objects: readonly ListedObject[]; isLast: boolean } {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: readElement(entry, 'Key'),
    size: Number(readElement(entry, 'Size')),
    storedAt: new Date(readElement(entry, 'LastModified')),
  }))
  return { objects, isLast: readElement(xml, 'IsTruncated') !== 'true' }
}

function readElement(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
}
