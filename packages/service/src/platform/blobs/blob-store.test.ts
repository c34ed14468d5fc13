import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { collect, inChunks, nameOf } from '../../../testing/blob-bodies.ts'
import { fastTempFolder } from '../../../testing/quick-folder.ts'
import { testBlobStore } from './blob-store.case.ts'
import type { BlobStore } from './blob-store.ts'
import { openBlobStore } from './open-blob-store.ts'
import { readBlob } from './read-blob.ts'

const folders: string[] = []
const servers: Server[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(fastTempFolder(), 'octavo-blobs-'))
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

describe('the folder store', () => {
  testBlobStore(() => openBlobStore({ blobs: newFolder() }))

  test('a blob is stored under its digest, and a rejected body leaves no file', async () => {
    const folder = newFolder()
    const store = await openBlobStore({ blobs: folder })
    const bytes = Buffer.from('hello')
    const name = nameOf(bytes)
    await store.put(name, inChunks(bytes))
    await store.put({ ...name, size: 9 }, inChunks(bytes))
    expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
      '2c',
      `2c/${name.sha256.slice(2)}`,
      'incoming',
    ])
  })

  test('files that are not blobs are not listed', async () => {
    const folder = newFolder()
    const store = await openBlobStore({ blobs: folder })
    mkdirSync(join(folder, 'ab'))
    writeFileSync(join(folder, 'ab', 'note.txt'), 'x')
    writeFileSync(join(folder, 'incoming', 'f'.repeat(62)), 'x')
    writeFileSync(join(folder, 'no'), 'x')
    expect(await collect(store.list())).toEqual([])
  })

  test('files left by killed puts are removed, but recent ones are kept', async () => {
    const folder = newFolder()
    const store = await openBlobStore({ blobs: folder })
    writeFileSync(join(folder, 'incoming', 'left'), 'half of a bl')
    await store.removeLeftovers(new Date(Date.now() - 60_000))
    expect(readdirSync(join(folder, 'incoming'))).toEqual(['left'])
    await store.removeLeftovers(new Date(Date.now() + 60_000))
    expect(readdirSync(join(folder, 'incoming'))).toEqual([])
  })
})

