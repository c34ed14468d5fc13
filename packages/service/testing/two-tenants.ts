/**
 * Creates two projects with the same kinds of rows, and has all operations of the service for one
 * of them.
 */

import { AssistantSettingsStore, NO_SETTINGS } from '../src/answers/assistant/settings-store.ts'
import { TurnStore } from '../src/answers/assistant/turn-store.ts'
import { DetailsStore } from '../src/answers/conversations/details-store.ts'
import { ConversationListStore } from '../src/answers/conversations/list-store.ts'
import { ConversationStore } from '../src/answers/conversations/store.ts'
import { GapStore } from '../src/answers/gaps/store.ts'
import { VectorStore } from '../src/answers/vectors/store.ts'
import { createAuditLog } from '../src/platform/audit/audit-log.ts'
import { writeAudit } from '../src/platform/audit/store.ts'
import type { Database, ProjectDatabase } from '../src/platform/database/database.ts'
import { countAction } from '../src/platform/limits/hourly-limit.ts'
import { findSecretKeyFault } from '../src/platform/secrets/find-key-fault.ts'
import { createKeyRing } from '../src/platform/secrets/key-ring.ts'
import { createSecretStore } from '../src/platform/secrets/store.ts'
import { endKey, insertKey, KeyStore, lockKey } from '../src/projects/api-keys/store.ts'
import { readTrust } from '../src/projects/ci-jobs/store.ts'
import { changeWebhook } from '../src/projects/notifications/webhooks/change-webhook.ts'
import { WebhookStore } from '../src/projects/notifications/webhooks/store.ts'
import { OverviewStore } from '../src/projects/projects/overview-store.ts'
import { SettingsStore } from '../src/projects/projects/settings-store.ts'
import {
  readOrganizationUsage,
  readStorage,
  readUsage,
} from '../src/projects/projects/usage-store.ts'
import { ComparisonStore } from '../src/publishing/deployments/comparison-store.ts'
import { PreviewStore } from '../src/publishing/deployments/preview-store.ts'
import { ProofStore, type StoredProof } from '../src/publishing/deployments/proof-store.ts'
import { DeploymentStore } from '../src/publishing/deployments/store.ts'
import { NotifyStore } from '../src/publishing/providers/notify-store.ts'
import {
  fillAssistant,
  LEASE,
  newTurn,
  publishedAnswer,
  unansweredAnswer,
} from './fill-assistant.ts'
import { fillBuilds } from './fill-builds.ts'
import { accessOperations, fillAccess } from './tenant-access.ts'
import { buildOperations, fillOpenBuilds } from './tenant-builds.ts'
import { connectionOperations, fillConnections } from './tenant-connections.ts'
import { domainOperations, fillDomains } from './tenant-domains.ts'
import { eventOperations, fillEvents } from './tenant-events.ts'
import { gapOperations } from './tenant-gaps.ts'
import { deletionOperations, lifecycleOperations } from './tenant-lifecycle.ts'
import {
  copyNotifications,
  fillNotifications,
  notificationOperations,
} from './tenant-notifications.ts'
import { createTenantPeople } from './tenant-people.ts'
import { PEPPER, type TestProject, type TestService } from './test-service.ts'

type Operation = () => Promise<unknown>

export type TwoTenants = {
  readonly own: TestProject
  readonly other: TestProject
  /** Strings that identify rows of the other project. Operations must not return them. */
  readonly otherSecrets: readonly string[]
  /**
   * Returns all operations for the project `own`, in the order in which they run. They use ids and
   * names of the other project where possible.
   */
  readonly prepare: (database: ProjectDatabase) => Promise<readonly Operation[]>
}

const RING = createKeyRing([{ id: 'k', bytes: Buffer.alloc(32) }])
const WRONG_KEY = { id: 'k', bytes: Buffer.alloc(32, 1) }
const READER = 'reader-of-both'
const ALL = { after: '', from: '', to: '8', sealMs: null }
const ANSWER = { sources: [], resolutionStatus: 'answered' as const }
const OTHER_TEXT = 'secret-of-other'
const OTHER_NAME = 'name-of-other'

const turn = (questionId: string, atMs: number | null, text: string) => ({
  ...ANSWER,
  questionId,
  query: text,
  response: text,
  queryCategory: 'how-to',
  atMs,
})

