/** Reads the manifests of deployments, and finds files in them that a project has not uploaded. */
import type { ManifestEntry, ManifestRoot } from '@octavo/model'
import { type BlobStore, forEachLimited } from '../../platform/blobs/blob-store.ts'
import { readBlob } from '../../platform/blobs/read-blob.ts'
import { Problem } from '../../platform/problem.ts'
import { DEPLOYMENT_LIMITS, readRoot, readRun } from './read-manifest.ts'
import type { DeploymentRow, DeploymentStore } from './store.ts'

const MISSING_MAX = 10_000
const RUNS_AT_ONCE = 8
/** The maximum number of errors that a response contains. */
const ERRORS_MAX = 1_000

export class StoredManifests {
  readonly #store: DeploymentStore
  readonly #blobs: BlobStore

  constructor(store: DeploymentStore, blobs: BlobStore) {
    this.#store = store
    this.#blobs = blobs
  }

  async rootOf(row: DeploymentRow): Promise<ManifestRoot> {
    const sha256 = row.root.toString('hex')
    const bytes = await readBlob(this.#blobs, sha256, DEPLOYMENT_LIMITS.manifestBytes)
    const parsed = bytes && readRoot(bytes.toString('utf8'))
    if (parsed?.kind === 'root') return parsed.root
    throw new Error('the root of a deployment is gone')
  }

  /**
   * Returns the entries of all runs, or only of runs that `other` does not have. Throws one problem
   * with all errors.
   */
  async entriesOf(root: ManifestRoot, other?: ManifestRoot): Promise<readonly ManifestEntry[]> {
    const known = new Set(other?.runs.map(({ sha256 }) => sha256))
    const indexes = [...root.runs.entries()]
      .filter(([, { sha256 }]) => !known.has(sha256))
      .map(([index]) => index)
    const runs: (readonly ManifestEntry[])[] = []
    const errors: { path: string; reason: string }[] = []
    await forEachLimited(indexes, {
      atOnce: RUNS_AT_ONCE,
      call: async (index) => {
        const run = await readRun(this.#blobs, root, index)
        if (run.kind === 'run') runs[index] = run.entries
        else errors.push({ path: root.runs[index]?.first ?? '', reason: run.reason })
      },
    })
    if (errors.length > 0) throw invalidManifest(errors)
    return runs.flat()
  }

  /** Returns the digests of missing blobs. Runs come first, since they list the files. */
  async missingOf(root: ManifestRoot): Promise<readonly string[]> {
    const runs = await this.missingRuns(root)
    if (runs.length > 0) return runs.slice(0, MISSING_MAX)
    const entries = await this.entriesOf(root)
    const digests = [...new Set(entries.map(({ sha256 }) => sha256))]
    return (await this.#missingAmong(digests)).slice(0, MISSING_MAX)
  }

  missingRuns(root: ManifestRoot): Promise<readonly string[]> {
    return this.#missingAmong(root.runs.map(({ sha256 }) => sha256))
  }

  async #missingAmong(digests: readonly string[]): Promise<readonly string[]> {
    const known = await this.#store.sizes(digests)
    return digests.filter((digest) => !known.has(digest))
  }
}

export function invalidManifest(errors: readonly { path: string; reason: string }[]): Problem {
  const noun = errors.length === 1 ? 'problem' : 'problems'
  return new Problem('unprocessable', `The manifest has ${errors.length} ${noun}.`, {
    param: 'root',
    errors: errors.slice(0, ERRORS_MAX),
  })
}
