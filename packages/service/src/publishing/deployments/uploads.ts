/** Stores the bytes that a project uploads. Limits are checked before anything is stored. */

import type { BlobsReply } from '@octavo/contract'
import type { z } from 'zod'
import {
  type BlobName,
  type BlobStore,
  forEachLimited,
  type PutOutcome,
} from '../../platform/blobs/blob-store.ts'
import { Problem } from '../../platform/problem.ts'
import { readFrames } from './read-frames.ts'
import type { DeploymentStore, UploadStart } from './store.ts'

const PUT_CONCURRENCY = 16
/** Collection deletes only a few blobs at a time, so clients do not have to wait long. */
const RESEND_SECONDS = 2

export class Uploads {
  readonly #store: DeploymentStore
  readonly #blobs: BlobStore

  constructor(store: DeploymentStore, blobs: BlobStore) {
    this.#store = store
    this.#blobs = blobs
  }

  async put(blob: BlobName, body: AsyncIterable<Uint8Array>): Promise<PutOutcome> {
    const upload = await this.#begin(blob.size)
    const outcome = await this.#blobs.put(blob, body)
    if (outcome === 'stored') await this.#noteStored([blob], upload)
    return outcome
  }

  async putMany(
    stream: AsyncIterable<Uint8Array>,
    length: number,
  ): Promise<z.input<typeof BlobsReply>> {
    const pieces: Uint8Array[] = []
    for await (const piece of stream) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const frames = body.length === length ? readFrames(body) : undefined
    if (frames === undefined)
      throw new Problem('invalid-request', 'The body ends in the middle of a file.', {
        param: 'body',
      })
    const upload = await this.#begin(frames.reduce((sum, { bytes }) => sum + bytes.length, 0))
    const refused: { sha256: string; reason: string }[] = []
    const stored: BlobName[] = []
    await forEachLimited(frames, {
      atOnce: PUT_CONCURRENCY,
      call: async ({ sha256, bytes }) => {
        const blob = { sha256, size: bytes.length }
        const outcome = await this.#blobs.put(blob, singleChunk(bytes))
        if (outcome === 'stored') stored.push(blob)
        else refused.push({ sha256, reason: 'The bytes do not match this SHA-256 digest.' })
      },
    })
    if (stored.length > 0) await this.#noteStored(stored, upload)
    return { stored: stored.length, refused }
  }

  /** Returns the problem for a suspended project, with the operator's reason. */
  async suspended(): Promise<Problem> {
    const { suspended } = await this.#store.beginUpload()
    return suspendedProblem(suspended ?? 'it was suspended until a moment ago. Please try again.')
  }

  /** Starts an upload. Throws a problem if the project cannot store this many bytes. */
  async #begin(size: number): Promise<UploadStart> {
    const upload = await this.#store.beginUpload()
    if (upload.suspended !== null) throw suspendedProblem(upload.suspended)
    if (size > upload.room)
      throw new Problem(
        'insufficient-storage',
        `The upload has ${size} bytes, but the organization can store only ${Math.max(0, upload.room)} more.`,
      )
    return upload
  }

  async #noteStored(stored: readonly BlobName[], upload: UploadStart): Promise<void> {
    const deleted = await this.#store.addBlobs(stored, upload)
    if (deleted.length > 0)
      throw new Problem(
        'unavailable',
        'Old copies of these files were being deleted. Send the files again.',
        {
          headers: { 'retry-after': String(RESEND_SECONDS) },
        },
      )
  }
}

function suspendedProblem(reason: string): Problem {
  return new Problem('forbidden', `The project is suspended: ${reason}`)
}

export async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
