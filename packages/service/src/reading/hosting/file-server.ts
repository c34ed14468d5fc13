/**
 * Sends the files of sites. Small files are sent from memory, in the form that the reader may see.
 * Large files are streamed from the store.
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
  /** The event to count; undefined if no event is counted or no file was sent. */
  readonly counted: Counted | undefined
  /** The response, if it can be reused for readers of the same class. */
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
      // A request for the rest of an interrupted download is not counted again.
      const isRead = status === 200 && response.statusCode !== 206
      return { counted: isRead ? countedFile(view, entry.path) : undefined, reply: undefined }
    }
    const encoding = encodingFor(file, encodingOf(request))
    const replyWith = (sha256: string) => prepareReply(served, file, { encoding, sha256 })
    // The digest of a whole file is in the manifest, so an unchanged file does not have to be
    // loaded.
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
