/** The specifications of a project's deployments, and how they differ. */
import type { ApiChangesReply, SpecificationFiles } from '@octavo/contract'
import type { Access, ManifestEntry } from '@octavo/model'
import type { z } from 'zod'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { JobHandler } from '../../platform/jobs/job-queue.ts'
import { Problem } from '../../platform/problem.ts'
import { compareTexts } from './compare-process.ts'
import type {
  ComparedSpecification,
  Comparison,
  ComparisonRow,
  ComparisonStore,
} from './comparison-store.ts'
import { findExcess, readTexts, specificationEntries } from './specification-files.ts'
import type { DeploymentRow, DeploymentStore } from './store.ts'
import { StoredManifests } from './stored-manifests.ts'

export const API_CHANGES_QUEUE = 'api-changes'
/** The maximum number of deployments that one job compares. */
const COMPARED_MAX = 50

export type ApiChangesDeps = {
  readonly deployments: DeploymentStore
  readonly comparisons: ComparisonStore
  readonly blobs: BlobStore
}

export class ApiChanges {
  readonly #deps: ApiChangesDeps
  readonly #manifests: StoredManifests

  constructor(deps: ApiChangesDeps) {
    this.#deps = deps
    this.#manifests = new StoredManifests(deps.deployments, deps.blobs)
  }

  async specifications(id: string): Promise<SpecificationFiles> {
    const row = await this.#find(id)
    if (row.state !== 'ready')
      throw new Problem('conflict', `Deployment #${row.number} has no files: it is ${row.state}.`)
    const entries = specificationEntries(await this.#entriesOf(row))
    const excess = findExcess(entries)
    if (excess !== undefined) throw new Problem('unprocessable', excess)
    const texts = await readTexts(this.#deps.blobs, entries)
    return { files: [...texts].map(([path, text]) => ({ path, text })) }
  }

  /** Returns the stored comparison. Changes that only some readers may see can be omitted. */
  async changes(
    id: string,
    { seesRestricted }: { readonly seesRestricted: boolean },
  ): Promise<z.input<typeof ApiChangesReply>> {
    await this.#find(id)
    const found = await this.#deps.comparisons.find(id)
    const { baseId = null, baseNumber = null, result } = found ?? {}
    const { specifications = [], problem } = result ?? {}
    const sum = (level: 'breaking' | 'additive' | 'documentation') =>
      specifications.reduce((total, one) => total + one[level], 0)
    return {
      pending: found !== undefined && result === null,
      base: baseId,
      baseNumber,
      breaking: sum('breaking'),
      additive: sum('additive'),
      documentation: sum('documentation'),
      specifications: specifications.map(({ access, changes, ...one }) => {
        const restricted = isRestricted({ access })
        return { ...one, restricted, changes: restricted && !seesRestricted ? [] : [...changes] }
      }),
      ...(problem !== undefined && { problem }),
    }
  }

  /** Compares deployments that have not been compared yet. Returns their number. */
  async compareAll(signal: AbortSignal): Promise<number> {
    const due = await this.#deps.comparisons.due(COMPARED_MAX)
    for (const row of due) {
      const result = await this.#compare(row, signal)
      if (signal.aborted) break
      await this.#deps.comparisons.save(row.deploymentId, result)
    }
    return due.length
  }

  /** Compares two deployments. Nothing is read if their files are the same. */
  async #compare(
    { deploymentId, baseId }: ComparisonRow,
    signal: AbortSignal,
  ): Promise<Comparison> {
    const [row, base] = [
      await this.#deps.deployments.find(deploymentId),
      baseId === null ? undefined : await this.#deps.deployments.find(baseId),
    ]
    // Without a base, there is no change. Files of other deployments may be deleted already.
    if (row?.state !== 'ready' || base?.state !== 'ready') return { specifications: [] }
    const old = specificationEntries(await this.#entriesOf(base))
    const added = specificationEntries(await this.#entriesOf(row))
    if (keyOf(old) === keyOf(added)) return { specifications: [] }
    const problem = findExcess(old) ?? findExcess(added)
    if (problem !== undefined) return { specifications: [], problem }
    const { blobs } = this.#deps
    const texts = { old: await readTexts(blobs, old), added: await readTexts(blobs, added) }
    const changes = await compareTexts(texts, signal)
    if (changes === undefined)
      return { specifications: [], problem: 'Comparing the specifications took too much.' }
    const accessOf = (file: string) =>
      [...old, ...added].filter(({ path }) => path === file).map(({ access }) => access)
    return { specifications: changes.map((one) => ({ ...one, access: accessOf(one.file) })) }
  }

  async #entriesOf(row: DeploymentRow) {
    return this.#manifests.entriesOf(await this.#manifests.rootOf(row))
  }

  async #find(id: string): Promise<DeploymentRow> {
    const row = await this.#deps.deployments.find(id)
    if (row === undefined) throw new Problem('not-found', 'This deployment does not exist.')
    return row
  }
}

/** Returns a key that is equal for files with equal content. */
const keyOf = (entries: readonly ManifestEntry[]) =>
  entries.map(({ path, sha256 }) => `${path} ${sha256}`).join('\n')

/** Returns true if only some groups of readers may read one of the versions. */
export function isRestricted({ access }: Pick<ComparedSpecification, 'access'>): boolean {
  return access.some((one: Access) => one !== 'public' && one !== 'default')
}

type ApiChangesJobDeps = {
  readonly apiChangesOf: (tenant: Tenant) => ApiChanges
  /** Updates the comments on pull requests. */
  readonly notifyHost: (tenant: Tenant) => Promise<void>
}

export function createApiChangesJob({ apiChangesOf, notifyHost }: ApiChangesJobDeps): JobHandler {
  return async ({ data: { organizationId, projectId }, signal }) => {
    if (organizationId === undefined || projectId === undefined) return
    const tenant = { organizationId, projectId }
    if ((await apiChangesOf(tenant).compareAll(signal)) > 0) await notifyHost(tenant)
  }
}
