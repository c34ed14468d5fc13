/** Two projects that have the same kinds of rows, and all that the service does for one of them. */
import { createKeyStore } from '../api-keys/store.ts'
import { hashToken } from '../api-keys/token.ts'
import { writeAudit } from '../audit/store.ts'
import { createConversationStore } from '../conversations/store.ts'
import type { ProjectDatabase } from '../database/database.ts'
import { createPreviewStore } from '../deployments/preview-store.ts'
import { createDeploymentStore } from '../deployments/store.ts'
import { countAct } from '../http/act-limit.ts'
import { readTrust } from '../oidc/store.ts'
import { createKeyRing } from '../secrets/key-ring.ts'
import { createSecretStore } from '../secrets/store.ts'
import { createWebhookStore } from '../webhooks/store.ts'
import { PEPPER, type TestProject, type TestService } from './test-service.ts'

export type TwoTenants = {
  readonly own: TestProject
  readonly other: TestProject
  /** Everything by which a row of the other project is known. */
  readonly otherSecrets: readonly string[]
  /** Every operation, for `own`, with ids and names of the other project where it takes one. */
  readonly work: (database: ProjectDatabase) => Promise<readonly unknown[]>
}

const RING = createKeyRing([{ id: 'k', bytes: Buffer.alloc(32) }])
const READER = 'reader-of-both'
const ALL = { after: '', from: '', to: '8', sealMs: null }
const ANSWER = { sources: [], resolutionStatus: 'answered' as const }
const OTHER_TEXT = 'secret-of-other'
const OTHER_NAME = 'name-of-other'

const turn = (turnId: string, atMs: number | null, text: string) => ({
  ...ANSWER,
  turnId,
  query: text,
  response: text,
  atMs,
})

