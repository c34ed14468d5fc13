/** Runs all operations that change a whole project or organization; used by `two-tenants.ts`. */

import { createOrganizationStore, type OrganizationRow } from '../src/people/organizations/store.ts'
import { OPERATOR } from '../src/platform/audit/request-audit.ts'
import type { ProjectDatabase } from '../src/platform/database/database.ts'
import { ProjectLifecycleStore } from '../src/projects/projects/lifecycle-store.ts'
import { SettingsStore } from '../src/projects/projects/settings-store.ts'
import { endConnection } from '../src/publishing/connections/store.ts'
import type { TestProject } from './test-service.ts'

/** The slug of a project that the organization creates. */
export const SECOND_SLUG = 'own-made'

export function lifecycleOperations(
  database: ProjectDatabase,
  { own, other }: { readonly own: TestProject; readonly other: TestProject },
): readonly (() => Promise<unknown>)[] {
  const life = new ProjectLifecycleStore(database)
  const organization = createOrganizationStore(database)
  const { organizationId } = other.tenant
  return [
    () => new SettingsStore(database).change({ slug: 'own-renamed' }, OPERATOR),
    () => life.contents(),
    () => life.archive(OPERATOR),
    () => life.restore(OPERATOR),
    () =>
      life.transfer(
        { userId: '1', organizationId, publicId: 'org', endConnection },
        { publicId: 'org', project: own.publicId },
        OPERATOR,
      ),
    () => organization.read(),
    () => organization.rename('own-renamed', OPERATOR),
    () => organization.remove(OPERATOR),
  ]
}

/**
 * Returns the operations that run last, because they delete the project, transfer the other project
 * of the organization to `next`, and delete the organization.
 */
export function deletionOperations(
  database: ProjectDatabase,
  own: TestProject,
  { ownerId, next }: { readonly ownerId: string; readonly next: OrganizationRow },
): readonly (() => Promise<unknown>)[] {
  const life = new ProjectLifecycleStore(database)
  const to = { userId: ownerId, organizationId: next.id, publicId: next.public_id, endConnection }
  return [
    () => database.query(`select set_config('octavo.project_id', $1, true)`, [own.id]),
    async () => 'erasedAt' in (await life.remove(ownerId, OPERATOR)),
    () =>
      database.query(
        `select set_config('octavo.project_id', id::text, true) is null from project where slug = $1`,
        [SECOND_SLUG],
      ),
    () => life.transfer(to, { publicId: 'org', project: SECOND_SLUG }, OPERATOR),
    () => createOrganizationStore(database).remove(OPERATOR),
  ]
}
