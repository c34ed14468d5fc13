/** All operations that change a whole project or organization; for `two-tenants.ts`. */

import { createOrganizationStore } from '../src/people/organizations/store.ts'
import { OPERATOR } from '../src/platform/audit/request-audit.ts'
import type { ProjectDatabase } from '../src/platform/database/database.ts'
import { ProjectLifecycleStore } from '../src/projects/projects/lifecycle-store.ts'
import { SettingsStore } from '../src/projects/projects/settings-store.ts'
import { endConnection } from '../src/publishing/connections/store.ts'
import type { TestProject } from './test-service.ts'

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

/** The last operations, after which the project no longer exists. */
export function deletionOperations(
  database: ProjectDatabase,
  own: TestProject,
  ownerId: string,
): readonly (() => Promise<unknown>)[] {
  return [
    () => database.query(`select set_config('octavo.project_id', $1, true)`, [own.id]),
    async () => 'erasedAt' in (await new ProjectLifecycleStore(database).remove(ownerId, OPERATOR)),
  ]
}
