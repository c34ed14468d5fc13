/**
 * Opens the deployments of a project, to ask the questions of its gaps again. They are opened for a
 * reader without groups.
 */
import type { SiteSettings } from '@octavo/assistant'
import { type ManifestRoot, QUESTIONS_PATH, type Reader } from '@octavo/model'
import {
  type LabeledQuestion,
  readQuestions,
  SITE_QUESTION_LIMITS,
  type SiteLibrary,
  UnreadableIndex,
} from '@octavo/search'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { PreviewStore } from '../../publishing/deployments/preview-store.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { previewSlug } from '../../publishing/domains/site-address.ts'
import type { BlobCache } from '../hosting/blob-cache.ts'
import type { DeploymentLibraries } from './deployment-libraries.ts'

export type GapDeployment = {
  readonly id: string
  readonly library: SiteLibrary
  readonly site: SiteSettings
  readonly languages: readonly string[]
  /** The prefix of page URLs; empty if the site is at the root of its host. */
  readonly basePath: string
  /** Reads the questions of the site's author; returns an empty list if there are none. */
  readonly readQuestions: () => Promise<readonly LabeledQuestion[]>
}

export type GapDeploymentsDeps = {
  readonly database: Database
  readonly libraries: DeploymentLibraries
  readonly cache: BlobCache
}

/** The maximum size of the question file. A UTF-8 character has up to four bytes. */
const QUESTIONS_BYTES_MAX = 4 * SITE_QUESTION_LIMITS.sizeMax

/** The reader of a private site has access but no groups. The results are only shown to owners. */
const READER: Reader = { hasSiteAccess: true, groups: new Set() }

/** Returns the deployment that is shown at a name, and the digest of its manifest root. */
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

  /**
   * Opens the deployment at a name; returns undefined if it is missing or its index is unreadable.
   */
  async function openAt(slug: string): Promise<GapDeployment | undefined> {
    const shown = await findShown(database, slug)
    return shown && open(shown.id, shown.digest)
  }

  async function open(id: string, digest: string): Promise<GapDeployment | undefined> {
    const view = { tenant, digest, root: await cache.root(digest) }
    const site = await libraries.settings(view)
    if (!site.enabled || view.root.search.length === 0) return undefined
    const request = { ...view, deploymentId: id, reader: READER, scope: undefined }
    const library = await libraries.library(request).catch(ignoreUnreadable)
    if (library === undefined) return undefined
    const basePath = view.root.basePath.replace(/\/+$/, '')
    const { languages } = view.root
    return { id, library, site, languages, basePath, readQuestions: () => questionsOf(view.root) }
  }

  async function questionsOf(root: ManifestRoot): Promise<readonly LabeledQuestion[]> {
    const wanted = { path: QUESTIONS_PATH, bytesMax: QUESTIONS_BYTES_MAX }
    const file = await libraries.readerOf(root).read(wanted).catch(ignoreUnreadable)
    return file === undefined ? [] : readQuestions(new TextDecoder().decode(file.bytes)).questions
  }

  return {
    live: async () => openAt((await store.project()).slug),

    /** Returns the names of all current previews, and the ids of their deployments. */
    async previews(): Promise<readonly { readonly id: string; readonly name: string }[]> {
      const rows = await new PreviewStore(bound).list()
      return rows.map(({ deployment_id: id, name }) => ({ id, name }))
    },

    preview: (name: string) => openAt(previewSlug(name)),

    /**
     * Returns the library of any deployment; undefined if it was deleted or cannot be searched.
     */
    async libraryOf(id: string): Promise<SiteLibrary | undefined> {
      const row = await store.find(id)
      return row?.state === 'ready'
        ? (await open(id, row.root.toString('hex')))?.library
        : undefined
    },
  }
}

function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof UnreadableIndex) return undefined
  throw error
}

export type GapDeployments = ReturnType<typeof createGapDeployments>
