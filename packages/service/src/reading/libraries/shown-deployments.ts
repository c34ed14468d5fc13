/**
 * The deployments of a project in which its gaps are asked, as a reader without groups sees them.
 */
import type { Reader } from '@octavo/model'
import { type SiteLibrary, UnreadableIndex } from '@octavo/search'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { previewSlug } from '../../publishing/domains/site-address.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import type { DeploymentLibraries } from './deployment-libraries.ts'
import type { SiteSettings } from './site-settings.ts'

export type GapDeployment = {
  readonly id: string
  readonly library: SiteLibrary
  readonly site: SiteSettings
  readonly languages: readonly string[]
  /** The prefix of page URLs; empty at the root of the host. */
  readonly basePath: string
}

export type GapDeploymentsDeps = {
  readonly database: Database
  readonly libraries: DeploymentLibraries
  readonly cache: BlobCache
}

/** On a private site, a signed-in reader without groups: only owners see the results. */
const READER: Reader = { hasSiteAccess: true, groups: new Set() }

/** Returns the deployment shown at a name, with the digest of its manifest. */
export async function findShown(
  database: Database,
  slug: string,
): Promise<{ readonly id: string; readonly digest: string } | undefined> {
  const [row] = await database.query<{ deployment_id: string | null; root: Buffer | null }>(
    'select deployment_id, root from find_site($1)',
    [slug],
  )
  if (!row?.root || row.deployment_id === null) return undefined
  return { id: row.deployment_id, digest: row.root.toString('hex') }
}

export function createGapDeployments(
  { database, libraries, cache }: GapDeploymentsDeps,
  tenant: Tenant,
) {
  const bound = database.forProject(tenant)
  const store = new DeploymentStore(bound)

  /** Returns undefined if there is no site or its index cannot be read. */
  async function openAt(slug: string): Promise<GapDeployment | undefined> {
    const shown = await findShown(database, slug)
    return shown && open(shown.id, shown.digest)
  }

  async function open(id: string, digest: string): Promise<GapDeployment | undefined> {
    const view = { tenant, digest, root: await cache.root(digest) }
    const site = await libraries.settings(view)
    if (!site.enabled || view.root.search.length === 0) return undefined
    const asked = { ...view, deploymentId: id, reader: READER, scope: undefined }
    const library = await libraries.library(asked).catch((error: unknown) => {
      if (error instanceof UnreadableIndex) return undefined
      throw error
    })
    if (library === undefined) return undefined
    const basePath = view.root.basePath.replace(/\/+$/, '')
    return { id, library, site, languages: view.root.languages, basePath }
  }

  return {
    live: async () => openAt((await store.project()).slug),

    /** Returns the previews that are shown now, by deployment id. */
    async previews(): Promise<readonly { readonly id: string; readonly name: string }[]> {
      const rows = await new PreviewStore(bound).list()
      return rows.map(({ deployment_id: id, name }) => ({ id, name }))
    },

    preview: (name: string) => openAt(previewSlug(name)),

    /** Returns the library of an earlier deployment; undefined if it was deleted. */
    async earlier(id: string): Promise<SiteLibrary | undefined> {
      const row = await store.find(id)
      return row?.state === 'ready'
        ? (await open(id, row.root.toString('hex')))?.library
        : undefined
    },
  }
}
export type GapDeployments = ReturnType<typeof createGapDeployments>
