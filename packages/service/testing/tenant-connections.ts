/** Runs all operations on the Git connection of one project; used by `two-tenants.ts`. */
import type { ProjectDatabase } from '../src/platform/database/database.ts'
import {
  deleteGitRefs,
  finishCheck,
  listAbandonedRefs,
  listGitRefs,
  listHintedRefs,
  lockConnection,
  saveGitRefs,
} from '../src/publishing/connections/ref-store.ts'
import {
  ConnectionStore,
  deleteConnection,
  forgetPublished,
  forgetRepository,
  insertConnection,
  insertDelivery,
  recordDocsJson,
  resetChecks,
  updateConnection,
} from '../src/publishing/connections/store.ts'
import {
  endBranchPreviews,
  listPreviewedBranches,
} from '../src/publishing/deployments/preview-store.ts'
import { connectionOf, DELIVERY, GIT_REF } from './test-connection.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const CHECKED = {
  notice: 'own',
  isBranchMissing: true,
  hasListedPulls: true,
  hasRefreshed: true,
  hasMore: false,
}

const urlOf = (text: string) => `https://git.example.com/o/${text}`

/** Adds a repository with branches and webhook deliveries. */
export async function fillConnections(database: ProjectDatabase, text: string): Promise<void> {
  await database.transaction(async (query) => {
    const url = urlOf(text)
    await insertConnection(query, { ...connectionOf(`hook-of-connection-${text}`), url })
    for (const name of ['both', text])
      await saveGitRefs(query, [{ ...GIT_REF, name, pullUrl: text }])
    await insertDelivery(query, { ...DELIVERY, deliveryId: text, ref: text, body: text })
    await insertDelivery(query, { ...DELIVERY, deliveryId: `both-${text}` })
  })
}

export function connectionOperations(
  database: ProjectDatabase,
  otherText: string,
): readonly (() => Promise<unknown>)[] {
  const connections = new ConnectionStore(database)
  return [
    () => connections.find().then((row) => ({ url: row?.url, hookId: row?.hookId })),
    () => connections.productionBranch(),
    () => connections.listDeliveries(100),
    () => connections.addRejectedDelivery({ ...DELIVERY, body: 'own' }, 401, 'own'),
    () => database.transaction((query) => lockConnection(query, urlOf('own'))),
    () => database.transaction((query) => lockConnection(query, urlOf(otherText))),
    () => database.transaction(listGitRefs),
    () => database.transaction(listAbandonedRefs).then((all) => [...all]),
    () => database.transaction((query) => listHintedRefs(query, null)).then((all) => [...all]),
    () => database.transaction(listPreviewedBranches).then((all) => [...all]),
    () => database.transaction((query) => saveGitRefs(query, [{ ...GIT_REF, name: 'both' }])),
    () => database.transaction((query) => deleteGitRefs(query, ['both', otherText])),
    () => database.transaction((query) => endBranchPreviews(query, ['both'])),
    () => database.transaction((query) => insertDelivery(query, DELIVERY)),
    () => database.transaction((query) => finishCheck(query, { ...CHECKED, at: AT })),
    () => connections.recordFailure({ step: 'access', message: 'own', said: 'own' }, new Date()),
    () => connections.isHookAccepted(),
    () =>
      database.transaction((query) =>
        updateConnection(query, {
          ...connectionOf(''),
          branch: 'both',
          folder: 'own',
        }),
      ),
    () => database.transaction((query) => resetChecks(query, { hasDocsJson: true })),
    () => database.transaction((query) => recordDocsJson(query, false)),
    () => database.transaction(forgetRepository),
    () => database.transaction(forgetPublished),
    () => database.transaction(deleteConnection),
    () =>
      database.transaction((query) =>
        insertConnection(query, connectionOf('own-hook-of-another-connection')),
      ),
    () => connections.listDeliveries(100),
    () => database.transaction(listGitRefs),
  ]
}
