/**
 * Tests blob stores whose writer is killed during a put. The S3 tests run only if `npm run test:s3`
 * has started a store.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AwsClient } from 'aws4fetch'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { collect, findDamagedBlobs, inChunks, nameOf } from '../../../testing/blob-bodies.ts'
import { createBucket } from '../../../testing/create-bucket.ts'
import { testBlobStore } from './blob-store.case.ts'
import { blobPath, forEachLimited } from './blob-store.ts'
import { type BlobSettings, openBlobStore } from './open-blob-store.ts'
import { readBlob } from './read-blob.ts'

const WRITER = join(import.meta.dirname, '../../../testing/put-until-killed.ts')
/**
 * Numbers of chunks after which the writer is killed. A blob has 16 chunks, and eight blobs are
 * written concurrently.
 */
const KILLED_AFTER = [1, 16, 64, 100, 120, 128, 130, 160, 200, 400]

/** Returns the digests that the writer reported as stored before it was killed. */
async function killWriter(settings: BlobSettings, piecesMax: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [WRITER, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(writer, 'exit')
  const stored: string[] = []
  let pieces = 0
  for await (const line of createInterface(writer.stdout)) {
    if (line.length === 64) stored.push(line)
    else if (line === 'piece') pieces += 1
    if (pieces >= piecesMax) writer.kill('SIGKILL')
  }
  expect(await ended).toEqual([null, 'SIGKILL'])
  return stored
}

describe('a folder store whose writer is killed', () => {
  test('a killed writer leaves no damaged blob, and stored blobs remain', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-killed-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const store = await openBlobStore({ blobs: folder })
    const stored: string[] = []
    for (const pieces of KILLED_AFTER) {
      stored.push(...(await killWriter({ blobs: folder }, pieces)))
      expect(await findDamagedBlobs(store)).toEqual([])
    }
    expect(stored).not.toEqual([])
    expect(await store.hasMany(stored)).toEqual(new Set(stored))

    expect(readdirSync(join(folder, 'incoming'))).not.toEqual([])
    await store.removeLeftovers(new Date(Date.now() + 60_000))
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
    expect(await store.hasMany(stored)).toEqual(new Set(stored))
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('an S3 store that hangs', () => {
  const { sha256 } = nameOf(Buffer.from('x'))
  async function openHanging(answer: (response: ServerResponse) => void) {
    const server = createServer((_, response) => answer(response))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return openBlobStore({
      blobs: 's3://bucket',
      s3Endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      awsAccessKeyId: 'key',
      awsSecretAccessKey: 'secret',
    })
  }

  test('a read fails within seconds if the S3 store never responds', async () => {
    // The timeout must work even if the request object is garbage-collected before the response.
    const store = await openHanging(() => setTimeout(collectGarbage, 100))
    await expect(store.get(sha256)).rejects.toThrow('did not respond within 10000 ms')
  }, 60_000)

  test('a read fails within seconds if the S3 store hangs in the middle of a blob', async () => {
    const store = await openHanging((response) => {
      response.writeHead(200, { 'content-length': '2' }).write('x')
    })
    await expect(readBlob(store, sha256, 10)).rejects.toThrow('no answer within 10000 ms')
  }, 60_000)
})

const endpoint = process.env.TEST_S3_ENDPOINT

describe.skipIf(endpoint === undefined)('an S3 store', () => {
  const keys = {
    accessKeyId: process.env.TEST_S3_KEY ?? '',
    secretAccessKey: process.env.TEST_S3_SECRET ?? '',
  }
  const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1' })
  const bucket = `octavo-${Date.now()}`
  let prefixes = 0

  function newPlace(): BlobSettings {
    prefixes += 1
    return {
      blobs: `s3://${bucket}/test-${prefixes}`,
      s3Endpoint: endpoint,
      awsAccessKeyId: keys.accessKeyId,
      awsSecretAccessKey: keys.secretAccessKey,
    }
  }

  beforeAll(async () => {
    await createBucket({ endpoint: endpoint ?? '', bucket, ...keys })
  })

  testBlobStore(() => openBlobStore(newPlace()))

  test('a killed writer leaves no damaged blob in the bucket', async () => {
    const place = newPlace()
    const store = await openBlobStore(place)
    const stored: string[] = []
    for (const pieces of KILLED_AFTER) {
      stored.push(...(await killWriter(place, pieces)))
      expect(await findDamagedBlobs(store)).toEqual([])
    }
    expect(stored).not.toEqual([])
    expect(await store.hasMany(stored)).toEqual(new Set(stored))
  })

  test('the bucket itself rejects bytes that do not match the signed digest', async () => {
    const { sha256 } = nameOf(Buffer.from('what was meant'))
    const url = `${endpoint}/${bucket}/alone/${blobPath(sha256)}`
    const answer = await client.fetch(url, {
      method: 'PUT',
      headers: { 'x-amz-content-sha256': sha256 },
      body: 'what was sent.',
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('XAmzContentSHA256Mismatch')
    expect((await client.fetch(url, { method: 'HEAD' })).status).toBe(404)
  })

  test('a listing continues when the blobs do not fit in one response', async () => {
    const store = await openBlobStore(newPlace())
    const bodies = Array.from({ length: 1_005 }, (_, index) => Buffer.from(`blob ${index}`))
    await forEachLimited(bodies, {
      atOnce: 32,
      call: async (bytes) => {
        await store.put(nameOf(bytes), inChunks(bytes))
      },
    })
    const listed = (await collect(store.list())).map(({ sha256 }) => sha256)
    expect(listed).toEqual(bodies.map((bytes) => nameOf(bytes).sha256).toSorted())
  })

  test('a missing bucket or wrong credentials cause an error and do not look like a missing blob', async () => {
    const { sha256, size } = nameOf(Buffer.from('x'))
    const wrongKeys = await openBlobStore({ ...newPlace(), awsSecretAccessKey: 'wrong' })
    await expect(wrongKeys.hasMany([sha256])).rejects.toThrow('status 403')
    await expect(wrongKeys.get(sha256)).rejects.toThrow('status 403 (SignatureDoesNotMatch)')
    const noBucket = await openBlobStore({ ...newPlace(), blobs: 's3://octavo-none' })
    await expect(noBucket.get(sha256)).rejects.toThrow('status 404 (NoSuchBucket)')
    const body = inChunks(Buffer.from('x'))
    await expect(noBucket.put({ sha256, size }, body)).rejects.toThrow('status 404 (NoSuchBucket)')
  })
})