export async function createTwoTenants(service: TestService): Promise<TwoTenants> {
  const pair = [await service.createProject(), await service.createProject()]
  // The other project has the lower id, so its rows come first if a query does not filter by
  // project.
  const [other, own] = pair.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)) as [
    TestProject,
    TestProject,
  ]
  const ownTurn = await fillBoth(service, own, 'own')
  const otherTurn = await fillBoth(service, other, OTHER_TEXT)
  const { owner } = service
  const databaseOf = ({ tenant }: TestProject) => service.service.database.forProject(tenant)
  const otherAssistant = await fillAssistant(databaseOf(other), OTHER_TEXT)
  const ownAssistant = await fillAssistant(databaseOf(own), 'own')
  await copyAssistant(owner, own, other)
  // The newest row of the other project is much newer than that of `own`, so that history can be
  // imported at a time between the two.
  const [sequence] = await owner.query<{ ms: string }>(
    'update conversation_sequence set last_ms = last_ms - 60000 where project_id = $1 returning last_ms as ms',
    [own.id],
  )
  const betweenMs = Number(sequence?.ms) + 30_000
  const sealMs = betweenMs + 600_000
  const conversations = service.conversationsOf(other)
  const { ids } = await conversations.importBatch([
    turn('older', 500, OTHER_TEXT),
    turn('erased', 2_000, OTHER_TEXT),
    turn('history', 3_000, OTHER_TEXT),
    turn('between', betweenMs, OTHER_TEXT),
    turn('receipt', null, OTHER_TEXT),
  ])
  await conversations.erase({ id: ids[1] ?? '' })
  // A question of the other project with the same id as one of `own`.
  await owner.query(
    `insert into question (project_id, id, query, reader) select $1, id, $2, reader from question
      where project_id = $3 and id = $4`,
    [other.id, OTHER_TEXT, own.id, ownTurn],
  )
  const bound = databaseOf(other)
  await createSecretStore(bound, RING).write('other', OTHER_TEXT)
  await countAction(bound, { action: 'import', perHour: 60 })
  const [otherKey] = await new KeyStore(bound).list()
  const otherDeployment = await fillDeployments(service, other, OTHER_TEXT)
  const theirs = new DeploymentStore(bound)
  await theirs.addBlobs([{ sha256: OTHER_BLOB, size: 777_777_777 }], await theirs.beginUpload())
  const { id: otherUpload } = await theirs.insert(newDeployment(OTHER_TEXT, 'of-other'))
  await theirs.publish(otherDeployment, { expected: null })
  await bound.query(`select add_traffic(array[$1::bigint], '{666666666}', '{666666666}')`, [
    other.id,
  ])
  await theirs.setLock(OTHER_TEXT)
  await owner.query(
    `update project_blob set stored_at = stored_at - interval '2 hours' where project_id = $1 and sha256 = $2`,
    [other.id, Buffer.from(BOTH_BLOB, 'hex')],
  )
  await owner.query('update organization set storage_bytes_max = $2 where id = $1', [
    other.tenant.organizationId,
    OTHER_STORAGE_MAX,
  ])
  const ownDeployment = await fillDeployments(service, own, 'own')
  await new ProofStore(bound).save(otherDeployment, proofOf(OTHER_TEXT), 5)
  const vectors = { model: 'both', passages: 1, embedded: 1, tryAfterSeconds: undefined }
  const otherVectors = { ...vectors, deploymentId: otherDeployment, sha256: OTHER_VECTORS }
  await new VectorStore(bound).save(otherVectors)
  const otherPreview = await fillPreviews(service, other, OTHER_NAME)
  const ownPreview = await fillPreviews(service, own, 'name-of-own')
  const [waiting] = await owner.query<{ id: string }>(
    `insert into preview (project_id, name, branch, deployment_id, runs_scripts, expires_at)
     select project_id, 'branch-of-other', $2, deployment_id, false, expires_at from preview where project_id = $1
     returning deployment_id as id`,
    [other.id, OTHER_TEXT],
  )
  // A gap whose last conversation was deleted.
  await owner.query(`insert into gap (project_id, id) values ($1, 'empty')`, [other.id])
  await fillConnections(databaseOf(other), OTHER_TEXT)
  await fillConnections(databaseOf(own), 'own')
  await owner.query(
    `update project set settings = jsonb_build_object(
       'webhook', 'https://' || id || '.example', 'trust', jsonb_build_array('github:of/' || id))`,
    [],
  )
  const otherBuilds = await fillBuilds(owner, other, {
    text: OTHER_TEXT,
    number: 1_000,
    deploymentId: otherDeployment,
  })
  const ownBuilds = await fillBuilds(owner, own, { text: 'own', number: 1_000, deploymentId: null })
  const otherBuild = await fillOpenBuilds(service, other, {
    text: OTHER_TEXT,
    cache: { sha256: OTHER_CACHE, size: 888_888_888 },
  })
  const ownBuild = await fillOpenBuilds(service, own, {
    text: 'own',
    cache: { sha256: '1'.repeat(64), size: 1 },
  })
  await fillNotifications(owner, databaseOf(other), OTHER_TEXT)
  await fillNotifications(owner, databaseOf(own), 'own')
  await copyNotifications(owner, { from: own.id, to: other.id })
  await fillDomains(owner, databaseOf(other), OTHER_NAME)
  await fillDomains(owner, databaseOf(own), 'own')
  await fillAccess(owner, databaseOf(other), OTHER_NAME)
  await fillAccess(owner, databaseOf(own), 'own')
  const feedback = {
    otherId: await fillEvents(owner, databaseOf(other), OTHER_NAME),
    ownId: await fillEvents(owner, databaseOf(own), 'own'),
  }
  const people = await createTenantPeople(service, { own, other })
  const otherKeyId = otherKey?.id ?? ''
  const [olderId = '', , , , otherId = ''] = ids

  async function prepare(database: ProjectDatabase): Promise<readonly Operation[]> {
    const keys = new KeyStore(database)
    const ours = new ConversationStore(database)
    const secrets = createSecretStore(database, RING)
    const databaseOfAll = { ...database, forProject: () => database } as unknown as Database
    const assistant = new AssistantSettingsStore(database)
    const turns = new TurnStore(database)
    const embedded = new VectorStore(database)
    const details = new DetailsStore(database)
    const lists = new ConversationListStore(database)
    const deployments = new DeploymentStore(database)
    const comparisons = new ComparisonStore(database)
    const proofs = new ProofStore(database)
    const previews = new PreviewStore(database)
    const webhooks = new WebhookStore(database)
    const notify = new NotifyStore(database)
    const untold = { state: 'queued', reportedState: null } as const
    const count = (await ours.page(ALL, 1_000)).count
    const newKey = {
      kind: 'admin' as const,
      hash: Buffer.alloc(32),
      pepperId: 'own',
      lastFour: '0000',
      name: '',
      scopes: [],
      allowedFrom: null,
      expiresAt: null,
      createdBy: 'own',
    }
    return [
      () => ours.page(ALL, 1_000),
      // The page is full, so the store checks whether there are more rows.
      () => ours.page(ALL, count),
      // This turn is newer than the newest row of the project, so the import rejects it. The next
      // operation seals the project at a later time.
      () => ours.importBatch([turn('between', betweenMs, 'own')]),
      () => ours.page({ ...ALL, sealMs }, 1_000),
      () => ours.backfills(),
      ...LIST_FILTERS.map(
        (filter) => () =>
          lists
            .page({
              window: ALL,
              filter: { ...NO_FILTER, ...filter },
              before: undefined,
              limit: 100,
            })
            .then(({ rows, ...page }) => ({ ...page, rows: rows.toString() })),
      ),
      () => lists.facts({ filter: NO_FILTER, days: undefined }),
      () => keys.list(),
      () =>
        database.query('select authenticate_api_key($1, $2)', [
          PEPPER.hashes('api key', own.token),
          null,
        ]),
      () => keys.revoke(otherKeyId),
      () => keys.page(undefined, 100),
      () => database.transaction((query) => lockKey(query, otherKeyId)),
      () => database.transaction((query) => endKey(query, otherKeyId, new Date(NOW))),
      () => database.transaction((query) => insertKey(query, newKey)),
      () => deployments.project(),
      () => deployments.publication(),
      () => deployments.canonicalDomain(),
      () => deployments.list(undefined, 100),
      () => deployments.list(undefined, 100, { text: 'own' }),
      () => deployments.lastScanned(undefined, {}),
      () => deployments.find(otherDeployment),
      () => deployments.sizes([BOTH_BLOB, OTHER_BLOB]).then((sizes) => [...sizes]),
      () => deployments.beginUpload().then(({ room, suspended }) => ({ room, suspended })),
      () => deployments.addBlobs([{ sha256: 'c'.repeat(64), size: 1 }], { began: NOW }),
      () => deployments.addBlobs([{ sha256: OTHER_BLOB, size: 1 }], { began: NOW }),
      () => deployments.keptRoots(),
      () => readUsage(database, { from: '2026-01-01', to: '2027-01-01' }),
      () => readStorage(database),
      () => readOrganizationUsage(database, { from: '2026-01-01', to: '2027-01-01' }),
      () => deployments.isProtected(),
      () => deployments.insert(newDeployment('own', 'of-other')),
      () => deployments.end(otherUpload, 'cancelled'),
      () => comparisons.find(otherDeployment),
      () => comparisons.save(otherDeployment, { specifications: [], problem: 'own' }),
      () => comparisons.due(100).then((rows) => rows.length),
      () => comparisons.find(ownDeployment),
      () => proofs.save(otherDeployment, proofOf('own'), 5),
      () => proofs.find(otherDeployment).then((found) => found?.octavo),
      () => proofs.isShown(otherDeployment),
      () => proofs.ofPage(otherDeployment, 'start'),
      () => proofs.save(ownDeployment, proofOf('own'), 0),
      () => proofs.save(ownDeployment, proofOf('own'), 5),
      () => proofs.find(ownDeployment).then((found) => found?.octavo),
      () => proofs.isShown(ownDeployment),
      () => proofs.ofPage(ownDeployment, 'start'),
      () => comparisons.findLive({ at: new Date(0) }),
      () => comparisons.between({ from: ownDeployment, to: otherDeployment }),
      () => deployments.publish(otherDeployment, { expected: null }),
      () => deployments.takeDown(otherDeployment),
      () => deployments.dropBlobs(new Set(), -60),
      () => deployments.publish(ownDeployment, { expected: null }),
      () => deployments.setLock('own'),
      () => embedded.pending('both'),
      () => embedded.find(otherDeployment, 'both'),
      () => embedded.newest('both', 10),
      () => embedded.save({ ...otherVectors, sha256: '12ab'.repeat(16) }),
      () => embedded.save({ ...vectors, deploymentId: ownDeployment, sha256: '12ab'.repeat(16) }),
      () => embedded.find(ownDeployment, 'both'),
      () => deployments.keptVectors(),
      () => readTrust(database),
      () => webhooks.isSet(),
      () => webhooks.target(),
      () => webhooks.live(),
      () => webhooks.keepAttempt(`https://${other.id}.example`, { type: 'own', at: NOW }),
      () => webhooks.keepAttempt(`https://${own.id}.example`, { type: 'own', at: NOW }),
      () => changeWebhook(database, { target: undefined, requester: { actor: 'own' } }),
      () => notify.project(),
      () => notify.connection(),
      () =>
        notify
          .unreportedBuilds()
          .then((builds) => builds.map((build) => ({ ...build, ageSeconds: 0 }))),
      () => notify.markReported({ ...untold, id: otherBuilds.failed }, null),
      () => notify.markReported({ ...untold, id: ownBuilds.failed }, null),
      () => notify.clearReported(otherBuilds.preview),
      () => notify.dueComments().then((due) => due.map((one) => ({ ...one, ageSeconds: 0 }))),
      () => notify.markCommented({ ref: 'both', key: 'own' }, null),
      () => previews.approve('branch-of-other', waiting?.id ?? ''),
      () => notify.liveDiagnostics(),
      () => webhooks.unannounced(),
      () => webhooks.markAnnounced(otherBuilds.failed),
      () => webhooks.markAnnounced(ownBuilds.failed),
      () => notify.hasPendingNotifications(),
      () => previews.publish(otherPreview, 'name-own-other'),
      () => previews.publish(ownPreview, 'name-of-own-2'),
      () => previews.end(OTHER_NAME),
      () => previews.list(),
      () => deployments.find(ownPreview),
      ...connectionOperations(database, OTHER_TEXT),
      () => deployments.keptCaches(),
      () => deployments.promisedPreviewName(otherDeployment),
      () => deployments.promisedPreviewName(ownDeployment),
      ...buildOperations(database, {
        own: ownBuild,
        other: otherBuild,
        otherText: OTHER_TEXT,
        deploy: (key, build) => deployments.insert({ ...newDeployment('own', key), build }),
      }),
      () => deployments.takeDown(ownDeployment),
      () => webhooks.removed(),
      () => secrets.read('both'),
      () => secrets.read('other'),
      () => secrets.remove('other'),
      () => findSecretKeyFault(databaseOfAll, [WRONG_KEY]),
      () => secrets.write('other', 'own'),
      () => countAction(database, { action: 'import', perHour: 60 }),
      () => writeAudit(database, { actor: 'test', action: 'test' }),
      () => new OverviewStore(database).read(90),
      () => new OverviewStore(database).newestQuestions(90),
      () => new SettingsStore(database).read(),
      () => new SettingsStore(database).change({ name: 'own' }, { actor: 'own' }),
      () => createAuditLog(database, PROJECT_LOG).page(ALL_EVENTS, undefined, 100),
      () => createAuditLog(database, { of: 'organization' }).page(ALL_EVENTS, undefined, 100),
      () => ours.accept({ query: 'own', reader: READER }),
      () => ours.publish(otherTurn, { response: 'own', ...ANSWER }),
      () => ours.publish(ownTurn, { response: 'own', ...ANSWER }),
      () => assistant.read(),
      () => assistant.write({ ...NO_SETTINGS, model: { name: 'own' } }),
      () => turns.begin(newTurn('own', { tokensPerDay: 10_000 })),
      () => turns.renew({ id: otherAssistant.open, lease: LEASE }, 'own'),
      () => turns.renew({ id: ownAssistant.open, lease: LEASE }, 'own'),
      () => turns.publish({ id: otherAssistant.open, lease: LEASE }, publishedAnswer('own')),
      () => turns.publish({ id: ownAssistant.open, lease: LEASE }, unansweredAnswer('own')),
      () => turns.publish({ id: ownAssistant.preview, lease: LEASE }, publishedAnswer('own')),
      () => details.list({ limit: 100 }),
      () => details.list({ limit: 100, feedback: 'unhelpful', reason: 'declared' }),
      () => details.find(otherAssistant.conversation),
      () => details.categories(),
      ...gapOperations(database, { own: ownAssistant, other: otherAssistant }),
      () => turns.addFeedback(otherAssistant.conversation, { isHelpful: true }),
      () => turns.addFeedback(ownAssistant.conversation, { isHelpful: true, note: 'own' }),
      () => ours.erase({ id: ownAssistant.conversation }),
      () => ours.erase({ id: ownAssistant.unanswered }),
      () => new GapStore(database).find(ownAssistant.gap),
      () => ours.importBatch([turn('history', 3_000, 'own'), turn('erased', 2_000, 'own')]),
      () => ours.importBatch([turn('receipt', null, 'own')]),
      () => database.query('select expire_conversations(1)'),
      () => ours.erase({ id: otherId }),
      () => ours.erase({ reader: READER }),
      () => assistant.use(),
      () => ours.page(ALL, 1_000),
      ...domainOperations(database, `${OTHER_NAME}.example.com`),
      ...accessOperations(database, OTHER_NAME),
      ...eventOperations(database, feedback),
      ...lifecycleOperations(database, { own, other }),
      ...notificationOperations(database),
      ...people.operations(database),
      ...deletionOperations(database, own, people),
    ]
  }
  const otherSecrets = [
    ...people.secrets,
    ...[OTHER_TEXT, other.publicId, otherKeyId, otherTurn, otherId, olderId],
    ...[otherDeployment, otherUpload, otherPreview, OTHER_NAME, OTHER_ROOT.toString('hex')],
    ...[otherBuilds.failed, otherBuilds.preview],
    ...[otherBuild.running, otherBuild.queued, OTHER_CACHE, OTHER_VECTORS, '888888888'],
    ...[otherAssistant.conversation, otherAssistant.open],
    ...[otherAssistant.unanswered, otherAssistant.gap, otherAssistant.change],
    ...['777777777', '777777778', '666666666', String(OTHER_STORAGE_MAX)],
  ]
  return { own, other, otherSecrets, prepare }
}

