/** Creates a project with rows in every table. */
import { KEY_SCOPES } from '@octavo/contract'
import { VectorStore } from '../src/answers/vectors/store.ts'
import { MemberStore } from '../src/people/members/store.ts'
import { OPERATOR } from '../src/platform/audit/request-audit.ts'
import type { Database } from '../src/platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../src/platform/secrets/key-ring.ts'
import { createSecretStore } from '../src/platform/secrets/store.ts'
import { SettingsStore } from '../src/projects/projects/settings-store.ts'
import { PreviewStore } from '../src/publishing/deployments/preview-store.ts'
import { ProofStore } from '../src/publishing/deployments/proof-store.ts'
import { DeploymentStore } from '../src/publishing/deployments/store.ts'
import { fillAssistant } from './fill-assistant.ts'
import { fillBuilds } from './fill-builds.ts'
import { fillAccess } from './tenant-access.ts'
import { fillDomains } from './tenant-domains.ts'
import { fillEvents } from './tenant-events.ts'
import { fillNotifications } from './tenant-notifications.ts'
import { clientOf, siteOf } from './test-deployment.ts'
import { createPerson } from './test-people.ts'
import type { TestProject, TestService } from './test-service.ts'

const TURN = { query: 'q', response: 'r', sources: [], resolutionStatus: 'answered' as const }
export const FULL_PROJECT_KEY: SecretKey = { id: 'k', bytes: Buffer.alloc(32) }

/**
 * Returns all tables with a column `project_id`, read from the catalog so that new tables are
 * included.
 */
export const listProjectTables = (owner: Database) =>
  owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`,
  )

export async function countProjectRows(
  owner: Database,
  tables: readonly { readonly name: string }[],
  id: string,
): Promise<Record<string, number>> {
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::integer as count from ${name} where project_id = $1`,
  )
  const rows = await owner.query<{ name: string; count: number }>(counts.join(' union all '), [id])
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

export async function fillProject(service: TestService, text: string): Promise<TestProject> {
  const { owner, service: own } = service
  const project = await service.createProject(KEY_SCOPES)
  const bound = own.database.forProject(project.tenant)
  await clientOf(service.url, project).deploy(siteOf({ 'index.html': text }))
  for (const number of [1, 2, 3, 4, 5])
    await service.publish(project, { ...TURN, questionId: `${number}` })
  const conversations = service.conversationsOf(project)
  await conversations.importBatch([{ ...TURN, questionId: 'old', atMs: 1 }])
  await conversations.erase({ id: await service.publish(project, { ...TURN, questionId: 'gone' }) })
  await bound.query(`select count_action('import', 60)`)
  await fillAssistant(bound, text)
  await bound.query(`select add_traffic(array[$1::bigint], '{1}', '{2}')`, [project.id])
  const deployments = new DeploymentStore(bound)
  const { id } = await deployments.insert({
    root: Buffer.alloc(32),
    target: 'preview',
    isDraft: false,
    branch: 'next',
    message: null,
    commit: null,
    by: 'test',
    idempotencyKey: null,
  })
  await deployments.end(id, 'ready', undefined, async () => {})
  await new PreviewStore(bound).publish(id, `preview-${project.id}`)
  const proof = {
    ranAt: new Date(0),
    octavo: '0',
    runtimes: [text],
    passed: 1,
    failed: 0,
    notRun: 0,
  }
  await new ProofStore(bound).save(id, { ...proof, pages: new Map([['start', {}]]) }, 20)
  await fillNotifications(owner, bound, text)
  await fillDomains(owner, bound, text)
  await fillAccess(owner, bound, text)
  await fillEvents(owner, bound, text)
  await new VectorStore(bound).save({
    deploymentId: id,
    model: 'model',
    sha256: 'a'.repeat(64),
    passages: 1,
    embedded: 1,
    tryAfterSeconds: undefined,
  })
  await fillBuilds(owner, project, { text, number: 1_000, deploymentId: id })
  await owner.query('insert into build_cache (project_id, sha256, size) values ($1, $2, 1)', [
    project.id,
    Buffer.alloc(32),
  ])
  await createSecretStore(bound, createKeyRing([FULL_PROJECT_KEY])).write('n', text)
  await new SettingsStore(bound).change({ slug: `${text}-renamed` }, OPERATOR)
  const editor = await createPerson(service, project, 'editor', 'project')
  if (editor.role !== 'editor') throw new Error('the person has another role')
  await new MemberStore(own.database.forOrganization(project.tenant.organizationId)).invite(
    {
      hash: Buffer.from(project.id),
      email: 'a@example.com',
      role: 'viewer',
      projectId: project.id,
      invitedBy: 'test',
      days: 1,
    },
    OPERATOR,
  )
  await own.acceptBuild(project.tenant, {
    target: 'production',
    ref: 'main',
    commit: 'a'.repeat(40),
    pullRequest: undefined,
    isFork: false,
    trigger: 'api',
  })
  return project
}

/**
 * Replaces the files of deployments without real files with those of the live deployment, because
 * an export reads the files.
 */
export async function fixFiles(owner: Database, { id }: TestProject): Promise<void> {
  await owner.query(
    `with live as (select d.root from deployment d join publication p on p.deployment_id = d.id where d.project_id = $1),
          roots as (update deployment d set root = live.root from live where d.project_id = $1),
          caches as (update build_cache c set sha256 = live.root from live where c.project_id = $1)
     update deployment_vectors v set sha256 = live.root from live where v.project_id = $1`,
    [id],
  )
}
