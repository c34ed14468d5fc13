/** The specifications of a project's deployments, and how they differ. */
import type { SpecificationFiles } from '@octavo/contract'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import { Problem } from '../../platform/problem.ts'
import { findExcess, readTexts, specificationEntries } from './specification-files.ts'
import type { DeploymentRow, DeploymentStore } from './store.ts'
import { StoredManifests } from './stored-manifests.ts'

export type ApiChangesDeps = {
  readonly deployments: DeploymentStore
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
    const entries = specificationEntries(await this.#entriesOf(await this.#findFinished(id)))
    const excess = findExcess(entries)
    if (excess !== undefined) throw new Problem('unprocessable', excess)
    const texts = await readTexts(this.#deps.blobs, entries)
    return { files: [...texts].map(([path, text]) => ({ path, text })) }
  }

  async #entriesOf(row: DeploymentRow) {
    return this.#manifests.entriesOf(await this.#manifests.rootOf(row))
  }

  async #findFinished(id: string): Promise<DeploymentRow> {
    const row = await this.#deps.deployments.find(id)
    if (row === undefined) throw new Problem('not-found', 'This deployment does not exist.')
    if (row.state === 'ready') return row
    throw new Problem('conflict', `Deployment #${row.number} has no files: it is ${row.state}.`)
  }
}