const NO_FILTER = {
  resolutionStatus: undefined,
  queryCategory: undefined,
  feedback: undefined,
  text: undefined,
}
/** Filters that use different indexes. */
const LIST_FILTERS = [
  {},
  { resolutionStatus: 'unanswered' },
  { queryCategory: 'how-to' },
  { feedback: 'unhelpful' },
  { feedback: 'none' },
] as const

const PROJECT_LOG = { of: 'project', withPeople: true } as const
const ALL_EVENTS = {
  fromMs: undefined,
  toMs: undefined,
  actor: undefined,
  action: undefined,
  text: undefined,
}

const NOW = '2026-01-01T00:00:00Z'
const BOTH_BLOB = 'a'.repeat(64)
const OTHER_BLOB = 'b'.repeat(64)

const OTHER_ROOT = Buffer.alloc(32, 0xee)
const OTHER_STORAGE_MAX = 555_555_555

const newDeployment = (text: string, idempotencyKey: string) => ({
  root: text === OTHER_TEXT ? OTHER_ROOT : Buffer.alloc(32),
  target: 'production' as const,
  isDraft: false,
  branch: text,
  message: text,
  commit: null,
  by: text,
  idempotencyKey,
})

const proofOf = (text: string): StoredProof => ({
  ranAt: new Date(NOW),
  octavo: text,
  runtimes: [text],
  passed: 1,
  failed: 0,
  notRun: 0,
  pages: new Map([['start', { [text]: [text] }]]),
})

