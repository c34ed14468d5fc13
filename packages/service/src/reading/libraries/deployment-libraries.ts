/** Opens the library of a deployment for a class of readers, and reads the assistant's settings. */

import { parseSettings, SETTINGS_BYTES_MAX, type SiteSettings } from '@octavo/assistant'
import { ASSISTANT_FILE_PATH, type ManifestRoot, type Reader, runIndexOf } from '@octavo/model'
import {
  checkSize,
  type DeploymentReader,
  readerWithFullAccess,
  type SiteLibrary,
  type WantedFile,
} from '@octavo/search'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import { LibraryPool, type PooledView } from './library-pool.ts'
import { createFileSender, type FoundFile, VECTORS_PART_BYTES } from './send-files.ts'

/** Provides the vectors of deployments and questions. Without them, search only compares words. */
export type DeploymentVectors = {
  /** Returns the digest of a deployment's vectors; undefined while they are incomplete. */
  readonly find: (tenant: Tenant, deploymentId: string) => Promise<string | undefined>
  /**
   * Returns deployments whose vectors are still being computed, and that have been shown for less
   * than an hour.
   */
  readonly awaited: (tenant: Tenant) => Promise<ReadonlySet<string>>
  /** Returns the stored vectors. A library only uses the vectors of its own texts. */
  readonly read: (sha256: string) => Promise<Buffer | undefined>
  readonly embed: (question: string) => Promise<Int8Array | undefined>
  readonly isOtherModel: boolean
}

export type DeploymentView = {
  readonly tenant: Tenant
  readonly deploymentId: string
  /** The digest of the deployment's manifest root. */
  readonly digest: string
  readonly root: ManifestRoot
  readonly reader: Reader
  readonly scope: string | undefined
}

/** The properties that are the same for all readers of a deployment. */
export type DeploymentFacts = Pick<DeploymentView, 'tenant' | 'digest' | 'root'>

const SETTINGS_MAX = 5_000
const REPORTED_MAX = 10_000
const TEXTS_AT_ONCE = 2_000

export type DeploymentLibrariesDeps = {
  readonly blobs: BlobStore
  readonly cache: BlobCache
  /** If undefined, search only compares words. */
  readonly vectors?: DeploymentVectors | undefined
  readonly log: Log
  readonly now: () => number
}

export class DeploymentLibraries {
  readonly #deps: DeploymentLibrariesDeps
  readonly #settings = new LRUCache<string, SiteSettings>({ max: SETTINGS_MAX })
  readonly #reported = new LRUCache<string, true>({ max: REPORTED_MAX })
  readonly #pool: LibraryPool

