import type { Project } from '@octavo/contract'
import type { z } from 'zod'
import type { DeploymentStore } from './store.ts'

/** Returns the project as the API shows it. Also works in a service that hosts no sites. */
export async function describeProject(
  store: DeploymentStore,
  siteUrlOf: (slug: string) => string | undefined,
): Promise<z.input<typeof Project>> {
  const { public_id, name, slug, failOn } = await store.project()
  const domain = await store.canonicalDomain()
  const url = domain === undefined ? siteUrlOf(slug) : `https://${domain}`
  const publication = await store.publication()
  return {
    id: public_id,
    name,
    slug,
    ...(url !== undefined && { url }),
    ...(failOn !== null && { failOn }),
    ...publication,
  }
}
