/**
 * Adds, changes and removes the connection of a project to a repository. Each change is one
 * transaction with an entry in the audit log.
 */
import { randomBytes } from 'node:crypto'
import type { Requester } from '../../platform/audit/request-audit.ts'
import { insertAudit } from '../../platform/audit/store.ts'
import {
  joinTransaction,
  type ProjectDatabase,
  type Query,
} from '../../platform/database/database.ts'
import { createKeyRing, type SecretKey } from '../../platform/secrets/key-ring.ts'
import { createSecretStore } from '../../platform/secrets/store.ts'
import { createWebhookSecret } from '../../projects/notifications/webhooks/sign-webhook.ts'
import {
  CONNECTION_SECRETS,
  type Connection,
  GIT_SSH_KEY_SECRET,
  GIT_TOKEN_SECRET,
  HOOK_SECRET,
} from '../providers/connection.ts'
import { createSshKey } from './create-ssh-key.ts'
import type { TokenChange } from './parse-repository.ts'
import {
  type ConnectionSettings,
  ConnectionStore,
  deleteConnection,
  forgetPublished,
  forgetRepository,
  insertConnection,
  resetChecks,
  updateConnection,
  type Verified,
} from './store.ts'

const HOOK_ID_BYTES = 18

/** Returns the comment of a deploy key, which Git hosts show as its name. */
export const deployKeyName = (publicId: string) => `octavo ${publicId}`

export type ConnectionDeps = {
  readonly database: ProjectDatabase
  readonly secretKeys: readonly SecretKey[]
  readonly requester: Requester
  readonly publicId: string
}

export type AddedConnection = {
  readonly connection: Connection
  /** The secret of the webhook. It is never shown again. */
  readonly secret: string
  /** The deploy key to add to the repository, for a connection over SSH. */
  readonly deployKey: string | undefined
}

/**
 * Connects a project. Returns undefined if it already has a repository. `then` runs in the
 * transaction.
 */
export function addConnection(
  { database, secretKeys, requester, publicId }: ConnectionDeps,
  input: Omit<Connection, 'hookId'> & {
    readonly token: string | undefined
    readonly verified?: Verified | undefined
  },
  then: (query: Query) => Promise<void> = async () => {},
): Promise<AddedConnection | undefined> {
  const { token, verified, ...repository } = input
  const connection = { ...repository, hookId: randomBytes(HOOK_ID_BYTES).toString('base64url') }
  const { url, provider, credential, branch, folder } = connection
  const sshKey = credential === 'ssh-key' ? createSshKey(deployKeyName(publicId)) : undefined
  const secret = createWebhookSecret()
  const secrets = new Map([[HOOK_SECRET, secret]])
  if (token !== undefined) secrets.set(GIT_TOKEN_SECRET, token)
  if (sshKey !== undefined) secrets.set(GIT_SSH_KEY_SECRET, sshKey.privateKey)
  const ring = createKeyRing(secretKeys)
  return database.transaction(async (query) => {
    if (!(await insertConnection(query, connection, verified))) return undefined
    const store = createSecretStore(joinTransaction(database, query), ring)
    for (const [name, text] of secrets) await store.write(name, text)
    await insertAudit(query, {
      ...requester,
      action: 'connection.add',
      object: publicId,
      after: { url, provider, credential, branch, folder },
    })
    await then(query)
    return { connection, secret, deployKey: sshKey?.publicKey }
  })
}

export type ConnectionInput = Partial<ConnectionSettings> & {
  readonly token?: TokenChange
  /** The result of reading the repository; undefined if it was not read. */
  readonly verified?: Verified | undefined
}

/** Changes a connection. Returns false if the project has no connection. `then` runs in the transaction. */
export function changeConnection(
  { database, secretKeys, requester, publicId }: ConnectionDeps,
  { token, verified, ...input }: ConnectionInput,
  then: (query: Query) => Promise<void>,
): Promise<boolean> {
  return database.transaction(async (query) => {
    const joined = joinTransaction(database, query)
    const found = await new ConnectionStore(joined).find()
    if (found === undefined) return false
    const { url, provider, credential, branch, folder, previews, forks } = found
    const before: ConnectionSettings = {
      url,
      provider,
      credential,
      branch,
      folder,
      previews,
      forks,
    }
    const after = { ...before, ...input }
    await updateConnection(query, after)
    if (needsNewCheck({ before, after, token })) await resetChecks(query, verified)
    if (after.url !== url) await forgetRepository(query)
    if (after.url !== url || after.folder !== folder) await forgetPublished(query)
    if (token !== undefined) {
      const secrets = createSecretStore(joined, createKeyRing(secretKeys))
      if (token === null) await secrets.remove(GIT_TOKEN_SECRET)
      else await secrets.write(GIT_TOKEN_SECRET, token)
    }
    await insertAudit(query, {
      ...requester,
      action: 'connection.change',
      object: publicId,
      before,
      after: {
        ...after,
        ...(token !== undefined && { token: token === null ? 'removed' : 'new' }),
      },
    })
    await then(query)
    return true
  })
}

/** Returns true if a change makes the results of earlier checks obsolete. */
export function needsNewCheck(change: {
  readonly before: ConnectionSettings
  readonly after: ConnectionSettings
  readonly token: TokenChange
}): boolean {
  const { before, after, token } = change
  return (
    token !== undefined ||
    after.url !== before.url ||
    after.branch !== before.branch ||
    after.folder !== before.folder
  )
}

/**
 * Removes a connection and its secrets. Returns false if the project has no connection. Builds and deployments
 * stay.
 */
export function removeConnection({
  database,
  secretKeys,
  requester,
  publicId,
}: ConnectionDeps): Promise<boolean> {
  const ring = createKeyRing(secretKeys)
  return database.transaction(async (query) => {
    if (!(await deleteConnection(query))) return false
    const secrets = createSecretStore(joinTransaction(database, query), ring)
    for (const name of CONNECTION_SECRETS) await secrets.remove(name)
    await insertAudit(query, { ...requester, action: 'connection.remove', object: publicId })
    return true
  })
}