export async function createTwoTenants(service: TestService): Promise<TwoTenants> {
  const pair = [await service.createProject(), await service.createProject()]
  // Where a condition is missing, rows of the other project come first.
  const [other, own] = pair.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)) as [
    TestProject,
    TestProject,
  ]
  const ownTurn = await fillBoth(service, own, 'own')
  const otherTurn = await fillBoth(service, other, OTHER_TEXT)
  const { owner } = service
  // The newest row of the other project is newer by far, so that history may lie in between.
  const [sequence] = await owner.query<{ ms: string }>(
    'update project_sequence set last_ms = last_ms - 60000 where project_id = $1 returning last_ms as ms',
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
  // A question of the other project that has, by chance, the id of one of ours.
  await owner.query(
    `insert into turn (project_id, id, query, reader) select $1, id, $2, reader from turn
      where project_id = $3 and id = $4`,
    [other.id, OTHER_TEXT, own.id, ownTurn],
  )
  const bound = service.service.database.forProject(other.tenant)
  await createSecretStore(bound, RING).write('other', OTHER_TEXT)
  await countAct(bound, { act: 'import', perHour: 60 })
  const [otherKey] = await createKeyStore(bound).list()
  const otherDeployment = await fillDeployments(service, other, OTHER_TEXT)
  const theirs = createDeploymentStore(bound)
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
  await owner.query('update organisation set storage_bytes_max = $2 where id = $1', [
    other.tenant.organisationId,
    OTHER_STORAGE_MAX,
  ])
  const ownDeployment = await fillDeployments(service, own, 'own')
  const otherPreview = await fillPreviews(service, other, OTHER_NAME)
  const ownPreview = await fillPreviews(service, own, 'name-of-own')
  await owner.query(
    `update project set settings = jsonb_build_object(
       'webhook', 'https://' || id || '.example', 'trust', jsonb_build_array('github:of/' || id))`,
    [],
  )
  const otherKeyId = otherKey?.id ?? ''
  const [olderId = '', , , , otherId = ''] = ids

  async function work(database: ProjectDatabase): Promise<readonly unknown[]> {
    const keys = createKeyStore(database)
    const ours = createConversationStore(database)
    const secrets = createSecretStore(database, RING)
    const deployments = createDeploymentStore(database)
    const previews = createPreviewStore(database)
    const webhooks = createWebhookStore(database)
    const count = (await ours.page(ALL, 1_000)).count
    const newKey = { kind: 'admin' as const, hash: Buffer.alloc(32), lastFour: '0000', name: '' }
    const operations: readonly (() => Promise<unknown>)[] = [
      () => ours.page(ALL, 1_000),
      // The page is full: is there more?
      () => ours.page(ALL, count),
      // Newer than the newest row of the project, so it is refused; sealing makes it history.
      () => ours.importBatch([turn('between', betweenMs, 'own')]),
      () => ours.page({ ...ALL, sealMs }, 1_000),
      () => ours.backfills(),
      () => keys.list(),
      () => database.query('select authenticate_key($1, $2)', [hashToken(own.token, PEPPER), null]),
      () => keys.revoke(otherKeyId),
      () => keys.insert({ ...newKey, scopes: [], allowedFrom: null, expiresAt: null }),
      () => deployments.project(),
      () => deployments.publication(),
      () => deployments.list(undefined, 100),
      () => deployments.find(otherDeployment),
      () => deployments.sizes([BOTH_BLOB, OTHER_BLOB]).then((sizes) => [...sizes]),
      () => deployments.beginUpload().then(({ room, suspended }) => ({ room, suspended })),
      () => deployments.addBlobs([{ sha256: 'c'.repeat(64), size: 1 }], { began: NOW }),
      () => deployments.addBlobs([{ sha256: OTHER_BLOB, size: 1 }], { began: NOW }),
      () => deployments.keptRoots(),
      () => deployments.usage(),
      () => deployments.insert(newDeployment('own', 'of-other')),
      () => deployments.end(otherUpload, 'cancelled'),
      () => deployments.publish(otherDeployment, { expected: null }),
      () => deployments.takeDown(otherDeployment),
      () => deployments.dropBlobs(new Set(), -60),
      () => deployments.publish(ownDeployment, { expected: null }),
      () => deployments.setLock('own'),
      () => readTrust(database),
      () => webhooks.isSet(),
      () => webhooks.live(),
      () => previews.publish(otherPreview, 'name-own-other'),
      () => previews.publish(ownPreview, 'name-of-own-2'),
      () => previews.end(OTHER_NAME),
      () => previews.list(),
      () => deployments.find(ownPreview),
      () => deployments.takeDown(ownDeployment),
      () => secrets.read('both'),
      () => secrets.read('other'),
      () => secrets.remove('other'),
      () => secrets.write('other', 'own'),
      () => countAct(database, { act: 'import', perHour: 60 }),
      () => writeAudit(database, { actor: 'test', action: 'test' }),
      () => ours.accept({ query: 'own', reader: READER }),
      () => ours.publish(otherTurn, { response: 'own', ...ANSWER }),
      () => ours.publish(ownTurn, { response: 'own', ...ANSWER }),
      () => ours.importBatch([turn('history', 3_000, 'own'), turn('erased', 2_000, 'own')]),
      () => ours.importBatch([turn('receipt', null, 'own')]),
      () => database.query('select expire_conversations(1)'),
      () => ours.erase({ id: otherId }),
      () => ours.erase({ reader: READER }),
      () => ours.page(ALL, 1_000),
    ]
    const results: unknown[] = []
    for (const operation of operations) {
      results.push(await operation().catch((error: Error) => ({ error: error.message })))
    }
    return results
  }
  const otherSecrets = [
    ...[OTHER_TEXT, other.publicId, otherKeyId, otherTurn, otherId, olderId],
    ...[otherDeployment, otherUpload, otherPreview, OTHER_NAME, OTHER_ROOT.toString('hex')],
    ...['777777777', '777777778', '666666666', String(OTHER_STORAGE_MAX)],
  ]
  return { own, other, otherSecrets, work }
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

/** A deployment that is ready. */
async function fillDeployments(
  { service }: TestService,
  { tenant }: TestProject,
  text: string,
): Promise<string> {
  const deployments = createDeploymentStore(service.database.forProject(tenant))
  await deployments.addBlobs([{ sha256: BOTH_BLOB, size: 1 }], { began: NOW })
  const { id } = await deployments.insert(newDeployment(text, 'of-both'))
  await deployments.end(id, 'ready', { files: 1, bytes: 1 })
  return id
}

/** A preview, and a newer deployment of its branch that is ready. Gives the id of that one. */
async function fillPreviews(
  { service }: TestService,
  { tenant }: TestProject,
  name: string,
): Promise<string> {
  const bound = service.database.forProject(tenant)
  const deployments = createDeploymentStore(bound)
  let last = ''
  for (const key of ['preview-1', 'preview-2']) {
    const wish = { ...newDeployment('both', key), target: 'preview' as const, branch: 'both' }
    const { id } = await deployments.insert(wish)
    await deployments.end(id, 'ready', { files: 1, bytes: 1 })
    if (last === '') await createPreviewStore(bound).publish(id, name)
    last = id
  }
  return last
}

/** Rows that both projects have. Gives the id of a question without an answer. */
async function fillBoth(service: TestService, project: TestProject, text: string): Promise<string> {
  const conversations = service.conversationsOf(project)
  await conversations.importBatch([turn('shared', 1_000, text)])
  await service.publish(project, turn('read', null, text), READER)
  await service.publish(project, turn('published', null, text))
  const database = service.service.database.forProject(project.tenant)
  await createSecretStore(database, RING).write('both', text)
  return conversations.accept({ query: text, reader: READER })
}
