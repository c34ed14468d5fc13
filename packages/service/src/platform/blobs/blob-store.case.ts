/** Tests that every blob store implementation must pass. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  collect,
  findDamagedBlobs,
  inChunks,
  nameOf,
  readBlob,
} from '../../../testing/blob-bodies.ts'
import type { BlobStore, ListedBlob } from './blob-store.ts'

/** Runs the tests. Each call of `open` must return an empty store. */
export function testBlobStore(open: () => Promise<BlobStore>): void {
  const large = randomBytes(3 * 1_048_576 + 17)
  const small = Buffer.from('Grün — 植物')

  test.each([
    ['of one chunk', small],
    ['of many chunks', large],
    ['without bytes', Buffer.alloc(0)],
  ])('a stored blob %s can be read', async (_, bytes) => {
    const store = await open()
    const name = nameOf(bytes)
    expect(await store.get(name.sha256)).toBeUndefined()
    expect(await store.put(name, inChunks(bytes))).toBe('stored')
    const found = await store.get(name.sha256)
    expect(found?.size).toBe(bytes.length)
    await found?.body.cancel()
    expect((await readBlob(store, name.sha256)).equals(bytes)).toBe(true)
  })

  test('a body that does not match its digest is rejected and not stored', async () => {
    const store = await open()
    for (const bytes of [small, large]) {
      const other = Buffer.from(bytes)
      other.writeUInt8(other.readUInt8(0) ^ 1, 0)
      expect(await store.put(nameOf(bytes), inChunks(other))).toBe('wrong-digest')
    }
    await expectEmpty(store)
  })

  test('a body that is too short, too long or interrupted is rejected', async () => {
    const store = await open()
    const name = nameOf(large)
    const short = large.subarray(0, -1)
    expect(await store.put(name, inChunks(short))).toBe('wrong-size')
    expect(await store.put(name, inChunks(Buffer.alloc(0)))).toBe('wrong-size')
    expect(await store.put(name, inChunks(Buffer.concat([large, small])))).toBe('wrong-size')
    expect(await store.put(nameOf(Buffer.alloc(0)), inChunks(small))).toBe('wrong-size')
    expect(await store.put({ ...nameOf(short), size: large.length }, inChunks(short))).toBe(
      'wrong-size',
    )
    await expect(store.put(name, cutOff(large))).rejects.toThrow()
    await expectEmpty(store)
  })

  test('a put with a wrong body is rejected even if the blob exists, and does not change the blob', async () => {
    const store = await open()
    const name = nameOf(small)
    await store.put(name, inChunks(small))
    const other = Buffer.from(small).fill('x')
    expect(await store.put(name, inChunks(other))).toBe('wrong-digest')
    expect(await store.put(name, inChunks(Buffer.alloc(0)))).toBe('wrong-size')
    expect((await readBlob(store, name.sha256)).equals(small)).toBe(true)
  })

  test('a thousand concurrent puts of one blob store it only once', async () => {
    const store = await open()
    const bytes = randomBytes(100_000)
    const name = nameOf(bytes)
    const wrong = Buffer.from(bytes)
    wrong.writeUInt8(255 - bytes.readUInt8(99_999), 99_999)
    const outcomes = await Promise.all(
      // Every tenth put has wrong bytes.
      Array.from({ length: 1_000 }, (_, index) =>
        store.put(name, inChunks(index % 10 === 0 ? wrong : bytes)),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(900)
    expect(outcomes.filter((outcome) => outcome === 'wrong-digest')).toHaveLength(100)
    expect(await collect(store.list())).toMatchObject([name])
    expect(await findDamagedBlobs(store)).toEqual([])
  })

  test('a byte range is returned, and a range past the end is rejected', async () => {
    const store = await open()
    const { sha256, size } = nameOf(large)
    await store.put({ sha256, size }, inChunks(large))
    for (const [start, end] of [
      [0, 1],
      [65_530, 200_000],
      [size - 1, size],
      [size - 5, size + 5],
    ] as const) {
      const found = await store.get(sha256, { start, end })
      const bytes = found === undefined ? small : Buffer.concat(await collect(found.body))
      expect(bytes.equals(large.subarray(start, end))).toBe(true)
      expect(found?.size).toBe(size)
    }
    await expect(store.get(sha256, { start: size, end: size + 1 })).rejects.toThrow(RangeError)
    await expect(store.get(sha256, { start: 5, end: 5 })).rejects.toThrow(RangeError)
    await expect(store.get(sha256, { start: -1, end: 5 })).rejects.toThrow(RangeError)
    expect(await store.get('0'.repeat(64), { start: 0, end: 1 })).toBeUndefined()
  })

  test('blobs can be looked up in bulk, listed in order and deleted', async () => {
    const store = await open()
    const before = Date.now()
    const names = Array.from({ length: 40 }, (_, index) => Buffer.from(`blob ${index}`)).map(
      (bytes) => ({ ...nameOf(bytes), bytes }),
    )
    await Promise.all(names.map((name) => store.put(name, inChunks(name.bytes))))
    const digests = names.map(({ sha256 }) => sha256)
    const missing = Array.from({ length: 40 }, (_, index) => nameOf(Buffer.from(`no ${index}`)))
    const requested = [...digests, ...missing.map(({ sha256 }) => sha256)]
    expect(await store.hasMany(requested)).toEqual(new Set(digests))
    expect(await store.hasMany([])).toEqual(new Set())

    const listed: readonly ListedBlob[] = await collect(store.list())
    expect(listed.map(({ sha256 }) => sha256)).toEqual(digests.toSorted())
    for (const { sha256, size, storedAt } of listed) {
      expect(size).toBe(names.find((name) => name.sha256 === sha256)?.size)
      // Some stores round timestamps to seconds.
      expect(Math.abs(storedAt.getTime() - before)).toBeLessThan(60_000)
    }

    const [gone = '', ...kept] = digests
    await store.delete(gone)
    await store.delete(gone)
    expect(await store.get(gone)).toBeUndefined()
    expect(await store.hasMany(digests)).toEqual(new Set(kept))
  })

  test('a name that is not a SHA-256 digest is rejected', async () => {
    const store = await open()
    for (const sha256 of ['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}\n`]) {
      await expect(store.put({ sha256, size: 1 }, inChunks(small))).rejects.toThrow('SHA-256')
      await expect(store.get(sha256)).rejects.toThrow('SHA-256')
      await expect(store.hasMany([sha256])).rejects.toThrow('SHA-256')
      await expect(store.delete(sha256)).rejects.toThrow('SHA-256')
    }
  })
}

async function expectEmpty(store: BlobStore): Promise<void> {
  expect(await collect(store.list())).toEqual([])
}

async function* cutOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for await (const piece of inChunks(bytes.subarray(0, bytes.length / 2))) yield piece
  throw new Error('The connection was lost')
}
