import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { collect, inPieces, nameOf } from '../testing/blob-bodies.ts'
import { quickFolder } from '../testing/quick-folder.ts'
import { testBlobStore } from './blob-store.case.ts'
import { openBlobStore } from './open-blob-store.ts'

const folders: string[] = []
const servers: Server[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(quickFolder(), 'octavo-blobs-'))
  folders.push(folder)
  return folder
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

describe('the blob store of a folder', () => {
  testBlobStore(() => openBlobStore({ blobs: newFolder() }))

  test('keeps a blob under its digest, and nothing of a body that was refused', async () => {
    const folder = newFolder()
    const store = await openBlobStore({ blobs: folder })
    const bytes = Buffer.from('hello')
    const name = nameOf(bytes)
    await store.put(name, inPieces(bytes))
    await store.put({ ...name, size: 9 }, inPieces(bytes))
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
      '2c',
      `2c/${name.sha256.slice(2)}`,
      'incoming',
    ])
  })

  test('does not take other files for blobs', async () => {
    const folder = newFolder()
    const store = await openBlobStore({ blobs: folder })
    mkdirSync(join(folder, 'ab'))
    writeFileSync(join(folder, 'ab', 'note.txt'), 'x')
    writeFileSync(join(folder, 'incoming', 'f'.repeat(62)), 'x')
    writeFileSync(join(folder, 'no'), 'x')
    expect(await collect(store.list())).toEqual([])
  })

  test('removes what killed puts left, and not what is still being written', async () => {
    const folder = newFolder()
    const store = await openBlobStore({ blobs: folder })
    writeFileSync(join(folder, 'incoming', 'left'), 'half of a bl')
    await store.removeLeftovers(new Date(Date.now() - 60_000))
    expect(readdirSync(join(folder, 'incoming'))).toEqual(['left'])
    await store.removeLeftovers(new Date(Date.now() + 60_000))
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })
})

describe('the blob store of a bucket', () => {
  /** Answers like S3 as far as these tests go. What a real one does is in the slow tests. */
  async function listen(answer: (request: IncomingMessage) => number) {
    const server = createServer((request, response) => {
      const status = answer(request)
      request.resume().once('end', () => response.writeHead(status).end())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers.push(server)
    const { port } = server.address() as AddressInfo
    return openBlobStore({
      blobs: 's3://bucket/site',
      s3Endpoint: `http://127.0.0.1:${port}/`,
      awsAccessKeyId: 'key',
      awsSecretAccessKey: 'secret',
    })
  }

  const bytes = Buffer.alloc(200_000, 'x')
  const name = nameOf(bytes)
  const path = `/bucket/site/${name.sha256.slice(0, 2)}/${name.sha256.slice(2)}`

  test('sends the length and the digest ahead, which S3 insists on', async () => {
    const requests: IncomingMessage[] = []
    const store = await listen((request) => {
      requests.push(request)
      return 200
    })
    expect(await store.put(name, inPieces(bytes))).toBe('stored')
    expect(await store.put(nameOf(Buffer.alloc(0)), inPieces(Buffer.alloc(0)))).toBe('stored')
    expect(requests[0]).toMatchObject({ method: 'PUT', url: path })
    expect(requests.map(({ headers }) => headers)).toMatchObject([
      { 'content-length': '200000', 'x-amz-content-sha256': name.sha256 },
      { 'content-length': '0' },
    ])
    for (const { headers } of requests) expect(headers).not.toHaveProperty('transfer-encoding')
  })

  test('asks again when the store is busy, and never sends a body twice', async () => {
    let requests = 0
    const store = await listen(() => {
      requests += 1
      return requests === 1 ? 503 : 200
    })
    expect(await store.hasMany([name.sha256])).toEqual(new Set([name.sha256]))
    expect(requests).toBe(2)
    requests = 0
    await expect(store.put(name, inPieces(bytes))).rejects.toThrow('status 503')
    expect(requests).toBe(1)
  })
})

describe('what OCTAVO_BLOBS names', () => {
  const keys = { awsAccessKeyId: 'key', awsSecretAccessKey: 'secret' }

  test.each(['s3://bucket', 's3://bucket/', 's3://my.bucket-1/octavo/blobs'])(
    '%s is S3',
    async (blobs) => {
      expect(await openBlobStore({ blobs, ...keys })).toHaveProperty('put')
    },
  )

  test.each(['s3:/bucket', 's3://', 's3://b/ä', 's3://b?x', 'https://example.com/b', 'file:///x'])(
    '%s is refused',
    async (blobs) => {
      await expect(openBlobStore({ blobs, ...keys })).rejects.toThrow('expected a folder or s3://')
    },
  )

  test('S3 without keys, and nothing at all, are refused', async () => {
    await expect(openBlobStore({ blobs: 's3://bucket' })).rejects.toThrow('AWS_ACCESS_KEY_ID')
    await expect(openBlobStore({ blobs: '' })).rejects.toThrow('OCTAVO_BLOBS is empty')
  })
})