const OTHER_CACHE = 'f'.repeat(64)
const OTHER_VECTORS = '9'.repeat(64)
/**
 * Adds rows to the other project with the same ids as in `own`, and a high number of used tokens.
 */
async function copyAssistant(owner: Database, own: TestProject, other: TestProject): Promise<void> {
  const values = [own.id, other.id, OTHER_TEXT]
  for (const statement of [
    `insert into conversation_detail (project_id, id, model, reason)
     select $2, id, $3, reason from conversation_detail where project_id = $1`,
    `insert into conversation (project_id, id, recorded_at, query, response, sources, resolution_status)
     select $2, c.id, c.recorded_at, $3, $3, c.sources, c.resolution_status
       from conversation c join conversation_detail using (project_id, id) where project_id = $1`,
    `insert into conversation_feedback (project_id, id, is_helpful, note)
     select $2, id, true, $3 from conversation_feedback where project_id = $1`,
    `insert into question (project_id, id, query, lease, leased_until, reserved_tokens, reserved_on)
     select $2, id, case when query is not null then $3 end, lease, leased_until, 55, reserved_on
       from question where project_id = $1 and lease is not null and conversation_id is null`,
    `insert into gap (project_id, id, linked_page) select $2, id, $3 from gap where project_id = $1`,
    `insert into gap_change (project_id, id, action, before)
     select $2, id, action, before from gap_change where project_id = $1 and $3 <> ''`,
    `insert into unsorted_question (project_id, conversation_id)
     select $2, conversation_id from unsorted_question where project_id = $1 and $3 <> ''`,
    `insert into gap_conversation (project_id, conversation_id, gap_id)
     select $2, conversation_id, gap_id from gap_conversation where project_id = $1 and $3 <> ''`,
    // A conversation whose id is higher than that of any other conversation with a gap.
    `insert into gap_conversation (project_id, conversation_id, gap_id)
     select $2, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', max(id) from gap where project_id = $1 and $3 <> ''`,
    `update assistant_usage set used_tokens = case project_id when $1 then 0 else 666666666 end
      where project_id in ($1, $2) and $3 <> ''`,
    `update question set reserved_tokens = 66, reserved_on = (now() at time zone 'UTC')::date
      where project_id in ($1, $2) and reader is not null and $3 <> ''`,
  ])
    await owner.query(statement, values)
}

