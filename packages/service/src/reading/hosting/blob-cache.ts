/**
 * Caches blobs and derived bytes in memory, and removes the least recently used entries first. A
 * key contains everything that determines its value, so no entry can be outdated or be served to
 * the wrong reader.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  labelId,
  type ManifestEntry,
  type ManifestRoot,
  parseManifestRoot,
  parseManifestRun,
  removeSpans,
} from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Encoding } from '../../platform/http/reader-request.ts'
import { createFairQueue } from '../../platform/limits/fair-queue.ts'
import { DEPLOYMENT_LIMITS, digestOf } from '../../publishing/deployments/read-manifest.ts'
import { Run } from './manifest-run.ts'
import { type BlobKey, blobKey, type SentFile } from './sent-file.ts'

/** The bytes that a reader receives, and their digest before compression. */
export type SentBytes = { readonly bytes: Buffer; readonly sha256: string }

type Held =
  | ({ readonly kind: 'bytes' } & SentBytes)
  | { readonly kind: 'root'; readonly root: ManifestRoot }
  | { readonly kind: 'run'; readonly run: Run }

/**
 * The maximum size of a cached blob. Larger blobs are streamed from the store and never compressed.
 */
export const CACHED_BLOB_BYTES_MAX = 1024 * 1024
/**
 * The maximum size of all files that are prepared (read, cut and compressed) at the same time, in
 * total and per project.
 */
const PREPARED_BYTES_MAX = 32 * 1024 * 1024
const PREPARED_BYTES_OF_PROJECT_MAX = 8 * 1024 * 1024
/** Smaller files are counted with this size, so that their number is limited too. */
const PREPARED_BYTES_MIN = 16 * 1024
/**
 * The maximum number of files of a project that wait for preparation. Further requests are rejected
 * and can be repeated later.
 */