  constructor(deps: DeploymentLibrariesDeps) {
    this.#deps = deps
    this.#pool = new LibraryPool({
      onUnreadable: (view, reason) => this.#report(view, reason),
      now: deps.now,
    })
  }

  readerOf(root: ManifestRoot): DeploymentReader {
    return { root, read: async (wanted) => (await this.#find(root, wanted))?.read() }
  }

  /** Returns the deployments that will support semantic search soon. */
  async awaited(tenant: Tenant): Promise<ReadonlySet<string>> {
    return (await this.#deps.vectors?.awaited(tenant)) ?? new Set()
  }

  /** Opens a library. Throws `UnreadableIndex` if its index was not written by a valid build. */
  async library(view: DeploymentView): Promise<SiteLibrary> {
    const found = await this.#deps.vectors?.find(view.tenant, view.deploymentId)
    return this.#pool.library(this.#pooledView(view, 'library', found))
  }

  /**
   * Yields the texts of a deployment to compute vectors for, in batches. Includes texts for all
   * readers and scopes.
   */
  async *texts(view: Omit<DeploymentView, 'reader' | 'scope'>): AsyncGenerator<readonly string[]> {
    const reader = readerWithFullAccess(view.root)
    for (const scope of new Set(view.root.search.map((place) => place.scope))) {
      const pooled = this.#pooledView({ ...view, reader, scope }, 'texts')
      try {
        for (let from = 0, total = 1; from < total; from += TEXTS_AT_ONCE) {
          const part = await this.#pool.texts(pooled, from, TEXTS_AT_ONCE)
          total = part.total
          yield part.texts
        }
      } finally {
        this.#pool.close(pooled)
      }
    }
  }

  async settings({ tenant, digest, root }: DeploymentFacts): Promise<SiteSettings> {
    const key = `${tenant.projectId} ${digest}`
    const known = this.#settings.get(key)
    if (known !== undefined) return known
    const { cache } = this.#deps
    const entry = await this.#entryAt(root, ASSISTANT_FILE_PATH)
    const isRead = entry !== undefined && entry.size <= SETTINGS_BYTES_MAX
    const read = parseSettings(isRead ? (await cache.bytes(entry.sha256)).toString('utf8') : '{}')
    this.#settings.set(key, read)
    return read
  }

  /** Starts a process in advance, when a question is expected. */
  warm(): void {
    this.#pool.warm()
  }

  stop(): void {
    this.#pool.stop()
  }

  /** Logs that an index is unreadable, once per deployment. */
  #report({ projectId, deploymentId }: PooledView, reason: string): void {
    const deployment = `${projectId} ${deploymentId}`
    if (!this.#reported.has(deployment))
      this.#deps.log.error('the search index of a deployment cannot be read', {
        projectId,
        deployment: deploymentId,
        reason,
      })
    this.#reported.set(deployment, true)
  }

  async #entryAt(root: ManifestRoot, path: string) {
    const index = runIndexOf(root, path)
    return index < 0 ? undefined : (await this.#deps.cache.run(root, index)).get(path)
  }

  async #find(root: ManifestRoot, { path, bytesMax }: WantedFile): Promise<FoundFile | undefined> {
    const entry = await this.#entryAt(root, path)
    if (entry === undefined) return undefined
    checkSize(entry, bytesMax)
    const { blobs, cache } = this.#deps
    const { sha256, size, access, ranges } = entry
    const read = async () => {
      // Files that are read once for a library are not cached, because the memory is better used
      // for pages.
      const bytes = path.startsWith('_octavo/')
        ? await readBlob(blobs, sha256, bytesMax)
        : await cache.bytes(sha256)
      if (bytes === undefined) throw new Error(`The blob ${sha256} is missing.`)
      return { access, ...(ranges !== undefined && { ranges }), bytes }
    }
    return { size, read }
  }

  /** Returns the total size of all sections in bytes. */
  async #indexBytes(root: ManifestRoot): Promise<number> {
    const { sections: folder, runs } = root
    let bytes = 0
    for (let index = Math.max(0, runIndexOf(root, folder)); index < runs.length; index += 1) {
      const first = runs[index]?.first ?? ''
      if (first > folder && !first.startsWith(folder)) break
      for (const { path, size } of (await this.#deps.cache.run(root, index)).all())
        if (path.startsWith(folder)) bytes += size
    }
    return bytes
  }

  #pooledView(view: DeploymentView, kind: 'library' | 'texts', vectorsDigest?: string): PooledView {
    const { vectors } = this.#deps
    const { tenant, deploymentId, digest, root, reader, scope } = view
    const { projectId } = tenant
    const labels = [reader.hasSiteAccess, [...reader.groups].toSorted()]
    const findFile = (wanted: WantedFile) => this.#find(root, wanted)
    return {
      key: JSON.stringify([projectId, digest, scope, labels, vectorsDigest, kind]),
      projectId,
      deploymentId,
      load: createFileSender(findFile),
      embed: vectors?.embed,
      prepare: async () => {
        const isOtherModel = vectors?.isOtherModel === true
        const sent = vectorsDigest === undefined ? undefined : await vectors?.read(vectorsDigest)
        const parts = Math.ceil((sent?.length ?? 0) / VECTORS_PART_BYTES)
        const shared = {
          root: { search: root.search, sections: root.sections },
          fileCount: root.runs.reduce((sum, { count }) => sum + count, 0),
          reader,
          scope,
        }
        return {
          indexBytes: (await this.#indexBytes(root)) + (sent?.length ?? 0),
          of:
            kind === 'texts'
              ? { ...shared, kind, isOtherModel }
              : { ...shared, kind, vectors: sent && { parts, isOtherModel } },
          load: createFileSender(findFile, sent),
        }
      },
    }
  }
}
