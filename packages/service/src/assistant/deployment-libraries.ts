/** What the assistant knows of a deployment: its library for readers of one kind, and its settings. */
import { ASSISTANT_FILE_PATH, type ManifestRoot, type Reader, runIndexOf } from '@octavo/model'
import { type DeploymentReader, openLibrary, type SiteLibrary } from '@octavo/search'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { BlobStore } from '../blobs/blob-store.ts'
import { readBlob } from '../blobs/read-blob.ts'
import type { Tenant } from '../database/database.ts'
import { DEPLOYMENT_LIMITS } from '../deployments/read-manifest.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import type { DeploymentVectors } from '../vectors/deployment-vectors.ts'

const STARTER_QUESTIONS_MAX = 3

/**
 * As a build writes it from docs.json. A deployment without it is older, and has the defaults; whoever
 * deploys may have written it by hand, so what is not understood has them too.
 */
const SiteSettings = z
  .object({
    enabled: z.boolean().catch(true),
    name: z.string().max(500).catch(''),
    starterQuestions: z
      .array(z.string().max(500))
      .transform((questions) => questions.slice(0, STARTER_QUESTIONS_MAX))
      .catch([]),
    instructions: z.string().max(10_000).optional().catch(undefined),
    categories: z.array(z.string().max(100)).min(1).max(50).optional().catch(undefined),
  })
  .catch({
    enabled: true,
    name: '',
    starterQuestions: [],
    instructions: undefined,
    categories: undefined,
  })
export type SiteSettings = Readonly<z.infer<typeof SiteSettings>>

export type DeploymentView = {
  readonly tenant: Tenant
  readonly deploymentId: string
  /** The digest of the root of the manifest. */
  readonly digest: string
  readonly root: ManifestRoot
  readonly reader: Reader
  readonly scope: string | undefined
}

const LIBRARIES_BYTES_MAX = 256 * 1024 * 1024
/** Sections and index in memory take about so much of the bytes that are read for them. */
const MEMORY_FACTOR = 4
const LIBRARY_BYTES = 10_000
const SETTINGS_MAX = 5_000
const SETTINGS_BYTES_MAX = 64 * 1024

type OpenLibrary = { readonly library: SiteLibrary; readonly size: number }

/** Without `vectors`, words find alone. */
export function createDeploymentLibraries(
  blobs: BlobStore,
  cache: BlobCache,
  vectors?: DeploymentVectors,
) {
  const libraries = new LRUCache<string, OpenLibrary>({
    maxSize: LIBRARIES_BYTES_MAX,
    sizeCalculation: ({ size }) => size,
  })
  const opening = new Map<string, Promise<SiteLibrary>>()
  const settings = new LRUCache<string, SiteSettings>({ max: SETTINGS_MAX })

  const entryAt = async (root: ManifestRoot, path: string) => {
    const index = runIndexOf(root, path)
    return index < 0 ? undefined : (await cache.run(root, index)).get(path)
  }

  function readerOf(
    root: ManifestRoot,
    onRead: (bytes: number) => void = () => {},
  ): DeploymentReader {
    return {
      root,
      read: async (path) => {
        const entry = await entryAt(root, path)
        if (entry === undefined) return undefined
        onRead(entry.size)
        // Pages of readers are more worth the memory than what is read once for a library.
        const bytes = path.startsWith('_octavo/')
          ? await readBlob(blobs, entry.sha256, DEPLOYMENT_LIMITS.fileBytes)
          : await cache.bytes(entry.sha256)
        if (bytes === undefined) throw new Error(`The blob ${entry.sha256} is missing.`)
        return { ...entry, bytes }
      },
    }
  }

  async function open(
    key: string,
    { root, reader, scope }: DeploymentView,
    vectorsDigest: string | undefined,
  ): Promise<SiteLibrary> {
    let size = LIBRARY_BYTES
    const deployment = readerOf(root, (bytes) => {
      size += bytes * MEMORY_FACTOR
    })
    const found = vectorsDigest === undefined ? undefined : await vectors?.open(vectorsDigest)
    const library = await openLibrary(deployment, { scope, reader, vectors: found })
    libraries.set(key, { library, size: size + (library.vectorBytes ?? 0) })
    return library
  }

  return {
    readerOf,

    /** Deployments that can soon be asked by meaning too. */
    awaited: async (tenant: Tenant): Promise<ReadonlySet<string>> =>
      (await vectors?.awaited(tenant)) ?? new Set(),

    /** Many may ask at the same time: it is opened once. */
    async library(view: DeploymentView): Promise<SiteLibrary> {
      const { tenant, deploymentId, digest, scope, reader } = view
      const found = await vectors?.find(tenant, deploymentId)
      const labels = [reader.isLetIn, [...reader.groups].toSorted()]
      const key = JSON.stringify([digest, scope, labels, found])
      const known = libraries.get(key)
      if (known !== undefined) return known.library
      const running = opening.get(key) ?? open(key, view, found).finally(() => opening.delete(key))
      opening.set(key, running)
      return running
    },

    async settings({
      digest,
      root,
    }: Pick<DeploymentView, 'digest' | 'root'>): Promise<SiteSettings> {
      const known = settings.get(digest)
      if (known !== undefined) return known
      const entry = await entryAt(root, ASSISTANT_FILE_PATH)
      const isRead = entry !== undefined && entry.size <= SETTINGS_BYTES_MAX
      const read = parseSettings(isRead ? (await cache.bytes(entry.sha256)).toString('utf8') : '{}')
      settings.set(digest, read)
      return read
    },
  }
}
export type DeploymentLibraries = ReturnType<typeof createDeploymentLibraries>

function parseSettings(text: string): SiteSettings {
  try {
    return SiteSettings.parse(JSON.parse(text))
  } catch {
    return SiteSettings.parse({})
  }
}
