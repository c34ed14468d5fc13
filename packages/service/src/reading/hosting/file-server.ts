/**
 * Sends the files of sites: from memory, prepared for the reader's class, or streamed from the
 * store.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { encodingOf } from '../../platform/http/reader-request.ts'
import { sendFile, sendText } from '../../platform/http/send-response.ts'
import { QueueFullError } from '../../platform/limits/fair-queue.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { type BlobCache, CACHED_BLOB_BYTES_MAX } from './blob-cache.ts'
import { type Counted, countedFile } from './counted-file.ts'
import { encodingFor, type FileReply, prepareReply, type ServedFile } from './file-reply.ts'
import { createSentFiles } from './sent-file.ts'
import { createFileStreamer, type FileStreamer } from './stream-file.ts'

export type FileServerDeps = {
  readonly blobs: BlobStore
  readonly cache: BlobCache
  readonly pepper: PepperRing
}

export type Served = {
  /** The event of the sent file; undefined if none is counted or nothing was sent. */
  readonly counted: Counted | undefined
  /** Set if the response can be reused for readers of the same class. */
  readonly reply: FileReply | undefined
}

export class FileServer {
  readonly #cache: BlobCache
  readonly #stream: FileStreamer
  readonly #sentFile = createSentFiles()

  constructor({ blobs, cache, pepper }: FileServerDeps) {
    this.#cache = cache
    this.#stream = createFileStreamer(blobs, pepper)
  }

  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    served: ServedFile,
  ): Promise<Served> {
    const { view, entry, status } = served
    const file = this.#sentFile(view, entry)
    if (entry.size > CACHED_BLOB_BYTES_MAX) {
      await this.#stream(request, response, { served, file })
      // The rest of a download that was interrupted is not another read.
      const isRead = status === 200 && response.statusCode !== 206
      return { counted: isRead ? countedFile(view, entry.path) : undefined, reply: undefined }
    }
    const encoding = encodingFor(file, encodingOf(request))
    const replyWith = (sha256: string) => prepareReply(served, file, { encoding, sha256 })
    // The manifest has the digest of the whole file, so a conditional request needs no bytes.
    const ofWhole = file.omitted.length === 0 ? replyWith(entry.sha256) : undefined
    if (ofWhole !== undefined && sendFile(request, response, { reply: ofWhole }))
      return { counted: ofWhole.counted, reply: ofWhole }
    try {
      const { bytes, sha256 } = await this.#cache.sent(file, encoding)
      const reply = ofWhole ?? replyWith(sha256)
      sendFile(request, response, { reply, bytes })
      return { counted: reply.counted, reply }
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      sendText(
        response,
        503,
        'Too many files of this site are requested at the same time. Try again later.',
        {
          'retry-after': '2',
        },
      )
      return { counted: undefined, reply: undefined }
    }
  }
}
