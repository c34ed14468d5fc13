/** All that changes a project or an organisation as a whole; for `two-tenants.ts`. */
import { OPERATOR } from '../audit/request-audit.ts'
import type { ProjectDatabase } from '../database/database.ts'
import { createOrganisationStore } from '../organisations/store.ts'
import { createLifeStore } from '../projects/life-store.ts'
import { createSettingsStore } from '../projects/settings-store.ts'
import type { TestProject } from './test-service.ts'

export function lifeOperations(
  database: ProjectDatabase,
  { own, other }: { readonly own: TestProject; readonly other: TestProject },
): readonly (() => Promise<unknown>)[] {
  const life = createLifeStore(database)
  const organisation = createOrganisationStore(database)
  // An event of the organisation as a whole leaves the transaction without a project.
  const bindAgain = () =>
    database.query(`select set_config('octavo.project_id', $1, true)`, [own.id])
  const { organisationId } = other.tenant
  return [
    () => createSettingsStore(database).change({ slug: 'own-renamed' }, OPERATOR),
    () => life.contents(),
    () => life.archive(OPERATOR),
    () => life.restore(OPERATOR),
    () => life.remove(OPERATOR),
    bindAgain,
    () => life.takeBackDeletion(OPERATOR),
    bindAgain,
    () =>
      life.transfer(
        { userId: '1', organisationId, publicId: 'org' },
        { publicId: 'org', project: own.publicId },
        OPERATOR,
      ),
    () => organisation.read(),
    () => organisation.rename('own-renamed', OPERATOR),
    () => organisation.events(1_000),
    () => organisation.remove(OPERATOR),
  ]
}
