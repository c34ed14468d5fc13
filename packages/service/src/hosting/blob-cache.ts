/**
 * Blobs and what is made of them, in memory. Everything is known by a digest, so nothing here is ever
 * stale; what was used longest ago goes first.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import {
  labelId,
  type ManifestEntry,
  type ManifestRoot,
  parseManifestRoot,
  parseManifestRun,
} from '@octavo/model'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../blobs/blob-store.ts'
import { readBlob } from '../blobs/read-blob.ts'
import { DEPLOYMENT_LIMITS, digestOf } from '../deployments/read-manifest.ts'

export type Encoding = 'br' | 'gzip'
export type Run = ReadonlyMap<string, ManifestEntry>

type Held =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'root'; readonly root: ManifestRoot }
  | { readonly kind: 'run'; readonly run: Run }

/** Larger blobs are streamed from the store. */
export const HELD_BYTES_MAX = 1024 * 1024
/** An entry in memory takes about twice its text. */
const PARSED_FACTOR = 2
const BROTLI_QUALITY = 5

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export function createBlobCache(blobs: BlobStore, bytesMax: number) {
  const cache = new LRUCache<string, Held>({ maxSize: bytesMax, maxEntrySize: bytesMax / 4 })
  const loading = new Map<string, Promise<Held>>()

  /** Many may need one thing at the same time: it is made once. */
  async function hold<Kind extends Held['kind']>(
    key: string,
    make: () => Promise<{ held: Held & { readonly kind: Kind }; size: number }>,
  ): Promise<Extract<Held, { kind: Kind }>> {
    type Wanted = Extract<Held, { kind: Kind }>
    const known = cache.get(key)
    if (known !== undefined) return known as Wanted
    const running = loading.get(key)
    if (running !== undefined) return (await running) as Wanted
    const one = make()
      .then(({ held, size }) => {
        cache.set(key, held, { size: size + 1 })
        return held
      })
      .finally(() => loading.delete(key))
    loading.set(key, one)
    return (await one) as Wanted
  }

  async function load(sha256: string, max: number): Promise<Buffer> {
    const bytes = await readBlob(blobs, sha256, max)
    if (bytes === undefined) throw new Error(`The blob ${sha256} is missing.`)
    return bytes
  }

  async function bytes(sha256: string): Promise<Buffer> {
    const { bytes } = await hold(sha256, async () => {
      const loaded = await load(sha256, DEPLOYMENT_LIMITS.fileBytes)
      return { held: { kind: 'bytes', bytes: loaded }, size: loaded.length }
    })
    return bytes
  }

  return {
    bytes,

    /** What `bytes`, `made` or `encoded` would give, if it is in memory. */
    peek(key: string, encoding: Encoding | undefined): Buffer | undefined {
      const held = cache.get(encoding === undefined ? key : `${key} ${encoding}`)
      return held?.kind === 'bytes' ? held.bytes : undefined
    },

    /** What is made of a blob for some of its readers. `key` says all that it depends on. */
    async made(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
      const held = await hold(key, async () => {
        const made = await make()
        return { held: { kind: 'bytes', bytes: made }, size: made.length }
      })
      return held.bytes
    },

    /** The bytes as a browser takes them; made at the first request. */
    async encoded(
      key: string,
      encoding: Encoding,
      plainOf: () => Promise<Buffer>,
    ): Promise<Buffer> {
      const held = await hold(`${key} ${encoding}`, async () => {
        const plain = await plainOf()
        const small =
          encoding === 'gzip'
            ? await zip(plain)
            : await brotli(plain, {
                params: {
                  [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
                  [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
                },
              })
        return { held: { kind: 'bytes', bytes: small }, size: small.length }
      })
      return held.bytes
    },

    async root(sha256: string): Promise<ManifestRoot> {
      const { root } = await hold(`root ${sha256}`, async () => {
        const text = (await load(sha256, DEPLOYMENT_LIMITS.manifestBytes)).toString('utf8')
        const parsed = parseManifestRoot(text)
        if (parsed.kind === 'malformed') throw new Error(parsed.reason)
        // Runs are kept by their digest alone, so an id must mean the same groups in every deployment.
        for (const [id, label] of parsed.root.labels)
          if (id !== labelId(label, digestOf)) throw new Error(`The label ${id} has other groups.`)
        return { held: { kind: 'root', root: parsed.root }, size: text.length * PARSED_FACTOR }
      })
      return root
    },

    async run(root: ManifestRoot, index: number): Promise<Run> {
      const sha256 = root.runs[index]?.sha256 ?? ''
      // What a run says depends on its place in the root, and its digest on neither.
      const { run } = await hold(`run ${sha256}`, async () => {
        const text = (await load(sha256, DEPLOYMENT_LIMITS.manifestBytes)).toString('utf8')
        const parsed = parseManifestRun(text, root, index)
        if (parsed.kind === 'malformed') throw new Error(parsed.reason)
        const run = new Map(parsed.entries.map((entry) => [entry.path, entry]))
        return { held: { kind: 'run', run }, size: text.length * PARSED_FACTOR }
      })
      return run
    },
  }
}
export type BlobCache = ReturnType<typeof createBlobCache>
