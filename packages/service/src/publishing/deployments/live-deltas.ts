/**
 * Stores large files that are sent as changes of the live deployment (decision 0060). Bytes are
 * copied only from a file of the same project. The sender names the SHA-256 of the whole result, so
 * they get nothing that they do not have.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { LiveChunks } from '@octavo/contract'
import {
  CHUNKS,
  ChunkCutter,
  DELTA_LIMITS,
  type DeltaPart,
  parseDelta,
  runIndexOf,
} from '@octavo/model'
import type { BlobStore, PutOutcome, StoredBytes } from '../../platform/blobs/blob-store.ts'
import { readChunks } from '../../platform/blobs/read-blob.ts'
import { Problem } from '../../platform/problem.ts'
import { DEPLOYMENT_LIMITS, findEntry } from './read-manifest.ts'
import type { DeploymentStore } from './store.ts'
import type { StoredManifests } from './stored-manifests.ts'
import type { Uploads } from './uploads.ts'

/** Names a file of the live deployment, or the run of its manifest that covers the path. */
type LivePlace = { readonly path: string; readonly kind: 'file' | 'run' }

type Deps = {
  readonly store: DeploymentStore
  readonly blobs: BlobStore
  readonly manifests: StoredManifests
  readonly uploads: Uploads
}

export class LiveDeltas {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns the chunks of a live file; none if there is no such file. */
  async chunksOf(place: LivePlace): Promise<LiveChunks> {
    const sha256 = await this.#find(place)
    const stored = sha256 === undefined ? undefined : await this.#deps.blobs.get(sha256)
    return { chunks: stored === undefined ? [] : await listChunks(stored.body) }
  }

  /** Stores the file that the delta makes of a live file, if it has this digest. */
  async put(
    place: LivePlace,
    sha256: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<PutOutcome> {
    const delta = parseDelta(await unpack(body), DEPLOYMENT_LIMITS.fileBytes)
    if (delta.kind === 'malformed') throw invalidDelta(delta.reason)
    const { parts, size } = delta
    const copies = parts.filter(({ copied }) => copied > 0)
    const old = copies.length === 0 ? undefined : await this.#find(place)
    const oldSize = old === undefined ? 0 : await this.#sizeOf(old)
    if (copies.some(({ start, copied }) => start + copied > oldSize))
      throw invalidDelta('The delta copies bytes that the live file does not have.')
    return this.#deps.uploads.put({ sha256, size }, this.#apply(parts, old))
  }

  /** Yields the bytes of the new file. Reads no more of the old one than it copies. */
  async *#apply(
    parts: readonly DeltaPart[],
    old: string | undefined,
  ): AsyncGenerator<Uint8Array, void> {
    for (const { start, copied, added } of parts) {
      const range = { start, end: start + copied }
      const stored =
        old === undefined || copied === 0 ? undefined : await this.#deps.blobs.get(old, range)
      if (stored !== undefined) yield* readChunks(stored.body)
      if (added.length > 0) yield added
    }
  }

  /** Returns the size of a blob, or 0 if the project does not have it. */
  async #sizeOf(sha256: string): Promise<number> {
    return (await this.#deps.store.sizes([sha256])).get(sha256) ?? 0
  }

  /** Returns the digest of a file or a run of the live deployment. */
  async #find({ path, kind }: LivePlace): Promise<string | undefined> {
    const { store, blobs, manifests } = this.#deps
    const { live } = await store.publication()
    const row = live === null ? undefined : await store.find(live)
    if (row === undefined) return undefined
    const root = await manifests.rootOf(row)
    if (kind === 'run') return root.runs[Math.max(0, runIndexOf(root, path))]?.sha256
    return (await findEntry(blobs, root, path))?.sha256
  }
}

async function listChunks(body: StoredBytes['body']): Promise<LiveChunks['chunks']> {
  const chunks: LiveChunks['chunks'] = []
  const cutter = new ChunkCutter()
  let rest: Uint8Array[] = []
  const finish = () => {
    const bytes = Buffer.concat(rest)
    if (bytes.length > 0) chunks.push([bytes.length, hash('sha256', bytes).slice(0, CHUNKS.digits)])
    rest = []
  }
  for await (const piece of readChunks(body)) {
    let start = 0
    for (const end of cutter.push(piece)) {
      rest.push(piece.subarray(start, end))
      finish()
      start = end
    }
    rest.push(piece.subarray(start))
  }
  finish()
  return chunks
}

async function unpack(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  try {
    return await promisify(gunzip)(Buffer.concat(pieces), { maxOutputLength: DELTA_LIMITS.bytes })
  } catch {
    throw invalidDelta(`The body is not a gzip file with at most ${DELTA_LIMITS.bytes} bytes.`)
  }
}

function invalidDelta(reason: string): Problem {
  return new Problem('unprocessable', reason, { param: 'body' })
}
