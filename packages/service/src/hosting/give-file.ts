/** Sends the files of sites: from memory, made for some readers, or streamed from the store. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { leaveOut } from '@octavo/model'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type BlobCache, HELD_BYTES_MAX } from './blob-cache.ts'
import { type FileReply, type GivenFile, headersOf, prepareReply } from './file-reply.ts'
import { encodingOf, isNotModified, rangeOf } from './reader-request.ts'
import { sendFile } from './send-reply.ts'

export type FileGiver = {
  /** Gives the reply, if it can be sent again to readers who see the same. */
  readonly give: (
    request: IncomingMessage,
    response: ServerResponse,
    given: GivenFile,
  ) => Promise<FileReply | undefined>
}

export function createFileGiver(blobs: BlobStore, cache: BlobCache): FileGiver {
  /** What the reader may see of a file, uncompressed. */
  function bytesOf({ view, entry }: GivenFile, key: string): Promise<Buffer> {
    const { sha256, ranges = [] } = entry
    if (key === sha256) return cache.bytes(sha256)
    return cache.made(key, async () =>
      Buffer.from(leaveOut(await cache.bytes(sha256), ranges, view.isReadable)),
    )
  }

  /** Large files, such as videos, are not kept in memory, and can be had in parts. */
  async function stream(
    request: IncomingMessage,
    response: ServerResponse,
    given: GivenFile,
  ): Promise<void> {
    const { entry, status } = given
    const etag = `"${entry.sha256}"`
    const headers: Record<string, string | number> = {
      ...headersOf(given),
      etag,
      'accept-ranges': 'bytes',
    }
    if (isNotModified(request, etag)) {
      response.writeHead(304, headers).end()
      return
    }
    const range = status === 200 ? rangeOf(request, entry.size, etag) : undefined
    if (range === 'unsatisfiable') {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${entry.size}` }).end()
      return
    }
    const { start, end } = range ?? { start: 0, end: entry.size }
    if (range !== undefined) headers['content-range'] = `bytes ${start}-${end - 1}/${entry.size}`
    headers['content-length'] = end - start
    if (request.method === 'HEAD') {
      response.writeHead(range === undefined ? status : 206, headers).end()
      return
    }
    const found = await blobs.get(entry.sha256, range && { start, end })
    if (found === undefined) throw new Error(`The blob ${entry.sha256} is missing.`)
    response.writeHead(range === undefined ? status : 206, headers)
    await pipeline(Readable.fromWeb(found.body), response)
  }

  return {
    async give(request, response, given) {
      const { entry } = given
      const reply = prepareReply(given, encodingOf(request))
      const { key, encoding } = reply
      if (key === entry.sha256 && entry.size > HELD_BYTES_MAX) {
        await stream(request, response, given)
        return undefined
      }
      if (sendFile(request, response, { reply, bytes: undefined })) return reply
      const plain = () => bytesOf(given, key)
      const bytes =
        encoding === undefined ? await plain() : await cache.encoded(key, encoding, plain)
      sendFile(request, response, { reply, bytes })
      return reply
    },
  }
}