describe('the S3 store', () => {
  /** Starts a minimal S3 server. The e2e tests run against a real one. */
  const listen = (answer: (request: IncomingMessage) => number) =>
    serve((request, response) => {
      const status = answer(request)
      request.resume().once('end', () => response.writeHead(status).end())
    })

  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    const server = createServer(answer)
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

  test('a put sends the content length and digest headers that S3 requires', async () => {
    const requests: IncomingMessage[] = []
    const store = await listen((request) => {
      requests.push(request)
      return 200
    })
    expect(await store.put(name, inChunks(bytes))).toBe('stored')
    expect(await store.put(nameOf(Buffer.alloc(0)), inChunks(Buffer.alloc(0)))).toBe('stored')
    expect(requests[0]).toMatchObject({ method: 'PUT', url: path })
    expect(requests.map(({ headers }) => headers)).toMatchObject([
      { 'content-length': '200000', 'x-amz-content-sha256': name.sha256 },
      { 'content-length': '0' },
    ])
    for (const { headers } of requests) expect(headers).not.toHaveProperty('transfer-encoding')
  })

  test('requests other than puts are retried when the store is busy', async () => {
    let requests = 0
    const store = await listen(() => {
      requests += 1
      return requests === 1 ? 503 : 200
    })
    expect(await store.hasMany([name.sha256])).toEqual(new Set([name.sha256]))
    expect(requests).toBe(2)
    requests = 0
    await expect(store.put(name, inChunks(bytes))).rejects.toThrow('status 503')
    expect(requests).toBe(1)
  })

  const actions = (store: BlobStore): readonly (() => Promise<unknown>)[] => [
    () => store.get(name.sha256),
    () => store.get(name.sha256, { start: 0, end: 9 }),
    () => store.hasMany([name.sha256]),
    () => store.put(name, inChunks(bytes)),
    () => store.delete(name.sha256),
    () => collect(store.list()),
  ]

  test('redirects are not followed, so signed headers reach only the store', async () => {
    const asked: (string | undefined)[] = []
    await serve((request, response) => {
      asked.push(request.url)
      response.end()
    })
    const other = servers.at(-1)?.address() as AddressInfo | undefined
    const store = await serve((request, response) => {
      request.resume()
      response.writeHead(307, { location: `http://127.0.0.1:${other?.port}/` }).end()
    })
    for (const action of actions(store)) await expect(action()).rejects.toThrow()
    expect(asked).toEqual([])
  })

  test('a request does not wait forever for an error body that never arrives or never ends', {
    timeout: 60_000,
  }, async () => {
    const silent = await serve((request, response) => {
      request.resume()
      response.writeHead(403, { 'content-length': 50 }).flushHeaders()
    })
    const endless = await serve((request, response) => {
      request.resume()
      response.writeHead(403)
      const more = () => {
        while (response.writable && response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    })
    await expect(endless.get(name.sha256)).rejects.toThrow('status 403 (no reason given)')
    const began = performance.now()
    await Promise.all([
      expect(silent.get(name.sha256)).rejects.toThrow('did not respond within'),
      expect(silent.put(name, inChunks(bytes))).rejects.toThrow(),
    ])
    expect(performance.now() - began).toBeLessThan(40_000)
  })

  test.each<[string, number, Record<string, string>]>([
    ['a whole blob of unknown length', 200, { 'transfer-encoding': 'chunked' }],
    ['a part instead of the whole blob', 206, { 'content-range': 'bytes 0-9/20' }],
  ])('a response with %s is rejected', async (_, status, headers) => {
    const store = await serve((_request, response) => {
      response.writeHead(status, headers)
      response.end('0123456789')
    })
    await expect(store.get(name.sha256)).rejects.toThrow(`status ${status}`)
  })

  test.each<[string, number, Record<string, string>]>([
    ['the whole blob', 200, {}],
    ['a part without a content range', 206, {}],
    ['an earlier part', 206, { 'content-range': 'bytes 0-9/20' }],
    ['a later part', 206, { 'content-range': 'bytes 6-15/20' }],
    ['a shorter part', 206, { 'content-range': 'bytes 5-13/20' }],
    ['a longer part', 206, { 'content-range': 'bytes 5-19/20' }],
    ['a part of unknown total size', 206, { 'content-range': 'bytes 5-14/*' }],
  ])(
    'a response with %s instead of the requested range is rejected',
    async (_, status, headers) => {
      const store = await serve((_request, response) => {
        response.writeHead(status, { 'content-length': 10, ...headers })
        response.end('0123456789')
      })
      const asked = store.get(name.sha256, { start: 5, end: 15 })
      await expect(asked).rejects.toThrow(`status ${status}`)
    },
  )

  test('truncated or wrong bytes are not returned as a blob', async () => {
    const given = [Buffer.from(bytes).fill('y', 100_000), bytes.subarray(1), Buffer.alloc(0)]
    const store = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length })
      const body = given.pop() ?? bytes
      response.write(body, () => body.length < bytes.length && response.destroy())
      if (body.length === bytes.length) response.end()
    })
    for (let tried = 0; tried < 3; tried += 1)
      await expect(readBlob(store, name.sha256, bytes.length)).rejects.toThrow()
    expect(await readBlob(store, name.sha256, bytes.length)).toEqual(bytes)
  })

  test('only blobs under the prefix are listed, and a repeated page is an error', async () => {
    const key = (prefix: string) => `${prefix}/${path.split('/').slice(-2).join('/')}`
    const entry = (text: string) =>
      `<Contents><Key>${text}</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`
    let isTruncated = false
    const store = await serve((_request, response) =>
      response.end(
        `<R>${entry(key('othr'))}${entry(key('site'))}<IsTruncated>${isTruncated}</IsTruncated></R>`,
      ),
    )
    expect(await collect(store.list())).toMatchObject([{ sha256: name.sha256 }])
    isTruncated = true
    await expect(collect(store.list())).rejects.toThrow('the same page of objects twice')
  })

  test('error messages contain no credentials', async () => {
    const store = await serve((request, response) => {
      request.resume()
      const { authorization } = request.headers
      response.writeHead(403).end(`<Code>${authorization} secret</Code>`)
    })
    for (const action of actions(store)) {
      const error: Error = await action().then(Object, (reason: Error) => reason)
      expect(error.message).toContain('status 403 (no reason given)')
    }
  })
})

describe('the OCTAVO_BLOBS setting', () => {
  const keys = { awsAccessKeyId: 'key', awsSecretAccessKey: 'secret' }

  test.each(['s3://bucket', 's3://bucket/', 's3://my.bucket-1/octavo/blobs'])(
    '%s is accepted as an S3 address',
    async (blobs) => {
      expect(await openBlobStore({ blobs, ...keys })).toHaveProperty('put')
    },
  )

  test.each(['s3:/bucket', 's3://', 's3://b/ä', 's3://b?x', 'https://example.com/b', 'file:///x'])(
    '%s is rejected as a store address',
    async (blobs) => {
      await expect(openBlobStore({ blobs, ...keys })).rejects.toThrow('expected a folder or s3://')
    },
  )

  test('an S3 address without credentials and an empty value are rejected', async () => {
    await expect(openBlobStore({ blobs: 's3://bucket' })).rejects.toThrow('AWS_ACCESS_KEY_ID')
    await expect(openBlobStore({ blobs: '' })).rejects.toThrow('OCTAVO_BLOBS is empty')
  })
})