const WAITING_OF_PROJECT_MAX = 1_000
/** The factor by which parsed entries take more memory than their text. */
const PARSED_FACTOR = 2
const BROTLI_QUALITY = 5
/** The bytes of a window that Brotli does not use. */
const WINDOW_MARGIN = 16

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export class BlobCache {
  readonly #blobs: BlobStore
  readonly #cache: LRUCache<string, Held>
  readonly #loading = new Map<string, Promise<Held>>()
  readonly #digests = new WeakMap<ManifestRoot, string>()
  readonly #prepare = createFairQueue({
    atOnce: PREPARED_BYTES_MAX,
    atOnceOfProject: PREPARED_BYTES_OF_PROJECT_MAX,
    waitingOfProjectMax: WAITING_OF_PROJECT_MAX,
  })

  constructor(blobs: BlobStore, bytesMax: number) {
    this.#blobs = blobs
    this.#cache = new LRUCache({ maxSize: bytesMax, maxEntrySize: bytesMax / 4 })
  }

  /** Returns the bytes that are cached under this key; undefined if the key is not cached. */
  peek(key: BlobKey): Buffer | undefined {
    return this.#peekSent(key)?.bytes
  }

  /**
   * Returns the bytes to send for a file of at most `CACHED_BLOB_BYTES_MAX` bytes. They are
   * prepared on the first request. Throws a `QueueFullError` if too many files of the project are
   * waiting for preparation.
   */
  async sent(file: SentFile, encoding: Encoding | undefined): Promise<SentBytes> {
    const size = Math.max(file.entry.size, PREPARED_BYTES_MIN)
    const make = async () => {
      const { bytes: plain, sha256 } = await this.#plainOf(file, encoding === undefined)
      const bytes = await compress(plain, encoding)
      return { held: { kind: 'bytes' as const, bytes, sha256 }, size: bytes.length }
    }
    return this.#hold(blobKey(file, encoding), () => this.#prepare(file.projectId, make, size))
  }

  /**
   * Returns a whole blob for internal use. Readers must get bytes from `sent`, which omits hidden
   * parts.
   */
  async bytes(sha256: string): Promise<Buffer> {
    const { bytes } = await this.#hold(`blob ${sha256}`, async () => {
      const loaded = await this.#load(sha256, DEPLOYMENT_LIMITS.fileBytes)
      return { held: { kind: 'bytes', bytes: loaded, sha256 }, size: loaded.length }
    })
    return bytes
  }

  async root(sha256: string): Promise<ManifestRoot> {
    const { root } = await this.#hold(`root ${sha256}`, async () => {
      const text = (await this.#load(sha256, DEPLOYMENT_LIMITS.manifestBytes)).toString('utf8')
      const parsed = parseManifestRoot(text)
      if (parsed.kind === 'malformed') throw new Error(parsed.reason)
      for (const [id, label] of parsed.root.labels)
        if (id !== labelId(label, digestOf))
          throw new Error(`The label ${id} does not match its groups.`)
      this.#digests.set(parsed.root, sha256)
      return { held: { kind: 'root', root: parsed.root }, size: text.length * PARSED_FACTOR }
    })
    return root
  }

  async run(root: ManifestRoot, index: number): Promise<Run> {
    const sha256 = root.runs[index]?.sha256 ?? ''
    const digest = this.#digests.get(root)
    if (digest === undefined)
      throw new Error('The manifest root was not loaded through this cache.')
    // The groups of a run's labels are defined in the root, so the key contains the root's digest.
    const { run } = await this.#hold(`run ${digest} ${index}`, async () => {
      const text = (await this.#load(sha256, DEPLOYMENT_LIMITS.manifestBytes)).toString('utf8')
      const parsed = parseManifestRun(text, root, index)
      if (parsed.kind === 'malformed') throw new Error(parsed.reason)
      const run = new Run(parsed.entries)
      return { held: { kind: 'run', run }, size: run.size * PARSED_FACTOR }
    })
    return run
  }

  /**
   * Returns a cached value, or creates it. Concurrent requests for the same value share one call of
   * `make`.
   */
  async #hold<Kind extends Held['kind']>(
    key: string,
    make: () => Promise<{ held: Held & { readonly kind: Kind }; size: number }>,
  ): Promise<Extract<Held, { kind: Kind }>> {
    type Wanted = Extract<Held, { kind: Kind }>
    const known = this.#cache.get(key)
    if (known !== undefined) return known as Wanted
    const running = this.#loading.get(key)
    if (running !== undefined) return (await running) as Wanted
    const one = make()
      .then(({ held, size }) => {
        this.#cache.set(key, held, { size: size + 1 })
        return held
      })
      .finally(() => this.#loading.delete(key))
    this.#loading.set(key, one)
    return (await one) as Wanted
  }

  async #load(sha256: string, max: number): Promise<Buffer> {
    const bytes = await readBlob(this.#blobs, sha256, max)
    if (bytes === undefined) throw new Error(`The blob ${sha256} is missing.`)
    return bytes
  }

  #peekSent(key: BlobKey): SentBytes | undefined {
    const held = this.#cache.get(key)
    return held?.kind === 'bytes' ? held : undefined
  }

  /**
   * Returns a file's bytes before compression. They are only cached if `isReused`: after the first
   * compression, hardly anyone needs them. Bypasses the preparation queue, because files in the
   * queue could be waiting for the caller to finish.
   */
  async #plainOf(file: SentFile, isReused: boolean): Promise<SentBytes> {
    const key = blobKey(file, undefined)
    const known = this.#peekSent(key)
    if (known !== undefined) return known
    const made =
      file.omitted.length === 0 ? await this.#wholeOf(file.entry) : await this.#cutOf(file)
    if (isReused) this.#cache.set(key, { kind: 'bytes', ...made }, { size: made.bytes.length + 1 })
    return made
  }

  async #wholeOf({ sha256 }: ManifestEntry): Promise<SentBytes> {
    return { bytes: await this.#load(sha256, CACHED_BLOB_BYTES_MAX), sha256 }
  }

  async #cutOf(file: SentFile): Promise<SentBytes> {
    const { bytes: whole } = await this.#plainOf({ ...file, omitted: [], omittedDigest: '' }, true)
    const { buffer, byteOffset, length } = removeSpans(whole, file.omitted)
    const bytes = Buffer.from(buffer, byteOffset, length)
    return { bytes, sha256: hash('sha256', bytes) }
  }
}

async function compress(plain: Buffer, encoding: Encoding | undefined): Promise<Buffer> {
  if (encoding === undefined) return plain
  if (encoding === 'gzip') return zip(plain)
  return brotli(plain, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      [constants.BROTLI_PARAM_LGWIN]: windowOf(plain.length),
    },
  })
}

/** Returns the exponent of the smallest window that holds the whole file. */
function windowOf(size: number): number {
  const { BROTLI_MIN_WINDOW_BITS: min, BROTLI_DEFAULT_WINDOW: max } = constants
  return Math.min(max, Math.max(min, Math.ceil(Math.log2(size + WINDOW_MARGIN))))
}
