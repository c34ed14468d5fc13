/**
 * Handles deliveries of the GitHub App. They arrive at one address for all repositories. After the
 * signature is verified, the installation and the repository in the delivery determine the
 * projects.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { NotifyStore } from './notify-store.ts'
import { readRepositoryAddress, sameRepository } from './repository-address.ts'

const Delivery = z.object({
  installation: z.object({ id: z.int() }),
  repository: z.object({ full_name: z.string().max(300) }),
})

export type AppDelivery = { readonly installationId: string; readonly repository: string }

export type AppDeliveryOutcome =
  | { readonly kind: 'delivery'; readonly delivery: AppDelivery }
  /** An event without a repository, such as `ping`. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * Verifies and reads a delivery. `signature` is the header `X-Hub-Signature-256`, and `body`
 * contains the raw bytes.
 */
export function verifyAppDelivery(
  secret: string,
  signature: string | undefined,
  body: Uint8Array,
): AppDeliveryOutcome {
  const [, hex = ''] = /^sha256=([\da-f]{64})$/.exec(signature ?? '') ?? []
  if (hex === '') return { kind: 'refused', reason: 'X-Hub-Signature-256 is missing.' }
  const expected = createHmac('sha256', secret).update(body).digest()
  if (!timingSafeEqual(expected, Buffer.from(hex, 'hex')))
    return { kind: 'refused', reason: 'The signature is wrong.' }
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return { kind: 'refused', reason: 'The body is not JSON.' }
  }
  const read = Delivery.safeParse(parsed)
  if (!read.success) return { kind: 'ignored' }
  const { installation, repository } = read.data
  return {
    kind: 'delivery',
    delivery: { installationId: String(installation.id), repository: repository.full_name },
  }
}

/**
 * Returns the projects that are connected to the repository through this installation. There are
 * several if they use different folders.
 */
export async function findAppTenants(
  database: Database,
  { installationId, repository }: AppDelivery,
): Promise<readonly Tenant[]> {
  const rows = await database.query<{ organization_id: string; project_id: string }>(
    'select * from find_installed_projects($1)',
    [installationId],
  )
  const tenants: Tenant[] = []
  for (const { organization_id: organizationId, project_id: projectId } of rows) {
    const tenant = { organizationId, projectId }
    const connection = await new NotifyStore(database.forProject(tenant)).connection()
    const address = connection && readRepositoryAddress(connection.url)
    if (address !== undefined && sameRepository(address.segments.join('/'), repository))
      tenants.push(tenant)
  }
  return tenants
}