/** Adds a finished deployment that can be published. */
async function fillDeployments(
  { service }: TestService,
  { tenant }: TestProject,
  text: string,
): Promise<string> {
  const deployments = new DeploymentStore(service.database.forProject(tenant))
  await deployments.addBlobs([{ sha256: BOTH_BLOB, size: 1 }], { began: NOW })
  const { id } = await deployments.insert(newDeployment(text, 'of-both'))
  await deployments.end(id, 'ready', { files: 1, bytes: 1 })
  return id
}

/**
 * Adds a published preview and a newer deployment of the same branch. Returns the id of the newer
 * one.
 */
async function fillPreviews(
  { service }: TestService,
  { tenant }: TestProject,
  name: string,
): Promise<string> {
  const bound = service.database.forProject(tenant)
  const deployments = new DeploymentStore(bound)
  let last = ''
  for (const key of ['preview-1', 'preview-2']) {
    const newPreview = { ...newDeployment('both', key), target: 'preview' as const, branch: 'both' }
    const { id } = await deployments.insert(newPreview)
    await deployments.end(id, 'ready', { files: 1, bytes: 1 })
    if (last === '') await new PreviewStore(bound).publish(id, name)
    last = id
  }
  return last
}

/** Adds to a project the rows that both projects need. Returns the id of an unanswered question. */
async function fillBoth(service: TestService, project: TestProject, text: string): Promise<string> {
  const conversations = service.conversationsOf(project)
  await conversations.importBatch([turn('shared', 1_000, text)])
  await service.publish(project, turn('read', null, text), READER)
  await service.publish(project, turn('published', null, text))
  const database = service.service.database.forProject(project.tenant)
  await createSecretStore(database, RING).write('both', text)
  return conversations.accept({ query: text, reader: READER })
}
