import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TransformStream } from 'node:stream/web'
import { expect, test, vi } from 'vitest'
import { newAssistantSite, startAssistantService } from '../../../testing/assistant-site.ts'
import { siteOf } from '../../../testing/test-deployment.ts'
import type { StoredBytes } from '../../platform/blobs/blob-store.ts'
import { openFolderStore } from '../../platform/blobs/folder-store.ts'
import { CACHED_BLOB_BYTES_MAX } from './blob-cache.ts'

/** Returns a copy of a stream that passes on all bytes but never ends. */
function withoutEnd(body: StoredBytes['body']): StoredBytes['body'] {
  return body.pipeThrough(new TransformStream({ flush: () => new Promise(() => {}) }))
}

test("a download is counted when its last byte is sent, even if the store's stream does not end", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-late-'))
  const store = await openFolderStore(folder)
  const service = await startAssistantService({
    blobStore: {
      ...store,
      async get(sha256, range) {
        const found = await store.get(sha256, range)
        const isLarge = found !== undefined && found.size > CACHED_BLOB_BYTES_MAX
        return isLarge ? { ...found, body: withoutEnd(found.body) } : found
      },
    },
  })
  try {
    const text = 'Compost feeds the soil. '.repeat(60_000)
    const site = await newAssistantSite(service, siteOf({ 'llms-full.txt': text }))
    expect((await site.call('GET', '/llms-full.txt')).text).toHaveLength(text.length)
    await vi.waitFor(async () => {
      await service.service.flush()
      const counts = await service.owner.query<{ count: string }>(
        `select count from event_day where event = 'file'`,
      )
      expect(counts).toEqual([{ count: '1' }])
    })
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true })
  }
})
